package deploy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/project"
)

// Write makes a project folder of an agent and its unit. The folder appears when
// all of it is written; dir is not there yet, or is empty.
func Write(dir string, a contract.Agent, u *Unit) (err error) {
	text, err := agentFile(a, u.Entries)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(part))
		}
	}()
	files := map[string]string{project.AgentFileName: text}
	for _, f := range u.Functions {
		if f.Header {
			files[project.SingleFilePath(f.Name)] = f.Source
			continue
		}
		files[project.SourcePath(f.Name)] = f.Source
		files[project.ManifestPath(f.Name)] = string(f.Manifest)
	}
	for name, text := range files {
		path := filepath.Join(part, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := os.Chmod(part, 0o755); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s is there already and is not empty; choose another folder", dir)
	}
	return os.Rename(part, dir)
}

// agentFile writes AGENT.md.
func agentFile(a contract.Agent, entries []Entry) (string, error) {
	doc := &yaml.Node{Kind: yaml.MappingNode}
	put := func(key string, value *yaml.Node) {
		doc.Content = append(doc.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
	}
	putJSON := func(key string, value any) error {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		n, err := yamlOf(text)
		if err == nil {
			put(key, n)
		}
		return err
	}
	name := a.Name
	if agents.Slug(name) != a.Username {
		name = a.Username // the name must lead to the username
	}
	if err := putJSON("name", name); err != nil {
		return "", err
	}
	if a.Description != "" {
		if err := putJSON("description", a.Description); err != nil {
			return "", err
		}
	}
	if a.Model != "" {
		var model any = a.Model
		if strings.HasPrefix(strings.TrimSpace(a.Model), "{") && json.Valid([]byte(a.Model)) {
			model = json.RawMessage(a.Model)
		}
		if err := putJSON("model", model); err != nil {
			return "", err
		}
	}
	if err := settings(a.Settings, putJSON); err != nil {
		return "", err
	}
	if skills, err := skillsOf(entries); err != nil {
		return "", err
	} else if len(skills.Content) > 0 {
		put("skills", skills)
	}
	var out bytes.Buffer
	out.WriteString("---\n")
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(doc), enc.Close()); err != nil {
		return "", err
	}
	out.WriteString("---\n")
	if text := strings.TrimSpace(a.Instructions); text != "" {
		out.WriteString(text + "\n")
	}
	return out.String(), nil
}

// settings writes those that are not the default.
func settings(s contract.AgentSettings, put func(key string, value any) error) error {
	d := agents.DefaultSettings()
	var errs []error
	if s.Visibility != "" && s.Visibility != d.Visibility {
		errs = append(errs, put("visibility", s.Visibility))
	}
	if len(s.Transports) > 0 {
		errs = append(errs, put("transports", s.Transports))
	}
	if s.CommissionPercent != "" {
		errs = append(errs, put("commission_percent", json.RawMessage(s.CommissionPercent)))
	}
	if len(s.ToolPricing) > 0 {
		errs = append(errs, put("toolPricing", map[string]any{"tools": s.ToolPricing}))
	}
	return errors.Join(errs...)
}

// skillsOf is the skills of AGENT.md.
func skillsOf(entries []Entry) (*yaml.Node, error) {
	skills := &yaml.Node{Kind: yaml.MappingNode}
	for _, s := range contract.SkillLists {
		list := &yaml.Node{Kind: yaml.SequenceNode}
		for _, e := range entries {
			if e.Skill != s.Skill {
				continue
			}
			n, err := yamlOf(e.JSON)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.Name(), err)
			}
			list.Content = append(list.Content, n)
		}
		if len(list.Content) == 0 {
			continue
		}
		skills.Content = append(skills.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: s.Skill},
			&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: s.Key}, list}})
	}
	return skills, nil
}
