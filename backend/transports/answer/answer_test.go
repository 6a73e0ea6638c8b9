package answer

import (
	"encoding/json"
	"testing"
)

// Whoever sent the JSON wrote none of our types.
func TestUnfit(t *testing.T) {
	var into struct {
		Message struct {
			Parts []string `json:"parts"`
		} `json:"message"`
	}
	for body, want := range map[string]string{
		`[]`:                        "it cannot be of the type array",
		`{"message":5}`:             "message cannot be of the type number",
		`{"message":{"parts":"x"}}`: "message.parts cannot be of the type string",
		`{`:                         "it cannot be read",
	} {
		if got := Unfit(json.Unmarshal([]byte(body), &into)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}
