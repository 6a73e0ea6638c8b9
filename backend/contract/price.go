package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// ParsePrice reads the price of an entry of custom_http or endpoints: a JSON
// number of dollars, or a text with one, from 0 to MaxAmount. It is exact: what
// is finer than a nanocredit is an error, and no binary float comes in between.
func ParsePrice(raw RawJSON) (Amount, error) {
	text := string(bytes.TrimSpace(raw))
	var quoted string
	if json.Unmarshal(raw, &quoted) == nil {
		text = quoted
	}
	a, err := ParseAmount(text)
	switch {
	case err != nil:
		return 0, err
	case a < 0 || a > MaxAmount:
		return 0, fmt.Errorf("a price is from 0 to %s dollars, not %s", MaxAmount, text)
	}
	return a, nil
}
