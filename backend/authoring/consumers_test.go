package authoring_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"benchtop/backend/consumers"
	"benchtop/backend/contract"
)

const withSkills = `---
name: mia
skills:
  # for models
  custom_tools:
    tools:
      - { id: q, name: quote, use: quote } # keep
  custom_http: { endpoints: [{ id: a, method: GET, path: /a, auth: public, use: quote }, { id: b, method: GET, path: /a, auth: public, use: quote }] }
  cron:
    schedules:
      - id: n
        cron: "61 * * * *"
        use: quote
      - { id: w, cron: "0 3 * * *", use: later }
---
You are Mia.
`

// entries gives "skill/id use" of what serves.
func (w *world) entries() string {
	var out []string
	for _, e := range w.consumers.Of(w.agent.ID).Entries {
		out = append(out, e.Skill+"/"+e.ID+" "+e.Use)
	}
	return strings.Join(out, ", ")
}

// AGENT.md is where the entries of an agent with a folder are from: what is wrong
// has its place, what is right serves, and the functions that are missing are
// waited for.
func TestEntriesOfAgentFile(t *testing.T) {
	w := newWorld(t, true)
	w.write("functions/quote.js", source)
	w.write("AGENT.md", withSkills)
	var found []string
	for _, p := range w.reload().Problems {
		found = append(found, string(p.Code)+" "+p.Path)
		if p.File != "AGENT.md" || p.Line == 0 || p.Loc == nil {
			t.Errorf("%s has no place: %+v", p.Path, p)
		}
	}
	want := "ROUTE_CONFLICT skills.custom_http.endpoints[1].path, INVALID_SCHEDULE skills.cron.schedules[0].cron, FN_NOT_FOUND skills.cron.schedules[1].use"
	if got := strings.Join(found, ", "); got != want {
		t.Errorf("problems %s\nwant %s", got, want)
	}
	if got := w.entries(); got != "custom_tools/q quote, custom_http/a quote, cron/w later" {
		t.Errorf("entries %s", got)
	}
	if got := w.published(); !strings.Contains(got, "consumers.changed") {
		t.Errorf("events %s", got)
	}
	w.reload()
	if got := w.published(); got != "" {
		t.Errorf("nothing changed and there are events: %s", got)
	}
	// An AGENT.md that cannot be read changes nothing.
	w.write("AGENT.md", "---\nskills: [\n---\n")
	w.reload()
	if got := w.entries(); got != "custom_tools/q quote, custom_http/a quote, cron/w later" {
		t.Errorf("with a broken AGENT.md: %s", got)
	}
	w.write("AGENT.md", "---\nname: mia\n---\n")
	w.reload()
	if got := w.entries(); got != "" {
		t.Errorf("without skills: %s", got)
	}
}

// What cannot be read in AGENT.md serves as it did before, also after a restart,
// and keeps what it claims; the problem is shown where it is.
func TestBadEntriesKeepServing(t *testing.T) {
	w := newWorld(t, true)
	w.write("functions/quote.js", source)
	good := []string{"---\nname: mia\nskills:", "  custom_http:\n    endpoints:", "      - { id: a, method: GET, path: /a, auth: public, use: quote }",
		"      - { id: b, method: GET, path: /b, auth: public, use: quote }", "  cron:\n    schedules:", `      - { id: n, cron: "0 3 * * *", use: quote }`, "---\n"}
	w.write("AGENT.md", strings.Join(good, "\n"))
	if r := w.reload(); len(r.Problems) > 0 {
		t.Fatalf("%+v", r.Problems)
	}
	const before = "GET /a, GET /b, n"
	serves := func() string {
		var out []string
		for _, e := range w.consumers.Of(w.agent.ID).Entries {
			if e.Endpoint != nil {
				out = append(out, e.UsedBy().Description)
			} else {
				out = append(out, e.ID)
			}
		}
		return strings.Join(out, ", ")
	}
	if got := serves(); got != before {
		t.Fatalf("serves %s", got)
	}
	for _, tt := range []struct {
		name     string
		line     int
		text     string
		problems string
		serves   string
	}{
		{"a value that is none", 2, "      - { id: a, method: FETCH, path: /a2, auth: public, use: quote }", "INVALID_ENTRY skills.custom_http.endpoints[0].method", before},
		{"a price that is none", 3, "      - { id: b, method: GET, path: /b2, auth: public, use: quote, price: cheap }", "INVALID_ENTRY skills.custom_http.endpoints[1].price", before},
		{"a key that is there twice", 2, "      - { id: a, method: GET, path: /a2, path: /a3, auth: public, use: quote }", "AGENT_FILE_INVALID skills.custom_http.endpoints[0]", before},
		{"a path that is kept by a bad one", 3, "      - { id: b, method: GET, path: /a, auth: public, use: quote }", "ROUTE_CONFLICT skills.custom_http.endpoints[1].path", before},
		{"a bad one and a new one at its path", 2, "      - { id: a, method: GET, auth: public, use: quote }\n      - { id: new, method: GET, path: /a, auth: public, use: quote }",
			"INVALID_ENTRY skills.custom_http.endpoints[0].path, ROUTE_CONFLICT skills.custom_http.endpoints[1].path", before},
		{"an id that never served", 2, "      - { id: z, method: GET, auth: public, use: quote }", "INVALID_ENTRY skills.custom_http.endpoints[0].path", "GET /b, n"},
		{"a skill that is no object", 4, "  cron: later\n  custom_tools:\n    tools:", "AGENT_FILE_INVALID skills.cron, INVALID_ENTRY skills.custom_tools.tools[0].name", before},
		{"a list that is none", 1, "  custom_http:\n    endpoints: none\n  custom_tools:\n    tools:", "AGENT_FILE_INVALID skills.custom_http.endpoints, INVALID_ENTRY skills.custom_tools.tools[0].name, INVALID_ENTRY skills.custom_tools.tools[1].name", "n, GET /a, GET /b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.t = t
			w.write("AGENT.md", strings.Join(good, "\n"))
			if r := w.reload(); len(r.Problems) > 0 {
				t.Fatalf("%+v", r.Problems)
			}
			lines := slices.Clone(good)
			lines[tt.line] = tt.text
			w.write("AGENT.md", strings.Join(lines, "\n"))
			for range 2 { // the second reading compares with what was kept
				var found []string
				for _, p := range w.reload().Problems {
					if p.Code == contract.UnknownKey || !strings.HasPrefix(p.Path, "skills.") {
						continue
					}
					found = append(found, string(p.Code)+" "+p.Path)
					if p.Line == 0 {
						t.Errorf("%s has no place", p.Path)
					}
				}
				if got := strings.Join(found, ", "); got != tt.problems {
					t.Errorf("problems %s\nwant     %s", got, tt.problems)
				}
				if got := serves(); got != tt.serves {
					t.Errorf("serves %s\nwant   %s", got, tt.serves)
				}
			}
		})
	}
}

// The API edits AGENT.md and leaves the rest of it alone; a removed function takes
// its entries along, one whose file is gone does not.
func TestEntriesByAPI(t *testing.T) {
	w := newWorld(t, true)
	w.write("functions/quote.js", source)
	w.write("functions/later.js", source)
	text := strings.ReplaceAll(withSkills, `"61 * * * *"`, `"1 * * * *"`)
	w.write("AGENT.md", text)
	w.reload()
	use := func(entry, fn string) contract.UseRequest {
		return contract.UseRequest{Entry: json.RawMessage(entry), Use: fn}
	}

	res, err := w.authoring.Attach(t.Context(), w.agent, contract.SkillTools, use(`{"name":"more"}`, "later"))
	must(t, err)
	if res.EntryID != "more" {
		t.Errorf("id %q", res.EntryID)
	}
	text = strings.Replace(text, "use: quote } # keep\n", "use: quote } # keep\n      - {id: more, name: more, use: later}\n", 1)
	if got := w.read("AGENT.md"); got != text {
		t.Errorf("AGENT.md is\n%s\nwant\n%s", got, text)
	}
	_, err = w.authoring.Attach(t.Context(), w.agent, contract.SkillTools, use(`{"name":"more"}`, "quote"))
	wantCode(t, err, contract.EntryExists)
	_, err = w.authoring.Attach(t.Context(), w.agent, contract.SkillHTTP, use(`{"method":"get","path":"/a","auth":"public"}`, "quote"))
	if e := wantCode(t, err, contract.RouteConflict); len(e.Problems) != 1 || e.Problems[0].Path != "entry.path" {
		t.Errorf("problems %+v", e.Problems)
	}
	if got := w.read("AGENT.md"); got != text {
		t.Errorf("a refusal wrote\n%s", got)
	}
	_, err = w.authoring.ChangeEntry(t.Context(), w.agent, contract.SkillCron, "n", use(`{"cron":"2 * * * *"}`, ""))
	must(t, err)
	text = strings.Replace(text, `"1 * * * *"`, "2 * * * *", 1)
	if got := w.read("AGENT.md"); got != text {
		t.Errorf("AGENT.md is\n%s\nwant\n%s", got, text)
	}
	_, err = w.authoring.DetachEntry(t.Context(), w.agent, contract.SkillCron, "w")
	must(t, err)
	if got := w.entries(); got != "custom_tools/q quote, custom_tools/more later, custom_http/a quote, cron/n quote" {
		t.Errorf("entries %s", got)
	}
	w.published()
	w.reload() // the watcher finds nothing new
	if got := w.published(); got != "" {
		t.Errorf("events %s", got)
	}

	removed, err := w.authoring.Remove(t.Context(), w.agent, "later", "cli")
	must(t, err)
	if len(removed.Detached) != 1 || removed.Detached[0].EntryID != "more" || strings.Contains(w.read("AGENT.md"), "more") {
		t.Errorf("detached %v, AGENT.md\n%s", removed.Detached, w.read("AGENT.md"))
	}
	w.remove("functions/quote.js")
	w.reload()
	if got := w.entries(); got != "custom_tools/q quote, custom_http/a quote, cron/n quote" || !strings.Contains(w.read("AGENT.md"), "# keep") {
		t.Errorf("a file that is gone for now took its entries along: %s", got)
	}
}

// An agent without a folder has its entries in the store.
func TestEntriesOfStore(t *testing.T) {
	w := newWorld(t, false)
	_, err := w.declare("quote", `{"runtime":"js-v1","limits":{"wallMs":500}}`, ptr(source))
	must(t, err)
	for _, entry := range []string{`{"method":"GET","path":"/a","auth":"public"}`, `{"method":"GET","path":"/b","auth":"public"}`, `{"method":"GET","path":"/c","auth":"public"}`} {
		res, err := w.authoring.Attach(t.Context(), w.agent, contract.SkillHTTP, contract.UseRequest{Entry: json.RawMessage(entry), Use: "quote"})
		must(t, err)
		if len(res.Warnings) != 1 || res.Warnings[0].Code != contract.Portability {
			t.Errorf("warnings %+v", res.Warnings)
		}
	}
	_, err = w.authoring.ChangeEntry(t.Context(), w.agent, contract.SkillHTTP, "get-b", contract.UseRequest{Entry: json.RawMessage(`{"path":"/x","timeoutMs":100}`)})
	must(t, err)
	if got := w.entries(); got != "custom_http/get-a quote, custom_http/get-b quote, custom_http/get-c quote" {
		t.Errorf("the order changed: %s", got)
	}
	if e, _ := w.consumers.Of(w.agent.ID).Entry(contract.SkillHTTP, "get-b"); string(e.JSON) != `{"id":"get-b","method":"GET","path":"/x","auth":"public","use":"quote","timeoutMs":100}` {
		t.Errorf("entry %s", e.JSON)
	}
	again, err := consumers.New(t.Context(), consumers.Config{Store: w.db})
	must(t, err)
	if n := len(again.Of(w.agent.ID).Entries); n != 3 {
		t.Errorf("%d entries after a restart", n)
	}
	_, err = w.authoring.Attach(t.Context(), w.agent, "chat", contract.UseRequest{Entry: json.RawMessage(`{}`)})
	wantCode(t, err, contract.NotFound)
	_, err = w.authoring.DetachEntry(t.Context(), w.agent, contract.SkillCron, "get-a")
	wantCode(t, err, contract.EntryNotFound)
}
