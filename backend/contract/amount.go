package contract

import (
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Amount is money in nanocredits: 1 credit is 1 dollar is 1e9 of them
// (contract.md 5.1). On the wire it is a JSON number of dollars, written and
// read as a decimal and never by way of a binary float.
type Amount int64

// Sizes of amounts. MaxAmount bounds what one request may name.
const (
	Credit    Amount = 1_000_000_000
	MaxAmount        = 1_000_000 * Credit

	amountDigits  = 9
	maxAmountText = 64 // characters
)

// ParseAmount reads a decimal number of dollars, exactly: one that is finer
// than a nanocredit, or too large for an Amount, is an error.
func ParseAmount(text string) (Amount, error) {
	a, exact, err := parseAmount(text)
	if err == nil && !exact {
		err = fmt.Errorf("%s dollars is finer than a nanocredit (nine decimals)", text)
	}
	return a, err
}

// parseAmount reads a number and rounds it to the nearest nanocredit, halves
// away from zero; exact says that nothing was lost.
func parseAmount(text string) (a Amount, exact bool, err error) {
	bad := func() (Amount, bool, error) {
		return 0, false, fmt.Errorf("%.64q is no decimal number", text)
	}
	if len(text) > maxAmountText {
		return bad()
	}
	rest, negative := strings.CutPrefix(text, "-")
	mantissa, exponent := rest, 0
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa = rest[:i]
		power := strings.TrimPrefix(rest[i+1:], "+")
		if digits := strings.TrimPrefix(power, "-"); !isDigits(digits) || power != rest[i+1:] && power != digits {
			return bad()
		}
		if exponent, err = strconv.Atoi(power); err != nil || exponent > 1000 || exponent < -1000 {
			return bad()
		}
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if !isDigits(whole) || point && !isDigits(fraction) {
		return bad()
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	shift := amountDigits - len(fraction) + exponent
	if digits == "" {
		return 0, true, nil
	}
	var up bool
	exact = true
	if shift < 0 {
		cut := max(len(digits)+shift, 0)
		lost := digits[cut:]
		exact = strings.Trim(lost, "0") == ""
		up = len(digits)+shift >= 0 && lost[0] >= '5'
		digits, shift = digits[:cut], 0
	}
	var n uint64
	if digits != "" {
		if len(digits)+shift > 19 {
			return 0, false, fmt.Errorf("%s dollars is too much", text)
		}
		if n, err = strconv.ParseUint(digits+strings.Repeat("0", shift), 10, 63); err != nil {
			return 0, false, fmt.Errorf("%s dollars is too much", text)
		}
	}
	if up {
		if n++; n > 1<<63-1 {
			return 0, false, fmt.Errorf("%s dollars is too much", text)
		}
	}
	if negative {
		return -Amount(n), exact, nil
	}
	return Amount(n), exact, nil
}

func isDigits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// String gives dollars as the shortest decimal, such as 0.005.
func (a Amount) String() string {
	sign, n := "", uint64(a)
	if a < 0 {
		sign, n = "-", -n
	}
	s := sign + strconv.FormatUint(n/uint64(Credit), 10)
	if part := n % uint64(Credit); part != 0 {
		s += "." + strings.TrimRight(fmt.Sprintf("%09d", part), "0")
	}
	return s
}

// Raw gives nanocredits as a text of digits: in this form, beside the dollars,
// the clients of the hosted platform read "charged", "requested" and "unbilled".
func (a Amount) Raw() string { return strconv.FormatInt(int64(a), 10) }

// Part gives a times part divided by whole, rounded down, without overflow; a
// and part are 0 or more, part is at most whole.
func (a Amount) Part(part, whole Amount) Amount {
	hi, lo := bits.Mul64(uint64(a), uint64(part))
	q, _ := bits.Div64(hi, lo, uint64(whole))
	return Amount(q)
}

// MarshalJSON writes a number of dollars.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalJSON reads a number of dollars, or a text with one. A number is
// rounded to the nearest nanocredit, because clients that reckon with binary
// floats send 0.30000000000000004; a text is exact or refused.
func (a *Amount) UnmarshalJSON(b []byte) (err error) {
	if text := string(b); len(b) == 0 || b[0] != '"' {
		if text == "null" {
			return nil
		}
		if *a, _, err = parseAmount(text); err != nil {
			return Errorf(InvalidAmount, "%v", err)
		}
		return nil
	}
	if *a, err = ParseAmount(strings.Trim(string(b), `"`)); err != nil {
		return Errorf(InvalidAmount, "%v", err)
	}
	return nil
}

// Rat gives the amount in dollars as a fraction.
func (a Amount) Rat() *big.Rat { return big.NewRat(int64(a), int64(Credit)) }
