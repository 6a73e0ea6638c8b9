package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// endpointsDir holds the modules of custom endpoints.
const endpointsDir = "endpoints"

// Module is a file that entries under endpoints name. Manifest is the JSON file
// beside it, nil without one; Err says why there is no Source.
type Module struct {
	Source   *File
	Manifest *File
	Err      error
}

// readEndpoints collects the entries under endpoints in AGENT.md.
func (u *Unit) readEndpoints(v *yaml.Node) {
	v = follow(v)
	if null(v) {
		return
	}
	if v.Kind != yaml.SequenceNode {
		u.agentProblem(v.Line, v.Column, endpointsDir, "endpoints is a list: each entry begins with -")
		return
	}
	conv := &jsonOf{}
	for n, e := range v.Content {
		e = follow(e)
		at := fmt.Sprintf("%s[%d]", endpointsDir, n)
		text, err := conv.json(e)
		if err != nil {
			u.agentProblem(e.Line, e.Column, at, "%s is not read: %s", at, err.Error())
			continue
		}
		u.Agent.Endpoints = append(u.Agent.Endpoints, SkillEntry{Path: at, JSON: text, node: e})
	}
}

// readModules reads the files that the entries name, and no other.
func (u *Unit) readModules(r *os.Root) {
	for _, e := range u.Agent.Endpoints {
		i := findKey(e.node, "handler")
		if e.node.Kind != yaml.MappingNode || i < 0 {
			continue
		}
		name, _, _ := strings.Cut(follow(e.node.Content[i+1]).Value, "#")
		if _, known := u.Modules[name]; known || !manifest.InsideFolder(name) || !strings.HasPrefix(path.Clean(name), endpointsDir+"/") {
			continue
		}
		if u.Modules == nil {
			u.Modules = map[string]Module{}
		}
		u.Modules[name] = readModule(r, name)
	}
}

func readModule(r *os.Root, name string) Module {
	var m Module
	m.Source, m.Err = readFile(r, name, contract.MaxStoredSource)
	if m.Err != nil {
		if e := contract.AsError(m.Err); e == nil {
			m.Err = fmt.Errorf("%s is not read: %s", name, plain(m.Err))
		}
		return m
	}
	beside := strings.TrimSuffix(name, path.Ext(name)) + ".json"
	text, err := readFile(r, beside, manifest.MaxManifestBytes)
	switch {
	case err == nil:
		m.Manifest = text
	case !errors.Is(err, fs.ErrNotExist):
		m.Err = fmt.Errorf("%s is not read: %s", beside, plain(err))
	}
	return m
}

// ReadModule reads a file of endpoints that is not named now.
func (u *Unit) ReadModule(name string) Module {
	r, err := os.OpenRoot(u.Root)
	if err != nil {
		return Module{Err: errors.New(plain(err))}
	}
	defer r.Close()
	return readModule(r, name)
}
