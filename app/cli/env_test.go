package cli

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseEnv(t *testing.T) {
	for text, want := range map[string][]envPair{
		"":                                {},
		"# only\n\n":                      {},
		"A=1\r\nB = two \r\n":             {{"A", "1"}, {"B", "two"}},
		"export A=1":                      {{"A", "1"}},
		"A=x#y\nB=x #y":                   {{"A", "x#y"}, {"B", "x"}},
		`A="a\nb\"\\n" # c`:               {{"A", "a\nb\"\\n"}},
		`A='a\n"b'`:                       {{"A", `a\n"b`}},
		"A=\"one\n two\"\nB=3":            {{"A", "one\n two"}, {"B", "3"}},
		"A=\nB=''\nC=\"\"":                {},
		"\ufeffA=1":                       {{"A", "1"}},
		"A=b=c==":                         {{"A", "b=c=="}},
		"a.b-c_1=x":                       {{"a.b-c_1", "x"}},
		"KEY=-----BEGIN-----\nX=MII+/a==": {{"KEY", "-----BEGIN-----"}, {"X", "MII+/a=="}},
	} {
		got, err := parseEnv("f", []byte(text))
		if err != nil || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"secretword", "1A=secretword", "=secretword", "A B=secretword", "A='secretword", "A=\"secretword", "A='x' secretword"} {
		_, err := parseEnv("f", []byte(text))
		if err == nil || strings.Contains(err.Error(), "secretword") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParseEnv(f *testing.F) {
	for _, seed := range []string{"A=1\nB='x'\n", "export A=\"a\\nb\" # c", "A=\"\\", "A='\n\n'", "#\xff\nA=\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		pairs, err := parseEnv("f", []byte(text))
		for _, p := range pairs {
			if !envName(p.name) || p.value == "" {
				t.Errorf("%q gives %q=%q", text, p.name, p.value)
			}
		}
		if err != nil && pairs != nil && !strings.HasPrefix(err.Error(), "bufio.") {
			t.Errorf("%q gives pairs and %v", text, err)
		}
	})
}

func TestArgumentsOf(t *testing.T) {
	got, err := argumentsOf([]string{"a=1", "b:=1", "c=x=y", "d:={\"e\":[null]}", "f="})
	if err != nil || got["a"] != "1" || got["c"] != "x=y" || got["f"] != "" {
		t.Errorf("%v %v", got, err)
	}
	for _, bad := range []string{"", "a", "=", ":=1", "a:=", "a:=x"} {
		if _, err := argumentsOf([]string{bad}); err == nil {
			t.Errorf("%q is an argument", bad)
		}
	}
}
