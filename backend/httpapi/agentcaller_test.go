package httpapi

import (
	"net/http"
	"testing"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// TestAgentCallers: who an agent's own pages take a caller for, and that they
// see none of the platform's cookies.
func TestAgentCallers(t *testing.T) {
	w := newWorld(t)
	var got auth.Caller
	var cookies []*http.Cookie
	w.pages = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got, cookies = auth.CallerOf(r.Context()), r.Cookies()
	})
	value, _, err := w.auth.Login(t.Context(), contract.SessionRequest{Key: w.auth.OwnerKey()})
	w.must(t, err)
	ada, err := w.auth.MakeVisitor(t.Context(), contract.VisitorRequest{Name: "Ada"})
	w.must(t, err)
	cookie, err := w.auth.MakeVisitorSession(t.Context(), ada.ID)
	w.must(t, err)
	key, err := w.auth.MakeVisitorKey(t.Context(), ada.ID)
	w.must(t, err)
	admin, err := w.auth.MakeAdminKey(t.Context())
	w.must(t, err)
	service, err := w.auth.Issue(t.Context(), contract.PortalTokenRequest{Subject: "service:x"}, "", false)
	w.must(t, err)
	session := sessionCookie + w.auth.DataID() + "=" + value
	visitor := cookie.CookieName + "=" + cookie.CookieValue
	const page, agentHost = "/mia/x", "mia.localhost:4780"
	for name, c := range map[string]struct {
		header map[string]string
		want   auth.Caller
	}{
		"nobody":                              {nil, auth.Caller{Kind: auth.KindAnonymous}},
		"owner by cookie":                     {map[string]string{"Cookie": session}, auth.Caller{Kind: auth.KindOwner, UserID: auth.OwnerUserID}},
		"owner by cookie on the agent's name": {map[string]string{"Cookie": session, "Host": agentHost}, auth.Caller{Kind: auth.KindAnonymous}},
		"owner by cookie from another origin": {map[string]string{"Cookie": session, "Origin": "null"}, auth.Caller{Kind: auth.KindAnonymous}},
		"owner by cookie from another site":   {map[string]string{"Cookie": session, "Sec-Fetch-Site": "cross-site"}, auth.Caller{Kind: auth.KindAnonymous}},
		"owner by key":                        {map[string]string{"Authorization": "Bearer " + w.auth.OwnerKey()}, auth.Caller{Kind: auth.KindOwner, UserID: auth.OwnerUserID}},
		"visitor by cookie":                   {map[string]string{"Cookie": visitor, "Host": agentHost}, auth.Caller{Kind: auth.KindVisitor, UserID: ada.ID}},
		"visitor by key":                      {map[string]string{"X-API-Key": key.RawKey}, auth.Caller{Kind: auth.KindVisitor, UserID: ada.ID}},
		"admin":                               {map[string]string{"Authorization": "Bearer " + admin.RawKey}, auth.Caller{Kind: auth.KindAdmin, UserID: auth.AdminUserID}},
		"service":                             {map[string]string{"Authorization": "Bearer " + service.Token}, auth.Caller{Kind: auth.KindAdmin, UserID: "service:x", TokenID: service.Info.ID}},
		"a webhook's own Authorization":       {map[string]string{"Authorization": "Basic eDp5"}, auth.Caller{Kind: auth.KindAnonymous, Refused: true}},
		"a key that does not hold":            {map[string]string{"X-API-Key": "rb_nonsense", "Cookie": visitor}, auth.Caller{Kind: auth.KindAnonymous, Refused: true}},
	} {
		got = auth.Caller{}
		header := map[string]string{}
		for k, v := range c.header {
			header[k] = v
		}
		if header["Cookie"] != "" {
			header["Cookie"] += "; own=1"
		}
		if rec := w.do(request{method: "GET", path: page, header: header}); rec.Code != 200 {
			t.Errorf("%s: status %d %s", name, rec.Code, rec.Body)
		}
		got.Scopes = nil
		if got.Kind != c.want.Kind || got.UserID != c.want.UserID || got.TokenID != c.want.TokenID || got.Refused != c.want.Refused {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		for _, cookie := range cookies {
			if cookie.Name != "own" {
				t.Errorf("%s: the page sees the cookie %s", name, cookie.Name)
			}
		}
	}
}
