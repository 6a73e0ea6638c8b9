package agents_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

// memory is a Store that can be told to fail.
type memory struct {
	agents map[string]agents.Agent
	fail   error
}

func (m *memory) ListAgents(context.Context) (all []agents.Agent, err error) {
	for _, a := range m.agents {
		all = append(all, a)
	}
	return all, m.fail
}

func (m *memory) InsertAgent(_ context.Context, a agents.Agent) error {
	if m.fail == nil {
		m.agents[a.ID] = a
	}
	return m.fail
}

func (m *memory) UpdateAgent(ctx context.Context, a agents.Agent) error { return m.InsertAgent(ctx, a) }

func (m *memory) DeleteAgent(_ context.Context, id string) error {
	if m.fail == nil {
		delete(m.agents, id)
	}
	return m.fail
}

var ctx = context.Background()

func load(t *testing.T, m *memory) *agents.Agents {
	t.Helper()
	ids := len(m.agents)
	as, err := agents.New(ctx, agents.Config{
		Store: m, Now: func() time.Time { return time.Unix(int64(ids), 1234567) },
		NewID: func() string { ids++; return fmt.Sprint("id-", ids) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return as
}

func codeOf(err error) contract.Code {
	if e := contract.AsError(err); e != nil {
		return e.Code
	}
	return ""
}

func TestCheckUsername(t *testing.T) {
	for username, want := range map[string]contract.Code{
		"mia": "", "a1": "", "a-": "", "x" + strings.Repeat("9", 38): "", "health-bot": "",
		"": contract.InvalidUsername, "m": contract.InvalidUsername, "1a": contract.InvalidUsername, "-a": contract.InvalidUsername,
		"Mia": contract.InvalidUsername, "m_a": contract.InvalidUsername, "mía": contract.InvalidUsername, "mia\n": contract.InvalidUsername,
		"x" + strings.Repeat("9", 39): contract.InvalidUsername,
		"api":                         contract.InvalidUsername, "agents": contract.InvalidUsername, "assets": contract.InvalidUsername,
		"boot.json": contract.InvalidUsername, "health": contract.InvalidUsername, "login": contract.InvalidUsername,
		"docs": contract.InvalidUsername, "v1": contract.InvalidUsername, ".well-known": contract.InvalidUsername,
	} {
		if got := codeOf(agents.CheckUsername(username)); got != want {
			t.Errorf("%q: %q, want %q", username, got, want)
		}
	}
}

func TestSlug(t *testing.T) {
	for name, want := range map[string]string{
		"Mia": "mia", "  Mia's  Quotes & Bookings!": "mias-quotes-bookings", "Élodie Müller": "elodie-muller",
		"007 Bond": "bond", "日本": "", "---": "", "a.b.c": "a-b-c", "Über\tuns": "uber-uns",
		strings.Repeat("a", 37) + " bcd": strings.Repeat("a", 37) + "-b", strings.Repeat("a", 38) + " b": strings.Repeat("a", 38),
	} {
		if got := agents.Slug(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// A slug is a username, or too short or reserved to be one; never anything worse.
func TestSlugIsAUsername(t *testing.T) {
	grammar := regexp.MustCompile(`^([a-z][a-z0-9-]{0,38})?$`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		slug := agents.Slug(name)
		if !grammar.MatchString(slug) || strings.HasSuffix(slug, "-") || strings.Contains(slug, "--") {
			t.Fatalf("%q: %q", name, slug)
		}
		if again := agents.Slug(slug); again != slug {
			t.Fatalf("%q, then %q", slug, again)
		}
	})
}

func TestAgents(t *testing.T) {
	m := &memory{agents: map[string]agents.Agent{}}
	as := load(t, m)
	mia, err := as.Create(ctx, agents.Agent{Name: " Mia ", Folder: "/home/u/mia"})
	if err != nil {
		t.Fatal(err)
	}
	if mia.ID != "id-1" || mia.Name != "Mia" || mia.Username != "mia" || mia.CreatedAt.IsZero() || mia.CreatedAt.Nanosecond()%1000 != 0 {
		t.Errorf("created %+v", mia)
	}
	leo, err := as.Create(ctx, agents.Agent{Name: "Leo", Username: "leo"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		agent agents.Agent
		code  contract.Code
		text  string
	}{
		{agents.Agent{Name: "Mia", Folder: "/home/u/other"}, contract.UsernameTaken, "/home/u/other is taken by the agent in /home/u/mia"},
		{agents.Agent{Name: "Mia"}, contract.UsernameTaken, "/home/u/mia"},
		{agents.Agent{Name: "Leo"}, contract.UsernameTaken, `"Leo"`},
		{agents.Agent{Name: "日本"}, contract.InvalidUsername, "日本"},
		{agents.Agent{Name: "API"}, contract.InvalidUsername, "API"},
		{agents.Agent{Name: " "}, contract.InvalidRequest, "name"},
		{agents.Agent{Name: "Ok", Username: "Not Ok"}, contract.InvalidUsername, "Not Ok"},
	} {
		if _, err := as.Create(ctx, c.agent); codeOf(err) != c.code || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%+v: %v, want %s with %q", c.agent, err, c.code, c.text)
		}
	}

	leo.Username, leo.Description, leo.CreatedAt = "leonard", "changed", time.Time{}
	if _, err := as.Update(ctx, leo); err != nil {
		t.Fatal(err)
	}
	if _, ok := as.Resolve("leo"); ok {
		t.Error("the old username still resolves")
	}
	clash := leo
	clash.Username = "mia"
	if _, err := as.Update(ctx, clash); codeOf(err) != contract.UsernameTaken {
		t.Errorf("update to a taken username: %v", err)
	}
	if _, err := as.Update(ctx, agents.Agent{ID: "nobody", Name: "x"}); codeOf(err) != contract.AgentNotFound {
		t.Errorf("update of nobody: %v", err)
	}

	again := load(t, m)
	for _, key := range []string{"leonard", leo.ID} {
		a, ok := again.Resolve(key)
		if !ok || a.ID != leo.ID || a.Description != "changed" || a.CreatedAt.IsZero() {
			t.Errorf("%s resolves to %+v, %v", key, a, ok)
		}
	}
	if list := again.List(); len(list) != 2 || list[0].ID != mia.ID || list[1].ID != leo.ID {
		t.Errorf("list %+v", list)
	}
	if err := again.Delete(ctx, mia.ID); err != nil {
		t.Fatal(err)
	}
	if _, ok := again.Resolve("mia"); ok {
		t.Error("a deleted agent resolves")
	}
	if _, err := again.Create(ctx, agents.Agent{Name: "Mia"}); err != nil {
		t.Errorf("the username of a deleted agent is not free: %v", err)
	}
}

// What could not be stored is not served.
func TestAgentsWhenStorageFails(t *testing.T) {
	m := &memory{agents: map[string]agents.Agent{}}
	as := load(t, m)
	mia, err := as.Create(ctx, agents.Agent{Name: "Mia"})
	if err != nil {
		t.Fatal(err)
	}
	m.fail = errors.New("disk full")
	if _, err := as.Create(ctx, agents.Agent{Name: "Leo"}); !errors.Is(err, m.fail) {
		t.Errorf("create: %v", err)
	}
	changed := mia
	changed.Username = "maria"
	if _, err := as.Update(ctx, changed); !errors.Is(err, m.fail) {
		t.Errorf("update: %v", err)
	}
	if err := as.Delete(ctx, mia.ID); !errors.Is(err, m.fail) {
		t.Errorf("delete: %v", err)
	}
	if a, ok := as.Resolve("mia"); !ok || !a.Equal(mia) || len(as.List()) != 1 {
		t.Errorf("after failures: %+v, %v", a, as.List())
	}
	if _, err := agents.New(ctx, agents.Config{Store: m}); !errors.Is(err, m.fail) {
		t.Errorf("new: %v", err)
	}
}
