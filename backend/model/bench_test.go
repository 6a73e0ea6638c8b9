package model

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// A turn of the scripted model, with a tool that costs nothing.
func BenchmarkScriptedTurn(b *testing.B) {
	w := newWorld(b, mia())
	req := w.ask(b, "mia", `/tool add {"a": 1, "b": 2}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.Turn(b.Context(), req, func(Chunk) error { return nil }); err != nil {
			b.Fatal(err)
		}
		w.calls = w.calls[:0]
	}
}

// A thousand pieces of an upstream model, as chunks of the protocol.
func BenchmarkUpstreamPieces(b *testing.B) {
	text := strings.Repeat(delta(`{"content":"word "}`), 1000) + stop + over
	w := newWorld(b, upstreamAgent(serve(b, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, text)
	})))
	req := w.ask(b, "far", "hello")
	b.ReportAllocs()
	for b.Loop() {
		chunks, n := w.Chunks("far", true), 0
		if _, err := w.Turn(b.Context(), req, func(c Chunk) error { n += len(chunks.Of(c)); return nil }); err != nil || n < 1000 {
			b.Fatal(err, n)
		}
	}
}
