package eventstream_test

import (
	"net/http/httptest"
	"testing"

	"benchtop/backend/eventstream"
)

func TestAppend(t *testing.T) {
	for _, c := range []struct {
		id         uint64
		name, data string
		want       string
	}{
		{0, "", "", "data: \n\n"},
		{7, "log", `{"n":1}`, "id: 7\nevent: log\ndata: {\"n\":1}\n\n"},
		{0, "", "a\nb\r\nc\rd", "data: a\ndata: b\ndata: c\ndata: d\n\n"},
		{0, "", "a\n\nb\n", "data: a\ndata: \ndata: b\ndata: \n\n"},
		{0, "", "\r\n\r", "data: \ndata: \ndata: \n\n"},
		{0, "x\ndata: forged\r\x00", "1", "event: x data: forged  \ndata: 1\n\n"},
	} {
		if got := string(eventstream.Append([]byte(": before\n\n"), c.id, c.name, []byte(c.data))); got != ": before\n\n"+c.want {
			t.Errorf("%d %q %q became %q", c.id, c.name, c.data, got)
		}
	}
}

func TestWanted(t *testing.T) {
	for accept, want := range map[string]bool{
		"": false, "*/*": false, "application/json": false, "text/event-stream": true,
		"application/json, Text/Event-Stream; q=0.9": true, "text/event-streams": false,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept", accept)
		if eventstream.Wanted(r) != want {
			t.Errorf("%q: %v", accept, !want)
		}
	}
}
