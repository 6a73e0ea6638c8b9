package hostbridge_test

import (
	"encoding/json"
	"testing"
)

// BenchmarkCall is one host call from the near door to its noun.
func BenchmarkCall(b *testing.B) {
	for method, args := range map[string]string{
		"kv.get": `{"key":"a"}`, "kv.put": `{"key":"a","value":{"n":1}}`, "secrets.get": `{"name":"API_KEY"}`, "folders.read": `{"binding":"in","name":"n"}`,
	} {
		b.Run(method, func(b *testing.B) {
			w := newBench(b)
			raw := json.RawMessage(args)
			s := w.Open(w.claims(all))
			n := 0
			for b.Loop() {
				if n++; n%90 == 0 {
					s.Close()
					s = w.Open(w.claims(all))
				}
				if r := s.Call(b.Context(), n, method, raw); !r.OK {
					b.Fatal(r.Error)
				}
			}
		})
	}
}
