package contract

import (
	"fmt"
	"math/big"
)

// Nanocents are the units in which functions and toolPricing name amounts. How
// many of them a dollar has is the owner's setting, because public sources
// disagree (contract.md 5.1): as many as nanocredits here, 1e8 in the docs on
// limits, 1e11 by the word.
const DefaultNanocentsPerDollar = int64(Credit)

// NanocentsPerDollar are the values that the setting may have.
var NanocentsPerDollar = []int64{100_000_000, DefaultNanocentsPerDollar, 100_000_000_000}

// AmountOfNanocents reads an amount by its digits; perDollar is the setting. A
// part of a nanocredit, which the last of the three units can name, counts as a
// whole one.
func AmountOfNanocents(digits string, perDollar int64) (Amount, error) {
	if !isDigits(digits) || len(digits) > 32 {
		return 0, fmt.Errorf("%.40q is no whole number of nanocents", digits)
	}
	n, _ := new(big.Int).SetString(digits, 10)
	n.Mul(n, big.NewInt(int64(Credit)))
	n.Add(n, big.NewInt(perDollar-1))
	n.Quo(n, big.NewInt(perDollar))
	if !n.IsInt64() || Amount(n.Int64()) > MaxAmount {
		return 0, fmt.Errorf("%s nanocents are more than %s dollars", digits, MaxAmount)
	}
	return Amount(n.Int64()), nil
}

// Nanocents gives an amount as digits, rounded down; perDollar is the setting.
func (a Amount) Nanocents(perDollar int64) string {
	n := big.NewInt(int64(a))
	n.Mul(n, big.NewInt(perDollar))
	return n.Quo(n, big.NewInt(int64(Credit))).String()
}
