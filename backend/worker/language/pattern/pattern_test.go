package pattern

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// TestClasses compares what the engine matches with a translated expression
// with what V8 matches with the author's, at the edges of every range.
func TestClasses(t *testing.T) {
	text, err := os.ReadFile("testdata/classes.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][3]string
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	rt := goja.New()
	test, err := rt.RunString(`(source, flags, points) => {
  const re = new RegExp('^' + source + '$', flags);
  return points.map(p => re.test(String.fromCodePoint(p)) ? '1' : '0').join('');
}`)
	if err != nil {
		t.Fatal(err)
	}
	f, _ := goja.AssertFunction(test)
	for _, row := range rows {
		want, err := unpack(row[2])
		if err != nil {
			t.Fatal(err)
		}
		tr, err := Translate(row[0], row[1])
		if err != nil {
			t.Errorf("/%s/%s: %v", row[0], row[1], err)
			continue
		}
		var points []rune
		for _, s := range append(want, span{0, 0}, span{0x10FFFF, 0x10FFFF}) {
			for _, p := range []rune{s.lo - 1, s.lo, s.hi, s.hi + 1} {
				if p >= 0 && p <= 0x10FFFF {
					points = append(points, p)
				}
			}
		}
		v, err := f(goja.Undefined(), rt.ToValue(tr.Source), rt.ToValue(tr.Flags), rt.ToValue(points))
		if err != nil {
			t.Errorf("/%s/%s: %v", row[0], row[1], err)
			continue
		}
		got, bad := v.String(), 0
		for i, p := range points {
			if (got[i] == '1') != want.has(p) {
				if bad++; bad <= 3 {
					t.Errorf("/%s/%s on U+%04X: %c, V8 says %v", row[0], row[1], p, got[i], want.has(p))
				}
			}
		}
	}
}

func TestUnchanged(t *testing.T) {
	for _, s := range []string{"", "a", `\p{L}`, "[a-z]+", `(?:a|b)`, `(?=x)`, `(?<n>a)`, `[^x]`, `\\p{L}`, `[\p]`} {
		if tr, err := Translate(s, "gi"); err != nil || tr.Changed || tr.Source != s {
			t.Errorf("/%s/gi became %+v (%v)", s, tr, err)
		}
	}
}

func TestNames(t *testing.T) {
	got := strings.Join(Names(`(a)(?<x>b(?:c)(?<yy>\(d))[(](?<=z)(?<q>e)`), " ")
	if got != "x 2 yy 3 q 4" {
		t.Error(got)
	}
}

func FuzzTranslate(f *testing.F) {
	for _, s := range []string{`\p{L}`, `[^\P{Lu}a-c]`, `[[a-z]--[\q{ab|c}]]`, `(?<n>\p{sc=Greek})\k<n>`, `[\u{1F600}-\ud83d\ude4f]`, `\`, `[\`, `[a-`, `\p{`, `[\q{`} {
		for _, flags := range []string{"u", "iv", "d", ""} {
			f.Add(s, flags)
		}
	}
	f.Fuzz(func(t *testing.T, source, flags string) {
		if len(source) > 100 {
			return
		}
		tr, err := Translate(source, flags)
		if err == nil && strings.ContainsAny(tr.Flags, "vd") {
			t.Fatalf("/%s/%s keeps its flags: %+v", source, flags, tr)
		}
	})
}
