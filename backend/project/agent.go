package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// agentKeys are the keys of AGENT.md that something reads.
var agentKeys = []string{"name", "description", "model", "visibility", "transports", "commission_percent", "functions",
	"skills", "endpoints", "toolPricing", "functionLimits"}

// Agent is what AGENT.md says (contract.md 2.5). Valid is false when it could
// not be read; then only Name is set, from the folder.
type Agent struct {
	File         *File // nil when there is none
	Valid        bool
	Name         string
	Description  string
	Model        string // a name, or a JSON object as text
	Instructions string
	Skills       []SkillEntry
	Unread       []string // skills whose entries cannot be read at all
	Settings     []Setting
	Endpoints    []SkillEntry // without a skill
	entries      []Entry
	claims       map[string]string // function: file, of entries that name one
}

func (a *Agent) entry(name string) *Entry {
	for i := range a.entries {
		if a.entries[i].Name == name {
			return &a.entries[i]
		}
	}
	return nil
}

func (u *Unit) readAgent(r *os.Root) {
	u.Agent.Name = filepath.Base(u.Root)
	f, err := readFile(r, AgentFileName, MaxAgentFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		u.Agent.Valid = true
		u.problem(contract.AgentFileInvalid, AgentFileName, "there is no AGENT.md; the agent is named after the folder")
		return
	case err != nil:
		u.problem(contract.AgentFileInvalid, AgentFileName, "AGENT.md is not read: %s", plain(err))
		return
	}
	u.Agent.File = f
	u.parseAgent(f.Text)
}

// splitAgent cuts AGENT.md into frontmatter and body. The frontmatter keeps the
// line numbers of the file: its opening line becomes an empty one.
func splitAgent(text string) (front, body string, found, closed bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t\r") != "---" {
		return "", text, false, true
	}
	for at := 0; at < len(rest); {
		line := rest[at:]
		next := len(rest)
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line, next = line[:i], at+i+1
		}
		if strings.TrimRight(line, " \t\r") == "---" {
			return "\n" + rest[:at], rest[next:], true, true
		}
		at = next
	}
	return "", "", true, false
}

func (u *Unit) parseAgent(text string) {
	front, body, found, closed := splitAgent(text)
	if !closed {
		u.agentProblem(1, 1, "", "the frontmatter has no closing --- line")
		return
	}
	u.Agent.Instructions = strings.TrimSpace(body)
	if !found {
		u.Agent.Valid = true
		u.agentProblem(1, 1, "", "AGENT.md has no frontmatter between --- lines; the agent is named after the folder")
		return
	}
	if len(front) > manifest.MaxManifestBytes {
		u.agentProblem(1, 1, "", "the frontmatter has %d bytes; %d are allowed", len(front), manifest.MaxManifestBytes)
		return
	}
	doc, err := parseYAML(front)
	if err != nil {
		line, msg := yamlFailure(err)
		u.agentProblem(line, 1, "", "%s", msg)
		return
	}
	if doc == nil {
		u.Agent.Valid = true
		return
	}
	if doc.Kind != yaml.MappingNode {
		u.agentProblem(doc.Line, doc.Column, "", "the frontmatter is a list of keys and values")
		return
	}
	u.Agent.Valid = true
	u.readKeys(doc)
}

func parseYAML(text string) (root *yaml.Node, err error) {
	// The YAML package is not ours; whatever it trips over is a malformed file.
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("cannot be read as YAML")
		}
	}()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) == 0 {
		return nil, err
	}
	return doc.Content[0], nil
}

func yamlFailure(err error) (int, string) {
	msg, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "yaml: "), "\n")
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		number, what, _ := strings.Cut(rest, ": ")
		if line, err := strconv.Atoi(number); err == nil && line > 0 {
			return line, what
		}
	}
	return 1, msg
}

func (u *Unit) readKeys(doc *yaml.Node) {
	for i := 0; i+1 < len(doc.Content); i += 2 {
		k, v := doc.Content[i], doc.Content[i+1]
		switch k.Value {
		case "name":
			if name := u.text(v, "name"); strings.TrimSpace(name) != "" {
				u.Agent.Name = strings.TrimSpace(name)
			}
		case "description":
			u.Agent.Description = u.text(v, "description")
		case "model":
			u.Agent.Model = describeModel(v)
			u.readSetting(k, v)
		case "functions":
			u.readEntries(v)
		case "skills":
			u.readSkills(v)
		case endpointsDir:
			u.readEndpoints(v)
		default:
			if slices.Contains(settingKeys, k.Value) {
				u.readSetting(k, v)
			} else if !slices.Contains(agentKeys, k.Value) {
				u.Problems = append(u.Problems, contract.Problem{Code: contract.UnknownKey, Path: k.Value,
					Message: fmt.Sprintf("%q is not a known key of AGENT.md and is ignored", k.Value)}.At(AgentFileName, k.Line, k.Column))
			}
		}
	}
}

func (u *Unit) text(v *yaml.Node, key string) string {
	if v.Kind == yaml.ScalarNode && v.ShortTag() == "!!null" {
		return ""
	}
	if v.Kind != yaml.ScalarNode {
		u.agentProblem(v.Line, v.Column, key, "%s is a text", key)
		return ""
	}
	return v.Value
}

func (u *Unit) readEntries(v *yaml.Node) {
	if v.Kind == yaml.ScalarNode && v.ShortTag() == "!!null" {
		return
	}
	if v.Kind != yaml.MappingNode {
		u.agentProblem(v.Line, v.Column, "functions", "functions is a list of names, each with what it needs behind it")
		return
	}
	for i := 0; i+1 < len(v.Content); i += 2 {
		k, val := v.Content[i], v.Content[i+1]
		path := "functions." + k.Value
		if err := manifest.CheckName(k.Value); err != nil {
			u.Problems = append(u.Problems, contract.Problem{Code: contract.InvalidName, Path: path, Message: err.Message}.At(AgentFileName, k.Line, k.Column))
			continue
		}
		if val.Kind == yaml.AliasNode {
			val = val.Alias
		}
		if val.Kind != yaml.MappingNode && val.ShortTag() != "!!null" {
			u.agentProblem(val.Line, val.Column, path, "%s is an object such as { description: … }", path)
			continue
		}
		u.Agent.entries = append(u.Agent.entries, Entry{Name: k.Value, Line: k.Line, node: val})
		for j := 0; j+1 < len(val.Content); j += 2 {
			if val.Content[j].Value == "file" {
				if u.Agent.claims == nil {
					u.Agent.claims = map[string]string{}
				}
				u.Agent.claims[k.Value] = val.Content[j+1].Value
			}
		}
	}
}

// readClaimed reads the sources that entries of AGENT.md name with file, and
// gives their names in functions/, which are then no functions of their own.
func (u *Unit) readClaimed(r *os.Root, found map[string]*Files) map[string]bool {
	claimed := map[string]bool{}
	for _, e := range u.Agent.entries {
		file, ok := u.Agent.claims[e.Name]
		if !ok {
			continue
		}
		path := "functions." + e.Name + ".file"
		if _, ok := sourceBase(filepath.Base(file)); !ok || !manifest.InsideFolder(file) {
			u.agentProblem(e.Line, 1, path, "%s names a .js, .mjs or .ts file inside functions/, not %q", path, file)
			continue
		}
		f := &Files{Name: e.Name, Layout: LayoutFile}
		f.readSource(r, functionsDir+"/"+file)
		found[e.Name] = f
		claimed[file] = true
	}
	return claimed
}

// orphanEntries points at entries of AGENT.md that no source belongs to.
func (u *Unit) orphanEntries(found map[string]*Files) {
	for _, e := range u.Agent.entries {
		if found[e.Name] == nil {
			u.agentProblem(e.Line, 1, "functions."+e.Name, "%s has no source: create functions/%s/index.js or functions/%s.js", e.Name, e.Name, e.Name)
		}
	}
}

func (u *Unit) agentProblem(line, column int, path, format string, args ...any) {
	u.Problems = append(u.Problems, contract.Problem{Code: contract.AgentFileInvalid, Path: path,
		Message: fmt.Sprintf(format, args...)}.At(AgentFileName, line, column))
}
