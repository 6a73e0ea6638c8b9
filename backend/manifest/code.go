package manifest

import (
	"encoding/base64"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"benchtop/backend/contract"
)

// code reads a code reference, contract.md 2.2, with the caps of spec 8.
func (c *checker) code(n *node) *CodeRef {
	if n == nil || n.kind == kindNull {
		return nil
	}
	if n.kind != kindObject {
		c.err(contract.InvalidCodeRef, n.place, "code", "code is an object such as {\"kind\": \"inline\", \"source\": \"…\"}, not %s", n.kind)
		return nil
	}
	c.unknown(n, "code", "kind", "source", "contentId", "url", "path", "sha256")
	r := &CodeRef{Kind: c.ref(n, "kind"), Source: c.ref(n, "source"), ContentID: c.ref(n, "contentId"), URL: c.ref(n, "url"), Path: c.ref(n, "path")}
	if v := n.get("sha256"); v != nil && v.kind != kindNull {
		r.SHA256 = c.hash(v, "code.sha256")
	}
	needs := func(key, value string) bool {
		if value == "" {
			c.err(contract.InvalidCodeRef, n.place, "code."+key, "a code reference of kind %s needs %s", r.Kind, key)
		}
		return value != ""
	}
	switch r.Kind {
	case "inline":
		if needs("source", r.Source) && len(r.Source) > contract.MaxInlineSource {
			c.err(contract.CodeTooLarge, n.placeOf("source"), "code.source", "the inline source has %d bytes; %d are allowed", len(r.Source), contract.MaxInlineSource)
		}
	case "inlineB64":
		if !needs("source", r.Source) {
			break
		}
		if len(r.Source) > contract.MaxInlineB64Chars {
			c.err(contract.CodeTooLarge, n.placeOf("source"), "code.source", "the base64 source has %d characters; %d are allowed", len(r.Source), contract.MaxInlineB64Chars)
		} else if text, err := base64.StdEncoding.DecodeString(r.Source); err != nil || !utf8.Valid(text) {
			c.err(contract.InvalidCodeRef, n.placeOf("source"), "code.source", "the source is not base64 of UTF-8 text")
		}
	case "content":
		needs("contentId", r.ContentID)
	case "https":
		if u, err := url.Parse(r.URL); needs("url", r.URL) && (err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil) {
			c.err(contract.InvalidCodeRef, n.placeOf("url"), "code.url", "%s is no https address", quoted(r.URL))
		}
		needs("sha256", r.SHA256)
	case "file":
		if needs("path", r.Path) && !InsideFolder(r.Path) {
			c.err(contract.InvalidCodeRef, n.placeOf("path"), "code.path", "%s does not stay inside the folder", quoted(r.Path))
		}
	default:
		c.err(contract.InvalidCodeRef, n.placeOf("kind"), "code.kind", "kind is one of inline, inlineB64, content, https and file")
	}
	return r
}

// Text gives the source that the reference itself carries; false when it only
// points to one.
func (r *CodeRef) Text() (string, bool) {
	switch {
	case r == nil:
	case r.Kind == "inline":
		return r.Source, true
	case r.Kind == "inlineB64":
		b, err := base64.StdEncoding.DecodeString(r.Source)
		return string(b), err == nil
	}
	return "", false
}

// InsideFolder reports whether p is a relative path with forward slashes that
// stays below the folder it is relative to, on every system.
func InsideFolder(p string) bool {
	return p != "" && !strings.ContainsAny(p, "\\:\x00") && !path.IsAbs(p) && path.Clean(p) != "." &&
		path.Clean(p) != ".." && !strings.HasPrefix(path.Clean(p), "../")
}

func (c *checker) ref(n *node, key string) string {
	v := n.get(key)
	if v == nil || v.kind == kindNull {
		return ""
	}
	if v.kind != kindString {
		c.err(contract.InvalidCodeRef, v.place, "code."+key, "code.%s is a text, not %s", key, v.kind)
		return ""
	}
	return v.text
}

func (c *checker) hash(v *node, path string) string {
	if v.kind != kindString || len(v.text) != 64 || strings.Trim(v.text, digit+"abcdefABCDEF") != "" {
		c.err(contract.InvalidCodeRef, v.place, path, "%s is a SHA-256 in 64 hexadecimal characters", path)
		return ""
	}
	return strings.ToLower(v.text)
}
