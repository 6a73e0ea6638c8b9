// Package conformance reads the scripts that say what a function may rely on:
// testdata/conformance/*.txtar, each a manifest, a source and what must come
// out. They are documentation first; whoever runs functions (the worker alone,
// the whole executor, another engine) runs them all.
//
// A script starts with a comment and has these files, of which only index.js
// and expect.json are needed:
//
//	manifest.json  the manifest; runtime js-v1 and no permissions when absent
//	index.js       the source (or index.ts)
//	args.json      the arguments, ctx.toolCall.params
//	context.json   keys of ctx beside them: request, schedule, auth, source, …
//	host.json      what the host bridge answers: {"kv.get": [{"ok": true, "result": 1}]},
//	               for each method in order, the last one for all further calls
//	expect.json    an Expect
package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// Script is one of them, ready to run.
type Script struct {
	Name        string // of the file, without .txtar
	Doc         string
	ManifestRaw contract.RawJSON
	Manifest    manifest.Manifest
	Limits      manifest.Limits // effective ones
	File        string          // what stack traces call the source
	Source      string
	Args        contract.RawJSON // ctx.toolCall.params, {} when the script has none
	Context     contract.RawJSON // the whole Context of a wire.Run
	Host        map[string][]contract.HostReply
	Expect      Expect
}

// Expect is what must come out of a run.
type Expect struct {
	OK      bool             `json:"ok"`
	Value   contract.RawJSON `json:"value,omitempty"`   // exact, as JSON; absent: undefined
	Code    contract.Code    `json:"code,omitempty"`    // of the failure
	Message string           `json:"message,omitempty"` // a part of it
	At      string           `json:"at,omitempty"`      // file:line:column
	Calls   []Call           `json:"calls,omitempty"`   // host calls in order; absent: not checked
	Logs    []string         `json:"logs,omitempty"`    // "level message", in order; absent: not checked
	Events  []Event          `json:"events,omitempty"`
	// Compile marks an Expect of the compiler's first error instead of a run.
	Compile bool `json:"compile,omitempty"`
}

// Call is a host call as it left the sandbox.
type Call struct {
	Method string           `json:"method"`
	Args   contract.RawJSON `json:"args"`
}

// Event is a ctx.emit.
type Event struct {
	Event   string           `json:"event"`
	Payload contract.RawJSON `json:"payload,omitempty"`
}

// Load reads every script in dir, in order of name.
func Load(dir string) ([]Script, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("conformance: no scripts in %s", dir)
	}
	slices.Sort(names)
	var all []Script
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, err := Parse(strings.TrimSuffix(filepath.Base(name), ".txtar"), text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, s)
	}
	return all, nil
}

// Parse reads one script.
func Parse(name string, text []byte) (Script, error) {
	a := txtar.Parse(text)
	s := Script{Name: name, Doc: strings.TrimSpace(string(a.Comment)), Args: contract.RawJSON("{}"),
		ManifestRaw: contract.RawJSON(`{"runtime":"js-v1"}`)}
	extra := map[string]contract.RawJSON{}
	var expected bool
	for _, f := range a.Files {
		var err error
		switch f.Name {
		case "manifest.json":
			s.ManifestRaw = bytes.TrimSpace(f.Data)
		case "index.js", "index.ts":
			s.File, s.Source = "functions/f/"+f.Name, string(f.Data)
		case "args.json":
			s.Args = bytes.TrimSpace(f.Data)
		case "context.json":
			err = strictly(f.Data, &extra)
		case "host.json":
			err = strictly(f.Data, &s.Host)
		case "expect.json":
			expected = true
			err = strictly(f.Data, &s.Expect)
		default:
			err = fmt.Errorf("nobody reads this file")
		}
		if err != nil {
			return s, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if s.File == "" || !expected {
		return s, fmt.Errorf("a script needs index.js and expect.json")
	}
	if err := json.Unmarshal(s.ManifestRaw, &s.Manifest); err != nil {
		return s, fmt.Errorf("manifest.json: %w", err)
	}
	s.Limits = s.Manifest.Limits.Effective()
	var err error
	s.Context, err = s.context(extra)
	return s, err
}

// context is what the platform would put into a manual invoke of these args.
func (s Script) context(extra map[string]contract.RawJSON) (contract.RawJSON, error) {
	all := map[string]any{
		"source":   map[string]any{"skill": contract.SkillManual, "consumerId": "", "invocationId": "inv-1"},
		"toolCall": map[string]any{"name": "f", "params": s.Args, "callId": "inv-1"},
		"auth":     map[string]any{"agentId": "agent-1", "scopes": []string{"owner"}, "authenticated": true},
		"limits": map[string]any{"wallMs": s.Limits.WallMs, "cpuMs": s.Limits.CPUMs, "memoryMb": s.Limits.MemoryMb,
			"ingressBytes": s.Limits.IngressBytes, "egressBytes": s.Limits.EgressBytes},
		"metadata": map[string]any{"agentSlug": "mia", "agentId": "agent-1"},
	}
	for k, v := range extra {
		all[k] = v
	}
	return json.Marshal(all)
}

func strictly(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
