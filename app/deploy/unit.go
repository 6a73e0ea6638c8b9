// Package deploy moves a project to another platform and back, over the
// management API (spec 4.1, contract.md 1): it compares first, then changes only
// what differs.
package deploy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"benchtop/app/client"
	"benchtop/backend/contract"
	"benchtop/backend/manifest"
	"benchtop/backend/project"
)

// Unit is an agent as far as the management API carries it: functions and the
// entries that use them. Left says what else a project folder has.
type Unit struct {
	Agent     contract.CreateAgentRequest
	Functions []Function // by name
	Entries   []Entry
	Left      []string
}

// Function is one function. Manifest is the text its author wrote, in JSON, or
// was made of the header or AGENT.md; Canonical is the same for equal manifests.
type Function struct {
	Name      string
	File      string
	Manifest  []byte
	Canonical string
	Source    string
	Header    bool // the manifest stands in the source
	Missing   []string
}

// Entry is one entry of a skill, keys in its author's order.
type Entry struct {
	Skill string
	ID    string
	JSON  json.RawMessage
}

// Name is how an entry is called in messages.
func (e Entry) Name() string { return e.Skill + "/" + e.ID }

// Read reads a project folder. What does not load is an error that says all of
// it: half a project is not deployed.
func Read(dir string) (*Unit, error) {
	if !project.Looks(dir) {
		return nil, contract.Errorf(contract.ProjectInvalid, "%s is no project folder: it has neither AGENT.md nor functions/", dir)
	}
	read, err := project.ReadSettled(dir)
	if err != nil {
		return nil, err
	}
	u := &Unit{}
	var wrong []contract.Problem
	if !read.Agent.Valid {
		wrong = append(wrong, read.Problems...)
	}
	for i := range read.Functions {
		f, errs := functionOf(&read.Functions[i])
		wrong = append(wrong, errs...)
		u.Functions = append(u.Functions, f)
	}
	for _, s := range read.Agent.Skills {
		e, err := entryOf(s.Skill, s.JSON)
		if err != nil {
			line, column := s.At("id")
			wrong = append(wrong, contract.Problem{Code: contract.InvalidEntry, Message: err.Error()}.At(project.AgentFileName, line, column))
		}
		u.Entries = append(u.Entries, e)
	}
	if len(wrong) > 0 {
		return nil, &Invalid{dir, wrong}
	}
	u.Agent = agentOf(read.Agent)
	u.Left = left(dir)
	return u, nil
}

// Invalid is a project that does not load.
type Invalid struct {
	Dir      string
	Problems []contract.Problem
}

// Error says all problems, each on a line of its own.
func (e *Invalid) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s does not load, so nothing was sent", e.Dir)
	for _, p := range e.Problems {
		b.WriteString("\n  " + client.Place(p) + p.Message)
	}
	return b.String()
}

// functionOf loads the files of a function.
func functionOf(files *project.Files) (Function, []contract.Problem) {
	l := files.Load(nil)
	f := Function{Name: files.Name, File: l.File, Source: l.Source}
	errs := l.Errors
	if files.Source != nil && filepath.Ext(l.File) != ".js" && filepath.Ext(l.File) != ".mjs" && len(errs) == 0 {
		errs = append(errs, contract.Problem{Code: contract.InvalidRequest,
			Message: "the management API takes JavaScript; a source in TypeScript cannot be deployed"}.At(l.File, 1, 1))
	}
	f.Canonical = canonical(l.Manifest)
	f.Manifest = []byte(l.ManifestText)
	if l.ManifestText == "" {
		_, header, _, _ := manifest.Docblock(l.Source, manifest.Options{})
		f.Header = header
		f.Manifest = []byte(f.Canonical)
	}
	return f, errs
}

// canonical is the same text for manifests that say the same. Where the source
// is does not count: it is beside the manifest.
func canonical(m manifest.Manifest) string {
	m.Code, m.BundleSHA256 = nil, ""
	b, err := json.Marshal(m)
	if err != nil { // a manifest that was parsed always marshals
		return ""
	}
	return string(b)
}

func entryOf(skill string, text json.RawMessage) (Entry, error) {
	e := Entry{Skill: skill, JSON: text}
	var head struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return e, fmt.Errorf("the entry is no object")
	}
	if err := json.Unmarshal(head.ID, &e.ID); err != nil || e.ID == "" {
		return e, fmt.Errorf("the entry needs an id, a text, to be found again where it is deployed")
	}
	return e, nil
}

// agentOf is what would make the agent.
func agentOf(a project.Agent) contract.CreateAgentRequest {
	req := contract.CreateAgentRequest{Name: a.Name, Description: a.Description, Instructions: a.Instructions, Model: a.Model}
	for _, s := range a.Settings {
		switch s.Key {
		case "visibility":
			_ = json.Unmarshal(s.JSON, &req.Visibility) // what is no text was named when the folder was read
		case "transports":
			req.Transports = s.JSON
		case "commission_percent":
			req.CommissionPercent = s.JSON
		case "toolPricing":
			req.ToolPricing = s.JSON
		}
	}
	return req
}

// left names what a folder has and the management API does not carry.
func left(dir string) (out []string) {
	if entries, err := os.ReadDir(filepath.Join(dir, "endpoints")); err == nil && len(entries) > 0 {
		out = append(out, "endpoints/ is served from a project folder only; open the folder there to have it")
	}
	return out
}

// Fetch reads an agent from a platform.
func Fetch(ctx context.Context, c *client.Client, agentID string) (*Unit, error) {
	u := &Unit{}
	var list contract.FunctionList
	if err := c.Get(ctx, client.Agent(agentID, "functions"), &list); err != nil {
		return nil, err
	}
	for _, info := range list.Functions {
		f, err := fetchFunction(ctx, c, agentID, info.Name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", info.Name, err)
		}
		u.Functions = append(u.Functions, f)
	}
	var entries contract.ConsumerList
	if err := c.Get(ctx, client.Agent(agentID, "skills"), &entries); err != nil {
		return nil, err
	}
	for _, e := range entries.Entries {
		u.Entries = append(u.Entries, Entry{Skill: e.Skill, ID: e.EntryID, JSON: withUse(e)})
	}
	slices.SortFunc(u.Functions, func(a, b Function) int { return strings.Compare(a.Name, b.Name) })
	return u, nil
}

func fetchFunction(ctx context.Context, c *client.Client, agentID, name string) (Function, error) {
	var d contract.FunctionDetail
	var s contract.FunctionSource
	f := Function{Name: name}
	if err := c.Get(ctx, client.Agent(agentID, "functions", name), &d); err != nil {
		return f, err
	}
	if err := c.Get(ctx, client.Agent(agentID, "functions", name, "source"), &s); err != nil {
		return f, err
	}
	m, errs, _ := manifest.Parse(d.Manifest, manifest.Options{DefaultRuntime: manifest.RuntimeJS})
	if len(errs) > 0 {
		return f, errors.New("its manifest cannot be read: " + errs[0].Message)
	}
	f.Source, f.File, f.Canonical, f.Manifest = s.Source, s.File, canonical(m), []byte(s.ManifestText)
	if header, found, errs, _ := manifest.Docblock(s.Source, manifest.Options{DefaultRuntime: manifest.RuntimeJS}); found && len(errs) == 0 {
		f.Header = canonical(header) == f.Canonical
	}
	if s.ManifestText == "" {
		f.Manifest = manifest.Rewrite([]byte(f.Canonical), m.Runtime)
	}
	for _, todo := range d.RequiresUserAction {
		f.Missing = append(f.Missing, todo.Binding)
	}
	return f, nil
}

// withUse is an entry with the function it uses and its id, which may have been
// given beside it.
func withUse(e contract.Consumer) json.RawMessage {
	var keys map[string]json.RawMessage
	if json.Unmarshal(e.Entry, &keys) != nil {
		return e.Entry
	}
	head, ok := bytes.CutSuffix(bytes.TrimSpace(e.Entry), []byte("}"))
	if !ok {
		return e.Entry
	}
	for _, add := range [][2]string{{"id", e.EntryID}, {"use", e.Use}} {
		text, err := json.Marshal(add[1])
		if _, there := keys[add[0]]; there || err != nil {
			continue
		}
		if len(bytes.TrimSpace(head)) > 1 {
			head = append(head, ',')
		}
		head = fmt.Appendf(head, "%q:%s", add[0], text)
	}
	return append(slices.Clip(head), '}')
}
