package hostbridge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"benchtop/backend/content"
	"benchtop/backend/contract"
	"benchtop/backend/hostbridge"
	"benchtop/backend/manifest"
)

// shelf is content in memory. It answers with what size says, in letters.
type shelf struct {
	size   int
	put    []content.Item
	writes []string
}

func (s *shelf) bytes() []byte { return []byte(strings.Repeat("x", s.size)) }

func (s *shelf) Get(_ context.Context, agentID, id string) (*content.Item, error) {
	if agentID != "a1" || id != "i1" {
		return nil, nil
	}
	return &content.Item{ID: id, MimeType: "text/plain", DisplayName: "one", Bytes: s.bytes(), Size: int64(s.size)}, nil
}

func (s *shelf) Put(_ context.Context, it content.Item) (content.Item, error) {
	s.put = append(s.put, it)
	it.ID = "new"
	return it, nil
}

func (s *shelf) List(_ context.Context, at content.Folder, q content.ListQuery) (content.Page, error) {
	return content.Page{Files: []content.File{{Name: fmt.Sprint(at.AgentID, at.ID, q.Prefix, q.Limit), Size: 3}}, Cursor: q.Cursor + "+"}, nil
}

func (s *shelf) Read(_ context.Context, at content.Folder, name string) (*content.File, error) {
	if name != "n" {
		return nil, nil
	}
	return &content.File{Name: name, MimeType: "text/plain", Bytes: s.bytes(), Size: int64(s.size)}, nil
}

func (s *shelf) Write(_ context.Context, at content.Folder, name string, body []byte) error {
	s.writes = append(s.writes, at.ID+"/"+name+"="+string(body))
	return nil
}

func TestContentCalls(t *testing.T) {
	none := manifest.Permissions{}
	b := newBench(t)
	b.shelf.size = 2
	for door, open := range b.doors(t) {
		for _, tt := range []struct {
			name, method, args string
			perms              manifest.Permissions
			result             string
			code               contract.Code
		}{
			{"get", "content.read", `{"id":"i1"}`, all, `{"id":"i1","mimeType":"text/plain","displayName":"one","size":2,"body":{"kind":"utf8","data":"xx"}}`, ""},
			{"get of none", "content.read", `{"id":"i2"}`, all, `null`, ""},
			{"get denied", "content.read", `{"id":"i1"}`, none, ``, contract.PermissionDenied},
			{"get of no text", "content.read", `{"id":7}`, all, ``, contract.InvalidRequest},
			{"put text", "content.write", `{"body":{"kind":"utf8","data":"hi"},"mimeType":"text/csv","displayName":"d"}`, all, `{"id":"new"}`, ""},
			{"put bytes", "content.write", `{"id":"i1","body":{"kind":"base64","data":"AP8="}}`, all, `{"id":"new"}`, ""},
			{"put no base64", "content.write", `{"body":{"kind":"base64","data":"A"}}`, all, ``, contract.InvalidRequest},
			{"put of another kind", "content.write", `{"body":{"kind":"hex","data":"00"}}`, all, ``, contract.InvalidRequest},
			{"put nothing", "content.write", `{}`, all, ``, contract.InvalidRequest},
			{"put text alone", "content.write", `{"body":"hi"}`, all, ``, contract.InvalidRequest},
			{"put denied", "content.write", `{"body":{"kind":"utf8","data":"hi"}}`, none, ``, contract.PermissionDenied},
			{"list", "folders.list", `{"binding":"in","prefix":"p","limit":2,"cursor":"c"}`, all,
				`{"items":[{"name":"a1f-inp 2","size":3,"modified":"0001-01-01T00:00:00.000000Z"}],"cursor":"c+"}`, ""},
			{"read", "folders.read", `{"binding":"in","name":"n"}`, all, `{"id":"in/n","mimeType":"text/plain","displayName":"n","size":2,"body":{"kind":"utf8","data":"xx"}}`, ""},
			{"read of none", "folders.read", `{"binding":"in","name":"m"}`, all, `null`, ""},
			{"unbound", "folders.read", `{"binding":"else","name":"n"}`, all, ``, contract.PermissionDenied},
			{"unbound list", "folders.list", `{}`, all, ``, contract.PermissionDenied},
			{"by its id", "folders.read", `{"binding":"f-in","name":"n"}`, all, ``, contract.PermissionDenied},
			{"write", "folders.write", `{"binding":"out","name":"n","body":{"kind":"utf8","data":"hi"}}`, all, ``, ""},
			{"write to ro", "folders.write", `{"binding":"in","name":"n","body":{"kind":"utf8","data":"hi"}}`, all, ``, contract.PermissionDenied},
			{"write with a second spelling", "folders.write", `{"binding":"out","Binding":"in","name":"n","body":{"kind":"utf8","data":"hi"}}`, all, ``, ""},
		} {
			t.Run(door+"/"+tt.name, func(t *testing.T) {
				r := open(tt.perms)(tt.method, tt.args)
				if tt.code != "" {
					if r.OK || r.Error.Code != tt.code {
						t.Fatalf("reply %s %+v, want %s", r.Result, r.Error, tt.code)
					}
					return
				}
				if want := strings.ReplaceAll(tt.result, "inp 2", "inp2"); !r.OK || strings.ReplaceAll(string(r.Result), "inp 2", "inp2") != want {
					t.Errorf("reply %+v %s, want %s", r.Error, r.Result, want)
				}
			})
		}
	}
	for _, w := range b.shelf.writes {
		if w != "f-out/n=hi" {
			t.Errorf("written %s", w)
		}
	}
	for i, it := range b.shelf.put {
		if want := []string{"hi", "\x00\xff"}[i%2]; string(it.Bytes) != want || it.AgentID != "a1" {
			t.Errorf("put %+v", it)
		}
	}
}

func TestContentQuotas(t *testing.T) {
	b := newBench(t)
	for door, open := range b.doors(t) {
		t.Run(door+"/contentWrites", func(t *testing.T) {
			b.shelf = shelf{}
			call := open(all)
			for i := range contract.MaxContentWrites {
				method, args := "content.write", `{"body":{"kind":"utf8","data":""}}`
				if i%2 == 1 {
					method, args = "folders.write", `{"binding":"out","name":"n","body":{"kind":"utf8","data":""}}`
				}
				if r := call(method, args); !r.OK {
					t.Fatalf("write %d: %+v", i+1, r.Error)
				}
			}
			if r := call("content.write", `{"body":{"kind":"utf8","data":""}}`); r.OK || r.Error.Code != contract.HostQuotaExceeded {
				t.Errorf("one more: %+v", r)
			}
			if n := len(b.shelf.put) + len(b.shelf.writes); n != contract.MaxContentWrites {
				t.Errorf("%d writes were carried out", n)
			}
		})
		t.Run(door+"/ingress", func(t *testing.T) {
			b.shelf = shelf{size: contract.DefaultIngressBytes / 2}
			call := open(all)
			for range 2 {
				if r := call("content.read", `{"id":"i1"}`); !r.OK {
					t.Fatal(r.Error)
				}
			}
			b.shelf.size = 1
			if r := call("folders.read", `{"binding":"in","name":"n"}`); r.OK || r.Error.Code != contract.HostQuotaExceeded ||
				!strings.Contains(r.Error.Message, "1000000 bytes received and 1 more") {
				t.Errorf("one byte more: %+v", r.Error)
			}
			b.shelf.size = 0
			if r := call("content.read", `{"id":"i1"}`); !r.OK {
				t.Errorf("no byte more: %+v", r.Error)
			}
		})
	}
}

// The bindings are those of the start, whatever the permissions say.
func TestFoldersAreFrozen(t *testing.T) {
	b := newBench(t)
	c := b.claims(all)
	c.Folders = []manifest.Folder{{Alias: "in", ContentID: "then", Permissions: manifest.ModeRW}}
	s := b.Open(c)
	defer s.Close()
	if r := s.Call(t.Context(), 1, "folders.write", json.RawMessage(`{"binding":"in","name":"n","body":{"kind":"utf8","data":"x"}}`)); !r.OK || b.shelf.writes[0] != "then/n=x" {
		t.Errorf("%+v, %v", r.Error, b.shelf.writes)
	}
	if r := s.Call(t.Context(), 2, "folders.list", json.RawMessage(`{"binding":"out"}`)); r.OK || r.Error.Code != contract.PermissionDenied {
		t.Errorf("a binding that came later: %+v", r)
	}
}

func TestNestedCall(t *testing.T) {
	b := newBench(t)
	b.nested.Value = json.RawMessage(`{"n":1}`)
	for _, tt := range []struct {
		args string
		want hostbridge.Nested
		code contract.Code
	}{
		{`{"name":"g"}`, hostbridge.Nested{Name: "g"}, ""},
		{`{"name":"g","args":{"a":1},"timeoutMs":1.9,"idempotencyKey":"k"}`, hostbridge.Nested{Name: "g", Args: json.RawMessage(`{"a":1}`), TimeoutMs: 1, IdempotencyKey: "k"}, ""},
		{`{"name":"g","timeoutMs":1e12}`, hostbridge.Nested{Name: "g", TimeoutMs: contract.MaxWallMs}, ""},
		{`{"name":"g","timeoutMs":0}`, hostbridge.Nested{}, contract.InvalidRequest},
		{`{"name":"g","timeoutMs":"5"}`, hostbridge.Nested{}, contract.InvalidRequest},
		{`{"name":["g"]}`, hostbridge.Nested{}, contract.InvalidRequest},
	} {
		b.asked = nil
		c := b.claims(manifest.Permissions{})
		s := b.Open(c)
		r := s.Call(t.Context(), 1, "fn.invoke", json.RawMessage(tt.args))
		s.Close()
		if tt.code != "" {
			if r.OK || r.Error.Code != tt.code || len(b.asked) > 0 {
				t.Errorf("%s: %+v", tt.args, r)
			}
			continue
		}
		tt.want.Parent = c.InvocationID
		if len(b.asked) != 1 || fmt.Sprint(b.asked[0]) != fmt.Sprint(tt.want) || string(r.Result) != `{"n":1}` {
			t.Errorf("%s: asked %+v, got %s %+v", tt.args, b.asked, r.Result, r.Error)
		}
	}
}

// What one invocation of a chain has read is hidden in the records of all, and
// in no others.
func TestChainSharesItsSecrets(t *testing.T) {
	b := newBench(t)
	parent := b.Open(b.claims(all))
	defer parent.Close()
	c := b.claims(all)
	c.Parent = "inv1"
	child := b.Open(c)
	foreign := b.claims(all)
	foreign.AgentID, foreign.Parent = "a2", "inv1"
	stranger := b.Open(foreign)
	defer stranger.Close()
	if r := child.Call(t.Context(), 1, "secrets.get", json.RawMessage(`{"name":"API_KEY"}`)); !r.OK {
		t.Fatal(r.Error)
	}
	child.Close()
	for name, got := range map[string]string{"parent": parent.Redact("k-12345"), "child": child.Redact("k-12345")} {
		if got != "[secret API_KEY]" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := stranger.Redact("k-12345"); got != "k-12345" {
		t.Errorf("another agent's records know the secret: %s", got)
	}

	// A replayed answer may hold what an earlier run has read.
	b.nested.Replayed = true
	late := b.Open(b.claims(all))
	defer late.Close()
	if r := late.Call(t.Context(), 1, "fn.invoke", json.RawMessage(`{"name":"g"}`)); !r.OK || late.Redact("k-12345") != "[secret API_KEY]" {
		t.Errorf("%+v, %s", r.Error, late.Redact("k-12345"))
	}
}
