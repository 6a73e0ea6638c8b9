package project

import (
	"fmt"
	"regexp"

	"benchtop/backend/contract"
)

// Files of a project are shared, so what is saved in them has no credentials.
// Names say what a value is, and forms give away a credential under any name.
var (
	secretHeader = regexp.MustCompile(`(?i)authoriz|authent|(^|-)auth($|-)|cookie|token|secret|passw|(api|access|private|subscription|functions)-?key|signature|credential|session|^x-payment|assertion`)
	secretMember = regexp.MustCompile(`(?i)("[\w.-]*(?:token|secret|password|passwd|passphrase|authorization|credentials?|cookie|(?:api|access|private|signing)[_-]?key)"\s*:\s*)"(?:[^"\\]|\\.)+"`)
	secretField  = regexp.MustCompile(`(?i)((?:^|[?&])(?:[\w.-]*(?:token|secret|password|passwd|authorization|credentials?|signature|(?:api|access|private)[_-]?key)|sig|jwt|pwd)=)[^&#\s"'<>]+`)
	secretForm   = regexp.MustCompile(`\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*` + // JSON Web Tokens: portal and payment tokens among them
		`|\b(?:rb_|sk-|sk_live_|sk_test_|github_pat_|gh[opsur]_|whsec_|xox[abeoprs]-)[\w+/=-]{16,}`)
	secretScheme = regexp.MustCompile(`(?i)\b((?:bearer|basic)\s+)[\w.~+/=-]{12,}`)
)

// withhold takes the credentials out of a call and says where they stood. What
// names them stays, so that one sees what to fill in.
func withhold(c contract.ClientCallContent) (contract.ClientCallContent, []string) {
	var where []string
	clean := func(text, place string) string {
		out := secretForm.ReplaceAllString(text, "")
		out = secretScheme.ReplaceAllString(out, "$1")
		out = secretMember.ReplaceAllString(out, `$1""`)
		out = secretField.ReplaceAllString(out, "$1")
		if out != text {
			where = append(where, place)
		}
		return out
	}
	c.Path = clean(c.Path, "the path")
	headers := make([]contract.HeaderPair, 0, len(c.Headers))
	for _, h := range c.Headers {
		place := "the header " + h.Name
		switch {
		case !secretHeader.MatchString(h.Name):
			h.Value = clean(h.Value, place)
		case h.Value != "":
			h.Value, where = "", append(where, place)
		}
		headers = append(headers, h)
	}
	c.Headers = headers
	c.Body = clean(c.Body, "the body")
	c.BodyFile = clean(c.BodyFile, "the name of the file")
	messages := make([]string, 0, len(c.Messages))
	for i, m := range c.Messages {
		messages = append(messages, clean(m, fmt.Sprintf("message %d", i+1)))
	}
	c.Messages = messages
	if c.Caller.Kind == contract.ClientBearer {
		c.Caller.ID = ""
	}
	return c, where
}
