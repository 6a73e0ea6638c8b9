//go:build unix

package executor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/manifest"
)

// hostile is one source of testdata/hostile and how it must end.
type hostile struct {
	group, name, source string
	want                []contract.Code // the first is the exact one; none: value
	value               string          // what it returns when nothing is wrong
	limits              manifest.Limits
}

func (h hostile) String() string {
	if len(h.want) == 0 {
		return "the value " + h.value
	}
	return fmt.Sprint(h.want)
}

// contained reports whether a run ended in one of the ways that are fine.
func (h hostile) contained(o invocation.Outcome) bool {
	if len(h.want) == 0 {
		return h.exact(o)
	}
	return slices.Contains(h.want, o.Code)
}

func (h hostile) exact(o invocation.Outcome) bool {
	if len(h.want) > 0 {
		return o.Code == h.want[0]
	}
	var b bytes.Buffer
	return o.Code == "" && json.Compact(&b, o.Value) == nil && b.String() == h.value
}

func (h hostile) job() invocation.Job {
	j := benchJob(h.source)
	j.Limits = h.limits
	if h.group == "fetch" || h.group == "codegen" {
		j.Permissions.Fetch = []string{"*"}
	}
	return j
}

// canary is a server on this machine that nothing hostile may reach.
type canary struct {
	host string // with its port
	hits atomic.Int64
}

func newCanary(t *testing.T) *canary {
	c := &canary{}
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { c.hits.Add(1) }))
	t.Cleanup(s.Close)
	c.host = strings.TrimPrefix(s.URL, "http://")
	return c
}

// hostileSources reads testdata/hostile. The first line of a source says how it
// must end.
func hostileSources(t *testing.T, site *canary) []hostile {
	t.Helper()
	_, port, _ := strings.Cut(site.host, ":")
	put := strings.NewReplacer("CANARY", site.host, "PORT", port)
	var all []hostile
	for _, group := range []string{"codegen", "loops", "memory", "fetch"} {
		a, err := txtar.ParseFile(filepath.Join("testdata", "hostile", group+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			first, body, _ := strings.Cut(put.Replace(string(f.Data)), "\n")
			first, ok := strings.CutPrefix(first, "// ")
			if !ok {
				t.Fatalf("%s/%s does not say how it ends", group, f.Name)
			}
			h := hostile{group: group, name: strings.TrimSuffix(f.Name, ".js"), source: body,
				limits: manifest.Limits{WallMs: contract.MaxWallMs, MemoryMb: 128}} // eating takes its time
			if value, ok := strings.CutPrefix(first, "value "); ok {
				h.value = value
			} else {
				for _, code := range strings.Split(first, " | ") {
					if !contract.Code(code).Known() {
						t.Fatalf("%s/%s: %q is no code", group, f.Name, code)
					}
					h.want = append(h.want, contract.Code(code))
				}
			}
			if group == "loops" {
				h.limits.WallMs = 400
			}
			if !strings.Contains(body, "export default") && !strings.Contains(body, "module.exports") {
				h.source = handler(body)
			}
			all = append(all, h)
		}
	}
	return all
}
