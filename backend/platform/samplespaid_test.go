package platform_test

import (
	"strings"
	"testing"

	"benchtop/backend/contract"
)

func TestSamplePaidTool(t *testing.T) {
	s := openSample(t, "paid-tool")
	const jsonBody = "application/json"
	var minted contract.PaymentMintResponse
	s.must("POST", "/api/local/payments/mint", map[string]any{"amount": 0.1}, &minted)
	left := func() string {
		t.Helper()
		var token contract.PaymentToken
		s.must("GET", "/api/payments/tokens/"+minted.Info.ID, nil, &token)
		if token.LockedCredits != 0 {
			t.Errorf("%s are still locked", token.LockedCredits)
		}
		return token.RemainingCredits.String()
	}
	for _, step := range []struct {
		path, body, token string
		status            int
		want, left        string
	}{
		// The function sees to the money itself.
		{"/count", `{"text":"one two three"}`, "", 402, "~send a payment token", "0.1"},
		{"/count", `{"text":"one two three"}`, minted.Token, 200, `{"words":3}`, "0.09"},
		{"/count", `{"text":"` + strings.Repeat("word ", 11) + `"}`, minted.Token, 200, `{"words":11}`, "0.07"},
		{"/count", `{}`, minted.Token, 400, "~text is missing", "0.07"},
		{"/count", `{"text":"a"}`, "not a token", 402, "~error", "0.07"},
		// The platform does.
		{"/summary", `{"text":"One. Two."}`, "", 402, "~accepts", "0.07"},
		{"/summary", `{"text":"One. Two."}`, minted.Token, 200, `{"summary":"One."}`, "0.05"},
		{"/summary", `{}`, minted.Token, 400, "~text is missing", "0.03"}, // an answer that the function meant is an answer
	} {
		var header []string
		if step.token != "" {
			header = []string{"X-PAYMENT", step.token}
		}
		s.want(step.status, step.want, "POST", step.path, step.body, append(header, "Content-Type", jsonBody)...)
		if got := left(); got != step.left {
			t.Errorf("%s %s: %s left, want %s", step.path, step.body, got, step.left)
		}
	}
	if rows := s.rows("paid-tool", "summary"); len(rows) == 0 || rows[0].CostNanocents == "" {
		t.Errorf("what it cost is not in the history: %+v", rows)
	}
	var check contract.PaymentCheck
	if s.must("GET", "/api/local/payments/check", nil, &check); !check.OK {
		t.Errorf("%v", check.Problems)
	}
}
