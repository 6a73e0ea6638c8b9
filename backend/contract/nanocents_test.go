package contract_test

import (
	"strings"
	"testing"

	"benchtop/backend/contract"
)

func TestNanocents(t *testing.T) {
	for _, c := range []struct {
		digits    string
		perDollar int64
		want      contract.Amount
		back      string
	}{
		{"0", 1e9, 0, "0"},
		{"100", 1e9, 100, "100"},
		{"9007199254740993", 1e11, 90071992547410, "9007199254741000"}, // beyond a float; a part is a whole
		{"1", 1e11, 1, "100"},
		{"100000000", 1e8, contract.Credit, "100000000"},
		{"7", 1e8, 70, "7"},
		{"1000000000000000", 1e9, contract.MaxAmount, "1000000000000000"},
	} {
		got, err := contract.AmountOfNanocents(c.digits, c.perDollar)
		if err != nil || got != c.want || got.Nanocents(c.perDollar) != c.back {
			t.Errorf("%s at %d a dollar: %d, %v, back %s", c.digits, c.perDollar, got, err, got.Nanocents(c.perDollar))
		}
	}
	for _, bad := range []string{"", "-1", "1.5", "1e3", " 1", "1000000000000001", strings.Repeat("9", 32), strings.Repeat("9", 33)} {
		if a, err := contract.AmountOfNanocents(bad, 1e9); err == nil {
			t.Errorf("%q was taken as %d", bad, a)
		}
	}
}
