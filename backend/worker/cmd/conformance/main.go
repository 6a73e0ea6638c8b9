// Command conformance runs every script of testdata/conformance through the
// real executor, by the test that does so, and prints two tables: by area, and
// member by member of what a function may rely on (testdata/members.txt). It
// ends with 1 when something failed or did not run. Started at the top of the
// repository, it needs the go command and nothing else.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"benchtop/backend/worker/conformance"
)

const testdata = "backend/worker/testdata"

// scriptsTest is the test that has one subtest for each script.
var scriptsTest = conformance.Test{Folder: "backend/executor", Name: "TestConformance"}

func main() {
	failed, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		failed = true
	}
	if failed {
		os.Exit(1)
	}
}

func run() (failed bool, err error) {
	scripts, err := conformance.Load(filepath.Join(testdata, "conformance"))
	if err != nil {
		return true, err
	}
	rows, err := conformance.Members(filepath.Join(testdata, "members.txt"))
	if err != nil {
		return true, err
	}
	members := make([]member, len(rows))
	tests := []conformance.Test{scriptsTest}
	for i, r := range rows {
		members[i].Row = r
		if members[i].Proof, err = r.Resolve(scripts); err != nil {
			return true, err
		}
		tests = append(tests, members[i].Tests...)
	}
	results, err := runTests(tests)
	if err != nil {
		return true, err
	}
	return report(os.Stdout, scripts, members, results), nil
}
