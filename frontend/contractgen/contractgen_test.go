package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

func TestCommittedFileIsCurrent(t *testing.T) {
	want, err := Generate(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, output))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what backend/contract says: run go run ./frontend/contractgen", output)
	}
	if got, err := os.ReadFile(filepath.Join(root, reference)); err != nil || string(got) != writeReference() {
		t.Errorf("%s is not what backend/contract says: run go run ./frontend/contractgen (%v)", reference, err)
	}
}

// TestTranslation looks at one sample of each rule in the generated text.
func TestTranslation(t *testing.T) {
	text, err := Generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for rule, want := range map[string]string{
		"renamed struct":         "export interface PlatformStatus {",
		"embedded struct":        "export interface InvocationDetail extends InvocationRow {",
		"optional by omitempty":  "  folder?: string;\n",
		"optional pointer":       "  errorAt?: SourcePos;\n",
		"nullable pointer":       "  nextCursor: string | null;\n",
		"raw JSON":               "  permissions: RawJSON;\n",
		"named slice":            "export type Audience = string[];\n",
		"time":                   "  updatedAt: string;\n",
		"slice of structs":       "  problems: Problem[];\n",
		"union of codes":         "  | 'WALL_TIMEOUT'\n",
		"status of a code":       "  FN_NOT_FOUND: { status: 404,",
		"event payload":          "  'invocation.log': InvocationLog;\n",
		"limit":                  "  MaxWallMs: 30000,\n",
		"duration in ms":         "  InvocationTokenLifetime: 60000,\n",
		"narrowed field":         "  status: RunStatus;\n",
		"host call with options": "put(key: string, value: unknown, opts?: { ttlSeconds?: number; ttlMs?: number }): Promise<void>;",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s: %q is missing", rule, want)
		}
	}
	for _, internal := range []string{"interface ErrorRow", "interface HostCall ", "interface Error "} {
		if strings.Contains(text, internal) {
			t.Errorf("%q never crosses the wire and should not be there", internal)
		}
	}
}
