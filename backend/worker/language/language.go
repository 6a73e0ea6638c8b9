// Package language has what ECMAScript has and the engine lacks: missing
// methods of the standard's own objects, regular expressions that are right or
// refused, and Intl. A global comes into being when it is touched; what is
// added to objects that are there already comes with the scripts that mention
// it (compile's list of needs).
package language

import (
	"embed"
	"strconv"
	"strings"

	"benchtop/backend/worker/sandbox"
)

//go:embed js/*.js
var files embed.FS

// Language is the package's part of a worker.
type Language struct{ intl *intl }

// New reads what is compiled in.
func New() (*Language, error) {
	in, err := newIntl()
	if err != nil {
		return nil, err
	}
	return &Language{in}, nil
}

// Scripts are the preludes of this package, by file name.
func (l *Language) Scripts() ([]sandbox.Script, error) {
	entries, err := files.ReadDir("js")
	if err != nil {
		return nil, err
	}
	out := l.intl.scripts()
	for _, e := range entries {
		text, err := files.ReadFile("js/" + e.Name())
		if err != nil {
			return nil, err
		}
		out = append(out, sandbox.Script{Name: strings.TrimSuffix(e.Name(), ".js"), Source: string(text)})
	}
	return out, nil
}

// Ops are the native operations behind them.
func (l *Language) Ops() []sandbox.Op { return append(l.intl.ops(), regexpOps...) }

// Globals are names of ECMAScript that the engine does not have, or not as they
// should be, each with the script that exports it.
func (l *Language) Globals() map[string]string {
	return map[string]string{
		"Iterator": "iterators", "WeakRef": "weakref", "FinalizationRegistry": "weakref", "Intl": "intl",
		"RegExp": "regexp",
	}
}

func writeInt(b *strings.Builder, n int) { b.WriteString(strconv.Itoa(n)) }
