package invocation

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestABodyIsCutAndTheRestOfAFetchIsKept(t *testing.T) {
	whole := `{"body":{"n":1},"status":200}`
	if got, cut := cutBody(json.RawMessage(whole), maxTraceBody); cut || string(got) != whole {
		t.Errorf("a short body became %s", got)
	}
	long := `{"body":"` + strings.Repeat("a", 10_000) + `","headers":{"x":"` + strings.Repeat("h", 3_000) + `"},"status":200}`
	got, cut := cutBody(json.RawMessage(long), maxTraceBody)
	var side struct {
		Body   string `json:"body"`
		Status int    `json:"status"`
	}
	if err := json.Unmarshal(got, &side); err != nil || !cut {
		t.Fatalf("cut %v, %v: %s", cut, err, got)
	}
	if len(got) > maxTraceValue || side.Status != 200 || len(side.Body) < 500 || !strings.HasSuffix(side.Body, "…") {
		t.Errorf("%d bytes in all, %d of the body, status %d", len(got), len(side.Body), side.Status)
	}
	if got, cut := cutBody(json.RawMessage(`{"body":[1,2,3],"status":204}`), 0); !cut || string(got) != `{"status":204}` {
		t.Errorf("without room for bodies: %s", got)
	}
	if got, cut := cutBody(json.RawMessage(`{"body":{"hex":"`+strings.Repeat("0f", 200)+`"}}`), maxTraceBody); !cut || string(got) != `{"body":{"hex":"`+strings.Repeat("0f", 64)+`…"}}` {
		t.Errorf("of bytes is kept %s", got)
	}
	if got, cut := cutBody(nil, 10); cut || got != nil {
		t.Errorf("of nothing came %s", got)
	}
}
