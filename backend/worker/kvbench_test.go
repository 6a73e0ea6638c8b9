package worker

import (
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wire"
)

// BenchmarkPipeKV is one run that writes and reads a key, host calls included.
func BenchmarkPipeKV(b *testing.B) {
	c := start(b)
	spec := c.spec("export default async function handler(ctx) { await ctx.kv.put('n', ctx.toolCall.params); return await ctx.kv.get('n') }")
	spec.Context = contract.RawJSON(helloContext)
	host := func(h wire.Host) *contract.HostReply {
		return &contract.HostReply{OK: true, Result: contract.RawJSON(`{"name":"Ada"}`)}
	}
	c.run(spec, host)
	b.ReportAllocs()
	for b.Loop() {
		c.run(spec, host)
	}
}
