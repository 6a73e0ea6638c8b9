package hostbridge_test

import (
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

func TestRefusedSecretIsHidden(t *testing.T) {
	b := newBench(t)
	readOnly := all
	readOnly.Secrets = []string{"API_KEY"}
	for args, want := range map[string]string{
		`{"name":"API_KEY","value":"t-67890"}`:  "[secret API_KEY]",
		`{"name":"OTHER\"}","value":"t-67890"}`: "[secret refused]",
	} {
		s := b.Open(b.claims(readOnly))
		defer s.Close()
		r := s.Call(t.Context(), 1, "secrets.put", json.RawMessage(args))
		if got := s.Redact("t-67890"); r.OK || r.Error.Code != contract.PermissionDenied || got != want {
			t.Errorf("%s: %+v, then %s, want %s", args, r.Error, got, want)
		}
	}
}

func TestRedaction(t *testing.T) {
	b := newBench(t)
	b.stores.secrets["API_KEY"] = `p"ass <word>&1`
	b.stores.secrets["UNSET"] = "ab"
	s := b.Open(b.claims(all))
	defer s.Close()
	for _, name := range []string{"API_KEY", "UNSET"} {
		if r := s.Call(t.Context(), 1, "secrets.get", json.RawMessage(`{"name":"`+name+`"}`)); !r.OK {
			t.Fatal(r.Error)
		}
	}
	value := b.stores.secrets["API_KEY"]
	goJSON, _ := json.Marshal(map[string]string{"k": value})
	twice, _ := json.Marshal(string(goJSON))
	jsTwice, _ := json.Marshal(`{"k":"p\"ass <word>&1"}`)
	for _, text := range []string{
		string(twice), string(jsTwice),
		value, "x" + value + "y", string(goJSON), `{"k":"p\"ass <word>&1"}`,
		"https://h/?k=p%22ass+%3Cword%3E%261", "cCJhc3MgPHdvcmQ+JjE=", "ab",
	} {
		if got := s.Redact(text); strings.Contains(got, "word") || strings.Contains(got, "cCJhc3M") || got == "ab" {
			t.Errorf("%s became %s", text, got)
		}
	}
	for _, text := range []string{hex.EncodeToString([]byte("." + value + ".")), strings.ToUpper(hex.EncodeToString([]byte(value)))} {
		if got := s.Redact(text); strings.Contains(strings.ToLower(got), hex.EncodeToString([]byte("word"))) {
			t.Errorf("%s became %s", text, got)
		}
	}
	for _, raw := range []string{string(goJSON), `{"short":"ab","long":"abc"}`} {
		got := s.RedactJSON(json.RawMessage(raw))
		if !json.Valid(got) {
			t.Errorf("%s became %s, which is no JSON", raw, got)
		}
	}
	if got := s.Redact("abacus"); got != "abacus" {
		t.Errorf("a short secret blanked out %q", got)
	}
}
