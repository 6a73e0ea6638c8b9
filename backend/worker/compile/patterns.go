package compile

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/dop251/goja/ast"
	position "github.com/dop251/goja/file"

	"benchtop/backend/worker/language/pattern"
)

// Pattern is a regular expression: what stands between the slashes, and the
// flags.
type Pattern struct{ Source, Flags string }

// worthALook is what a script has when one of its literals may need a
// translation; the others are spared the walk through their tree.
var worthALook = regexp.MustCompile(`\\[pPwW]|\(\?[-ims<]|\[\^?\]|/[dgimsuy]*v`)

// badPattern is a literal that cannot be translated.
type badPattern struct {
	at  position.Position
	err error
}

func (b *badPattern) Error() string { return b.err.Error() }

// translate replaces the literals of a tree that the engine would read wrongly.
// It gives the author's own text of each replaced one, which source and flags
// still have to say.
func translate(tree *ast.Program, code string) (map[Pattern]Pattern, error) {
	if !worthALook.MatchString(code) {
		return nil, nil
	}
	w := walker{tree: tree, replaced: map[Pattern]Pattern{}}
	w.walk(reflect.ValueOf(tree.Body))
	if w.err != nil {
		return nil, w.err
	}
	return w.replaced, nil
}

type walker struct {
	tree     *ast.Program
	replaced map[Pattern]Pattern
	err      error
}

// walk goes through a tree whose shapes belong to the engine; there is no
// visitor for it. Scopes and declaration lists point back into the tree and
// are left out.
func (w *walker) walk(v reflect.Value) {
	if w.err != nil {
		return
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if literal, ok := v.Interface().(*ast.RegExpLiteral); ok {
			w.literal(literal)
			return
		}
		if _, positions := v.Interface().(*position.File); !positions {
			w.walk(v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			for i := range v.Len() {
				w.walk(v.Index(i))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; v.Type().Field(i).IsExported() && name != "DeclarationList" {
				w.walk(v.Field(i))
			}
		}
	}
}

func (w *walker) literal(l *ast.RegExpLiteral) {
	author := Pattern{l.Pattern, l.Flags}
	t, err := pattern.Translate(l.Pattern, l.Flags)
	if err != nil {
		w.err = &badPattern{w.tree.File.Position(int(l.Idx) - 1), err}
		return
	}
	if !t.Changed {
		return
	}
	// Two literals may mean the same and be written differently.
	now := Pattern{t.Source, t.Flags}
	for n := 1; ; n++ {
		if was, taken := w.replaced[now]; !taken || was == author {
			break
		}
		now.Source = t.Source + strings.Repeat("(?:)", n)
	}
	w.replaced[now] = author
	l.Pattern, l.Flags = now.Source, now.Flags
	l.Literal = "/" + strconv.Itoa(len(w.replaced)) + "/"
}
