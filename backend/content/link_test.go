package content_test

import (
	"testing"
	"time"

	"benchtop/backend/content"
	"benchtop/backend/contract"
)

func TestLinks(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	l := content.Links{Key: []byte("0123456789abcdef0123456789abcdef"), Now: func() time.Time { return now }}
	other := content.Links{Key: []byte("another"), Now: l.Now}
	expires, signature := l.Sign("a1", "i1", time.Minute)
	_, foreign := other.Sign("a1", "i1", time.Minute)
	for _, tt := range []struct {
		name, agent, id, expires, signature string
		later                               time.Duration
		ok                                  bool
	}{
		{"as signed", "a1", "i1", expires, signature, 0, true},
		{"at the last second", "a1", "i1", expires, signature, 59 * time.Second, true},
		{"expired", "a1", "i1", expires, signature, time.Minute, false},
		{"another agent", "a2", "i1", expires, signature, 0, false},
		{"another item", "a1", "i2", expires, signature, 0, false},
		{"parts moved", "a1i", "1", expires, signature, 0, false},
		{"a longer life", "a1", "i1", expires + "0", signature, 0, false},
		{"no signature", "a1", "i1", expires, "", 0, false},
		{"another platform's", "a1", "i1", expires, foreign, 0, false},
	} {
		now = time.Unix(1_800_000_000, 0).Add(tt.later)
		left, err := l.Check(tt.agent, tt.id, tt.expires, tt.signature)
		if (err == nil) != tt.ok || err == nil && left != time.Minute-tt.later {
			t.Errorf("%s: %v %v", tt.name, left, err)
		}
		if err != nil && contract.AsError(err).Code != contract.LinkInvalid {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
