package webapi

import (
	"encoding/base64"
	"strings"

	"benchtop/backend/worker/sandbox"
)

// atob and btoa give undefined for what they cannot do.
var base64Ops = []sandbox.Op{
	{Name: "toBase64", Do: func(c *sandbox.Call) (any, error) {
		return base64.StdEncoding.EncodeToString(c.Bytes(0)), nil
	}},
	{Name: "btoa", Do: func(c *sandbox.Call) (any, error) {
		text := c.String(0)
		raw := make([]byte, 0, len(text))
		for _, r := range text {
			if r > 0xFF {
				return nil, nil
			}
			raw = append(raw, byte(r))
		}
		return base64.StdEncoding.EncodeToString(raw), nil
	}},
	{Name: "atob", Do: func(c *sandbox.Call) (any, error) {
		raw, ok := forgivingBase64(c.String(0))
		if !ok {
			return nil, nil
		}
		var b strings.Builder
		b.Grow(len(raw))
		for _, x := range raw {
			b.WriteRune(rune(x))
		}
		return b.String(), nil
	}},
}

// forgivingBase64 decodes as the Infra standard says: ASCII white space is
// skipped, padding may be missing, and unused bits need not be zero.
func forgivingBase64(text string) ([]byte, bool) {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n\f\r", r) {
			return -1
		}
		return r
	}, text)
	if len(text)%4 == 0 {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "="), "=")
	}
	if len(text)%4 == 1 || strings.ContainsAny(text, "=") {
		return nil, false
	}
	raw, err := base64.RawStdEncoding.DecodeString(text)
	return raw, err == nil
}
