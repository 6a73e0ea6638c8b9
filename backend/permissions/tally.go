package permissions

import (
	"strings"

	"github.com/nlnwa/whatwg-url/url"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// use is how often something was used, and when last.
type use struct {
	count int
	last  string
}

// tally counts the uses of what a manifest grants. Parts of the key-value store
// beside the function's own, rawBody, selfRecursion and visitor_profile leave no
// mark of their own in a trace and are left as they are.
type tally struct {
	p    manifest.Permissions
	used map[string]*use // by what it takes: "kv:ro", "kv:rw", "secrets:NAME", "folders:alias:ro"…
}

func newTally(p manifest.Permissions) *tally { return &tally{p: p, used: map[string]*use{}} }

func (t *tally) mark(need, at string) {
	u := t.used[need]
	if u == nil {
		u = &use{}
		t.used[need] = u
	}
	u.count++
	u.last = max(u.last, at)
}

// add counts one entry of a trace of a run that started at at.
func (t *tally) add(e *contract.TraceEntry, at string) {
	if denied(e) {
		return
	}
	switch e.Kind {
	case contract.TraceFetch:
		t.addFetch(e, at)
	case contract.TraceHost:
		t.addCall(e, at)
	}
}

// addFetch marks every entry that admits the address: none of them is of no use.
func (t *tally) addFetch(e *contract.TraceEntry, at string) {
	marked := map[string]bool{}
	for _, text := range fetched(e) {
		u, err := url.Parse(text)
		if err != nil {
			continue
		}
		for _, pattern := range t.p.Fetch {
			if !marked[pattern] && manifest.FetchAllowed([]string{pattern}, u) {
				marked[pattern] = true
				t.mark("fetch:"+pattern, at)
			}
		}
	}
}

func (t *tally) addCall(e *contract.TraceEntry, at string) {
	space, member, _ := strings.Cut(e.Name, ".")
	if space == "portal" {
		t.mark("portal:"+member, at)
		// A signature is checked with a secret that the function never reads.
		if name := textArg(e, "secretBinding"); name != "" {
			t.mark("secrets:"+name, at)
		}
		return
	}
	row := contract.HostCallNamed(e.Name)
	if row == nil {
		return
	}
	switch row.Grant {
	case contract.GrantKVRead, contract.GrantKVWrite:
		if textArg(e, "user_id") == "" && textArg(e, "scope") == "" {
			t.mark(string(row.Grant), at)
		}
	case contract.GrantSecret:
		t.mark("secrets:"+textArg(e, "name"), at)
	case contract.GrantSecretWrite:
		t.mark("secrets:"+textArg(e, "name"), at)
		t.mark("secrets:"+manifest.SecretsWrite, at)
	case contract.GrantSecretAny:
		for _, name := range t.p.Secrets {
			t.mark("secrets:"+name, at) // its answer changes with every name
		}
	case contract.GrantContentRead, contract.GrantContentWrite:
		t.mark(string(row.Grant), at)
	case contract.GrantFolder:
		t.mark("folders:"+textArg(e, "binding")+":ro", at)
	case contract.GrantFolderWrite:
		t.mark("folders:"+textArg(e, "binding")+":rw", at)
	}
}

// sum adds up uses under several names.
func (t *tally) sum(needs ...string) use {
	var out use
	for _, need := range needs {
		if u := t.used[need]; u != nil {
			out.count += u.count
			out.last = max(out.last, u.last)
		}
	}
	return out
}

// uses lists what is granted, in the order of the manifest's documentation.
// judged says whether there is anything to judge by.
func (t *tally) uses(judged bool) []contract.PermissionUse {
	out := []contract.PermissionUse{}
	add := func(grant string, u use, narrower string) {
		p := contract.PermissionUse{Grant: grant, Uses: u.count, LastUsed: u.last}
		switch {
		case !judged:
		case u.count == 0:
			p.Suggest = "none"
		case narrower != "":
			p.Suggest = narrower
		}
		out = append(out, p)
	}
	for _, f := range t.p.Fetch {
		add("fetch:"+f, t.sum("fetch:"+f), "")
	}
	for _, s := range t.p.Secrets {
		add("secrets:"+s, t.sum("secrets:"+s), "")
	}
	if k := t.p.KV; k.Self != "" {
		narrower := ""
		if k.Self == manifest.ModeRW && t.sum("kv:rw").count == 0 {
			narrower = "kv:ro"
		}
		add("kv:"+string(k.Self), t.sum("kv:ro", "kv:rw"), narrower)
	}
	if t.p.KV != (manifest.KV{Self: t.p.KV.Self}) {
		out = append(out, contract.PermissionUse{Grant: "kv:other", Unseen: true})
	}
	if t.p.Content.Read {
		add("content:read", t.sum("content:read"), "")
	}
	if t.p.Content.Write {
		add("content:write", t.sum("content:write"), "")
	}
	for _, f := range t.p.Folders {
		name, narrower := "folders:"+f.Alias, ""
		if f.Permissions.CanWrite() && t.sum(name+":rw").count == 0 {
			narrower = name + ":ro"
		}
		add(name+":"+string(f.Permissions), t.sum(name+":ro", name+":rw"), narrower)
	}
	for _, m := range t.p.Portal {
		add("portal:"+m, t.sum("portal:"+m), "")
	}
	if t.p.RawBody {
		out = append(out, contract.PermissionUse{Grant: "rawBody", Unseen: true})
	}
	if t.p.SelfRecursion {
		out = append(out, contract.PermissionUse{Grant: "selfRecursion", Unseen: true})
	}
	return out
}

// smaller gives the permissions without what was never used.
func (t *tally) smaller() (p manifest.Permissions, changed bool) {
	p = t.p
	used := func(needs ...string) bool { return t.sum(needs...).count > 0 }
	p.Fetch = kept(t.p.Fetch, func(s string) bool { return used("fetch:" + s) })
	p.Secrets = kept(t.p.Secrets, func(s string) bool { return used("secrets:" + s) })
	p.Portal = kept(t.p.Portal, func(s string) bool { return used("portal:" + s) })
	switch {
	case used("kv:rw"):
	case used("kv:ro"):
		p.KV.Self = min(p.KV.Self, manifest.ModeRO) // "ro" sorts before "rw"
	default:
		p.KV.Self = ""
	}
	p.Content.Read = p.Content.Read && used("content:read")
	p.Content.Write = p.Content.Write && used("content:write")
	p.Folders = nil
	narrowed := false
	for _, f := range t.p.Folders {
		name := "folders:" + f.Alias
		if !used(name+":ro", name+":rw") {
			continue
		}
		if f.Permissions.CanWrite() && !used(name+":rw") {
			f.Permissions, narrowed = manifest.ModeRO, true
		}
		p.Folders = append(p.Folders, f)
	}
	changed = narrowed || p.KV != t.p.KV || p.Content != t.p.Content || len(p.Fetch) != len(t.p.Fetch) || len(p.Secrets) != len(t.p.Secrets) ||
		len(p.Portal) != len(t.p.Portal) || len(p.Folders) != len(t.p.Folders)
	return p, changed
}

func kept(list []string, keep func(string) bool) []string {
	var out []string
	for _, s := range list {
		if keep(s) {
			out = append(out, s)
		}
	}
	return out
}
