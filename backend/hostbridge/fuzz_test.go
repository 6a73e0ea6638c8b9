package hostbridge_test

import (
	"encoding/json"
	"testing"

	"benchtop/backend/contract"
)

// FuzzCall sends anything to any method: every answer is a result that is JSON,
// or an error with a code of the table that is not the platform's own fault.
func FuzzCall(f *testing.F) {
	for _, args := range []string{`{}`, `[]`, `null`, `{"key":"a","value":1,"ttlMs":-0.5}`, `{"key":null,"scope":"agent","user_id":""}`,
		`{"binding":"out","name":"n","body":{"kind":"base64","data":"AA=="}}`, `{"body":{"kind":"utf8","data":7}}`, `{"name":"g","timeoutMs":1e308}`,
		`{"prefix":"","limit":1e99,"cursor":[]}`, `{"name":"API_KEY","name":"write"}`} {
		for i := range contract.HostCalls {
			f.Add(uint8(i), args)
		}
	}
	b := newBench(f)
	f.Fuzz(func(t *testing.T, call uint8, args string) {
		s := b.Open(b.claims(all))
		defer s.Close()
		method := contract.HostCalls[int(call)%len(contract.HostCalls)].Method
		r := s.Call(t.Context(), 1, method, json.RawMessage(args))
		switch {
		case r.OK && r.Result != nil && !json.Valid(r.Result):
			t.Errorf("%s %s: the result is no JSON: %s", method, args, r.Result)
		case !r.OK && (!r.Error.Code.Known() || r.Error.Code == contract.Internal || r.Error.Code == contract.HostBridgeError):
			t.Errorf("%s %s: %+v", method, args, r.Error)
		}
	})
}
