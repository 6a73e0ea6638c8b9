package httpapi

import (
	"crypto/rand"
	"crypto/rsa"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// samplePaths are the bodies of routes that do not take the usual one.
var sampleBodies = map[string]string{
	"/api/agents/{agent}/functions/{name}/secret":             `{"binding":"API_KEY","value":"v"}`,
	"/api/local/agents/{agent}/secret":                        `{"binding":"API_KEY","value":"v"}`,
	"/api/auth/session":                                       `{"key":"wrong"}`,
	"/api/auth/validate-key":                                  `{"apiKey":"rb_wrong"}`,
	"/api/auth/agent/token":                                   `{"agentId":"mia","secret":"wrong"}`,
	"/api/local/tokens":                                       `{}`,
	"/api/local/settings":                                     `{}`,
	"/api/local/projects":                                     `{"path":"/tmp/p"}`,
	"/api/local/agents/{agent}/functions/{name}":              `{"source":"x"}`,
	"/api/local/agents/{agent}/modules/{name}":                `{"source":"x"}`,
	"/api/local/agents/{agent}/agentfile":                     `{"source":"x"}`,
	"/api/agents/{agent}/skills/{skill}/use":                  `{"entry":{},"use":"greet"}`,
	"/api/agents/{agent}/skills/{skill}/use/{id}":             `{"use":"greet"}`,
	"/api/local/agents/{agent}/tools/{name}":                  `{"args":{}}`,
	"/api/local/agents/{agent}/functions/{name}/calls/{call}": `{"body":{}}`,
	"/api/local/agents/{agent}/kv/items":                      `{"function":"greet","items":[{"key":"k","value":1}]}`,
	"/api/payments/lock":                                      `{"token":"a.b.c","amount":1}`,
	"/api/payments/lock/{id}":                                 `{"additionalAmount":1}`,
	"/api/payments/settle":                                    `{"token":"a.b.c","amount":1}`,
	"/api/payments/delegate":                                  `{"parentToken":"a.b.c","delegateTo":"leo","amount":1}`,
	"/api/payments/verify":                                    `{"token":"a.b.c"}`,
	"/api/payments/tokens/{id}/topup":                         `{"amount":1}`,
	"/api/payments/x402/verify":                               `{"token":"a.b.c"}`,
	"/api/payments/x402/settle":                               `{"token":"a.b.c","paymentRequirements":{"amount":"1"}}`,
	"/api/local/payments/mint":                                `{"amount":1}`,
	"/api/local/payments/deposit":                             `{"amount":1}`,
	"/api/local/agents/{agent}/simulator":                     `{}`,
	"/api/internal/fn-host":                                   `{"method":"fn.list","args":{}}`,
}

// sample gives a request that a row accepts from somebody who may send it.
func (w *world) sample(t *testing.T, row route) request {
	t.Helper()
	id := "ended"
	switch {
	case strings.HasPrefix(row.path, "/api/agents/{agent}/api-key/"):
		key, err := w.auth.MakeAgentKey(t.Context(), w.agent.ID)
		w.must(t, err)
		id = key.Key.ID
	case strings.HasPrefix(row.path, "/api/local/admin-key/"):
		key, err := w.auth.MakeAdminKey(t.Context())
		w.must(t, err)
		id = key.Key.ID
	case strings.HasPrefix(row.path, "/api/local/tokens/"):
		tok, err := w.auth.Issue(t.Context(), contract.PortalTokenRequest{}, "", false)
		w.must(t, err)
		id = tok.Info.ID
	case strings.HasPrefix(row.path, "/api/content/"):
		id = "page?signature=good"
	case strings.HasPrefix(row.path, "/api/payments/"):
		id = "t1"
	case strings.Contains(row.path, "/schedules/"):
		id = "nightly"
	case strings.HasPrefix(row.path, "/api/local/visitors/"):
		v, err := w.auth.MakeVisitor(t.Context(), contract.VisitorRequest{Name: "Ada"})
		w.must(t, err)
		id = v.ID
	}
	name := "greet"
	if row.path == "/api/local/docs/{name}" {
		name = "getting-started"
	}
	path := strings.NewReplacer("{agent}", "mia", "{name}", name, "{id}", id, "{version}", "3", "{skill}", "custom_http", "{call}", "first", "{alias}", "inbox", "{file}", "f.txt").Replace(row.path)
	r := request{method: row.method, path: path, body: `{"name":"greet","manifest":{},"source":"x"}`}
	if body, ok := sampleBodies[row.path]; ok {
		r.body = body
	}
	if row.method == "DELETE" && strings.HasSuffix(row.path, "/secret") {
		r.path += "?binding=API_KEY"
	}
	if strings.Contains(row.path, "/kv/item") && row.method != "PUT" {
		r.path += "?function=greet&key=k"
	}
	if row.path == "/api/local/schedule" {
		r.path += "?cron=0+3+*+*+*"
	}
	if row.body == 0 {
		r.body = ""
	}
	if row.path == "/api/local/events" {
		r.method = "HEAD" // a GET would not end
	}
	return r
}

func (w *world) must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The answers a caller can get at a kind of route.
type answer int

const (
	yes200 answer = iota
	no401
	no403
)

// caller presents a credential. What it gets is by access: write, read and
// invoke routes of the agent it addresses.
type caller struct {
	name                string
	header              map[string]string
	bad                 bool // presents something that is not valid
	read, write, invoke answer
	owner, public       answer
	unbound             bool // read routes without an agent in the path are open too
	elsewhere           bool // is another agent's, or for one: payments are open to it
	foreign             bool // and none of the sample's are its own
}

func bearer(token string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + token}
}

// callersOf gives every kind of caller.
func callersOf(t *testing.T, w *world) []caller {
	t.Helper()
	value, _, err := w.auth.Login(t.Context(), contract.SessionRequest{Key: w.auth.OwnerKey()})
	w.must(t, err)
	cookieName := sessionCookie + w.auth.DataID()
	token := func(agentID, sub string, scopes ...string) string {
		r, err := w.auth.Issue(t.Context(), contract.PortalTokenRequest{Subject: sub, Scopes: scopes}, agentID, sub == agentID && sub != "")
		w.must(t, err)
		return r.Token
	}
	key := func(agentID string) contract.CreatedKey {
		k, err := w.auth.MakeAgentKey(t.Context(), agentID)
		w.must(t, err)
		return k
	}
	other := "5f0c2a1e-0000-4000-8000-000000000002"
	mine, ended := key(w.agent.ID), key(w.agent.ID)
	_, err = w.auth.DropAgentKey(t.Context(), w.agent.ID, ended.Key.ID)
	w.must(t, err)
	agentToken, err := w.auth.AgentToken(t.Context(), w.agent.ID, mine.RawKey)
	w.must(t, err)
	admin, err := w.auth.MakeAdminKey(t.Context())
	w.must(t, err)
	ada, err := w.auth.MakeVisitor(t.Context(), contract.VisitorRequest{Name: "Ada"})
	w.must(t, err)
	adaKey, err := w.auth.MakeVisitorKey(t.Context(), ada.ID)
	w.must(t, err)
	adaCookie, err := w.auth.MakeVisitorSession(t.Context(), ada.ID)
	w.must(t, err)
	revoked, err := w.auth.Issue(t.Context(), contract.PortalTokenRequest{}, "", false)
	w.must(t, err)
	_, err = w.auth.Revoke(t.Context(), revoked.Info.ID)
	w.must(t, err)
	foreign, err := w.auth.Issue(t.Context(), contract.PortalTokenRequest{Audience: contract.Audience{"https://other.example"}}, "", false)
	w.must(t, err)

	all := []caller{
		{name: "nobody", read: no401, write: no401, invoke: no401, owner: no401},
		{name: "owner key", header: bearer(w.auth.OwnerKey())},
		{name: "window token", header: map[string]string{"Authorization": "bearer " + w.auth.WindowToken(), "Origin": "wails://wails"}},
		{name: "session", header: map[string]string{"Cookie": "a=b; " + cookieName + "=" + value}},
		{name: "session of our page", header: map[string]string{"Cookie": cookieName + "=" + value, "Origin": base}},
		{name: "token of the owner", header: bearer(token("", "")), owner: no403, unbound: true},
		{name: "token for this agent", header: bearer(token(w.agent.ID, "")), owner: no403, unbound: true},
		{name: "token of this agent", header: bearer(token(w.agent.ID, w.agent.ID)), owner: no403, unbound: true},
		{name: "token for reading", header: bearer(token("", "", "read")), write: no403, invoke: no403, owner: no403, unbound: true},
		{name: "token for writing", header: bearer(token("", "", "write")), read: no403, invoke: no403, owner: no403},
		{name: "token for running", header: bearer(token("", "", "invoke")), read: no403, write: no403, owner: no403},
		{name: "token for other things", header: bearer(token("", "", "admin", "tools:*")), read: no403, write: no403, invoke: no403, owner: no403},
		{name: "token for another agent", header: bearer(token(other, "")), read: no403, write: no403, invoke: no403, owner: no403, unbound: true, elsewhere: true, foreign: true},
		{name: "token of another agent", header: bearer(token(other, other)), read: no403, write: no403, invoke: no403, owner: no403, unbound: true, elsewhere: true, foreign: true},
		{name: "token of a visitor", header: bearer(token("", ada.ID)), read: no403, write: no403, invoke: no403, owner: no403},
		{name: "token of a visitor for this agent", header: bearer(token(w.agent.ID, ada.ID)), read: no403, write: no403, invoke: no403, owner: no403},
		{name: "token of a service", header: bearer(token("", "service:x")), read: no403, write: no403, invoke: no403, owner: no403},
		{name: "agent key", header: bearer(mine.RawKey), owner: no403, unbound: true},
		{name: "agent key in X-API-Key", header: map[string]string{"X-API-Key": mine.RawKey}, owner: no403, unbound: true},
		{name: "agent token", header: bearer(agentToken.Token), owner: no403, unbound: true},
		{name: "key of another agent", header: bearer(key(other).RawKey), read: no403, write: no403, invoke: no403, owner: no403, unbound: true, elsewhere: true, foreign: true},
		{name: "admin key", header: bearer(admin.RawKey), read: no403, write: no403, invoke: no403, owner: no403},
		{name: "visitor key", header: bearer(adaKey.RawKey), read: no403, write: no403, invoke: no403, owner: no403},
		{name: "visitor cookie", header: map[string]string{"Cookie": adaCookie.CookieName + "=" + adaCookie.CookieValue}, read: no401, write: no401, invoke: no401, owner: no401},
		{name: "visitor cookie in the owner's place", header: map[string]string{"Cookie": cookieName + "=" + adaCookie.CookieValue}, read: no401, write: no401, invoke: no401, owner: no401},
		{name: "made-up session", header: map[string]string{"Cookie": cookieName + "=" + value[1:]}, read: no401, write: no401, invoke: no401, owner: no401},
		{name: "session of another data directory", header: map[string]string{"Cookie": sessionCookie + "00=" + value}, read: no401, write: no401, invoke: no401, owner: no401},
		{name: "session from the window's origin", header: map[string]string{"Cookie": cookieName + "=" + value, "Origin": "wails://wails"}, read: no401, write: no401, invoke: no401, owner: no401},
		{name: "owner key as cookie", header: map[string]string{"Cookie": cookieName + "=" + w.auth.OwnerKey()}, read: no401, write: no401, invoke: no401, owner: no401},
		{name: "agent key as cookie", header: map[string]string{"Cookie": cookieName + "=" + mine.RawKey}, read: no401, write: no401, invoke: no401, owner: no401},
	}
	for name, header := range map[string]map[string]string{
		"wrong key":                    bearer("wrong"),
		"wrong key beside a session":   {"Authorization": "Bearer wrong", "Cookie": cookieName + "=" + value},
		"basic":                        {"Authorization": "Basic " + w.auth.OwnerKey()},
		"no scheme":                    {"Authorization": w.auth.OwnerKey()},
		"cookie value as bearer":       bearer(value),
		"visitor cookie as bearer":     bearer(adaCookie.CookieValue),
		"ended agent key":              bearer(ended.RawKey),
		"cut agent key":                bearer(mine.RawKey[:len(mine.RawKey)-1]),
		"owner key in X-API-Key":       {"X-API-Key": w.auth.OwnerKey()},
		"two credentials":              {"Authorization": "Bearer " + w.auth.OwnerKey(), "X-API-Key": mine.RawKey},
		"revoked token":                bearer(revoked.Token),
		"token for somebody else":      bearer(foreign.Token),
		"token without its signature":  bearer(foreign.Token[:strings.LastIndex(foreign.Token, ".")+1]),
		"token with a word beside it":  bearer(foreign.Token + " x"),
		"token of another platform":    bearer(forged(t, w, func(c *auth.PortalClaims, _ map[string]any) { c.Issuer = "https://robutler.ai" })),
		"token that was never issued":  bearer(forged(t, w, func(c *auth.PortalClaims, _ map[string]any) { c.ID = "made-up" })),
		"invocation token":             bearer(signed(t, w, "fn-invocation", func(*auth.PortalClaims) {})),
		"payment token":                bearer(signed(t, w, "payment", func(*auth.PortalClaims) {})),
		"plain JWT":                    bearer(signed(t, w, "JWT", func(*auth.PortalClaims) {})),
		"signed by us, never issued":   bearer(signed(t, w, auth.PortalTokenType, func(*auth.PortalClaims) {})),
		"signed by us, expired":        bearer(signed(t, w, auth.PortalTokenType, func(c *auth.PortalClaims) { c.ExpiresAt = jwt.NewNumericDate(time.Now().Add(-3 * time.Second)) })),
		"signed by us, no expiry":      bearer(signed(t, w, auth.PortalTokenType, func(c *auth.PortalClaims) { c.ExpiresAt = nil })),
		"forged with our kid":          bearer(forged(t, w, func(*auth.PortalClaims, map[string]any) {})),
		"forged with jku":              bearer(forged(t, w, func(_ *auth.PortalClaims, h map[string]any) { h["jku"] = "http://127.0.0.1:1/jwks.json" })),
		"forged with x5u":              bearer(forged(t, w, func(_ *auth.PortalClaims, h map[string]any) { h["x5u"] = "http://127.0.0.1:1/cert.pem" })),
		"forged with another kid":      bearer(forged(t, w, func(_ *auth.PortalClaims, h map[string]any) { h["kid"] = "mine" })),
		"forged with alg none":         bearer(unsigned(t, w)),
		"forged with HS256 by our key": bearer(symmetric(t, w)),
	} {
		all = append(all, caller{name: name, header: header, bad: true, read: no401, write: no401, invoke: no401, owner: no401, public: no401})
	}
	// Who may do everything comes last, because it ends credentials.
	slices.SortStableFunc(all, func(x, y caller) int { return int(y.owner) - int(x.owner) })
	return all
}

// claimsFor are those of a token that would open everything.
func claimsFor(w *world) *auth.PortalClaims {
	return &auth.PortalClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: w.url, Subject: auth.OwnerUserID, Audience: jwt.ClaimStrings{w.url}, ID: w.issued,
			IssuedAt: jwt.NewNumericDate(time.Now()), ExpiresAt: jwt.NewNumericDate(time.Now().Add(time.Hour)),
		},
		Scopes: []string{"read", "write", "invoke"},
	}
}

// signed is signed by the platform itself, with a type or claims of the test's.
func signed(t *testing.T, w *world, typ string, change func(*auth.PortalClaims)) string {
	t.Helper()
	c := claimsFor(w)
	if typ == auth.PortalTokenType {
		c.ID = "made-up"
	}
	change(c)
	s, err := w.auth.Sign(typ, c)
	w.must(t, err)
	return s
}

// forged is signed by another key, under the header of a real token.
func forged(t *testing.T, w *world, change func(*auth.PortalClaims, map[string]any)) string {
	t.Helper()
	c := claimsFor(w)
	tok := jwt.NewWithClaims(jwt.SigningMethodRS256, c)
	tok.Header["typ"], tok.Header["kid"] = auth.PortalTokenType, w.kid(t)
	change(c, tok.Header)
	s, err := tok.SignedString(w.strangersKey(t))
	w.must(t, err)
	return s
}

func unsigned(t *testing.T, w *world) string {
	t.Helper()
	tok := jwt.NewWithClaims(jwt.SigningMethodNone, claimsFor(w))
	tok.Header["typ"], tok.Header["kid"] = auth.PortalTokenType, w.kid(t)
	s, err := tok.SignedString(jwt.UnsafeAllowNoneSignatureType)
	w.must(t, err)
	return s
}

// symmetric takes what everybody can read, the key set, for a shared secret.
func symmetric(t *testing.T, w *world) string {
	t.Helper()
	tok := jwt.NewWithClaims(jwt.SigningMethodHS256, claimsFor(w))
	tok.Header["typ"], tok.Header["kid"] = auth.PortalTokenType, w.kid(t)
	s, err := tok.SignedString(w.auth.JWKS())
	w.must(t, err)
	return s
}

// kid is the id of the platform's key, from its key set.
func (w *world) kid(t *testing.T) string {
	t.Helper()
	_, rest, _ := strings.Cut(string(w.auth.JWKS()), `"kid":"`)
	kid, _, ok := strings.Cut(rest, `"`)
	if !ok {
		t.Fatalf("no kid in %s", w.auth.JWKS())
	}
	return kid
}

func (w *world) strangersKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	if w.stranger == nil {
		var err error
		w.stranger, err = rsa.GenerateKey(rand.Reader, 2048)
		w.must(t, err)
	}
	return w.stranger
}

// TestEveryRouteTimesEveryCaller walks the table: what each kind of caller gets
// at each row, forged credentials of every sort among them.
func TestEveryRouteTimesEveryCaller(t *testing.T) {
	w := newWorld(t)
	w.host = func(bearer, _ string, _ contract.HostRequest) (int, contract.HostReply) {
		return 401, contract.HostReply{Error: &contract.HostFailed{Code: contract.InvalidInvocation}}
	}
	live, err := w.auth.Issue(t.Context(), contract.PortalTokenRequest{}, "", false)
	w.must(t, err)
	w.issued = live.Info.ID
	callers := callersOf(t, w)
	for _, row := range routes {
		for _, c := range callers {
			checkCaller(t, w, row, c)
		}
		if row.method == "DELETE" { // which may have ended some of them
			callers = callersOf(t, w)
		}
	}
}

func (c caller) expect(row route) answer {
	switch row.access {
	case open, signedLink:
		return yes200
	case public:
		return c.public
	case ownerOnly:
		return c.owner
	case pay, payRead:
		own := c.invoke
		if row.access == payRead {
			own = c.read
		}
		if c.elsewhere || own == yes200 || c.unbound && row.access == payRead {
			own = yes200
			if c.foreign && strings.Contains(row.path, "{id}") {
				own = no403
			}
		}
		return own
	case manageInvoke:
		return c.invoke
	case manage:
		return c.write
	default:
		if c.unbound && !strings.Contains(row.path, "{agent}") {
			return yes200
		}
		return c.read
	}
}

func checkCaller(t *testing.T, w *world, row route, c caller) {
	t.Helper()
	name := row.method + " " + row.path + " as " + c.name
	r := w.sample(t, row)
	r.header = c.header
	rec := w.do(r)
	check := wantError
	if row.access == pay || row.access == payRead {
		check = wantPaymentError
	}
	switch want := c.expect(row); {
	case row.path == "/api/internal/fn-host":
		if rec.Code != 401 { // it takes invocation tokens only
			t.Errorf("%s: status %d", name, rec.Code)
		}
	case row.path == "/auth/token":
		if rec.Code != 400 || !strings.Contains(rec.Body.String(), "invalid_request") { // it takes forms only
			t.Errorf("%s: status %d: %s", name, rec.Code, rec.Body)
		}
	case row.access == open && (row.path == "/api/auth/session" && row.method == "POST" || row.path == "/api/auth/agent/token"):
		wantError(t, name, rec, contract.Unauthorized) // the credential in the body is wrong
	case want == yes200:
		if rec.Code >= 300 {
			t.Errorf("%s: status %d: %s", name, rec.Code, rec.Body)
		}
	case r.method == "HEAD":
		if rec.Code != map[answer]int{no401: 401, no403: 403}[want] {
			t.Errorf("%s: status %d", name, rec.Code)
		}
	case want == no403:
		check(t, name, rec, contract.Forbidden)
	default:
		check(t, name, rec, contract.Unauthorized)
		challenge := rec.Header().Get("WWW-Authenticate")
		if !strings.HasPrefix(challenge, `Bearer realm="webagents"`) || strings.Contains(challenge, "invalid_token") != c.bad {
			t.Errorf("%s: challenge %q", name, challenge)
		}
	}
	if strings.Contains(rec.Body.String(), "made-up") && !strings.Contains(r.path, "made-up") {
		t.Errorf("%s: the answer repeats the credential: %s", name, rec.Body)
	}
}

// TestAccessTable pins who may call what.
func TestAccessTable(t *testing.T) {
	scopes := []string{contract.ScopeRead, contract.ScopeWrite, contract.ScopeInvoke}
	kinds := []string{auth.KindAnonymous, auth.KindOwner, auth.KindPortal, auth.KindAgent, auth.KindAdmin, auth.KindVisitor, auth.KindPayment, ""}
	for access, want := range map[access][]string{
		open:         kinds[:6],
		signedLink:   kinds[:6],
		public:       kinds[:6],
		manage:       {auth.KindOwner, auth.KindPortal, auth.KindAgent},
		manageRead:   {auth.KindOwner, auth.KindPortal, auth.KindAgent},
		manageInvoke: {auth.KindOwner, auth.KindPortal, auth.KindAgent},
		pay:          {auth.KindOwner, auth.KindPortal, auth.KindAgent, auth.KindPayment},
		payRead:      {auth.KindOwner, auth.KindPortal, auth.KindAgent, auth.KindPayment},
		ownerOnly:    {auth.KindOwner},
	} {
		for _, kind := range kinds {
			allowed := rules[access].allows(auth.Caller{Kind: kind, Scopes: scopes}) == nil
			if expected := strings.Contains(" "+strings.Join(want, " ")+" ", " "+kind+" ") && kind != ""; allowed != expected {
				t.Errorf("access %d, %q: %v, want %v", access, kind, allowed, expected)
			}
		}
	}
	for _, row := range routes {
		ownersAlone := strings.HasPrefix(row.path, "/api/local/") || strings.HasSuffix(row.path, "/secret") || strings.Contains(row.path, "/api-key")
		if ownersAlone && row.access != ownerOnly {
			t.Errorf("%s %s is not the owner's alone", row.method, row.path)
		}
		if row.access == manageRead && row.method != "GET" || row.access == manage && row.method == "GET" {
			t.Errorf("%s %s takes the wrong scope", row.method, row.path)
		}
	}
}

func TestSurface(t *testing.T) {
	w := newWorld(t)
	declare := request{method: "POST", path: "/api/agents/mia/functions", body: `{"name":"greet","manifest":{}}`}
	for _, s := range []string{"factory", "host", "ui", "cli"} {
		declare.header = map[string]string{"Function-Authoring-Surface": s}
		if rec := w.do(w.owner(declare)); rec.Code != 200 || w.surface != s {
			t.Errorf("%s: status %d, surface %q", s, rec.Code, w.surface)
		}
	}
	for _, s := range []string{"", "UI", "disk", "ui, cli"} {
		declare.header = map[string]string{"Function-Authoring-Surface": s}
		wantError(t, "surface "+s, w.do(w.owner(declare)), contract.InvalidSurface)
	}
	// A host edit is one by the agent itself: nobody else's credential will do.
	key, err := w.auth.MakeAgentKey(t.Context(), w.agent.ID)
	w.must(t, err)
	other, err := w.auth.MakeAgentKey(t.Context(), "another")
	w.must(t, err)
	unbound, err := w.auth.Issue(t.Context(), contract.PortalTokenRequest{}, "", false)
	w.must(t, err)
	for name, c := range map[string]struct {
		token string
		ok    bool
	}{
		"the agent's own key": {key.RawKey, true}, "another agent's key": {other.RawKey, false}, "a token of no agent": {unbound.Token, false},
	} {
		declare.header = map[string]string{"Function-Authoring-Surface": "host", "Authorization": "Bearer " + c.token}
		rec := w.do(declare)
		if c.ok && rec.Code != 200 {
			t.Errorf("%s: status %d", name, rec.Code)
		}
		if !c.ok {
			wantError(t, name, rec, contract.Forbidden)
		}
	}
}
