package recorded

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Difference is one place where a run is not as it was recorded. Want and Got
// are JSON, empty for what is not there.
type Difference struct {
	Path string `json:"path"`
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
}

func (d Difference) String() string {
	show := func(text string) string {
		if text == "" {
			return "nothing"
		}
		return text
	}
	return fmt.Sprintf("%s: want %s, got %s", d.Path, show(d.Want), show(d.Got))
}

// Compare says where a run is not as it was recorded, masks left out.
func (t *Test) Compare(got Outcome) []Difference {
	c := comparison{masks: t.Masks}
	c.value(nil, tree(t.Expect), tree(got))
	return c.found
}

type comparison struct {
	masks []string
	found []Difference
}

// absent stands for what is not there.
type absent struct{}

func tree(v any) any {
	b, err := json.Marshal(v)
	if err != nil { // an outcome was JSON before
		return absent{}
	}
	var out any
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	if dec.Decode(&out) != nil {
		return absent{}
	}
	return out
}

func (c *comparison) value(path []string, want, got any) {
	if len(path) > 0 && slices.ContainsFunc(c.masks, func(m string) bool { return covers(m, path) }) {
		return
	}
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			c.object(path, w, g)
			return
		}
	case []any:
		if g, ok := got.([]any); ok {
			for i := range max(len(w), len(g)) {
				c.value(append(slices.Clip(path), strconv.Itoa(i)), item(w, i), item(g, i))
			}
			return
		}
	}
	if a, b := text(want), text(got); a != b {
		c.found = append(c.found, Difference{strings.Join(path, "."), a, b})
	}
}

func (c *comparison) object(path []string, want, got map[string]any) {
	var keys []string
	for _, m := range []map[string]any{want, got} {
		for k := range m {
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	slices.Sort(keys)
	of := func(m map[string]any, k string) any {
		if v, ok := m[k]; ok {
			return v
		}
		return absent{}
	}
	for _, k := range keys {
		c.value(append(slices.Clip(path), k), of(want, k), of(got, k))
	}
}

func item(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return absent{}
}

func text(v any) string {
	if _, ok := v.(absent); ok {
		return ""
	}
	b, err := json.Marshal(v)
	if err != nil { // it was JSON before
		return ""
	}
	return string(b)
}

// covers reports whether a mask names the path or what is around it. A * is any
// one step.
func covers(mask string, path []string) bool {
	steps := strings.Split(mask, ".")
	if len(steps) > len(path) {
		return false
	}
	for i, s := range steps {
		if s != "*" && s != path[i] {
			return false
		}
	}
	return true
}
