package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"benchtop/backend/worker/conformance"
)

// results says of each test, named folder:Test/subtest, whether it passed.
// Tests that did not run are missing.
type results map[string]bool

func (r results) script(s string) bool {
	return r[scriptsTest.Folder+":"+scriptsTest.Name+"/"+s]
}

func (r results) test(t conformance.Test) bool { return r[t.Folder+":"+t.Name] }

// runTests runs them folder by folder, afresh. That some fail is a result and
// no error; what failed tests print goes to stderr.
func runTests(tests []conformance.Test) (results, error) {
	names, folders := map[string][]string{}, []string{}
	for _, t := range tests {
		if !slices.Contains(folders, t.Folder) {
			folders = append(folders, t.Folder)
		}
		if !slices.Contains(names[t.Folder], t.Name) {
			names[t.Folder] = append(names[t.Folder], t.Name)
		}
	}
	all := results{}
	for _, folder := range folders {
		fmt.Fprintf(os.Stderr, "==> %s: %s\n", folder, strings.Join(names[folder], " "))
		pattern := "^(" + strings.Join(names[folder], "|") + ")$"
		var out bytes.Buffer
		cmd := exec.Command("go", "test", "-json", "-count=1", "-run", pattern, "./"+folder)
		cmd.Stdout, cmd.Stderr = &out, os.Stderr
		ended := cmd.Run()
		ran, err := read(&out, folder, all, os.Stderr)
		if err == nil && ran == 0 {
			err = errors.Join(errors.New("no test ran"), ended)
		}
		if err != nil {
			return nil, fmt.Errorf("go test -run '%s' ./%s: %w", pattern, folder, err)
		}
	}
	return all, nil
}

// read takes what go test -json says about the tests of folder into all, and
// tells how many ended. The output of those that failed goes to told, and what
// belongs to no test (a build that failed) when none ended.
func read(in io.Reader, folder string, all results, told io.Writer) (ran int, err error) {
	output := map[string]string{}
	for d := json.NewDecoder(in); ; {
		var e struct{ Action, Test, Output string }
		if err := d.Decode(&e); err == io.EOF {
			break
		} else if err != nil {
			return ran, fmt.Errorf("output of go test: %w", err)
		}
		switch {
		case e.Output != "":
			output[e.Test] += e.Output
		case e.Test != "" && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip"):
			ran++
			all[folder+":"+e.Test] = e.Action == "pass"
			if e.Action != "pass" {
				_, _ = io.WriteString(told, output[e.Test])
			}
			delete(output, e.Test)
		}
	}
	if ran == 0 {
		_, _ = io.WriteString(told, output[""])
	}
	return ran, nil
}
