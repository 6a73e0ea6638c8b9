package manifest_test

import (
	"strings"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

func TestGranted(t *testing.T) {
	ro := manifest.Permissions{KV: manifest.KV{Self: manifest.ModeRO}}
	rw := manifest.Permissions{KV: manifest.KV{Self: manifest.ModeRW}}
	visitorOnly := manifest.Permissions{KV: manifest.KV{Visitor: manifest.ModeRW}}
	sec := manifest.Permissions{Secrets: []string{"API_KEY"}}
	secW := manifest.Permissions{Secrets: []string{"API_KEY", "write"}}
	folders := manifest.Permissions{Folders: []manifest.Folder{{Alias: "in", Permissions: manifest.ModeRO}, {Alias: "out", Permissions: manifest.ModeRW}}}
	portal := manifest.Permissions{Portal: []string{"getOwner"}}
	row := func(method string, g contract.Grant) *contract.HostCall {
		return &contract.HostCall{Method: method, Grant: g}
	}
	tests := []struct {
		name string
		p    manifest.Permissions
		call *contract.HostCall
		args string
		add  string // empty: granted
	}{
		{"list functions", manifest.Permissions{}, contract.HostCallNamed("fn.list"), `{}`, ""},
		{"kv none", manifest.Permissions{}, contract.HostCallNamed("kv.get"), `{}`, `"kv": "ro"`},
		{"kv ro reads", ro, contract.HostCallNamed("kv.get"), `{}`, ""},
		{"kv ro lists", ro, contract.HostCallNamed("kv.list"), `{}`, ""},
		{"kv ro writes", ro, contract.HostCallNamed("kv.put"), `{}`, `"kv": "rw"`},
		{"kv ro claims", ro, contract.HostCallNamed("kv.putIfAbsent"), `{}`, `"kv": "rw"`},
		{"kv ro deletes", ro, contract.HostCallNamed("kv.delete"), `{}`, `"kv": "rw"`},
		{"kv rw writes", rw, contract.HostCallNamed("kv.put"), `{}`, ""},
		{"visitor mode is the bridge's to see to", visitorOnly, contract.HostCallNamed("kv.get"), `{"user_id":"u"}`, ""},
		{"visitor mode does not come from self", ro, contract.HostCallNamed("kv.put"), `{"user_id":"u"}`, `"kv": "rw"`},
		{"visitor mode is not its own", visitorOnly, contract.HostCallNamed("kv.get"), `{}`, `"kv": "ro"`},
		{"secret named", sec, contract.HostCallNamed("secrets.get"), `{"name":"API_KEY"}`, ""},
		{"secret other", sec, contract.HostCallNamed("secrets.get"), `{"name":"OTHER"}`, `"secrets": ["OTHER"]`},
		{"secret case", sec, contract.HostCallNamed("secrets.get"), `{"name":"api_key"}`, `"secrets": ["api_key"]`},
		{"secret without name", sec, contract.HostCallNamed("secrets.get"), `{}`, "needs the name"},
		{"secret name of another type", sec, contract.HostCallNamed("secrets.get"), `{"name":["API_KEY"]}`, "needs the name"},
		{"args no object", sec, contract.HostCallNamed("secrets.get"), `[]`, "needs the name"},
		{"the sentinel is no secret", secW, contract.HostCallNamed("secrets.get"), `{"name":"write"}`, "needs the name"},
		{"secret put without write", sec, contract.HostCallNamed("secrets.put"), `{"name":"API_KEY"}`, `["API_KEY", "write"]`},
		{"secret put", secW, contract.HostCallNamed("secrets.put"), `{"name":"API_KEY"}`, ""},
		{"secret put of another name", secW, contract.HostCallNamed("secrets.put"), `{"name":"X"}`, `["X", "write"]`},
		{"secret list", sec, contract.HostCallNamed("secrets.list"), ``, ""},
		{"secret list without any", ro, contract.HostCallNamed("secrets.list"), ``, `"secrets"`},
		{"content read", manifest.Permissions{Content: manifest.Content{Write: true}}, contract.HostCallNamed("content.read"), `{}`, `"content": {"read": true}`},
		{"content write", manifest.Permissions{Content: manifest.Content{Write: true}}, contract.HostCallNamed("content.write"), `{}`, ""},
		{"folder read", folders, contract.HostCallNamed("folders.read"), `{"binding":"in"}`, ""},
		{"folder write to ro", folders, contract.HostCallNamed("folders.write"), `{"binding":"in"}`, `"permissions": "rw"`},
		{"folder write", folders, contract.HostCallNamed("folders.write"), `{"binding":"out"}`, ""},
		{"folder unbound", folders, contract.HostCallNamed("folders.list"), `{"binding":"zzz"}`, `"alias": "zzz"`},
		{"portal", portal, row("portal.getOwner", contract.GrantPortal), `{}`, ""},
		{"portal other", portal, row("portal.payment.lock", contract.GrantPortal), `{}`, `"portal": ["payment.lock"]`},
		{"a grant nobody knows", rw, row("x.y", "x"), `{}`, "does not know"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := manifest.Granted(tt.p, tt.call, contract.RawJSON(tt.args))
			switch {
			case tt.add == "" && err != nil:
				t.Fatalf("refused: %v", err)
			case tt.add != "" && err == nil:
				t.Fatal("granted")
			case tt.add != "" && (err.Code != contract.PermissionDenied || !strings.Contains(err.Message, tt.add)):
				t.Fatalf("%v should mention %s", err, tt.add)
			}
		})
	}
	if manifest.Granted(rw, nil, nil) == nil {
		t.Fatal("a call without a row is never granted")
	}
}

// TestGrantedCoversTable: without permissions only fn.list is granted.
func TestGrantedCoversTable(t *testing.T) {
	for i := range contract.HostCalls {
		call := &contract.HostCalls[i]
		err := manifest.Granted(manifest.Permissions{}, call, contract.RawJSON(`{"name":"a","binding":"a"}`))
		if (err == nil) != (call.Grant == contract.GrantNone) {
			t.Errorf("%s: %v", call.Method, err)
		}
	}
}
