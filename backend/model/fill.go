package model

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

// fill puts what a rule has found into its texts.
type fill struct {
	agent   agents.Agent
	said    string
	groups  []string
	results []string // of the tools called since, as JSON
}

var (
	placeholder = regexp.MustCompile(`\{\{\s*([A-Za-z0-9_.-]+)\s*\}\}`)
	number      = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?$`)
)

// maxFilled bounds what a text becomes; a script comes with a project.
const maxFilled = 1 << 20

func (f fill) text(s string) string {
	room := maxFilled
	return placeholder.ReplaceAllStringFunc(s, func(p string) string {
		v, ok := f.lookup(placeholder.FindStringSubmatch(p)[1])
		if !ok {
			return p
		}
		text := plainResult(string(v))
		if room -= len(text); room < 0 {
			return ""
		}
		return text
	})
}

// value fills in a value of YAML: texts, and those in lists and maps.
func (f fill) value(v any) any {
	switch v := v.(type) {
	case string:
		m := placeholder.FindStringSubmatch(v)
		if m == nil || m[0] != strings.TrimSpace(v) {
			return f.text(v)
		}
		found, ok := f.lookup(m[1])
		if !ok {
			return v
		}
		if text := plainResult(string(found)); number.MatchString(text) {
			return json.Number(text)
		}
		return found
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = f.value(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = f.value(v[k])
		}
		return out
	}
	return v
}

// lookup gives what a placeholder stands for, as JSON.
func (f fill) lookup(name string) (contract.RawJSON, bool) {
	if n, err := strconv.Atoi(name); err == nil {
		if n < 0 || n >= len(f.groups) {
			return nil, false
		}
		return textJSON(f.groups[n]), true
	}
	head, path, deeper := strings.Cut(name, ".")
	switch head {
	case "text":
		return textJSON(f.said), !deeper
	case "agent":
		return textJSON(f.agent.Name), !deeper
	case "result":
		if len(f.results) == 0 {
			return nil, false
		}
		at := contract.RawJSON(f.results[len(f.results)-1])
		if !json.Valid(at) {
			at = textJSON(string(at))
		}
		return dig(at, path)
	}
	return nil, false
}

// dig follows names of members and indices of elements into a value.
func dig(at contract.RawJSON, path string) (contract.RawJSON, bool) {
	for path != "" {
		var step string
		step, path, _ = strings.Cut(path, ".")
		switch at = bytes.TrimSpace(at); {
		case len(at) > 0 && at[0] == '{':
			var members map[string]contract.RawJSON
			if json.Unmarshal(at, &members) != nil {
				return nil, false
			}
			found, ok := members[step]
			if !ok {
				return nil, false
			}
			at = found
		case len(at) > 0 && at[0] == '[':
			var elements []contract.RawJSON
			i, err := strconv.Atoi(step)
			if err != nil || json.Unmarshal(at, &elements) != nil || i < 0 || i >= len(elements) {
				return nil, false
			}
			at = elements[i]
		default:
			return nil, false
		}
	}
	return at, true
}
