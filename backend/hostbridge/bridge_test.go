package hostbridge_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"benchtop/backend/contract"
	"benchtop/backend/hostbridge"
	"benchtop/backend/kv"
	"benchtop/backend/manifest"
	"benchtop/backend/secrets"
)

// stores are the nouns behind the bridge, in memory.
type stores struct {
	mu      sync.Mutex
	values  map[string]json.RawMessage
	secrets map[string]string
	puts    int
	fail    error
}

func (s *stores) Get(_ context.Context, ns kv.Namespace, key string) (json.RawMessage, bool, error) {
	if key == "boom" {
		panic("a fault of the platform")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.values[ns.AgentID+"/"+ns.Function+"/"+ns.Scope+"/"+key]
	return v, ok, s.fail
}

func (s *stores) Put(_ context.Context, ns kv.Namespace, key string, value json.RawMessage, _ time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.puts++
	s.values[ns.AgentID+"/"+ns.Function+"/"+ns.Scope+"/"+key] = value
	return s.fail
}

func (s *stores) PutIfAbsent(ctx context.Context, ns kv.Namespace, key string, value json.RawMessage, ttl time.Duration) (bool, error) {
	if _, found, _ := s.Get(ctx, ns, key); found {
		return false, nil
	}
	return true, s.Put(ctx, ns, key, value, ttl)
}

func (s *stores) Delete(_ context.Context, ns kv.Namespace, key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.values, ns.AgentID+"/"+ns.Function+"/"+ns.Scope+"/"+key)
	return nil
}

func (s *stores) List(_ context.Context, _ kv.Namespace, q kv.ListQuery) (kv.Page, error) {
	if q.Prefix == "zz" {
		return kv.Page{}, nil
	}
	return kv.Page{Items: []kv.Item{{Key: q.Prefix + "1", Value: json.RawMessage(`7`)}}, Cursor: "next"}, nil
}

func (s *stores) Names(string) []string { return []string{"greet", "visits"} }

type secretStore struct{ *stores }

func (s secretStore) Get(_ context.Context, _, _, binding string) (string, bool, error) {
	v, ok := s.secrets[binding]
	return v, ok, nil
}
func (s secretStore) Put(_ context.Context, _, _, binding, value string) error {
	s.secrets[binding] = value
	return nil
}
func (s secretStore) Missing(_ context.Context, _, _ string, names []string) ([]string, error) {
	var missing []string
	for _, n := range names {
		if _, ok := s.secrets[n]; !ok {
			missing = append(missing, n)
		}
	}
	return missing, nil
}

// signer makes and checks tokens as the platform's own key does: RS256, a pinned
// type, and expiry within the skew.
type signer struct {
	key *rsa.PrivateKey
	now func() time.Time
}

func (s signer) Sign(typ string, claims jwt.Claims) (string, error) {
	t := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	t.Header["typ"] = typ
	return t.SignedString(s.key)
}

func (s signer) Verify(typ, token string, claims jwt.Claims) error {
	_, err := jwt.ParseWithClaims(token, claims, func(t *jwt.Token) (any, error) {
		if t.Header["typ"] != typ {
			return nil, fmt.Errorf("a token of type %v", t.Header["typ"])
		}
		return &s.key.PublicKey, nil
	}, jwt.WithValidMethods([]string{"RS256"}), jwt.WithExpirationRequired(), jwt.WithLeeway(contract.ClockSkew), jwt.WithTimeFunc(s.now))
	return err
}

func (s secretStore) List(context.Context, string, string) ([]secrets.Binding, error) {
	return []secrets.Binding{{Function: "greet", Binding: "API_KEY"}}, nil
}

var all = manifest.Permissions{
	KV: manifest.KV{Self: manifest.ModeRW}, Secrets: []string{"API_KEY", "UNSET", "write"},
	Content: manifest.Content{Read: true, Write: true}, Folders: bound,
}

var bound = []manifest.Folder{
	{Alias: "in", ContentID: "f-in", Permissions: manifest.ModeRO}, {Alias: "out", ContentID: "f-out", Permissions: manifest.ModeRW},
}

type bench struct {
	*hostbridge.Bridge
	stores    *stores
	auth      signer
	now       time.Time
	ids       int
	shelf     shelf
	portal    portal
	ledger    ledger
	perDollar int64
	nested    hostbridge.NestedResult
	asked     []hostbridge.Nested
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{stores: &stores{values: map[string]json.RawMessage{}, secrets: map[string]string{"API_KEY": "k-12345"}}, now: time.Now()}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	b.auth = signer{key, func() time.Time { return b.now }}
	b.Bridge = hostbridge.New(hostbridge.Config{
		KV: b.stores, Secrets: secretStore{b.stores}, Functions: b.stores, Tokens: b.auth, Content: &b.shelf, Portal: &b.portal, Payments: &b.ledger,
		Invoke: func(_ context.Context, n hostbridge.Nested) (hostbridge.NestedResult, error) {
			b.asked = append(b.asked, n)
			return b.nested, nil
		},
		NanocentsPerDollar: func() int64 { return cmp.Or(b.perDollar, contract.DefaultNanocentsPerDollar) },
		Now:                func() time.Time { return b.now }, NewID: func() string { return "jti" }, Log: slog.New(slog.DiscardHandler),
	})
	return b
}

func (b *bench) claims(p manifest.Permissions) hostbridge.Claims {
	b.ids++
	return hostbridge.Claims{AgentID: "a1", Function: "greet", InvocationID: fmt.Sprintf("inv%d", b.ids), Permissions: p, Folders: p.Folders, VisitorID: "visitor1"}
}

// doors give the same calls through either side.
func (b *bench) doors(t *testing.T) map[string]func(manifest.Permissions) func(method, args string) contract.HostReply {
	return map[string]func(manifest.Permissions) func(method, args string) contract.HostReply{
		"near": func(p manifest.Permissions) func(method, args string) contract.HostReply {
			s, n := b.Open(b.claims(p)), 0
			t.Cleanup(s.Close)
			return func(method, args string) contract.HostReply {
				n++
				return s.Call(t.Context(), n, method, json.RawMessage(args))
			}
		},
		"network": func(p manifest.Permissions) func(method, args string) contract.HostReply {
			c, n := b.claims(p), 0
			token, err := b.Mint(c)
			if err != nil {
				t.Fatal(err)
			}
			return func(method, args string) contract.HostReply {
				n++
				status, r := b.ServeToken(t.Context(), token, fmt.Sprintf("%s:%d", c.InvocationID, n),
					contract.HostRequest{Method: method, Args: json.RawMessage(args)})
				if r.OK != (status == 200) || (!r.OK && r.Error.Code == contract.HostQuotaExceeded) != (status == 409) {
					t.Errorf("%s: status %d with %+v", method, status, r)
				}
				return r
			}
		},
	}
}

func TestBothDoors(t *testing.T) {
	visitors := manifest.Permissions{KV: manifest.KV{Visitor: manifest.ModeRW}}
	visitorsRO := manifest.Permissions{KV: manifest.KV{Visitor: manifest.ModeRO}}
	shared := manifest.Permissions{KV: manifest.KV{Self: manifest.ModeRW, AgentScope: true}}
	none, ro := manifest.Permissions{}, manifest.Permissions{KV: manifest.KV{Self: manifest.ModeRO}}
	noWrite := manifest.Permissions{Secrets: []string{"API_KEY"}}
	tests := []struct {
		name, method, args string
		perms              manifest.Permissions
		result             string
		code               contract.Code
	}{
		{"put", "kv.put", `{"key":"a","value":{"n":1}}`, all, ``, ""},
		{"get", "kv.get", `{"key":"a"}`, all, `{"n":1}`, ""},
		{"get absent", "kv.get", `{"key":"zz"}`, all, ``, ""},
		{"a fault of the platform", "kv.get", `{"key":"boom"}`, all, ``, contract.HostBridgeError},
		{"put null", "kv.put", `{"key":"nul","value":null}`, all, ``, ""},
		{"claim lost", "kv.putIfAbsent", `{"key":"a","value":1}`, all, `{"won":false}`, ""},
		{"claim won", "kv.putIfAbsent", `{"key":"%d","value":1,"ttlSeconds":5}`, all, `{"won":true}`, ""},
		{"list", "kv.list", `{"prefix":"p","values":true}`, all, `{"keys":["p1"],"items":[{"key":"p1","value":7}],"cursor":"next"}`, ""},
		{"list values of none", "kv.list", `{"prefix":"zz","values":true}`, all, `{"keys":[],"items":[]}`, ""},
		{"list keys", "kv.list", `{"prefix":"p"}`, ro, `{"keys":["p1"],"cursor":"next"}`, ""},
		{"delete", "kv.delete", `{"key":"gone"}`, all, ``, ""},
		{"put undefined", "kv.put", `{"key":"a"}`, all, ``, contract.InvalidRequest},
		{"put bad ttl", "kv.put", `{"key":"a","value":1,"ttlSeconds":-1}`, all, ``, contract.InvalidRequest},
		{"put of a wrong type", "kv.put", `{"key":7,"value":1}`, all, ``, contract.InvalidRequest},
		{"other scope", "kv.get", `{"key":"a","scope":"agent"}`, all, ``, contract.PermissionDenied},
		{"other user", "kv.get", `{"key":"a","user_id":"u"}`, all, ``, contract.PermissionDenied},
		{"the agent itself", "kv.get", `{"key":"a","user_id":"a1"}`, all, `{"n":1}`, ""},
		{"nobody", "kv.get", `{"key":"a","user_id":null}`, all, ``, contract.PermissionDenied},
		{"an empty user", "kv.get", `{"key":"a","user_id":""}`, all, ``, contract.PermissionDenied},
		{"the visitor without a grant", "kv.get", `{"key":"a","user_id":"visitor1"}`, all, ``, contract.PermissionDenied},
		{"the visitor puts", "kv.put", `{"key":"v","value":2,"user_id":"visitor1"}`, visitors, ``, ""},
		{"the visitor's", "kv.get", `{"key":"v","user_id":"visitor1"}`, visitors, `2`, ""},
		{"the visitor's is not the agent's", "kv.get", `{"key":"v"}`, all, ``, ""},
		{"no self for visitors alone", "kv.get", `{"key":"v"}`, visitors, ``, contract.PermissionDenied},
		{"another visitor", "kv.get", `{"key":"v","user_id":"visitor2"}`, visitors, ``, contract.PermissionDenied},
		{"the visitor, ro", "kv.put", `{"key":"v","value":2,"user_id":"visitor1"}`, visitorsRO, ``, contract.PermissionDenied},
		{"the visitor of the agent, no agent_scope", "kv.get", `{"key":"v","user_id":"visitor1","scope":"agent"}`, visitors, ``, contract.PermissionDenied},
		{"scope of its own", "kv.get", `{"key":"a","scope":"function"}`, all, `{"n":1}`, ""},
		{"scope agent puts", "kv.put", `{"key":"s","value":3,"scope":"agent"}`, shared, ``, ""},
		{"scope agent", "kv.get", `{"key":"s","scope":"agent"}`, shared, `3`, ""},
		{"scope agent is another", "kv.get", `{"key":"s"}`, shared, ``, ""},
		{"scope app without a grant", "kv.get", `{"key":"s","scope":"app"}`, shared, ``, contract.PermissionDenied},
		{"scope app without a widget", "kv.get", `{"key":"s","scope":"app"}`, manifest.Permissions{KV: manifest.KV{App: manifest.ModeRW}}, ``, contract.PermissionDenied},
		{"no such scope", "kv.get", `{"key":"s","scope":"world"}`, all, ``, contract.InvalidRequest},
		{"a scope in other letters", "kv.get", `{"key":"a","Scope":"agent"}`, all, `{"n":1}`, ""},
		{"limit of a wrong type", "kv.list", `{"limit":"1"}`, all, ``, contract.InvalidRequest},
		{"a limit in parts", "kv.list", `{"limit":1.5}`, all, ``, contract.InvalidRequest},
		{"kv none", "kv.get", `{"key":"a"}`, none, ``, contract.PermissionDenied},
		{"kv ro put", "kv.put", `{"key":"a","value":1}`, ro, ``, contract.PermissionDenied},
		{"kv ro delete", "kv.delete", `{"key":"a"}`, ro, ``, contract.PermissionDenied},
		{"kv ro claim", "kv.putIfAbsent", `{"key":"a","value":1}`, ro, ``, contract.PermissionDenied},
		{"secret", "secrets.get", `{"name":"API_KEY"}`, all, `"k-12345"`, ""},
		{"secret unset", "secrets.get", `{"name":"UNSET"}`, all, ``, ""},
		{"secret of another name", "secrets.get", `{"name":"OTHER"}`, all, ``, contract.PermissionDenied},
		{"secret in another spelling", "secrets.get", `{"name":"API_KEY","NAME":"OTHER"}`, all, `"k-12345"`, ""},
		{"secret twice, the last counts", "secrets.get", `{"name":"API_KEY","name":"OTHER"}`, all, ``, contract.PermissionDenied},
		{"only another spelling", "secrets.get", `{"Name":"API_KEY"}`, all, ``, contract.PermissionDenied},
		{"the sentinel is no secret", "secrets.get", `{"name":"write"}`, all, ``, contract.PermissionDenied},
		{"secret put without write", "secrets.put", `{"name":"API_KEY","value":"x"}`, noWrite, ``, contract.PermissionDenied},
		{"secret put of another name", "secrets.put", `{"name":"OTHER","value":"x"}`, all, ``, contract.PermissionDenied},
		{"secret put", "secrets.put", `{"name":"API_KEY","value":"k-12345"}`, all, ``, ""},
		{"secret put of no text", "secrets.put", `{"name":"API_KEY","value":7}`, all, ``, contract.InvalidRequest},
		{"secrets list", "secrets.list", `{}`, all, `["API_KEY"]`, ""},
		{"secrets list denied", "secrets.list", `{}`, none, ``, contract.PermissionDenied},
		{"fn.list", "fn.list", `{}`, none, `["greet","visits"]`, ""},
		{"unknown", "kv.explode", `{}`, all, ``, contract.UnknownHostCall},
		{"no args", "fn.list", ``, none, `["greet","visits"]`, ""},
		{"args of no object", "kv.get", `[]`, all, ``, contract.InvalidRequest},
	}
	b := newBench(t)
	unique := 0
	for door, open := range b.doors(t) {
		for _, tt := range tests {
			t.Run(door+"/"+tt.name, func(t *testing.T) {
				unique++
				r := open(tt.perms)(tt.method, strings.ReplaceAll(tt.args, "%d", fmt.Sprint(unique)))
				if tt.code != "" {
					if r.OK || r.Error.Code != tt.code {
						t.Fatalf("reply %+v %+v, want %s", r, r.Error, tt.code)
					}
					return
				}
				if !r.OK || string(r.Result) != tt.result {
					t.Errorf("reply %+v %s, want %s", r.Error, r.Result, tt.result)
				}
			})
		}
	}
}

func TestQuotas(t *testing.T) {
	b := newBench(t)
	for door, open := range b.doors(t) {
		t.Run(door+"/callsTotal", func(t *testing.T) {
			call := open(all)
			for i := range contract.MaxHostCalls {
				method := "fn.list"
				if i%2 == 0 {
					method = "kv.explode" // refused calls count too
				}
				if r := call(method, `{}`); !r.OK && r.Error.Code == contract.HostQuotaExceeded {
					t.Fatalf("call %d of %d was refused", i+1, contract.MaxHostCalls)
				}
			}
			if r := call("fn.list", `{}`); r.OK || r.Error.Code != contract.HostQuotaExceeded {
				t.Errorf("call %d: %+v", contract.MaxHostCalls+1, r)
			}
		})
		t.Run(door+"/kvPutBytes", func(t *testing.T) {
			call := open(all)
			half := `"` + strings.Repeat("x", contract.MaxKVPutBytes/2-1-2) + `"`
			if r := call("kv.put", `{"key":"a","value":`+half+`}`); !r.OK {
				t.Fatal(r.Error)
			}
			if r := call("kv.putIfAbsent", `{"key":"a","value":`+half+`}`); !r.OK { // lost, and charged all the same
				t.Fatal(r.Error)
			}
			puts := b.stores.puts
			if r := call("kv.put", `{"key":"","value":1}`); r.OK || r.Error.Code != contract.HostQuotaExceeded {
				t.Errorf("one byte above the quota: %+v", r)
			}
			if b.stores.puts != puts {
				t.Error("what was refused was written")
			}
		})
	}
}

// A fault of a store reaches the function as HOST_BRIDGE_ERROR without its text.
func TestFaultsAreNotShown(t *testing.T) {
	b := newBench(t)
	b.stores.fail = fmt.Errorf("disk /home/ada/x is on fire")
	for door, open := range b.doors(t) {
		r := open(all)("kv.get", `{"key":"a"}`)
		if r.OK || r.Error.Code != contract.HostBridgeError || strings.Contains(r.Error.Message, "ada") {
			t.Errorf("%s: %+v", door, r.Error)
		}
	}
}

func TestRetriedCallIsAnsweredOnce(t *testing.T) {
	b := newBench(t)
	c := b.claims(all)
	token, err := b.Mint(c)
	if err != nil {
		t.Fatal(err)
	}
	put := contract.HostRequest{Method: "kv.putIfAbsent", Args: json.RawMessage(`{"key":"once","value":1}`)}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, r := b.ServeToken(t.Context(), token, c.InvocationID+":1", put); string(r.Result) != `{"won":true}` {
				t.Errorf("%+v %s", r.Error, r.Result)
			}
		})
	}
	wg.Wait()
	if b.stores.puts != 1 {
		t.Errorf("written %d times", b.stores.puts)
	}
}

func TestForgedTokens(t *testing.T) {
	b := newBench(t)
	c := b.claims(all)
	good, err := b.Mint(c)
	if err != nil {
		t.Fatal(err)
	}
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(claims any) string {
		t.Helper()
		raw, _ := json.Marshal(claims)
		var m jwt.MapClaims
		_ = json.Unmarshal(raw, &m)
		s, err := b.auth.Sign(hostbridge.TokenType, m)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	pinned := func(change func(map[string]any)) map[string]any {
		m := map[string]any{"aud": "fn-host", "sub": "a1", "agent_id": "a1", "fn": "greet", "invocation_id": c.InvocationID,
			"exp": b.now.Add(time.Minute).Unix(), "permissions": map[string]any{"kv": "rw"}}
		change(m)
		return m
	}
	parts := strings.Split(good, ".")
	foreign := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims(pinned(func(map[string]any) {})))
	foreign.Header["typ"] = hostbridge.TokenType
	foreignText, _ := foreign.SignedString(other)
	portal, _ := b.auth.Sign("portal", jwt.MapClaims(pinned(func(map[string]any) {})))
	tests := map[string]string{
		"none":            "",
		"garbage":         "a.b.c",
		"cut signature":   parts[0] + "." + parts[1] + ".",
		"of another key":  foreignText,
		"another type":    portal,
		"no audience":     sign(pinned(func(m map[string]any) { delete(m, "aud") })),
		"other audience":  sign(pinned(func(m map[string]any) { m["aud"] = "api" })),
		"two audiences":   sign(pinned(func(m map[string]any) { m["aud"] = []string{"fn-host", "x"} })),
		"no function":     sign(pinned(func(m map[string]any) { delete(m, "fn") })),
		"foreign subject": sign(pinned(func(m map[string]any) { m["sub"] = "a2" })),
		"no expiry":       sign(pinned(func(m map[string]any) { delete(m, "exp") })),
		"expired":         sign(pinned(func(m map[string]any) { m["exp"] = b.now.Add(-contract.ClockSkew - time.Second).Unix() })),
	}
	for name, token := range tests {
		t.Run(name, func(t *testing.T) {
			status, r := b.ServeToken(t.Context(), token, c.InvocationID+":1", contract.HostRequest{Method: "fn.list"})
			if status != 401 || r.OK || r.Error.Code != contract.InvalidInvocation {
				t.Errorf("%d %+v", status, r.Error)
			}
		})
	}
	for _, key := range []string{"", "x", c.InvocationID, c.InvocationID + ":0", c.InvocationID + ":-1", c.InvocationID + ":1x", "other:1"} {
		if status, _ := b.ServeToken(t.Context(), good, key, contract.HostRequest{Method: "fn.list"}); status != 400 {
			t.Errorf("Idempotency-Key %q: %d", key, status)
		}
	}
	b.now = b.now.Add(contract.InvocationTokenLifetime + 2*contract.ClockSkew)
	if status, _ := b.ServeToken(t.Context(), good, c.InvocationID+":1", contract.HostRequest{Method: "fn.list"}); status != 401 {
		t.Errorf("after its 60 seconds the token gives %d", status)
	}
}

// A second token for the same invocation must not widen what it may do.
func TestGrantsAreFrozen(t *testing.T) {
	b := newBench(t)
	c := b.claims(manifest.Permissions{})
	first, _ := b.Mint(c)
	if status, _ := b.ServeToken(t.Context(), first, c.InvocationID+":1", contract.HostRequest{Method: "kv.get", Args: json.RawMessage(`{"key":"a"}`)}); status != 403 {
		t.Fatalf("without a grant: %d", status)
	}
	c.Permissions = all
	second, _ := b.Mint(c)
	if status, _ := b.ServeToken(t.Context(), second, c.InvocationID+":2", contract.HostRequest{Method: "kv.get", Args: json.RawMessage(`{"key":"a"}`)}); status != 403 {
		t.Errorf("a wider token was believed: %d", status)
	}
}

// A value that a function may not keep is a secret all the same.
// Every row of the table has a handler, and every handler a row.
func TestTableIsComplete(t *testing.T) {
	b := newBench(t)
	for _, row := range contract.HostCalls {
		s := b.Open(b.claims(all))
		method, args := row.Method, ""
		if name, ok := strings.CutPrefix(method, contract.PortalSpace); ok {
			method, args = contract.PortalDispatch, envelope(name, "{}")
		}
		if r := s.Call(t.Context(), 1, method, json.RawMessage(args)); !r.OK && r.Error.Code == contract.UnknownHostCall {
			t.Errorf("%s has no handler", row.Method)
		}
		s.Close()
	}
}
