package manifest

import (
	"bytes"
	"encoding/json"

	"go.yaml.in/yaml/v3"

	"benchtop/backend/contract"
)

// ParseYAML is Parse for a manifest that stands in a larger YAML file, such as
// an entry of functions in AGENT.md. Places are the node's own.
func ParseYAML(y *yaml.Node, opts Options) (m Manifest, errors, warnings []contract.Problem) {
	c := &checker{opts: opts}
	root, doubles, serr := convertYAML(y)
	if serr != nil {
		c.err(contract.ManifestSyntax, serr.place, "", "%s", serr.msg)
		return m, c.errors, nil
	}
	if root.kind == kindNull { // "quote:" with nothing behind it
		root.kind = kindObject
	}
	c.doubles(doubles)
	m = c.manifest(root)
	return m, c.errors, c.warnings
}

// Differences warns about every key of a YAML entry that says something else
// than m, which is what counts. base is the path of the entry.
func Differences(y *yaml.Node, m Manifest, base string, opts Options) []contract.Problem {
	root, _, serr := convertYAML(y)
	if serr != nil || root.kind != kindObject {
		return nil
	}
	quiet := &checker{opts: Options{DefaultRuntime: m.Runtime}}
	entry := asMap(quiet.manifest(root))
	truth := asMap(m)
	c := &checker{opts: opts}
	for _, mem := range root.members {
		switch mem.key {
		case "contentId", "file", "name", "code", "bundleSha256", "secrets":
			continue
		}
		if len(quiet.errors) == 0 && bytes.Equal(entry[mem.key], truth[mem.key]) {
			continue
		}
		c.warn(contract.ManifestDiffers, mem.place, join(base, mem.key),
			"AGENT.md and the function's own manifest differ in %s; the manifest counts", quoted(mem.key))
	}
	return c.warnings
}

func asMap(m Manifest) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	b, err := json.Marshal(m)
	if err != nil || json.Unmarshal(b, &out) != nil {
		return nil
	}
	return out
}

func convertYAML(y *yaml.Node) (root *node, doubles []member, err *syntaxError) {
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(*syntaxError)
			if !ok {
				panic(p)
			}
			root, err = nil, e
		}
	}()
	r := &yamlReader{}
	return r.convert(y, 0), r.doubles, nil
}
