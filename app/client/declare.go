package client

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// maxPosted is how many bytes of source fit into a manifest as base64.
const maxPosted = contract.MaxInlineB64Chars / 4 * 3

// Posted writes the body of a declaration or a validation. The manifest goes as
// its author laid it out. A source that is too large to be posted as it is goes
// as a code reference of base64; what cannot be posted at all is a problem.
// name is empty for a validation.
func Posted(name string, manifestText []byte, source string) (json.RawMessage, *contract.Problem) {
	var b bytes.Buffer
	b.WriteByte('{')
	if name != "" {
		b.WriteString(`"name":` + quoted(name) + ",")
	}
	switch {
	case len(source) <= contract.MaxInlineSource:
		b.WriteString(`"source":` + quoted(source) + ",")
	case len(source) <= maxPosted:
		var unfit *contract.Problem
		if manifestText, unfit = withCode(manifestText, source); unfit != nil {
			return nil, unfit
		}
	default:
		return nil, problem(contract.CodeTooLarge, "the source has %d bytes; %d can be sent over the network", len(source), maxPosted)
	}
	b.WriteString(`"manifest":`)
	b.Write(manifestText)
	b.WriteByte('}')
	if !json.Valid(b.Bytes()) {
		return nil, problem(contract.ManifestSyntax, "the manifest is no JSON")
	}
	return b.Bytes(), nil
}

// withCode puts a source into a manifest, behind its last member.
func withCode(text []byte, source string) ([]byte, *contract.Problem) {
	text = bytes.TrimSpace(manifest.Rewrite(text, manifest.RuntimeJS, "code"))
	head, ok := bytes.CutSuffix(text, []byte("}"))
	if !ok {
		return nil, problem(contract.ManifestSyntax, "the manifest is no object")
	}
	return fmt.Appendf(nil, `%s,"code":{"kind":"inlineB64","source":"%s"}}`, head, base64.StdEncoding.EncodeToString([]byte(source))), nil
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil { // a text always has a JSON form
		return `""`
	}
	return string(b)
}

func problem(code contract.Code, format string, args ...any) *contract.Problem {
	return &contract.Problem{Code: code, Message: fmt.Sprintf(format, args...)}
}
