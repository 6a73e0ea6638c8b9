package manifest

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"benchtop/backend/contract"
)

// SecretsWrite is the entry of permissions.secrets that permits writing them,
// spec 2.2; it is no name of a secret.
const SecretsWrite = "write"

// Granted decides whether a host call is within p (spec 2.5). args is the
// call's JSON object; calls whose grant depends on a name (a secret, a folder)
// find it there. The answer is nil or a PERMISSION_DENIED whose message says
// what to add to the manifest. A call without a row is never granted.
func Granted(p Permissions, call *contract.HostCall, args contract.RawJSON) *contract.Error {
	if call == nil {
		return contract.Errorf(contract.UnknownHostCall, "there is no such host call")
	}
	switch call.Grant {
	case contract.GrantNone:
		return nil
	case contract.GrantKVRead, contract.GrantKVWrite:
		return grantedKV(p.KV, call, args)
	case contract.GrantSecretAny:
		if len(p.Secrets) > 0 {
			return nil
		}
		return denied(call, `"secrets": ["<name>"]`)
	case contract.GrantSecret, contract.GrantSecretWrite:
		return grantedSecret(p, call, TextArg(args, "name"))
	case contract.GrantContentRead:
		if p.Content.Read {
			return nil
		}
		return denied(call, `"content": {"read": true}`)
	case contract.GrantContentWrite:
		if p.Content.Write {
			return nil
		}
		return denied(call, `"content": {"write": true}`)
	case contract.GrantFolder, contract.GrantFolderWrite:
		return grantedFolder(p, call, TextArg(args, BindingArg))
	case contract.GrantPortal:
		method := strings.TrimPrefix(call.Method, "portal.")
		if slices.Contains(p.Portal, method) {
			return nil
		}
		e := denied(call, `"portal": [`+quoted(method)+`]`)
		e.Message += " (PORTAL_PERMISSION_DENIED)"
		return e
	}
	return denied(call, "a permission this platform does not know")
}

// BindingArg is the argument of a folder call that names the binding.
const BindingArg = "binding"

// grantedKV lets a call through that some mode of the store could allow. Whose
// part of it and which scope are the host bridge's to see to, which knows the
// visitor.
func grantedKV(k KV, call *contract.HostCall, args contract.RawJSON) *contract.Error {
	allows, need := Mode.CanRead, `"kv": "ro" (or "rw")`
	if call.Grant == contract.GrantKVWrite {
		allows, need = Mode.CanWrite, `"kv": "rw"`
	}
	if allows(k.Self) {
		return nil
	}
	if k != (KV{Self: k.Self}) && (TextArg(args, "user_id") != "" || TextArg(args, "scope") != "") {
		return nil
	}
	return denied(call, need)
}

func grantedSecret(p Permissions, call *contract.HostCall, name string) *contract.Error {
	if name == "" || name == SecretsWrite {
		return contract.Errorf(contract.PermissionDenied, "ctx.%s needs the name of a secret", call.Method)
	}
	named := slices.Contains(p.Secrets, name)
	writes := call.Grant != contract.GrantSecretWrite || slices.Contains(p.Secrets, SecretsWrite)
	switch {
	case named && writes:
		return nil
	case named:
		return denied(call, `"secrets": [`+quoted(name)+`, "write"]`)
	case call.Grant == contract.GrantSecretWrite:
		return denied(call, `"secrets": [`+quoted(name)+`, "write"]`)
	}
	return denied(call, `"secrets": [`+quoted(name)+`]`)
}

func grantedFolder(p Permissions, call *contract.HostCall, alias string) *contract.Error {
	mode, need := ModeRO, `"permissions": "ro"`
	if call.Grant == contract.GrantFolderWrite {
		mode, need = ModeRW, `"permissions": "rw"`
	}
	for _, f := range p.Folders {
		if f.Alias == alias && f.Permissions.CanRead() && (mode == ModeRO || f.Permissions.CanWrite()) {
			return nil
		}
	}
	at := *call
	at.Member = strings.Replace(at.Member, "[]", "["+quoted(alias)+"]", 1)
	return denied(&at, `"folders": [{"alias": `+quoted(alias)+`, "contentId": "…", `+need+`}]`)
}

func denied(call *contract.HostCall, add string) *contract.Error {
	return contract.Errorf(contract.PermissionDenied,
		"ctx.%s is not granted; add %s to \"permissions\" in the function's manifest", cmp.Or(call.Member, call.Method), add)
}

// TextArg reads one text of a host call's args; empty when it is absent or no
// text. Keys are matched exactly, as JavaScript does: a decoder that folds case
// would let a second spelling of the key slip past the check.
func TextArg(args contract.RawJSON, key string) string {
	var m map[string]json.RawMessage
	if json.Unmarshal(args, &m) != nil {
		return ""
	}
	var s string
	if json.Unmarshal(m[key], &s) != nil {
		return ""
	}
	return s
}

// quoted writes s as JSON, cut short: a hostile function chose it.
func quoted(s string) string {
	if r := []rune(s); len(r) > 80 {
		s = string(r[:80]) + "…"
	}
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}
