package history

import "testing"

func TestChoice(t *testing.T) {
	for _, tt := range []struct {
		any, none []string
		value     string
		want      bool
	}{
		{nil, nil, "greet", true},
		{[]string{"greet"}, nil, "greet", true},
		{[]string{"greet"}, nil, "greeting", false},
		{[]string{"x", "gr*"}, nil, "greet", true},
		{[]string{"*eet"}, nil, "greet", true},
		{[]string{"g*e*t"}, nil, "greet", true},
		{[]string{"g*x*t"}, nil, "greet", false},
		{[]string{"gre*eet"}, nil, "greet", false}, // the parts must not overlap
		{[]string{"*"}, nil, "", true},
		{nil, []string{"*"}, "", false},
		{nil, []string{"gr*"}, "greet", false},
		{[]string{"gr*"}, []string{"greet"}, "grow", true},
		{[]string{"a**b"}, nil, "ab", true},
		{[]string{""}, nil, "", true},
		{[]string{""}, nil, "x", false},
	} {
		if got := (Choice{tt.any, tt.none}).Has(tt.value); got != tt.want {
			t.Errorf("any %q none %q: %q is %v", tt.any, tt.none, tt.value, got)
		}
	}
}
