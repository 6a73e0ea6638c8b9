package project_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/project"
)

const commented = `---
name: mia # the one
# what it can do
functions:
  quote: { description: Price a job }
skills:
  # doors
  custom_http:
    endpoints:
      # from the bank
      - { id: hook, method: POST, path: /hook, auth: signature, use: quote } # do not touch
      - id: list
        method: GET # reads only
        path: /list
        auth: public
        use: quote

  cron: { schedules: [{ id: n, cron: "0 3 * * *", use: quote }] }
model: echo
---
You are Mia. # not a comment
`

func TestEditSkills(t *testing.T) {
	const tool = `{"id":"q","name":"quote","use":"quote"}`
	for _, c := range []struct {
		name, text string
		edit       func(string) (string, error)
		old, now   string // the text is the same but for this
	}{
		{"add to a list", commented, func(s string) (string, error) {
			return project.AddSkill(s, "custom_http", json.RawMessage(`{"id":"x","path":"/x: y","use":"quote"}`))
		}, "        use: quote\n\n", "        use: quote\n      - {id: x, path: '/x: y', use: quote}\n\n"},
		{"add a skill", commented, func(s string) (string, error) { return project.AddSkill(s, "custom_tools", json.RawMessage(tool)) },
			"use: quote }] }\nmodel", "use: quote }] }\n  custom_tools:\n    tools:\n      - {id: q, name: quote, use: quote}\nmodel"},
		{"add skills", "---\nname: mia\n---\nHi\n", func(s string) (string, error) { return project.AddSkill(s, "custom_tools", json.RawMessage(tool)) },
			"name: mia\n", "name: mia\nskills:\n  custom_tools:\n    tools:\n      - {id: q, name: quote, use: quote}\n"},
		{"add with CRLF", "---\r\nname: mia\r\n---\r\nHi\r\n", func(s string) (string, error) { return project.AddSkill(s, "custom_tools", json.RawMessage(tool)) },
			"name: mia\r\n", "name: mia\r\nskills:\r\n  custom_tools:\r\n    tools:\r\n      - {id: q, name: quote, use: quote}\r\n"},
		{"change one key", commented, func(s string) (string, error) {
			return project.ChangeSkill(s, "custom_http", "list", json.RawMessage(`{"id":"list","method":"GET","path":"/all","auth":"public","use":"quote"}`))
		}, "path: /list", "path: /all"},
		{"add a key, take one away", commented, func(s string) (string, error) {
			return project.ChangeSkill(s, "custom_http", "list", json.RawMessage(`{"id":"list","method":"GET","path":"/list","use":"quote","enabled":false}`))
		}, "        auth: public\n        use: quote\n", "        use: quote\n        enabled: false\n"},
		{"change one of a line", commented, func(s string) (string, error) {
			return project.ChangeSkill(s, "custom_http", "hook", json.RawMessage(`{"id":"hook","method":"PUT","path":"/hook","auth":"signature","use":"quote"}`))
		}, "{ id: hook, method: POST, path: /hook, auth: signature, use: quote } # do", "{id: hook, method: PUT, path: /hook, auth: signature, use: quote} # do"},
		{"remove", commented, func(s string) (string, error) { return project.RemoveSkill(s, "custom_http", "list") },
			"      - id: list\n        method: GET # reads only\n        path: /list\n        auth: public\n        use: quote\n", ""},
		{"remove with its comment", commented, func(s string) (string, error) { return project.RemoveSkill(s, "custom_http", "hook") },
			"      # from the bank\n      - { id: hook, method: POST, path: /hook, auth: signature, use: quote } # do not touch\n", ""},
	} {
		got, err := c.edit(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if want := strings.Replace(c.text, c.old, c.now, 1); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

// Where lines cannot be put in or taken out, the frontmatter is written anew, and
// what it says and its comments stay.
func TestEditSkillsInBraces(t *testing.T) {
	got, err := project.AddSkill(commented, "cron", json.RawMessage(`{"id":"m","cron":"* * * * *","use":"quote"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"# the one", "# what it can do", "# doors", "# from the bank", "# do not touch", "# reads only", "---\nYou are Mia. # not a comment\n"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is gone from\n%s", part, got)
		}
	}
	if ids := idsOf(t, got); ids != "custom_http/hook custom_http/list cron/n cron/m" {
		t.Errorf("entries %s in\n%s", ids, got)
	}
	got, err = project.RemoveSkill(got, "cron", "n")
	if err != nil || idsOf(t, got) != "custom_http/hook custom_http/list cron/m" {
		t.Errorf("%v\n%s", err, got)
	}
	if got, err = project.RemoveSkill(got, "cron", "m"); err != nil || idsOf(t, got) != "custom_http/hook custom_http/list" {
		t.Errorf("%v\n%s", err, got)
	}
	if got, err = project.AddSkill(got, "cron", json.RawMessage(`{"id":"z","use":"quote","note":"a\u2028 \ud83d\ude00 #x\n\"'"}`)); err != nil || idsOf(t, got) != "custom_http/hook custom_http/list cron/z" {
		t.Errorf("%v\n%s", err, got)
	}
	for _, text := range []string{"---\nname: [\n---\n", "---\n- a\n---\n", "---\nname: mia\n", "---\nskills: 7\n---\n", "---\nskills: {cron: {schedules: {}}}\n---\n"} {
		if out, err := project.AddSkill(text, "cron", json.RawMessage(`{"id":"m"}`)); contract.AsError(err) == nil || out != text {
			t.Errorf("%q became %q, %v", text, out, err)
		}
	}
	for _, edit := range []func() (string, error){
		func() (string, error) { return project.RemoveSkill(commented, "cron", "nobody") },
		func() (string, error) {
			return project.ChangeSkill(commented, "custom_tools", "n", json.RawMessage(`{"id":"n"}`))
		},
	} {
		if _, err := edit(); contract.AsError(err) == nil || contract.AsError(err).Code != contract.EntryNotFound {
			t.Errorf("an entry that is not there: %v", err)
		}
	}
}

func idsOf(t *testing.T, text string) string {
	t.Helper()
	u := readUnit(t, text)
	var ids []string
	for _, e := range u.Agent.Skills {
		var v struct{ ID string }
		if err := json.Unmarshal(e.JSON, &v); err != nil {
			t.Errorf("%s: %v", e.JSON, err)
		}
		ids = append(ids, e.Skill+"/"+v.ID)
	}
	return strings.Join(ids, " ")
}

func readUnit(t *testing.T, text string) *project.Unit {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "AGENT.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	u, err := project.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestReadSkills(t *testing.T) {
	u := readUnit(t, commented)
	e := u.Agent.Skills[1]
	if line, column := e.At("method"); line != 13 || column != 9 || e.Path != "skills.custom_http.endpoints[1]" {
		t.Errorf("%s at %d:%d", e.Path, line, column)
	}
	if line, _ := e.At("timeoutMs"); line != 12 {
		t.Errorf("a key that is not there is at %d", line)
	}
	if got := string(u.Agent.Skills[2].JSON); got != `{"id":"n","cron":"0 3 * * *","use":"quote"}` {
		t.Errorf("cron %s", got)
	}
	// A number is the one that was written, down to its last digit.
	exact := readUnit(t, "---\nskills: { custom_http: { endpoints: [{ price: 1234.567890123, limit: 0.1, many: 10000000000000001, hex: 0x10, e: 1e-3, flag: yes, on: true }] } }\n---\n")
	if got := string(exact.Agent.Skills[0].JSON); got != `{"price":1234.567890123,"limit":0.1,"many":10000000000000001,"hex":16,"e":1e-3,"flag":"yes","on":true}` {
		t.Errorf("numbers became %s", got)
	}
	bomb := "---\na: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n" +
		"skills: { cron: { schedules: [*d, *d, {id: x}], color: red }, chat: {}, custom_tools: 7, custom_http: { endpoints: 7 } }\n---\n"
	u = readUnit(t, bomb)
	var found []string
	for _, p := range u.Problems {
		if strings.HasPrefix(p.Path, "skills") {
			found = append(found, p.Path)
		}
	}
	if got := strings.Join(found, " "); !strings.HasPrefix(got, "skills.cron.schedules[1] skills.cron.schedules[2] skills.chat skills.custom_tools skills.custom_http.endpoints") {
		t.Errorf("problems %s", got)
	}
}

func FuzzEditSkills(f *testing.F) {
	f.Add(commented, `{"id":"q","name":"quote","use":"quote"}`)
	f.Add("---\nskills:\n  cron:\n    schedules:\n    - id: a\n---\n", `{"id":"b","x":[1,{"y":null}]}`)
	f.Add("---\n---\n", `{"id":"b"}`)
	f.Fuzz(func(t *testing.T, text, entry string) {
		if strings.Contains(text, "\x00") || len(text) > 4096 {
			return
		}
		before := readUnit(t, text)
		out, err := project.AddSkill(text, "cron", json.RawMessage(entry))
		if err != nil {
			return
		}
		after := readUnit(t, out)
		if !after.Agent.Valid || before.Agent.Valid && len(after.Agent.Skills) < len(before.Agent.Skills) {
			t.Errorf("%q with %s became %q", text, entry, out)
		}
	})
}
