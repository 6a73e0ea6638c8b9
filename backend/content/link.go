package content

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"time"

	"benchtop/backend/contract"
)

// Links signs addresses of content items, bound to agent, item and expiry. Key is
// 32 random bytes; whoever has it can read everything.
type Links struct {
	Key []byte
	Now func() time.Time
}

// Sign gives the expiry in Unix seconds and the signature of an address.
func (l Links) Sign(agentID, id string, life time.Duration) (expires, signature string) {
	expires = strconv.FormatInt(l.Now().Add(life).Unix(), 10)
	return expires, base64.RawURLEncoding.EncodeToString(l.sum(agentID, id, expires))
}

// Check holds an address to its signature first, so that nobody learns anything
// from one that was made up, and gives how long it still counts.
func (l Links) Check(agentID, id, expires, signature string) (left time.Duration, err error) {
	given, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || !hmac.Equal(given, l.sum(agentID, id, expires)) {
		return 0, contract.Errorf(contract.LinkInvalid, "the address was changed, or another platform signed it")
	}
	seconds, err := strconv.ParseInt(expires, 10, 64)
	if err != nil {
		return 0, contract.Errorf(contract.LinkInvalid, "the address has no expiry")
	}
	if left = time.Unix(seconds, 0).Sub(l.Now()); left <= 0 {
		return 0, contract.Errorf(contract.LinkInvalid, "the address has expired")
	}
	return left, nil
}

// sum signs the parts with their lengths, so that none can run into the next.
func (l Links) sum(agentID, id, expires string) []byte {
	h := hmac.New(sha256.New, l.Key)
	for _, part := range []string{agentID, id, expires} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return h.Sum(nil)
}
