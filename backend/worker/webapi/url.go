package webapi

import (
	"errors"
	"strings"

	"github.com/nlnwa/whatwg-url/url"

	"benchtop/backend/worker/sandbox"
)

// The order in which urlParse gives a URL's parts.
func parts(u *url.Url) []string {
	return []string{u.Href(false), Origin(u), u.Protocol(), u.Username(), u.Password(), u.Host(), u.Hostname(),
		u.Port(), u.Pathname(), u.Search(), u.Hash()}
}

// Origin is the ASCII serialisation of a URL's origin, "null" for opaque ones.
func Origin(u *url.Url) string {
	switch u.Scheme() {
	case "http", "https", "ws", "wss", "ftp":
		return u.Protocol() + "//" + u.Host()
	case "blob":
		if inner, err := url.Parse(u.Pathname()); err == nil && (inner.Scheme() == "http" || inner.Scheme() == "https") {
			return Origin(inner)
		}
	}
	return "null"
}

var urlOps = []sandbox.Op{
	// urlParse(text, base) gives the parts.
	{Name: "urlParse", Do: func(c *sandbox.Call) (any, error) {
		u, err := parseURL(c)
		if err != nil {
			return nil, err
		}
		return parts(u), nil
	}},
	{Name: "urlCanParse", Do: func(c *sandbox.Call) (any, error) {
		_, err := parseURL(c)
		return err == nil, nil
	}},
	// urlSet(href, part, value) gives the parts after the setter of that name.
	{Name: "urlSet", Do: func(c *sandbox.Call) (any, error) {
		u, err := url.Parse(c.String(0))
		if err != nil {
			return nil, err
		}
		value := c.String(2)
		switch c.String(1) {
		case "protocol":
			u.SetProtocol(value)
		case "username":
			u.SetUsername(value)
		case "password":
			u.SetPassword(value)
		case "host":
			u.SetHost(value)
		case "hostname":
			u.SetHostname(value)
		case "port":
			u.SetPort(value)
		case "pathname":
			u.SetPathname(value)
		case "search":
			u.SetSearch(value)
		case "hash":
			u.SetHash(value)
		}
		return parts(u), nil
	}},
	// paramsParse(text) gives names and values in turn.
	{Name: "paramsParse", Do: func(c *sandbox.Call) (any, error) {
		out := []string{}
		for pair := range strings.SplitSeq(c.String(0), "&") {
			if pair == "" {
				continue
			}
			name, value, _ := strings.Cut(pair, "=")
			out = append(out, formDecode(name), formDecode(value))
		}
		return out, nil
	}},
	// paramsWrite(names and values in turn) gives the text.
	{Name: "paramsWrite", Do: func(c *sandbox.Call) (any, error) {
		list := c.Strings(0)
		var b strings.Builder
		for i := 0; i+1 < len(list); i += 2 {
			if i > 0 {
				b.WriteByte('&')
			}
			formEncode(&b, list[i])
			b.WriteByte('=')
			formEncode(&b, list[i+1])
		}
		return b.String(), nil
	}},
}

func parseURL(c *sandbox.Call) (u *url.Url, err error) {
	if c.Has(1) {
		u, err = url.ParseRef(c.String(1), c.String(0))
	} else {
		u, err = url.Parse(c.String(0))
	}
	if err != nil {
		return nil, errors.New("Invalid URL: " + clip(c.String(0)))
	}
	return u, nil
}

func clip(s string) string {
	if len(s) > 160 {
		return strings.ToValidUTF8(s[:160], "") + "…"
	}
	return s
}

// formDecode and formEncode are application/x-www-form-urlencoded as the URL
// standard has it.
func formDecode(s string) string {
	if !strings.ContainsAny(s, "%+") {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '+':
			out = append(out, ' ')
		case s[i] == '%' && i+2 < len(s) && unhex(s[i+1]) >= 0 && unhex(s[i+2]) >= 0:
			out = append(out, byte(unhex(s[i+1])<<4|unhex(s[i+2])))
			i += 2
		default:
			out = append(out, s[i])
		}
	}
	return replaceInvalid(out)
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

func formEncode(b *strings.Builder, s string) {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == ' ':
			b.WriteByte('+')
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '*', c == '-', c == '.', c == '_':
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
}
