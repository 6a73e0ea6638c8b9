package samples_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
	"benchtop/backend/samples"
	"benchtop/backend/schema"
)

func TestCopy(t *testing.T) {
	if len(samples.List()) == 0 {
		t.Fatal("no samples")
	}
	for _, s := range samples.List() {
		t.Run(s.Name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "deep", s.Name)
			if err := samples.Copy(s.Name, dir); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(dir, "AGENT.md")); err != nil {
				t.Error(err)
			}
			manifests, err := filepath.Glob(filepath.Join(dir, "functions", "*", "manifest.json"))
			if err != nil || len(manifests) == 0 {
				t.Fatalf("%v %v", manifests, err)
			}
			for _, path := range manifests {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				m, errs, warns := manifest.Parse(text, manifest.Options{File: path})
				if len(errs)+len(warns) > 0 {
					t.Errorf("%v %v", errs, warns)
				}
				if _, err := schema.Compile(m.Parameters); err != nil {
					t.Errorf("%s: %v", path, err)
				}
				if s.Name == "hello" && strings.Contains(string(text), "http") {
					t.Errorf("%s asks for the network", path)
				}
			}
			if err := samples.Copy(s.Name, dir); contract.AsError(err) == nil || contract.AsError(err).Code != contract.ProjectExists {
				t.Errorf("a second copy: %v", err)
			}
		})
	}
	if err := samples.Copy("../hello", t.TempDir()); contract.AsError(err) == nil {
		t.Errorf("%v", err)
	}
}
