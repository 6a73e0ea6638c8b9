package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"benchtop/backend/worker/conformance"
)

// member is a Row and what proves it.
type member struct {
	conformance.Row
	conformance.Proof
}

// report prints both tables and the closing line, and says whether anything
// failed. A script or a test that did not run has failed.
func report(out io.Writer, scripts []conformance.Script, members []member, r results) (failed bool) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	broken := 0
	section := ""
	for _, m := range members {
		if m.Section != section {
			section = m.Section
			_, _ = fmt.Fprintf(w, "\nSPEC %s\tSCRIPTS\tRESULT\n", section)
		}
		wrong := m.failures(r)
		if len(wrong) > 0 {
			broken++
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", m.Name, m.proofs(), verdict(wrong))
	}
	_, _ = fmt.Fprint(w, "\nAREA\tSCRIPTS\tPASSED\tFAILED\n")
	passed := 0
	for i := 0; i < len(scripts); {
		area, first, ok := scripts[i].Area(), i, 0
		for ; i < len(scripts) && scripts[i].Area() == area; i++ {
			if r.script(scripts[i].Name) {
				ok++
			}
		}
		passed += ok
		_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", area, i-first, ok, i-first-ok)
	}
	_, _ = fmt.Fprintf(w, "total\t%d\t%d\t%d\n", len(scripts), passed, len(scripts)-passed)
	_ = w.Flush()
	_, _ = fmt.Fprintf(out, "\n%d rows proved, %d not\n", len(members)-broken, broken)
	_, _ = fmt.Fprintf(out, "%d passed, %d failed\n", passed, len(scripts)-passed)
	return broken > 0 || passed < len(scripts)
}

// failures names what does not prove m.
func (m member) failures(r results) []string {
	var wrong []string
	for _, s := range m.Scripts {
		if !r.script(s) {
			wrong = append(wrong, s)
		}
	}
	for _, t := range m.Tests {
		if !r.test(t) {
			wrong = append(wrong, t.Name)
		}
	}
	return wrong
}

// proofs is what a table has room for: names as the file gives them, a few of
// them, and how many there are.
func (m member) proofs() string {
	const room = 3
	shown := slices.Clone(m.Row.Proofs)
	if len(shown) > room {
		shown = append(shown[:room], "…")
	}
	text := strings.Join(shown, " ")
	if n := len(m.Scripts) + len(m.Tests); n > 1 {
		text += fmt.Sprintf(" (%d)", n)
	}
	return text
}

func verdict(wrong []string) string {
	if len(wrong) == 0 {
		return "pass"
	}
	return "FAIL: " + strings.Join(wrong, " ")
}
