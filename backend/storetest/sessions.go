package storetest

import (
	"reflect"
	"testing"
	"time"

	"benchtop/backend/auth"
	"benchtop/backend/project"
)

func testSessions(t *testing.T, s Stores) {
	row := auth.SessionRow{Hash: "h1", KeyID: "k", CreatedAt: epoch, ExpiresAt: epoch.Add(time.Hour)}
	late := auth.SessionRow{Hash: "h2", KeyID: "k", CreatedAt: epoch, ExpiresAt: epoch.Add(2 * time.Hour)}
	must(t, s.Sessions.PutSession(ctx, row))
	must(t, s.Sessions.PutSession(ctx, late))
	s = s.Reopen(t)
	if got, err := s.Sessions.Session(ctx, "h1"); err != nil || got == nil || *got != row {
		t.Fatalf("session %+v, %v; want %+v", got, err, row)
	}
	if got, err := s.Sessions.Session(ctx, "h3"); got != nil || err != nil {
		t.Fatalf("a session that is not there: %+v, %v", got, err)
	}
	must(t, s.Sessions.DropSessions(ctx, epoch.Add(90*time.Minute)))
	if got, err := s.Sessions.Session(ctx, "h1"); got != nil || err != nil {
		t.Fatalf("a dropped session: %+v, %v", got, err)
	}
	if got, err := s.Sessions.Session(ctx, "h2"); got == nil || err != nil {
		t.Fatalf("the later session went too: %v", err)
	}
	must(t, s.Sessions.DeleteSession(ctx, "h2"))
	if got, err := s.Sessions.Session(ctx, "h2"); got != nil || err != nil {
		t.Fatalf("a deleted session: %+v, %v", got, err)
	}
}

func testProjects(t *testing.T, s Stores) {
	first := project.Opened{Path: "/p/one ü", Name: "One", AgentID: "a", Open: true, OpenedAt: epoch}
	second := project.Opened{Path: "/p/two", Name: "Two", AgentID: "b", OpenedAt: epoch.Add(time.Second)}
	must(t, s.Projects.PutOpened(ctx, first))
	must(t, s.Projects.PutOpened(ctx, second))
	first.Open, first.OpenedAt = false, epoch.Add(time.Minute)
	must(t, s.Projects.PutOpened(ctx, first))
	s = s.Reopen(t)
	if got, err := s.Projects.ListOpened(ctx); err != nil || !reflect.DeepEqual(got, []project.Opened{first, second}) {
		t.Fatalf("opened %+v, %v", got, err)
	}
	must(t, s.Projects.ForgetOpened(ctx, first.Path))
	if got, err := s.Projects.ListOpened(ctx); err != nil || !reflect.DeepEqual(got, []project.Opened{second}) {
		t.Fatalf("after forgetting %+v, %v", got, err)
	}
}
