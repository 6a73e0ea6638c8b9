package contract

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestParseAmount(t *testing.T) {
	for text, want := range map[string]Amount{
		"0": 0, "1": Credit, "0.005": Credit / 200, "0.000000001": 1, "-0.5": -Credit / 2, "007": 7 * Credit,
		"1e-9": 1, "1E3": 1000 * Credit, "5e-05": 50_000, "1.50e+1": 15 * Credit, "0.1000000000000": Credit / 10,
		"9223372036.854775807": math.MaxInt64, "0e999": 0, "0.000e-99": 0, "10000000000000000000e-19": Credit,
	} {
		if got, err := ParseAmount(text); got != want || err != nil {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", ".", "-", ".5", "5.", "1,5", "+1", "1e", "e1", "1e+-1", "1e--1", "0x10", "NaN", "Infinity", " 1", "1 ", "1_000", "١", "1e1001",
		"0.0000000001", "1.0000000005", "1e-10", "9223372036.854775808", "10000000000", "1e10", "99999999999999999999", "1e1000",
		"0.00000000000000000000000000000000000000000000000000000000000000001",
	} {
		if got, err := ParseAmount(text); err == nil {
			t.Errorf("%q is %d, want an error", text, got)
		}
	}
}

func TestAmountAsJSON(t *testing.T) {
	for text, want := range map[string]Amount{
		"0.30000000000000004": 300_000_000, // 0.1 + 0.2
		"0.0000000005":        1, "0.00000000049999": 0, "-1.0000000005": -1_000_000_001, "1e-30": 0,
		`"0.25"`: Credit / 4, "null": 7,
	} {
		got := Amount(7)
		if err := json.Unmarshal([]byte(text), &got); got != want || err != nil {
			t.Errorf("%s is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{`"0.0000000001"`, `"much"`, `""`, "true", "[]", `{}`, "1e30"} {
		got := Amount(7)
		if err := json.Unmarshal([]byte(text), &got); err == nil {
			t.Errorf("%s is %d, want an error", text, got)
		}
	}
	b, err := json.Marshal(map[string]Amount{"a": 5, "b": -Credit / 2, "c": math.MinInt64})
	if want := `{"a":0.000000005,"b":-0.5,"c":-9223372036.854775808}`; string(b) != want || err != nil {
		t.Errorf("%s, %v; want %s", b, err, want)
	}
}

func TestAmountGoesThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Amount(rapid.Int64Min(math.MinInt64+1).Draw(t, "amount"))
		if back, err := ParseAmount(a.String()); back != a || err != nil {
			t.Fatalf("%d is %s is %d, %v", a, a, back, err)
		}
		if a < 0 {
			a = -a
		}
		whole := Amount(rapid.Int64Range(1, math.MaxInt64).Draw(t, "whole"))
		part := Amount(rapid.Int64Range(0, int64(whole)).Draw(t, "part"))
		want := new(big.Int).Mul(big.NewInt(int64(a)), big.NewInt(int64(part)))
		want.Div(want, big.NewInt(int64(whole)))
		if got := a.Part(part, whole); int64(got) != want.Int64() {
			t.Fatalf("%d of %d/%d is %d, want %v", a, part, whole, got, want)
		}
	})
}

// FuzzParseAmount holds the reader to fractions of any size: an amount is exact
// or refused, and what JSON rounds is within half a nanocredit.
func FuzzParseAmount(f *testing.F) {
	for _, s := range []string{"0", "1", "-1.5", "0.005", "1e-9", "5E+05", "0.30000000000000004", "9223372036.854775807", "1e999", ".", "1e-1000", "00.10"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, exact, err := parseAmount(text)
		if err != nil {
			if _, err := ParseAmount(text); err == nil {
				t.Fatalf("%q is refused and read", text)
			}
			return
		}
		want, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%q is read as %s and is no number", text, got)
		}
		diff := want.Sub(want, got.Rat())
		if (diff.Sign() == 0) != exact {
			t.Fatalf("%q is %s, exact %v, off by %s", text, got, exact, diff)
		}
		if diff.Abs(diff).Cmp(big.NewRat(1, 2*int64(Credit))) > 0 {
			t.Fatalf("%q is %s, off by %s", text, got, diff)
		}
		if parsed, err := ParseAmount(text); exact != (err == nil) || exact && parsed != got {
			t.Fatalf("%q: exact %v, parsed %s, %v", text, exact, parsed, err)
		}
		if back, err := ParseAmount(got.String()); back != got || err != nil {
			t.Fatalf("%s comes back as %s, %v", got, back, err)
		}
	})
}
