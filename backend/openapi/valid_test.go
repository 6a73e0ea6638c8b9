package openapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

var update = flag.Bool("update", false, "write testdata/document.json again")

// valid holds a document to a validator that is not ours.
func valid(t *testing.T, doc []byte) error {
	t.Helper()
	parsed, err := openapi3.NewLoader().LoadFromData(doc)
	if err != nil {
		return err
	}
	return parsed.Validate(t.Context())
}

func TestDocumentIsValid(t *testing.T) {
	in := input(t)
	doc := document(t, in)
	if err := valid(t, doc); err != nil {
		t.Error(err)
	}
	in.Functions, in.Agent.Description = nil, "An agent without anything"
	if err := valid(t, document(t, in)); err != nil {
		t.Errorf("without functions: %v", err)
	}
	// The validator does look.
	for old, broken := range map[string]string{
		`"title":"Mia"`:                      `"name":"Mia"`,
		`"in":"path"`:                        `"in":"somewhere"`,
		`#/components/schemas/InvokeResult"`: `#/components/schemas/Nothing"`,
	} {
		if bad := strings.ReplaceAll(string(doc), old, broken); bad == string(doc) || valid(t, []byte(bad)) == nil {
			t.Errorf("%s in place of %s is accepted", broken, old)
		}
	}
}

// The page's tests hold the same document to a second validator; it reads it
// from here.
func TestDocumentOfTheSecondValidator(t *testing.T) {
	const file = "testdata/document.json"
	var indented bytes.Buffer
	if err := json.Indent(&indented, document(t, input(t)), "", " "); err != nil {
		t.Fatal(err)
	}
	indented.WriteByte('\n')
	if *update {
		if err := os.WriteFile(file, indented.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(kept, indented.Bytes()) {
		t.Errorf("%s is not the document of today: go test ./backend/openapi -update (%v)", file, err)
	}
}
