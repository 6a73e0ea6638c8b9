package storetest

import (
	"reflect"
	"testing"
	"time"

	"benchtop/backend/auth"
)

func testKeys(t *testing.T, s Stores) {
	a := auth.KeyRow{ID: "k1", Kind: auth.KeyAgent, Hash: "h1", Prefix: "rb_abc", SubjectID: "a", CreatedAt: epoch}
	b := auth.KeyRow{ID: "k2", Kind: auth.KeyVisitorCookie, Hash: "h2", Prefix: "rb_xyz", SubjectID: "v", CreatedAt: epoch.Add(time.Second), ExpiresAt: epoch.Add(time.Hour)}
	must(t, s.Sessions.PutKey(ctx, b))
	must(t, s.Sessions.PutKey(ctx, a))
	if err := s.Sessions.PutKey(ctx, auth.KeyRow{ID: "k3", Hash: "h1", CreatedAt: epoch}); err == nil {
		t.Error("two keys have one hash")
	}
	s = s.Reopen(t)
	if got, err := s.Sessions.ListKeys(ctx); err != nil || !reflect.DeepEqual(got, []auth.KeyRow{a, b}) {
		t.Fatalf("keys %+v, %v", got, err)
	}

	of := func(id, key string) auth.TokenRow {
		return auth.TokenRow{ID: id, Subject: "a", AgentID: "a", KeyID: key, Audience: []string{"one", "two"}, Scopes: []string{"read"},
			IssuedAt: epoch, ExpiresAt: epoch.Add(time.Hour)}
	}
	first, second, free := of("t1", "k1"), of("t2", "k2"), of("t3", "")
	for _, row := range []auth.TokenRow{second, first, free} {
		must(t, s.Sessions.PutToken(ctx, row))
	}
	must(t, s.Sessions.DeleteKeys(ctx, []string{"k1", "nobody"}, epoch.Add(time.Minute)))
	s = s.Reopen(t)
	first.RevokedAt = epoch.Add(time.Minute)
	if got, err := s.Sessions.ListTokens(ctx); err != nil || !reflect.DeepEqual(got, []auth.TokenRow{first, second, free}) {
		t.Fatalf("tokens after their key was ended\n%+v, %v", got, err)
	}
	if got, err := s.Sessions.ListKeys(ctx); err != nil || !reflect.DeepEqual(got, []auth.KeyRow{b}) {
		t.Fatalf("keys %+v, %v", got, err)
	}
	free.ExpiresAt, free.Scopes = epoch.Add(2*time.Hour), []string{}
	must(t, s.Sessions.PutToken(ctx, free))
	must(t, s.Sessions.DropTokens(ctx, epoch.Add(90*time.Minute)))
	if got, err := s.Sessions.ListTokens(ctx); err != nil || !reflect.DeepEqual(got, []auth.TokenRow{free}) {
		t.Fatalf("tokens that have not expired %+v, %v", got, err)
	}
}

func testVisitors(t *testing.T, s Stores) {
	ada := auth.VisitorRow{ID: "v1", Name: "Ada Ü", Email: "ada@example.com", AvatarURL: "https://example.com/a.png", CreatedAt: epoch}
	bob := auth.VisitorRow{ID: "v2", Name: "Bob", CreatedAt: epoch.Add(time.Second)}
	must(t, s.Sessions.PutVisitor(ctx, bob))
	must(t, s.Sessions.PutVisitor(ctx, ada))
	for i, kind := range []string{auth.KeyVisitor, auth.KeyVisitorCookie, auth.KeyAgent} {
		must(t, s.Sessions.PutKey(ctx, auth.KeyRow{ID: kind, Kind: kind, Hash: kind, SubjectID: "v1", CreatedAt: epoch.Add(time.Duration(i))}))
	}
	s = s.Reopen(t)
	if got, err := s.Sessions.ListVisitors(ctx); err != nil || !reflect.DeepEqual(got, []auth.VisitorRow{ada, bob}) {
		t.Fatalf("visitors %+v, %v", got, err)
	}
	must(t, s.Sessions.DeleteVisitor(ctx, "v1"))
	if got, err := s.Sessions.ListVisitors(ctx); err != nil || !reflect.DeepEqual(got, []auth.VisitorRow{bob}) {
		t.Fatalf("visitors %+v, %v", got, err)
	}
	if got, err := s.Sessions.ListKeys(ctx); err != nil || len(got) != 1 || got[0].Kind != auth.KeyAgent {
		t.Fatalf("a visitor's keys outlived it: %+v, %v", got, err)
	}
}
