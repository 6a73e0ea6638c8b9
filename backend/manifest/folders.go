package manifest

import (
	"strconv"

	"benchtop/backend/contract"
)

// folders reads folder bindings in both notations of contract.md 2.3: the
// spec's {alias, contentId, permissions} and the SDK's {binding, kind, folderId
// or path, mode}.
func (c *checker) folders(n *node) (out []Folder) {
	if n == nil || n.kind == kindNull {
		return nil
	}
	const path = "permissions.folders"
	if n.kind != kindArray || len(n.items) > maxListEntries {
		c.err(contract.InvalidPermissions, n.place, path, "folders is a list of at most %d objects such as {\"alias\": \"inbox\", \"contentId\": \"…\", \"permissions\": \"ro\"}", maxListEntries)
		return nil
	}
	seen := map[string]bool{}
	for i, it := range n.items {
		at := path + "[" + strconv.Itoa(i) + "]"
		if it.kind != kindObject {
			c.err(contract.InvalidPermissions, it.place, at, "%s is an object, not %s", at, it.kind)
			continue
		}
		f := c.folder(it, at)
		if f.Alias != "" && seen[f.Alias] {
			c.err(contract.InvalidPermissions, it.place, at, "two folders have the alias %s", quoted(f.Alias))
		}
		seen[f.Alias] = true
		out = append(out, f)
	}
	return out
}

func (c *checker) folder(n *node, path string) (f Folder) {
	c.unknown(n, path, "alias", "binding", "kind", "contentId", "folderId", "path", "permissions", "mode")
	f.Alias = c.either(n, path, "alias", "binding")
	if f.Alias == "" {
		c.err(contract.InvalidPermissions, n.place, path+".alias", "%s has no alias: the name it has in ctx.folders", path)
	} else if len(f.Alias) > 64 || !word(f.Alias, letter+"_", letter+digit+"_-") {
		c.err(contract.InvalidPermissions, n.place, path+".alias", "%s cannot be an alias: a letter or _, then letters, digits, _ or -", quoted(f.Alias))
	}
	f.ContentID = c.either(n, path, "contentId", "folderId")
	f.Path = c.either(n, path, "path", "path")
	kind := c.either(n, path, "kind", "kind")
	if kind == "" && f.Path != "" && f.ContentID == "" {
		kind = "local" // the normal form of a local folder
	}
	switch {
	case kind != "" && kind != "content" && kind != "local":
		c.err(contract.InvalidPermissions, n.get("kind").place, path+".kind", "kind is content or local, not %s", quoted(kind))
	case kind == "local" && f.Path == "":
		c.err(contract.InvalidPermissions, n.place, path+".path", "a local folder needs its path")
	case kind == "local":
		f.ContentID = ""
	case f.ContentID == "":
		c.err(contract.InvalidPermissions, n.place, path+".contentId", "%s has no contentId: the folder it stands for", path)
	default:
		f.Path = ""
	}
	f.Permissions = ModeRO
	for _, key := range []string{"permissions", "mode"} {
		v := n.get(key)
		if v == nil {
			continue
		}
		switch {
		case v.kind == kindString && (v.text == "ro" || v.text == "r" || v.text == "read"):
		case v.kind == kindString && v.text == "rw":
			f.Permissions = ModeRW
		default:
			c.err(contract.InvalidPermissions, v.place, path+"."+key, "%s is \"ro\" or \"rw\"", path+"."+key)
		}
		break
	}
	return f
}

// either reads a text that goes by one of two names.
func (c *checker) either(n *node, path, first, second string) string {
	for _, key := range []string{first, second} {
		v := n.get(key)
		if v == nil || v.kind == kindNull {
			continue
		}
		if v.kind != kindString || len(v.text) > 1024 {
			c.err(contract.InvalidPermissions, v.place, path+"."+key, "%s is a text of at most 1,024 bytes", path+"."+key)
			return ""
		}
		return v.text
	}
	return ""
}
