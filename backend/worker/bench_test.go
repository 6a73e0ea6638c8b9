package worker

import (
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/worker/compile"
	"benchtop/backend/worker/hostapi"
	"benchtop/backend/worker/sandbox"
	"benchtop/backend/worker/wall"
	"benchtop/backend/worker/wire"
)

const hello = "export default async function handler(ctx) {\n  return { message: `Hello, ${ctx.toolCall.params.name}!` };\n}\n"

const helloContext = `{"source":{"skill":"manual","consumerId":"","invocationId":"inv-1"},
"toolCall":{"name":"hello","params":{"name":"Ada"},"callId":"inv-1"},
"auth":{"agentId":"agent-1","scopes":["owner"],"authenticated":true},
"limits":{"wallMs":10000,"cpuMs":5000,"memoryMb":256,"ingressBytes":1000000,"egressBytes":1000000},
"metadata":{"agentSlug":"mia","agentId":"agent-1"}}`

type silent struct{}

func (silent) Send(wire.Kind, any)                {}
func (silent) Later(func(*sandbox.Sandbox) error) {}

// BenchmarkSandbox is one hello inside the sandbox: prepared is what an
// invocation waits for, fresh is that and the runtime's preparation.
func BenchmarkSandbox(b *testing.B) {
	factory, err := newFactory()
	if err != nil {
		b.Fatal(err)
	}
	code, problems, _ := compile.Source("functions/hello/index.js", hello)
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	program, err := compile.Program(code)
	if err != nil {
		b.Fatal(err)
	}
	run := func(b *testing.B, sb *sandbox.Sandbox) {
		s := hostapi.New(wire.Run{Context: contract.RawJSON(helloContext)}, silent{}, time.Now(), wall.Open())
		if err := sb.Start(sandbox.Run{Script: program, Members: s.Members(), Host: s, Now: s.Now,
			Random: func() float64 { return 0.5 }}); err != nil {
			b.Fatal(err)
		}
		if o := sb.Outcome(); o == nil || o.Error != nil {
			b.Fatalf("%+v", o)
		}
	}
	b.Run("fresh", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sb, err := factory.New()
			if err != nil {
				b.Fatal(err)
			}
			run(b, sb)
		}
	})
	b.Run("prepared", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			sb, err := factory.New()
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			run(b, sb)
		}
	})
}

// BenchmarkPipe is one hello from a Run frame to its Result frame, over Go
// pipes in one process.
func BenchmarkPipe(b *testing.B) {
	c := start(b)
	spec := c.spec(hello)
	spec.Context = contract.RawJSON(helloContext)
	c.run(spec, nil)
	b.ReportAllocs()
	for b.Loop() {
		c.run(spec, nil)
	}
}
