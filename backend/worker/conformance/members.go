package conformance

import (
	"fmt"
	"os"
	"strings"
)

// Row is one thing that a function may rely on: a line of testdata/members.txt.
type Row struct {
	Section string // such as "2.5 ctx", by the spec's number
	Name    string
	Proofs  []string // as they are written: a script, a script*, folder:TestName
}

// Proof is what a Row's Proofs come to.
type Proof struct {
	Scripts []string // in order of name, none twice
	Tests   []Test
}

// Test is a Go test that proves what a script cannot.
type Test struct {
	Folder string // from the top of the repository, such as backend/platform
	Name   string
}

// Members reads the rows of a file, each with at least one proof.
func Members(file string) ([]Row, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var rows []Row
	section, known := "", map[string]bool{}
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if title, ok := strings.CutPrefix(line, "== "); ok {
			section = title
			continue
		}
		name, proofs, _ := strings.Cut(line, "|")
		row := Row{Section: section, Name: strings.TrimSpace(name), Proofs: strings.Fields(proofs)}
		key := section + "|" + row.Name
		switch {
		case section == "":
			err = fmt.Errorf("%q stands before the first section", row.Name)
		case row.Name == "" || len(row.Proofs) == 0:
			err = fmt.Errorf("%q has no proof: write a script and name it after a bar", row.Name)
		case known[key]:
			err = fmt.Errorf("%q is there twice", row.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		known[key] = true
		rows = append(rows, row)
	}
	return rows, nil
}

// Resolve finds what the proofs of r name among the scripts. A name that no
// script has is an error; whether a Go test exists is for its runner to say.
func (r Row) Resolve(scripts []Script) (Proof, error) {
	var p Proof
	named := map[string]bool{}
	for _, proof := range r.Proofs {
		if folder, test, ok := strings.Cut(proof, ":"); ok {
			p.Tests = append(p.Tests, Test{Folder: folder, Name: test})
			continue
		}
		start, many := strings.CutSuffix(proof, "*")
		found := false
		for _, s := range scripts {
			if s.Name == start || many && strings.HasPrefix(s.Name, start) {
				found, named[s.Name] = true, true
			}
		}
		if !found {
			return p, fmt.Errorf("%s, %s: no script is called %s", r.Section, r.Name, proof)
		}
	}
	for _, s := range scripts {
		if named[s.Name] {
			p.Scripts = append(p.Scripts, s.Name)
		}
	}
	return p, nil
}

// Area is the group of a script in a table: its name up to the first hyphen.
func (s Script) Area() string {
	area, _, _ := strings.Cut(s.Name, "-")
	return area
}
