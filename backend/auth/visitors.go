package auth

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"benchtop/backend/contract"
)

// Bounds of a visitor, in characters, and how many there may be.
const (
	maxVisitorText = 200
	maxVisitors    = 1000
)

// MakeVisitor makes a test visitor.
func (a *Auth) MakeVisitor(ctx context.Context, req contract.VisitorRequest) (contract.Visitor, error) {
	v := VisitorRow{
		ID: newID(), Name: strings.TrimSpace(req.Name), Email: strings.TrimSpace(req.Email),
		AvatarURL: req.AvatarURL, CreatedAt: a.now().UTC().Truncate(time.Microsecond),
	}
	if err := checkVisitor(v); err != nil {
		return contract.Visitor{}, err
	}
	r := &a.registry
	r.change.Lock()
	defer r.change.Unlock()
	if n := len(a.Visitors().Visitors); n >= maxVisitors {
		return contract.Visitor{}, contract.Errorf(contract.QuotaExceeded, "there are %d visitors already: remove one first", n)
	}
	if err := r.store.PutVisitor(ctx, v); err != nil {
		return contract.Visitor{}, err
	}
	r.mu.Lock()
	r.visitors[v.ID] = v
	r.mu.Unlock()
	return visitorOf(v), nil
}

func checkVisitor(v VisitorRow) error {
	for name, text := range map[string]string{"name": v.Name, "email": v.Email, "avatarUrl": v.AvatarURL} {
		if len([]rune(text)) > maxVisitorText || strings.ContainsFunc(text, unicode.IsControl) {
			return contract.Errorf(contract.InvalidRequest, "%s must be one line of %d characters at most", name, maxVisitorText)
		}
	}
	if v.Name == "" {
		return contract.Errorf(contract.InvalidRequest, "name is missing: what the visitor is called")
	}
	if v.Email != "" && !strings.Contains(v.Email, "@") {
		return contract.Errorf(contract.InvalidRequest, "email must be an address, such as ada@example.com")
	}
	if v.AvatarURL != "" {
		if u, err := url.Parse(v.AvatarURL); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return contract.Errorf(contract.InvalidRequest, "avatarUrl must be an http or https address")
		}
	}
	return nil
}

func visitorOf(v VisitorRow) contract.Visitor {
	return contract.Visitor{ID: v.ID, Name: v.Name, Email: v.Email, AvatarURL: v.AvatarURL, CreatedAt: v.CreatedAt}
}

// Visitors lists the test visitors, the oldest first.
func (a *Auth) Visitors() contract.VisitorList {
	a.registry.mu.RLock()
	defer a.registry.mu.RUnlock()
	out := contract.VisitorList{Visitors: []contract.Visitor{}}
	for _, v := range a.registry.visitors {
		out.Visitors = append(out.Visitors, visitorOf(v))
	}
	slices.SortFunc(out.Visitors, func(x, y contract.Visitor) int {
		return cmp.Or(x.CreatedAt.Compare(y.CreatedAt), cmp.Compare(x.ID, y.ID))
	})
	return out
}

// Visitor gives a test visitor.
func (a *Auth) Visitor(id string) (contract.Visitor, bool) {
	v, ok := a.registry.visitor(id)
	return visitorOf(v), ok
}

// DropVisitor ends a visitor with its keys and cookies; false: there was none.
func (a *Auth) DropVisitor(ctx context.Context, id string) (bool, error) {
	r := &a.registry
	if _, ok := r.visitor(id); !ok {
		return false, nil
	}
	if _, err := r.dropKeys(ctx, func(k KeyRow) bool {
		return k.SubjectID == id && (k.Kind == KeyVisitor || k.Kind == KeyVisitorCookie)
	}); err != nil {
		return false, err
	}
	r.change.Lock()
	defer r.change.Unlock()
	if err := r.store.DeleteVisitor(ctx, id); err != nil {
		return false, err
	}
	r.mu.Lock()
	delete(r.visitors, id)
	for hash, k := range r.lent {
		if k.Kind == KeyVisitorCookie && k.SubjectID == id {
			delete(r.lent, hash)
		}
	}
	r.mu.Unlock()
	return true, nil
}

func (a *Auth) needVisitor(id string) error {
	if _, ok := a.registry.visitor(id); !ok {
		return contract.Errorf(contract.NotFound, "no visitor has the id %.64q", id)
	}
	return nil
}

// MakeVisitorKey makes an API key of a visitor.
func (a *Auth) MakeVisitorKey(ctx context.Context, id string) (contract.CreatedKey, error) {
	if err := a.needVisitor(id); err != nil {
		return contract.CreatedKey{}, err
	}
	return a.makeKey(ctx, KeyVisitor, id)
}

// MakeVisitorSession makes the cookie of a visitor, for the pages of agents.
func (a *Auth) MakeVisitorSession(ctx context.Context, id string) (contract.VisitorSession, error) {
	if err := a.needVisitor(id); err != nil {
		return contract.VisitorSession{}, err
	}
	expires := a.now().Add(contract.VisitorLifetime).UTC().Truncate(time.Microsecond)
	value, _, err := a.registry.addKey(ctx, KeyVisitorCookie, id, expires)
	if err != nil {
		return contract.VisitorSession{}, err
	}
	return contract.VisitorSession{CookieName: a.VisitorCookie(), CookieValue: value, ExpiresAt: expires}, nil
}

// VisitorCookiePrefix begins the name of a visitor's cookie.
const VisitorCookiePrefix = "benchtop_visitor_"

// VisitorCookie is the name of the cookie that carries a visitor's session.
func (a *Auth) VisitorCookie() string { return VisitorCookiePrefix + a.dataID }

// CookieVisitor says whose visitor's cookie a value is; anonymous when it is
// none, because browsers send old ones.
func (a *Auth) CookieVisitor(value string) Caller {
	k, ok := a.registry.key(value, KeyVisitorCookie)
	if !ok {
		return Caller{Kind: KindAnonymous}
	}
	return callerOfKey(k)
}
