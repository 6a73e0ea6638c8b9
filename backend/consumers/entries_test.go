package consumers_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchtop/backend/consumers"
	"benchtop/backend/contract"
)

func raw(skill, text string) consumers.Raw {
	return consumers.Raw{Skill: skill, JSON: json.RawMessage(text), Path: "skills." + skill + "." + contract.SkillList(skill) + "[0]", File: "AGENT.md",
		At: func(key string) (int, int) { return 10 + len(key), 3 }}
}

func declared(name string) bool { return name == "f" || name == "g" }

func TestEntriesRefused(t *testing.T) {
	for _, c := range []struct {
		skill, entry string
		code         contract.Code
		path, says   string
	}{
		{contract.SkillTools, `[]`, contract.InvalidEntry, "", "is an object"},
		{contract.SkillTools, `null`, contract.InvalidEntry, "", "is an object"},
		{contract.SkillTools, `{"name":"a","use":"f"}`, contract.InvalidEntry, ".id", "has no id"},
		{contract.SkillTools, `{"id":"a b","name":"a","use":"f"}`, contract.InvalidEntry, ".id", "an id is"},
		{contract.SkillTools, `{"id":"a","use":"f"}`, contract.InvalidEntry, ".name", "has no name"},
		{contract.SkillTools, `{"id":"a","name":"a-b","use":"f"}`, contract.InvalidName, ".name", "a tool's name"},
		{contract.SkillTools, `{"id":"a","name":"a","use":7}`, contract.InvalidEntry, ".use", "use is a text"},
		{contract.SkillTools, `{"id":"a","name":"a"}`, contract.InvalidEntry, ".use", "has no use"},
		{contract.SkillTools, `{"id":"a","name":"a","use":"h"}`, contract.FnNotFound, ".use", `"h", which is not declared`},
		{contract.SkillTools, `{"id":"a","name":"a","use":"f","enabled":"yes"}`, contract.InvalidEntry, ".enabled", "true or false"},
		{contract.SkillTools, `{"id":"a","name":"a","use":"f","parameters":{"type":"array"}}`, contract.InvalidParametersSchema, ".parameters.type", "object"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"x","auth":"public","use":"f"}`, contract.InvalidEntry, ".path", "begins with /"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/x?y","auth":"public","use":"f"}`, contract.InvalidEntry, ".path", "ctx.request.query"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/x//y","auth":"public","use":"f"}`, contract.InvalidEntry, ".path", "empty segment"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/../y","auth":"public","use":"f"}`, contract.InvalidEntry, ".path", ".. segment"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/%2e%2E/y","auth":"public","use":"f"}`, contract.InvalidEntry, ".path", ".. segment"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/:1","auth":"public","use":"f"}`, contract.InvalidEntry, ".path", "such as :id"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/:a/:a","auth":"public","use":"f"}`, contract.InvalidEntry, ".path", "twice"},
		{contract.SkillHTTP, `{"id":"a","method":"TRACE","path":"/x","auth":"public","use":"f"}`, contract.InvalidEntry, ".method", "one of GET"},
		{contract.SkillHTTP, `{"id":"a","path":"/x","auth":"public","use":"f"}`, contract.InvalidEntry, ".method", "has no method"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/x","use":"f"}`, contract.InvalidEntry, ".auth", "has no auth"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/x","auth":"none","use":"f"}`, contract.InvalidEntry, ".auth", "one of public"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/x","auth":"public","use":"f","timeoutMs":30001}`, contract.InvalidEntry, ".timeoutMs", "1 to 30000"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/x","auth":"public","use":"f","bodyLimitBytes":1.5}`, contract.InvalidEntry, ".bodyLimitBytes", "whole number"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/x","auth":"public","use":"f","widget":true}`, contract.InvalidEntry, ".widget", "is an object"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/x","auth":"public","use":"f","price":-0.01}`, contract.InvalidEntry, ".price", "from 0 to 1000000"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/x","auth":"public","use":"f","price":0.0000000001}`, contract.InvalidEntry, ".price", "finer than a nanocredit"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/x","auth":"public","use":"f","price":"2 cents"}`, contract.InvalidEntry, ".price", "no decimal number"},
		{contract.SkillHTTP, `{"id":"a","method":"GET","path":"/x","auth":"public","use":"f","price":{"usd":1}}`, contract.InvalidEntry, ".price", "such as 0.02"},
		{contract.SkillCron, `{"id":"a","use":"f"}`, contract.InvalidSchedule, "", "neither cron"},
		{contract.SkillCron, `{"id":"a","use":"f","cron":"* * * * *","schedule":{"frequency":"daily"}}`, contract.InvalidSchedule, ".schedule", "both"},
		{contract.SkillCron, `{"id":"a","use":"f","cron":"@daily"}`, contract.InvalidSchedule, ".cron", "five fields"},
		{contract.SkillCron, `{"id":"a","use":"f","schedule":{"frequency":"monthly"}}`, contract.InvalidSchedule, ".schedule", "one of hourly"},
		{contract.SkillCron, `{"id":"a","use":"f","schedule":"daily"}`, contract.InvalidSchedule, ".schedule", "is an object"},
	} {
		_, errs, _ := consumers.Check([]consumers.Raw{raw(c.skill, c.entry)}, declared)
		if len(errs) != 1 {
			t.Errorf("%s %s: %+v", c.skill, c.entry, errs)
			continue
		}
		e := errs[0]
		path := raw(c.skill, "").Path + c.path
		if e.Code != c.code || e.Path != path || !strings.Contains(e.Message, c.says) || e.File != "AGENT.md" || e.Line == 0 {
			t.Errorf("%s %s:\n got %+v\nwant %s %s %q", c.skill, c.entry, e, c.code, path, c.says)
		}
	}
}

// A price is the decimal that was written, to the last nanocredit.
func TestPriceIsExact(t *testing.T) {
	for text, want := range map[string]contract.Amount{
		"0.02": 20_000_000, `"0.02"`: 20_000_000, "0.1": 100_000_000, "0.000000001": 1, "1234.567890123": 1_234_567_890_123, "0": 0, "5": 5 * contract.Credit,
	} {
		entries, errs, _ := consumers.Check([]consumers.Raw{raw(contract.SkillHTTP,
			`{"id":"a","method":"GET","path":"/x","auth":"public","use":"f","price":`+text+`}`)}, declared)
		if len(errs) > 0 || entries[0].Endpoint.Price != want {
			t.Errorf("price %s: %+v, %+v", text, errs, entries)
		}
	}
}

func TestEntriesTogether(t *testing.T) {
	endpoint := func(id, method, path string) consumers.Raw {
		return raw(contract.SkillHTTP, fmt.Sprintf(`{"id":%q,"method":%q,"path":%q,"auth":"public","use":"f"}`, id, method, path))
	}
	entries, errs, warnings := consumers.Check([]consumers.Raw{
		endpoint("a", "get", "/x/:id"),
		endpoint("b", "GET", "/x/:name"), // the same requests
		endpoint("c", "GET", "/x/new"),   // not the same: a literal is nearer
		endpoint("d", "POST", "/x/:id"),
		endpoint("a", "PUT", "/y"), // the id again
		endpoint("e", "GET", "/x/%3Aid"),
		endpoint("f", "GET", "/x/new/"),
		raw(contract.SkillTools, `{"id":"a","name":"t","use":"f"}`), // the id in another skill
		raw(contract.SkillTools, `{"id":"t2","name":"t","use":"f"}`),
		raw(contract.SkillTools, `{"id":"t3","name":"u","use":"gone","color":"red"}`),
		endpoint("g", "GET", "/functions/list"),
	}, declared)
	var ids, codes, warned []string
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	for _, p := range errs {
		codes = append(codes, string(p.Code))
	}
	for _, p := range warnings {
		warned = append(warned, string(p.Code))
	}
	if got := strings.Join(ids, " "); got != "a c d e a t3 g" {
		t.Errorf("kept %s", got)
	}
	if got := strings.Join(codes, " "); got != "ROUTE_CONFLICT ENTRY_EXISTS ROUTE_CONFLICT ENTRY_EXISTS FN_NOT_FOUND" {
		t.Errorf("errors %s: %+v", got, errs)
	}
	if got := strings.Join(warned, " "); got != "UNKNOWN_KEY PORTABILITY" {
		t.Errorf("warnings %s: %+v", got, warnings)
	}
}

// memory is a store of the last written state.
type memory struct {
	all    []consumers.Stored
	writes int
	fail   error
}

func (m *memory) ListConsumers(context.Context) ([]consumers.Stored, error) { return m.all, nil }

func (m *memory) ReplaceConsumers(_ context.Context, agentID string, all []consumers.Stored) error {
	if m.fail != nil {
		return m.fail
	}
	m.writes++
	m.all = slices.DeleteFunc(m.all, func(s consumers.Stored) bool { return s.AgentID == agentID })
	m.all = append(m.all, all...)
	return nil
}

func set(t *testing.T, store *memory, raws ...consumers.Raw) *consumers.Consumers {
	t.Helper()
	entries, errs, _ := consumers.Check(raws, declared)
	if len(errs) > 0 {
		t.Fatalf("%+v", errs)
	}
	cs, err := consumers.New(t.Context(), consumers.Config{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cs.Replace(t.Context(), "a", entries); err != nil {
		t.Fatal(err)
	}
	return cs
}

func TestRoute(t *testing.T) {
	e := func(id, method, path string) consumers.Raw {
		return raw(contract.SkillHTTP, fmt.Sprintf(`{"id":%q,"method":%q,"path":%q,"auth":"public","use":"f","enabled":%v}`, id, method, path, id != "off"))
	}
	cs := set(t, &memory{}, e("root", "GET", "/"), e("any", "GET", "/x/:id"), e("new", "GET", "/x/new"), e("post", "POST", "/x/:id"),
		e("deep", "GET", "/:a/y/:b"), e("sp", "GET", "/caf%C3%A9/a b"[:10]), e("off", "GET", "/off"), e("head", "HEAD", "/x/new"), e("colon", "GET", "/z/%3Aid"))
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/", "root"}, {"GET", "", "root"},
		{"GET", "/x/1%202", "any id=1 2"}, {"GET", "/x/1/", "any id=1"}, {"GET", "/x/new", "new"}, {"HEAD", "/x/new", "head"}, {"HEAD", "/x/1", "any id=1"},
		{"POST", "/x/new", "post id=new"}, {"PUT", "/x/1", "allow GET POST"}, {"GET", "/x", "allow"}, {"GET", "/x/", "allow"}, {"GET", "/x/1/2", "allow"},
		{"GET", "/x/a%2Fb", "any id=a/b"}, {"GET", "/x/%zz", "allow"}, {"GET", "/p/y/q", "deep a=p b=q"}, {"GET", "/x//", "allow"},
		{"GET", "/off", "allow"}, {"GET", "/z/:id", "colon"}, {"GET", "/z/1", "allow"}, {"PUT", "/x/new", "allow GET HEAD POST"},
	} {
		m, allow := cs.Of("a").Route(c.method, c.path)
		got := "allow"
		if m.Entry != nil {
			got = m.ID
			for _, k := range []string{"a", "b", "id"} {
				if v, ok := m.Params[k]; ok {
					got += " " + k + "=" + v
				}
			}
		}
		for _, a := range allow {
			got += " " + a
		}
		if got != c.want {
			t.Errorf("%s %s: %s, want %s", c.method, c.path, got, c.want)
		}
	}
	if m, allow := cs.Of("nobody").Route("GET", "/"); m.Entry != nil || allow != nil {
		t.Errorf("an agent without entries answers %+v", m)
	}
}

func TestUsedByAndDetach(t *testing.T) {
	store := &memory{}
	cs := set(t, store,
		raw(contract.SkillTools, `{"id":"q","name":"quote","use":"f"}`),
		raw(contract.SkillHTTP, `{"id":"h","method":"post","path":"/x","auth":"public","use":"f","enabled":false}`),
		raw(contract.SkillCron, `{"id":"n","cron":"0 3 * * *","use":"f"}`),
		raw(contract.SkillCron, `{"id":"w","schedule":{"frequency":"weekly","preferredDay":1},"use":"g"}`))
	want := `[{"skill":"custom_tools","entryId":"q","description":"quote"},{"skill":"custom_http","entryId":"h","description":"POST /x"},` +
		`{"skill":"cron","entryId":"n","description":"At 03:00 every day UTC"}]`
	if got, _ := json.Marshal(cs.Of("a").UsedBy("f")); string(got) != want {
		t.Errorf("used by %s", got)
	}
	if got, _ := json.Marshal(cs.Of("a").UsedBy("unused")); string(got) != "[]" {
		t.Errorf("unused: %s", got)
	}
	// The same entries again are no write.
	before := store.writes
	if changed, err := cs.Replace(t.Context(), "a", cs.Of("a").Entries); changed || err != nil || store.writes != before {
		t.Errorf("written again: %v %v", changed, err)
	}
	// What cannot be stored does not happen.
	store.fail = errors.New("disk full")
	if _, err := cs.Detach(t.Context(), "a", "f"); !errors.Is(err, store.fail) || len(cs.Of("a").UsedBy("f")) != 3 {
		t.Errorf("detached without being stored: %v", err)
	}
	store.fail = nil
	detached, err := cs.Detach(t.Context(), "a", "f")
	if got := fmt.Sprint(detached); err != nil || got != "[{custom_tools q} {custom_http h} {cron n}]" {
		t.Errorf("detached %s, %v", got, err)
	}
	again, err := consumers.New(t.Context(), consumers.Config{Store: store})
	if err != nil || len(again.Of("a").Schedules()) != 1 || fmt.Sprint(again.Agents()) != "[a]" {
		t.Errorf("after a restart: %+v, %v", again.Of("a").Entries, err)
	}
	if d, err := cs.Detach(t.Context(), "a", "f"); err != nil || d == nil || len(d) != 0 {
		t.Errorf("again: %v %v", d, err)
	}
}

func FuzzRoute(f *testing.F) {
	f.Add("/x/:id", "/x/1%202")
	f.Add("/:a/:b", "//")
	f.Add("/%3Aa", "/:a")
	f.Fuzz(func(t *testing.T, template, path string) {
		entry, err := json.Marshal(map[string]string{"id": "a", "method": "GET", "path": template, "auth": "public", "use": "f"})
		if err != nil {
			t.Fatal(err)
		}
		entries, errs, _ := consumers.Check([]consumers.Raw{{Skill: contract.SkillHTTP, JSON: entry}}, declared)
		if len(errs) > 0 {
			return
		}
		cs, err := consumers.New(t.Context(), consumers.Config{Store: &memory{}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cs.Replace(t.Context(), "a", entries); err != nil {
			t.Fatal(err)
		}
		if m, allowed := cs.Of("a").Route("GET", path); m.Entry == nil && len(allowed) > 0 {
			t.Errorf("%q on %q: allowed %v and not found", path, template, allowed)
		}
	})
}
