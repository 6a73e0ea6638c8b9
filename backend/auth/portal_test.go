package auth

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"benchtop/backend/contract"
)

const ourURL = "http://127.0.0.1:4780"

func openAt(t *testing.T, dir string, store Store, ck *clock) *Auth {
	t.Helper()
	a, err := Open(t.Context(), Config{Dir: dir, Store: store, Now: ck.now, URL: func() string { return ourURL }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

func issue(t *testing.T, a *Auth, req contract.PortalTokenRequest, agentID string) contract.PortalTokenResponse {
	t.Helper()
	r, err := a.Issue(t.Context(), req, agentID, agentID != "" && req.Subject == agentID)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPortalTokenLife(t *testing.T) {
	dir, store, ck := t.TempDir(), newMemStore(), newClock()
	a := openAt(t, dir, store, ck)
	r := issue(t, a, contract.PortalTokenRequest{ExpiresInSeconds: 60}, "")
	c := identify(t, a, r.Token, "")
	if c.Kind != KindPortal || c.UserID != OwnerUserID || c.AgentID != "" || c.TokenID != r.Info.ID || !c.Has("read") || !c.Has("write") || !c.Has("invoke") || c.Has("admin") {
		t.Fatalf("caller %+v", c)
	}
	if whole, _ := json.Marshal(store.tokens); strings.Contains(string(whole), r.Token) {
		t.Error("the token itself is stored")
	}
	// It counts after a restart, and until two seconds after its end.
	a = openAt(t, dir, store, ck)
	ck.add(61 * time.Second)
	identify(t, a, r.Token, "")
	ck.add(2 * time.Second)
	_, err := a.Identify(t.Context(), r.Token, "")
	wantCode(t, err, contract.Unauthorized)

	r = issue(t, a, contract.PortalTokenRequest{Scopes: []string{"read"}}, "agent-a")
	if c := identify(t, a, r.Token, ""); c.AgentID != "agent-a" || c.Has("write") || !c.Has("read") {
		t.Errorf("bound token is %+v", c)
	}
	if _, ok := store.tokens[r.Info.ID]; !ok || len(store.tokens) != 1 {
		t.Errorf("the expired token is still stored: %v", store.tokens)
	}
	for want := range 2 {
		if ok, err := a.Revoke(t.Context(), r.Info.ID); err != nil || ok != (want == 0) {
			t.Fatalf("revoked %v, %v", ok, err)
		}
	}
	for range 2 { // now and after a restart
		_, err = a.Identify(t.Context(), r.Token, "")
		wantCode(t, err, contract.Unauthorized)
		a = openAt(t, dir, store, ck)
	}
	if list := a.Tokens().Tokens; len(list) != 1 || list[0].RevokedAt == nil {
		t.Errorf("tokens %+v", list)
	}
}

func TestPortalSubjects(t *testing.T) {
	a := openAt(t, t.TempDir(), newMemStore(), newClock())
	v, err := a.MakeVisitor(t.Context(), contract.VisitorRequest{Name: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		req   contract.PortalTokenRequest
		agent string
		want  Caller
	}{
		{contract.PortalTokenRequest{}, "", Caller{Kind: KindPortal, UserID: OwnerUserID}},
		{contract.PortalTokenRequest{Subject: "owner"}, "g", Caller{Kind: KindPortal, UserID: OwnerUserID, AgentID: "g"}},
		{contract.PortalTokenRequest{Subject: "g"}, "g", Caller{Kind: KindPortal, AgentID: "g"}},
		{contract.PortalTokenRequest{Subject: v.ID}, "", Caller{Kind: KindVisitor, UserID: v.ID}},
		{contract.PortalTokenRequest{Subject: v.ID}, "g", Caller{Kind: KindVisitor, UserID: v.ID, AgentID: "g"}},
		{contract.PortalTokenRequest{Subject: "service:cron"}, "", Caller{Kind: KindAdmin, UserID: "service:cron"}},
	} {
		got := identify(t, a, issue(t, a, c.req, c.agent).Token, "")
		if got.Kind != c.want.Kind || got.UserID != c.want.UserID || got.AgentID != c.want.AgentID {
			t.Errorf("%+v: %+v", c.req, got)
		}
	}
	tok := issue(t, a, contract.PortalTokenRequest{Subject: v.ID}, "").Token
	if _, err := a.DropVisitor(t.Context(), v.ID); err != nil {
		t.Fatal(err)
	}
	_, err = a.Identify(t.Context(), tok, "")
	wantCode(t, err, contract.Unauthorized)
	for name, req := range map[string]contract.PortalTokenRequest{
		"a gone visitor": {Subject: v.ID}, "nobody": {Subject: "eve"}, "an agent it is not bound to": {Subject: "g"},
		"a nameless service": {Subject: "service:"}, "no audience": {Audience: contract.Audience{}},
		"an empty audience": {Audience: contract.Audience{""}}, "a scope with a space": {Scopes: []string{"read write"}},
		"a long life": {ExpiresInSeconds: 366 * 24 * 3600}, "no life": {ExpiresInSeconds: -1},
		"many scopes": {Scopes: slices.Repeat([]string{"x"}, maxScopes+1)},
	} {
		_, err := a.Issue(t.Context(), req, "", false)
		if e := contract.AsError(err); e == nil || e.Code != contract.InvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is no portal token of this platform for this platform is refused, however
// well it is signed.
func TestForgedPortalTokens(t *testing.T) {
	ck := newClock()
	a := openAt(t, t.TempDir(), newMemStore(), ck)
	good := issue(t, a, contract.PortalTokenRequest{}, "")
	elsewhere := issue(t, a, contract.PortalTokenRequest{Audience: contract.Audience{"https://other.example"}}, "")
	ours, kid := a.signer.key, a.signer.kid
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	header := func(typ string) map[string]any { return map[string]any{"typ": typ, "kid": kid} }
	claims := func(change func(*PortalClaims)) *PortalClaims {
		c := &PortalClaims{
			RegisteredClaims: jwt.RegisteredClaims{
				Issuer: ourURL, Subject: OwnerUserID, Audience: jwt.ClaimStrings{ourURL}, ID: good.Info.ID,
				IssuedAt: jwt.NewNumericDate(ck.now()), ExpiresAt: jwt.NewNumericDate(ck.now().Add(time.Hour)),
			}, Scopes: allScopes,
		}
		change(c)
		return c
	}
	same := func(*PortalClaims) {}
	for name, tok := range map[string]string{
		"of another key":      forge(t, jwt.SigningMethodRS256, other, header(PortalTokenType), claims(same)),
		"alg none":            forge(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, header(PortalTokenType), claims(same)),
		"an invocation token": forge(t, jwt.SigningMethodRS256, ours, header("fn-invocation"), claims(same)),
		"a payment token":     forge(t, jwt.SigningMethodRS256, ours, header("payment"), claims(same)),
		"a plain JWT":         forge(t, jwt.SigningMethodRS256, ours, header("JWT"), claims(same)),
		"never issued":        forge(t, jwt.SigningMethodRS256, ours, header(PortalTokenType), claims(func(c *PortalClaims) { c.ID = "made-up" })),
		"without jti":         forge(t, jwt.SigningMethodRS256, ours, header(PortalTokenType), claims(func(c *PortalClaims) { c.ID = "" })),
		"another issuer":      forge(t, jwt.SigningMethodRS256, ours, header(PortalTokenType), claims(func(c *PortalClaims) { c.Issuer = "https://robutler.ai" })),
		"no subject":          forge(t, jwt.SigningMethodRS256, ours, header(PortalTokenType), claims(func(c *PortalClaims) { c.Subject = "" })),
		"no audience":         forge(t, jwt.SigningMethodRS256, ours, header(PortalTokenType), claims(func(c *PortalClaims) { c.Audience = nil })),
		"no issue time":       forge(t, jwt.SigningMethodRS256, ours, header(PortalTokenType), claims(func(c *PortalClaims) { c.IssuedAt = nil })),
		"expired": forge(t, jwt.SigningMethodRS256, ours, header(PortalTokenType), claims(func(c *PortalClaims) {
			c.ExpiresAt = jwt.NewNumericDate(ck.now().Add(-3 * time.Second))
		})),
		"for somebody else": elsewhere.Token,
		"two tokens":        good.Token + "." + good.Token,
	} {
		c, err := a.Identify(t.Context(), tok, "")
		if e := contract.AsError(err); e == nil || e.Code != contract.Unauthorized || c.Kind != KindAnonymous {
			t.Errorf("%s: %+v, %v", name, c, err)
		} else if strings.Contains(e.Message, tok) || strings.Contains(e.Message, "\n") {
			t.Errorf("%s: message %q", name, e.Message)
		}
	}
	if _, err := a.VerifyPortal(elsewhere.Token, "https://other.example"); err != nil {
		t.Errorf("for its own audience: %v", err)
	}
	// A portal token opens nothing that takes another type.
	if a.Verify("fn-invocation", good.Token, &PortalClaims{}) == nil {
		t.Error("a portal token passes as an invocation token")
	}
}

func TestKeys(t *testing.T) {
	dir, store, ck := t.TempDir(), newMemStore(), newClock()
	a := openAt(t, dir, store, ck)
	one, err := a.MakeAgentKey(t.Context(), "g")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(one.RawKey, "rb_") || len(one.RawKey) < 40 || !strings.HasPrefix(one.RawKey, one.Key.KeyPrefix) || len(one.Key.KeyPrefix) > 10 {
		t.Errorf("key %+v", one)
	}
	if whole, _ := json.Marshal(store.keys); strings.Contains(string(whole), one.RawKey) {
		t.Error("the key itself is stored")
	}
	admin, err := a.MakeAdminKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a = openAt(t, dir, store, ck) // they outlive a restart
	if c := identify(t, a, one.RawKey, ""); c.Kind != KindAgent || c.AgentID != "g" || c.UserID != "" || !c.Has("write") {
		t.Errorf("agent key is %+v", c)
	}
	if c := identify(t, a, admin.RawKey, ""); c.Kind != KindAdmin || c.Has("read") {
		t.Errorf("admin key is %+v", c)
	}
	if c := identify(t, a, "", one.RawKey); c.Kind != KindAnonymous {
		t.Error("a key counts as a cookie")
	}
	if a.CookieVisitor(one.RawKey).Kind != KindAnonymous {
		t.Error("an agent's key counts as a visitor's cookie")
	}

	tok, err := a.AgentToken(t.Context(), "g", one.RawKey)
	if err != nil || !tok.ExpiresAt.Equal(ck.now().Add(contract.AgentTokenLifetime)) {
		t.Fatalf("%+v, %v", tok, err)
	}
	if c := identify(t, a, tok.Token, ""); c.Kind != KindPortal || c.AgentID != "g" || c.UserID != "" {
		t.Errorf("agent token is %+v", c)
	}
	for _, wrong := range [][2]string{{"h", one.RawKey}, {"g", "rb_x"}, {"g", ""}, {"", one.RawKey}, {"", admin.RawKey}, {"g", a.OwnerKey()}} {
		_, err := a.AgentToken(t.Context(), wrong[0], wrong[1])
		wantCode(t, err, contract.Unauthorized)
	}
	if ok, err := a.DropAgentKey(t.Context(), "h", one.Key.ID); ok || err != nil {
		t.Errorf("another agent ended the key: %v, %v", ok, err)
	}
	store.fail = errors.New("disk full")
	if _, err := a.DropAgentKey(t.Context(), "g", one.Key.ID); err == nil {
		t.Error("a key ended without being stored")
	}
	identify(t, a, one.RawKey, "")
	store.fail = nil
	if ok, err := a.DropAgentKey(t.Context(), "g", one.Key.ID); !ok || err != nil {
		t.Fatalf("%v, %v", ok, err)
	}
	for _, gone := range []string{one.RawKey, tok.Token} {
		_, err := a.Identify(t.Context(), gone, "")
		wantCode(t, err, contract.Unauthorized)
	}
	if len(a.AgentKeys("g").Keys) != 0 || len(a.AdminKeys().Keys) != 1 {
		t.Error("the lists are wrong")
	}
}

// A key has a bounded number of tokens: the oldest ends.
func TestTokensOfAKeyAreBounded(t *testing.T) {
	ck := newClock()
	a := openAt(t, t.TempDir(), newMemStore(), ck)
	key, err := a.MakeAgentKey(t.Context(), "g")
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for i := range maxKeyTokens + 1 {
		tok, err := a.AgentToken(t.Context(), "g", key.RawKey)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = tok.Token
		}
		ck.add(time.Second)
	}
	_, err = a.Identify(t.Context(), first, "")
	wantCode(t, err, contract.Unauthorized)
	live := 0
	for _, tok := range a.Tokens().Tokens {
		if tok.RevokedAt == nil {
			live++
		}
	}
	if live != maxKeyTokens {
		t.Errorf("%d live tokens, want %d", live, maxKeyTokens)
	}
}

func TestVisitors(t *testing.T) {
	dir, store, ck := t.TempDir(), newMemStore(), newClock()
	a := openAt(t, dir, store, ck)
	v, err := a.MakeVisitor(t.Context(), contract.VisitorRequest{Name: " Ada ", Email: "ada@example.com"})
	if err != nil || v.Name != "Ada" {
		t.Fatalf("%+v, %v", v, err)
	}
	key, err := a.MakeVisitorKey(t.Context(), v.ID)
	if err != nil {
		t.Fatal(err)
	}
	session, err := a.MakeVisitorSession(t.Context(), v.ID)
	if err != nil || session.CookieName != a.VisitorCookie() {
		t.Fatalf("%+v, %v", session, err)
	}
	a = openAt(t, dir, store, ck)
	if c := identify(t, a, key.RawKey, ""); c.Kind != KindVisitor || c.UserID != v.ID {
		t.Errorf("key is %+v", c)
	}
	if c := a.CookieVisitor(session.CookieValue); c.Kind != KindVisitor || c.UserID != v.ID {
		t.Errorf("cookie is %+v", c)
	}
	// Neither counts in the other's place.
	if a.CookieVisitor(key.RawKey).Kind != KindAnonymous {
		t.Error("a visitor's key counts as a cookie")
	}
	_, err = a.Identify(t.Context(), session.CookieValue, "")
	wantCode(t, err, contract.Unauthorized)
	ck.add(contract.VisitorLifetime)
	if a.CookieVisitor(session.CookieValue).Kind != KindAnonymous {
		t.Error("the cookie counts after its end")
	}
	if ok, err := a.DropVisitor(t.Context(), v.ID); !ok || err != nil {
		t.Fatalf("%v, %v", ok, err)
	}
	_, err = a.Identify(t.Context(), key.RawKey, "")
	wantCode(t, err, contract.Unauthorized)
	_, err = a.MakeVisitorKey(t.Context(), v.ID)
	wantCode(t, err, contract.NotFound)
	for _, bad := range []contract.VisitorRequest{{}, {Name: "a\nb"}, {Name: "a", Email: "x"}, {Name: "a", AvatarURL: "javascript:alert(1)"}, {Name: strings.Repeat("a", 201)}} {
		_, err := a.MakeVisitor(t.Context(), bad)
		wantCode(t, err, contract.InvalidRequest)
	}
}
