package recorded

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"
)

// Result is how a test went. Error is set when it could not be run at all.
type Result struct {
	Function    string        `json:"function"`
	Name        string        `json:"name"`
	OK          bool          `json:"ok"`
	Accepted    bool          `json:"accepted,omitempty"`
	Error       string        `json:"error,omitempty"`
	Differences []Difference  `json:"differences,omitempty"`
	Took        time.Duration `json:"-"`
}

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Time     string `xml:"time,attr"`
	Cases    []kase `xml:"testcase"`

	took time.Duration
}

type kase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Time    string   `xml:"time,attr"`
	Failure *failure `xml:"failure,omitempty"`
	Error   *failure `xml:"error,omitempty"`
}

type failure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit is the report that continuous integration reads: a suite for each
// function.
func JUnit(results []Result) ([]byte, error) {
	all := suites{Tests: len(results)}
	at := map[string]int{}
	for _, r := range results {
		i, ok := at[r.Function]
		if !ok {
			i = len(all.Suites)
			at[r.Function] = i
			all.Suites = append(all.Suites, suite{Name: r.Function})
		}
		s := &all.Suites[i]
		s.Tests++
		s.took += r.Took
		k := kase{Class: r.Function, Name: r.Name, Time: seconds(r.Took)}
		switch {
		case r.Error != "":
			k.Error = &failure{Message: "it could not be run", Text: r.Error}
			s.Errors++
		case !r.OK:
			var lines []string
			for _, d := range r.Differences {
				lines = append(lines, d.String())
			}
			k.Failure = &failure{Message: fmt.Sprintf("%d differences", len(lines)), Text: strings.Join(lines, "\n")}
			s.Failures++
			all.Failures++
		}
		s.Cases = append(s.Cases, k)
	}
	for i := range all.Suites {
		all.Suites[i].Time = seconds(all.Suites[i].took)
	}
	b, err := xml.MarshalIndent(all, "", "  ")
	return append([]byte(xml.Header), append(b, '\n')...), err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
