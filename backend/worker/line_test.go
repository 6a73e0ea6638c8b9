package worker

import (
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wire"
)

// A call says which line of the author's source made it, also behind an await,
// in a function of its own and in a loop.
func TestCallsSayTheirLine(t *testing.T) {
	source := `const read = (ctx, key) =>
  ctx.kv.get(key);

export default async function handler(ctx) {
  await ctx.kv.get('a');
  await read(ctx, 'b');
  for (const key of ['c', 'd']) {
    await ctx.kv
      .get(key);
  }
  try { await ctx.fetch('https://not.allowed.example/'); } catch {}
}
`
	c := start(t)
	got := c.run(c.spec(source), func(wire.Host) *contract.HostReply { return &contract.HostReply{OK: true} })
	var lines []int
	for _, call := range got.calls {
		lines = append(lines, call.Line)
	}
	want := []int{5, 2, 9, 9}
	if len(lines) != len(want) {
		t.Fatalf("lines %v, want %v", lines, want)
	}
	for i := range want {
		if lines[i] != want[i] && lines[i] != want[i]-1 { // a call over two lines may be at either
			t.Errorf("call %d is at line %d, want %d", i, lines[i], want[i])
		}
	}
	if len(got.fetches) != 1 || got.fetches[0].Line != 11 {
		t.Errorf("fetches: %+v", got.fetches)
	}
}
