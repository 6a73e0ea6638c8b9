package httpapi

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// An agent gets a token of its own by its key, and nobody else does.
func TestOAuthToken(t *testing.T) {
	w := newWorld(t)
	key, err := w.auth.MakeAgentKey(t.Context(), w.agent.ID)
	w.must(t, err)
	good := url.Values{"grant_type": {"client_credentials"}, "client_id": {w.agent.Username}, "client_secret": {key.RawKey}}
	with := func(change ...string) string {
		f := url.Values{}
		for k, v := range good {
			f[k] = v
		}
		for i := 0; i < len(change); i += 2 {
			f.Set(change[i], change[i+1])
		}
		return f.Encode()
	}
	form := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	for _, tt := range []struct {
		name, body string
		status     int
		want       string // the error, or the scope
	}{
		{"all scopes", with(), 200, "read write invoke"},
		{"by id, fewer scopes", with("client_id", w.agent.ID, "scope", "read invoke"), 200, "read invoke"},
		{"for an agent", with("target", "@"+w.agent.Username, "client_id", "@"+w.agent.Username), 200, "read write invoke"},
		{"no grant", with("grant_type", ""), 400, "invalid_request"},
		{"another grant", with("grant_type", "password"), 400, "unsupported_grant_type"},
		{"an unknown scope", with("scope", "read admin"), 400, "invalid_scope"},
		{"an unknown target", with("target", "@nobody"), 400, "invalid_target"},
		{"a wrong secret", with("client_secret", "rb_wrong"), 401, "invalid_client"},
		{"the owner's key", with("client_secret", w.auth.OwnerKey()), 401, "invalid_client"},
		{"no client", with("client_id", ""), 401, "invalid_client"},
		{"an unknown client", with("client_id", "nobody"), 401, "invalid_client"},
		{"a field twice", with() + "&scope=read&scope=write", 400, "invalid_request"},
		{"no form", "%zz", 400, "invalid_request"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec := w.do(request{method: "POST", path: "/auth/token", body: tt.body, header: form})
			var token contract.OAuthToken
			var failed contract.OAuthError
			if json.Unmarshal(rec.Body.Bytes(), &token) != nil || json.Unmarshal(rec.Body.Bytes(), &failed) != nil || rec.Code != tt.status {
				t.Fatalf("%d %s", rec.Code, rec.Body)
			}
			if tt.status != 200 {
				challenged := rec.Header().Get("WWW-Authenticate") != ""
				if failed.Error != tt.want || failed.Description == "" || challenged != (tt.status == 401) || strings.Contains(rec.Body.String(), "rb_") {
					t.Errorf("%s, challenged %v", rec.Body, challenged)
				}
				return
			}
			if token.Scope != tt.want || token.TokenType != "Bearer" || token.ExpiresIn != 300 || rec.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("%+v", token)
			}
			c, err := w.auth.Identify(t.Context(), token.AccessToken, "")
			if err != nil || c.Kind != auth.KindPortal || c.AgentID != w.agent.ID || c.Has(contract.ScopeWrite) != strings.Contains(tt.want, "write") {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
}
