package hostbridge

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"benchtop/backend/payments"
)

// looksLikeToken reports whether a text could be a token of any sort: three parts
// with something in them.
func looksLikeToken(text string) bool {
	return strings.Count(text, ".") == 2 && len(text) >= minToken && !strings.ContainsAny(text, " \n")
}

// minToken is the length of the shortest text that is hidden as a token.
const minToken = 8

// rememberTokens keeps the tokens among a call's arguments out of the records,
// before anybody says whether the call is granted.
func (s *Session) rememberTokens(method string, a arguments) {
	var found []string
	switch method {
	case "portal.verifyToken":
		token, _ := a.text("token")
		found = append(found, token)
	case "portal.payment.lock":
		token, _ := a.text("paymentToken")
		found = append(found, token)
	case "portal.callTool":
		if opts, err := a.options(method, "opts"); err == nil {
			token, _ := opts.text("paymentToken")
			found = append(found, token)
		}
	}
	s.HideTokens(found)
}

// HideTokens keeps tokens that came with the call, and what x402 headers wrap
// them in, out of the records.
func (s *Session) HideTokens(found []string) {
	for _, token := range found {
		if looksLikeToken(token) {
			s.remember("token", token)
			continue
		}
		if inner := payments.TokenIn(token); inner != token && looksLikeToken(inner) {
			s.remember("token", token)
			s.remember("token", inner)
		}
	}
}

// part decodes a part of a token without believing it.
func part(token string, n int, into any) bool {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return false
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[n])
	return err == nil && json.Unmarshal(raw, into) == nil
}
