package webapi_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// urlData reads one of the files of web-platform-tests that come with the
// module of the URL parser.
func urlData(t *testing.T, name string) []byte {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/nlnwa/whatwg-url").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestURLData runs urltestdata.json through the global URL.
func TestURLData(t *testing.T) {
	var rows []any
	if err := json.Unmarshal(urlData(t, "urltestdata.json"), &rows); err != nil {
		t.Fatal(err)
	}
	wrong := run[[]string](t, factory(t), `export default async ctx => {
  const wrong = [];
  const parts = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];
  for (const row of ctx.data) {
    if (typeof row === 'string') continue;
    const base = row.base === null ? undefined : row.base;
    let u;
    try { u = new URL(row.input, base); } catch (e) { if (!(e instanceof TypeError)) throw e; }
    const bad = row.failure ? (u ? ['parsed'] : []) : u ? parts.filter(p => p in row && row[p] !== u[p]) : ['refused'];
    if (URL.canParse(row.input, base) === !!row.failure) bad.push('canParse');
    if (u && row.searchParams !== undefined && u.searchParams.toString() !== row.searchParams) bad.push('searchParams');
    if (bad.length > 0) wrong.push(row.input + ' ' + row.base + ' ' + bad);
  }
  return wrong;
};`, rows)
	for _, w := range wrong {
		t.Log("differs:", w)
	}
	all := 0
	for _, r := range rows {
		if _, comment := r.(string); !comment {
			all++
		}
	}
	rate(t, "urltestdata.json", all-len(wrong), all, 99)
}

// TestURLSetters runs setters_tests.json.
func TestURLSetters(t *testing.T) {
	var sets map[string]json.RawMessage
	if err := json.Unmarshal(urlData(t, "setters_tests.json"), &sets); err != nil {
		t.Fatal(err)
	}
	got := run[struct {
		All   int
		Wrong []string
	}](t, factory(t), `export default async ctx => {
  const wrong = []; let all = 0;
  for (const part of Object.keys(ctx.data)) {
    if (part === 'comment') continue;
    for (const row of ctx.data[part]) {
      all++;
      const u = new URL(row.href);
      try { u[part] = row.new_value; } catch (e) { if (part !== 'href') throw e; }
      const bad = Object.keys(row.expected).filter(p => u[p] !== row.expected[p]);
      if (bad.length > 0) wrong.push(part + ' ' + row.href + ' ' + row.new_value + ' ' + bad.map(p => u[p]));
    }
  }
  return { All: all, Wrong: wrong };
};`, sets)
	for _, w := range got.Wrong {
		t.Log("differs:", w)
	}
	rate(t, "setters_tests.json", got.All-len(got.Wrong), got.All, 99)
}
