package auth

import (
	"testing"

	"benchtop/backend/contract"
)

// TestLent: requests of the console are somebody without leaving a trace, as
// many as there are.
func TestLent(t *testing.T) {
	store := newMemStore()
	a := openAt(t, t.TempDir(), store, newClock())
	v, err := a.MakeVisitor(t.Context(), contract.VisitorRequest{Name: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	for range maxKeys + 1 {
		s, back, err := a.LendVisitor(v.ID)
		if err != nil {
			t.Fatal(err)
		}
		if c := a.CookieVisitor(s.CookieValue); s.CookieName != a.VisitorCookie() || c.Kind != KindVisitor || c.UserID != v.ID {
			t.Fatalf("%s is %+v", s.CookieName, c)
		}
		if _, err := a.Identify(t.Context(), s.CookieValue, ""); err == nil {
			t.Fatal("a visitor's cookie counts as a bearer")
		}
		back()
		if c := a.CookieVisitor(s.CookieValue); c.Kind != KindAnonymous {
			t.Fatalf("what was given back is %+v", c)
		}
	}
	key, back := a.LendAdmin()
	if c := identify(t, a, key, ""); c.Kind != KindAdmin || c.UserID != AdminUserID {
		t.Errorf("the admin is %+v", c)
	}
	if n := len(a.AdminKeys().Keys) + len(store.keys); n != 0 {
		t.Errorf("%d keys are listed or stored", n)
	}
	back()
	if _, err := a.Identify(t.Context(), key, ""); err == nil {
		t.Error("an admin's key counts after it was given back")
	}

	// Who is removed while a request is under way is nobody for the next one.
	s, _, err := a.LendVisitor(v.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.DropVisitor(t.Context(), v.ID); err != nil {
		t.Fatal(err)
	}
	if c := a.CookieVisitor(s.CookieValue); c.Kind != KindAnonymous {
		t.Errorf("a visitor who is gone is %+v", c)
	}
	_, _, err = a.LendVisitor(v.ID)
	wantCode(t, err, contract.NotFound)
}
