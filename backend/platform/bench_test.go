package platform_test

import (
	"fmt"
	"testing"

	"benchtop/backend/contract"
)

// BenchmarkNested is a function that calls another: each beside what a call of
// its own through the API costs.
func BenchmarkNested(b *testing.B) {
	c := start(b, b.TempDir())
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	c.declare("mia", "hello", `{"runtime":"js-v1"}`, `export default () => "hi"`)
	c.declare("mia", "many", patient, `export default async (ctx) => { for (let i = 0; i < 50; i++) await ctx.fn.invoke("hello") }`)
	c.declareChain("mia", contract.MaxChainDepth, `export default () => 0`)
	for name, calls := range map[string]int{"hello": 1, "many": 50, "f0": contract.MaxChainDepth} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if r := c.invoke("mia", name, map[string]any{}); !r.OK {
					b.Fatal(fmt.Sprint(r.ErrorCode, r.ErrorMessage))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*calls), "µs/call")
		})
	}
}

// BenchmarkChat is a turn over HTTP, streamed: words alone, then with a tool that
// runs in a worker and is written down.
func BenchmarkChat(b *testing.B) {
	c := start(b, b.TempDir())
	c.must("POST", "/api/agents", map[string]any{"name": "Mia", "visibility": "public", "transports": []string{"completions"}}, nil)
	c.declare("mia", "hello", `{"runtime":"js-v1"}`, `export default () => "hi"`)
	c.must("POST", "/api/agents/mia/skills/custom_tools/use", map[string]any{"entry": map[string]any{"id": "hello", "name": "hello"}, "use": "hello"}, nil)
	for name, says := range map[string]string{"words": "good morning", "tool": "/tool hello"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if status, body := c.say("mia", says, "", true); status != 200 {
					b.Fatal(status, body)
				}
			}
		})
	}
}
