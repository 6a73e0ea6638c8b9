package manifest

import (
	"slices"
	"strconv"
	"strings"

	"benchtop/backend/contract"
)

const maxListEntries = 200

// portalMethods are spec 2.5's, and the one more that public types name.
var portalMethods = []string{"verifyToken", "verifyHmac", "lookupAgent", "callTool", "getOwner", "notifyOwner",
	"signContentUrl", "payment.lock", "payment.settle", "payment.release", "backgroundRun"}

func (c *checker) permissions(n *node) (p Permissions) {
	if n.kind == kindNull {
		return p
	}
	if n.kind != kindObject {
		c.err(contract.InvalidPermissions, n.place, "permissions", "permissions is an object, not %s", n.kind)
		return p
	}
	c.unknown(n, "permissions", "fetch", "secrets", "kv", "content", "folders", "portal", "rawBody", "selfRecursion", "visitor_profile")
	p.Fetch = c.fetch(n.get("fetch"))
	p.Secrets = c.secrets(n.get("secrets"), "permissions.secrets")
	p.KV = c.kv(n.get("kv"))
	p.Content = c.content(n.get("content"))
	p.Folders = c.folders(n.get("folders"))
	p.Portal = c.portal(n.get("portal"))
	p.RawBody = c.boolean(n, "permissions", "rawBody")
	p.SelfRecursion = c.boolean(n, "permissions", "selfRecursion")
	p.VisitorProfile = c.texts(n.get("visitor_profile"), "permissions.visitor_profile", contract.InvalidPermissions, func(at place, path, s string) {
		if s != "name" && s != "avatar" && s != "email" {
			c.err(contract.InvalidPermissions, at, path, "visitor_profile has name, avatar and email; %s is none of them", quoted(s))
		}
	})
	return p
}

// texts reads a list of texts without doubles and checks each.
func (c *checker) texts(n *node, path string, code contract.Code, check func(at place, path, s string)) []string {
	if n == nil || n.kind == kindNull {
		return nil
	}
	if c.loose && n.kind == kindString {
		n = &node{place: n.place, kind: kindArray, items: []*node{n}}
	}
	if n.kind != kindArray {
		c.err(code, n.place, path, "%s is a list of texts, not %s", path, n.kind)
		return nil
	}
	if len(n.items) > maxListEntries {
		c.err(code, n.place, path, "%s has %d entries; %d are allowed", path, len(n.items), maxListEntries)
		return nil
	}
	var out []string
	for i, it := range n.items {
		at := path + "[" + strconv.Itoa(i) + "]"
		if it.kind != kindString {
			c.err(code, it.place, at, "%s is a text, not %s", at, it.kind)
			continue
		}
		check(it.place, at, it.text)
		if !slices.Contains(out, it.text) {
			out = append(out, it.text)
		}
	}
	return out
}

func (c *checker) fetch(n *node) []string {
	return c.texts(n, "permissions.fetch", contract.InvalidFetchPattern, func(at place, path, s string) {
		p, err := parsePattern(s)
		switch {
		case err != nil:
			c.err(contract.InvalidFetchPattern, at, path, "%s", err)
		case p.kind == patternSuffix:
			c.warn(contract.Portability, at, path, "the hosted platform's own command line refuses %s; its API takes it", quoted(s))
		}
	})
}

func (c *checker) secrets(n *node, path string) []string {
	return c.texts(n, path, contract.InvalidSecrets, func(at place, path, s string) {
		if !validBinding(s) {
			c.err(contract.InvalidSecrets, at, path, "%s cannot name a secret: 1 to 128 printable characters without spaces", quoted(s))
		}
	})
}

func validBinding(s string) bool {
	return s != "" && len(s) <= 128 && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\ufffd' })
}

// topLevelSecrets takes contract.md 1 row 3's alias: a list beside permissions.
func (c *checker) topLevelSecrets(n *node, p *Permissions) {
	if n == nil || n.kind == kindNull {
		return
	}
	c.warn(contract.Portability, n.place, "secrets", "secret bindings belong in permissions.secrets; read from here all the same")
	for _, s := range c.secrets(n, "secrets") {
		if !slices.Contains(p.Secrets, s) {
			p.Secrets = append(p.Secrets, s)
		}
	}
}

func (c *checker) kv(n *node) (k KV) {
	if n == nil || n.kind == kindNull {
		return k
	}
	const path = "permissions.kv"
	switch n.kind {
	case kindString:
		k.Self = c.mode(n, path)
	case kindObject:
		c.unknown(n, path, "self", "visitor", "agent_scope", "app", "instance", "instance_owner", "project", "project_owner")
		k.AgentScope = c.boolean(n, path, "agent_scope")
		for _, f := range []struct {
			key string
			to  *Mode
		}{{"self", &k.Self}, {"visitor", &k.Visitor}, {"app", &k.App}, {"instance", &k.Instance},
			{"instance_owner", &k.InstanceOwner}, {"project", &k.Project}, {"project_owner", &k.ProjectOwner}} {
			if v := n.get(f.key); v != nil {
				*f.to = c.mode(v, path+"."+f.key)
			}
		}
	default:
		c.err(contract.InvalidPermissions, n.place, path, "kv is one of \"none\", \"ro\" and \"rw\", not %s", n.kind)
	}
	return k
}

// mode reads none, ro or rw. "none" becomes the zero value.
func (c *checker) mode(n *node, path string) Mode {
	if n.kind == kindString {
		switch m := Mode(n.text); m {
		case ModeNone:
			return ""
		case ModeRO, ModeRW:
			return m
		}
	}
	c.err(contract.InvalidPermissions, n.place, path, "%s is one of \"none\", \"ro\" and \"rw\"", path)
	return ""
}

func (c *checker) boolean(n *node, path, key string) bool {
	v := n.get(key)
	if v == nil || v.kind == kindNull {
		return false
	}
	if c.loose && v.kind == kindString && (v.text == "true" || v.text == "false") {
		return v.text == "true"
	}
	if v.kind != kindBool {
		c.err(contract.InvalidPermissions, v.place, path+"."+key, "%s is true or false, not %s", path+"."+key, v.kind)
	}
	return v.flag
}

func (c *checker) content(n *node) (out Content) {
	if n == nil || n.kind == kindNull {
		return out
	}
	if n.kind != kindObject {
		c.err(contract.InvalidPermissions, n.place, "permissions.content", "content is an object such as {\"read\": true}, not %s", n.kind)
		return out
	}
	c.unknown(n, "permissions.content", "read", "write")
	return Content{Read: c.boolean(n, "permissions.content", "read"), Write: c.boolean(n, "permissions.content", "write")}
}

func (c *checker) portal(n *node) []string {
	return c.texts(n, "permissions.portal", contract.InvalidPermissions, func(at place, path, s string) {
		if !slices.Contains(portalMethods, s) {
			c.warn(contract.UnknownKey, at, path, "%s is no method of ctx.portal", quoted(s))
		}
	})
}
