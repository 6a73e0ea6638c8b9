package httpapi

import (
	"net/http"
	"time"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// login exchanges a login code or the owner key for the session cookie,
// decisions.md 1 and 2.
func (a *api) login(c *call) error {
	var req contract.SessionRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	value, expires, err := a.deps.Auth.Login(c.r.Context(), req)
	if err != nil {
		return err
	}
	a.setCookie(c, value, expires)
	return c.ok(contract.Session{Authenticated: true, Kind: auth.KindOwner, UserID: auth.OwnerUserID, DataID: a.deps.Auth.DataID()})
}

// whoAmI says who is calling; nobody is an answer too.
func (a *api) whoAmI(c *call) error {
	return c.ok(contract.Session{
		Authenticated: c.caller.Kind != auth.KindAnonymous,
		Kind:          c.caller.Kind, UserID: c.caller.UserID, AgentID: c.caller.AgentID, DataID: a.deps.Auth.DataID(),
	})
}

// logout ends the session of the cookie. The window and the command line have
// none, and nothing to end.
func (a *api) logout(c *call) error {
	if value := c.cookie(); value != "" {
		if err := a.deps.Auth.Logout(c.r.Context(), value); err != nil {
			return err
		}
	}
	a.setCookie(c, "", time.Unix(1, 0))
	return c.ok(contract.OKResponse{OK: true})
}

// setCookie is not Secure: the platform speaks plain HTTP on loopback only, and
// not every browser makes an exception for it.
func (a *api) setCookie(c *call, value string, expires time.Time) {
	http.SetCookie(c.w, &http.Cookie{
		Name: a.cookieName, Value: value, Path: "/", Expires: expires,
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}

// loginCode makes a one-time address for a browser.
func (a *api) loginCode(c *call) error {
	code := a.deps.Auth.NewLoginCode()
	return c.ok(contract.LoginLink{
		Code: code, URL: LoginURL(a.deps.URL(), code),
		ExpiresAt: a.deps.Now().Add(contract.LoginCodeLifetime).UTC(),
	})
}

// LoginURL is the address that signs a browser in. The code is in the fragment,
// so it reaches no server log and no Referer header.
func LoginURL(platformURL, code string) string { return platformURL + "/#login=" + code }

// jwks is the platform's public key, contract.md 5.5.
func (a *api) jwks(c *call) error {
	set := a.deps.Auth.JWKS()
	if set == nil {
		return contract.Errorf(contract.Internal, "the platform has no signing key; its log says why")
	}
	return c.raw(http.StatusOK, set)
}
