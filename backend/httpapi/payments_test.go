package httpapi

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// fakePayments has one token and one lock, both of the world's agent, and says
// yes to everything: what moves money is in the scenarios of backend/platform.
type fakePayments struct{ w *world }

func (f fakePayments) token() *payments.Token {
	return &payments.Token{ID: "t1", Chain: []string{"t0"}, ParentID: "t0", Payer: payments.Owner, Audience: []string{f.w.agent.ID}, DelegatedBy: f.w.agent.ID}
}

func (f fakePayments) Identify(string) (string, *contract.Error) { return "t1", nil }
func (f fakePayments) Verify(_ context.Context, r payments.VerifyRequest) payments.Verification {
	if strings.HasSuffix(r.Token, ".good") {
		t := f.token()
		t.ID = f.w.bearerToken
		return payments.Verification{Valid: true, Token: t}
	}
	return payments.Verification{Reason: "it is none of ours"}
}
func (f fakePayments) Mint(context.Context, payments.MintRequest) (payments.Token, string, error) {
	return *f.token(), "a.b.c", nil
}
func (f fakePayments) Deposit(context.Context, *payments.Amount, string, string) (bool, error) {
	return false, nil
}
func (f fakePayments) Lock(_ context.Context, r payments.LockRequest) (payments.Lock, error) {
	f.w.locked = r
	return payments.Lock{ID: "l1"}, nil
}
func (f fakePayments) Extend(context.Context, payments.ExtendRequest) (payments.Lock, error) {
	return payments.Lock{ID: "l1"}, nil
}
func (f fakePayments) Settle(_ context.Context, r payments.SettleRequest) (payments.Settlement, error) {
	f.w.settled = r
	return payments.Settlement{LockID: r.LockID}, f.w.settleErr
}
func (f fakePayments) Delegate(context.Context, payments.DelegateRequest) (payments.Token, string, error) {
	return *f.token(), "a.b.c", nil
}
func (f fakePayments) TopUp(context.Context, payments.TopUpRequest) (payments.Token, error) {
	return *f.token(), nil
}
func (f fakePayments) Revoke(context.Context, string) (payments.Amount, bool, error) {
	return 0, true, nil
}
func (f fakePayments) Row(_ context.Context, id string) (*payments.Token, error) {
	if id != "t1" {
		return nil, nil
	}
	return f.token(), nil
}
func (f fakePayments) LockRow(_ context.Context, id string) (*payments.Lock, error) {
	return &payments.Lock{ID: id, TokenID: "t1", AgentID: f.w.agent.ID}, nil
}
func (f fakePayments) Shown(t payments.Token) contract.PaymentToken {
	return contract.PaymentToken{ID: t.ID}
}
func (f fakePayments) Token(_ context.Context, id string) (contract.PaymentToken, error) {
	return contract.PaymentToken{ID: id}, nil
}
func (f fakePayments) Tokens(_ context.Context, q payments.TokenFilter) (contract.PaymentTokenList, error) {
	f.w.tokens = q
	return contract.PaymentTokenList{}, nil
}
func (f fakePayments) Locks(context.Context, payments.LockFilter) (contract.PaymentLockPage, error) {
	return contract.PaymentLockPage{}, nil
}
func (f fakePayments) Entries(_ context.Context, q payments.EntryFilter) (contract.PaymentEntryPage, error) {
	f.w.entries = q
	e := contract.PaymentEntry{Seq: 2, At: time.Unix(1, 0).UTC(), Kind: "settle", Debit: "lock:l", Credit: "fee", Amount: 5, Description: "=1+1"}
	if q.Cursor != "" {
		e.Seq, e.Description = 1, `a "quoted", text`
		return contract.PaymentEntryPage{Entries: []contract.PaymentEntry{e}}, nil
	}
	next := "2"
	return contract.PaymentEntryPage{Entries: []contract.PaymentEntry{e}, NextCursor: &next}, nil
}
func (f fakePayments) Balances(context.Context) (contract.PaymentBalances, error) {
	return contract.PaymentBalances{}, nil
}
func (f fakePayments) Check(context.Context) (contract.PaymentCheck, error) {
	return contract.PaymentCheck{OK: true}, nil
}

type fakeSimulator struct{}

func (fakeSimulator) Simulator(agents.Agent) (contract.Simulator, error) {
	return contract.Simulator{}, nil
}
func (fakeSimulator) SetSimulator(agents.Agent, contract.Simulator) error { return nil }

// wantPaymentError checks the form of contract.md 5.4: error is a text.
func wantPaymentError(t *testing.T, name string, rec *httptest.ResponseRecorder, code contract.Code) {
	t.Helper()
	var body contract.PaymentErrorBody
	if err := json.Unmarshal(rec.Body.Bytes(), &body); err != nil {
		t.Errorf("%s: status %d, body %q is no error body of payments", name, rec.Code, rec.Body)
		return
	}
	if body.Code != code || rec.Code != code.Status() || body.Error == "" || body.Error != body.Message {
		t.Errorf("%s: status %d, %+v; want %d %s", name, rec.Code, body, code.Status(), code)
	}
}

// A payment token as the credential opens payments and nothing else, and there
// itself and what was delegated out of it.
func TestPaymentTokenAsCredential(t *testing.T) {
	const token = "eyJ0eXAiOiJwYXltZW50In0.e30."
	for name, c := range map[string]struct {
		request
		as   string // id of the bearer
		code contract.Code
	}{
		"itself":                       {request: request{method: "GET", path: "/api/payments/tokens/t1"}, as: "t1"},
		"a descendant":                 {request: request{method: "GET", path: "/api/payments/tokens/t1"}, as: "t0"},
		"a stranger's":                 {request: request{method: "GET", path: "/api/payments/tokens/t1"}, as: "t9", code: contract.Forbidden},
		"one that is not there":        {request: request{method: "GET", path: "/api/payments/tokens/t2"}, as: "t1", code: contract.Forbidden},
		"the list":                     {request: request{method: "GET", path: "/api/payments/tokens"}, as: "t1"},
		"a lock of its own":            {request: request{method: "PATCH", path: "/api/payments/lock/l1", body: `{"amount":1}`}, as: "t1"},
		"a stranger's lock":            {request: request{method: "PATCH", path: "/api/payments/lock/l1", body: `{"amount":1}`}, as: "t9", code: contract.Forbidden},
		"a settle of a stranger":       {request: request{method: "POST", path: "/api/payments/settle", body: `{"lockId":"l1","amount":1}`}, as: "t9", code: contract.Forbidden},
		"locking itself":               {request: request{method: "POST", path: "/api/payments/lock", body: `{"amount":1}`}, as: "t1"},
		"locking a descendant":         {request: request{method: "POST", path: "/api/payments/lock", body: `{"token":"x.y.z"}`}, as: "t0"},
		"locking a stranger's":         {request: request{method: "POST", path: "/api/payments/lock", body: `{"token":"x.y.z"}`}, as: "t9", code: contract.Forbidden},
		"handing a stranger's on":      {request: request{method: "POST", path: "/api/payments/delegate", body: `{"parentTokenId":"t1","delegateTo":"leo","amount":1}`}, as: "t9", code: contract.Forbidden},
		"filling itself":               {request: request{method: "PATCH", path: "/api/payments/tokens/t1/topup", body: `{"amount":1}`}, as: "t1", code: contract.Forbidden},
		"filling a child":              {request: request{method: "PATCH", path: "/api/payments/tokens/t1/topup", body: `{"amount":1}`}, as: "t0"},
		"the owner's balances":         {request: request{method: "GET", path: "/api/local/payments/balances"}, as: "t1", code: contract.Unauthorized},
		"functions":                    {request: request{method: "GET", path: "/api/agents/mia/functions"}, as: "t1", code: contract.Unauthorized},
		"an amount that is no number":  {request: request{method: "POST", path: "/api/payments/lock", body: `{"amount":"much"}`}, as: "t1", code: contract.InvalidAmount},
		"two different keys":           {request: request{method: "POST", path: "/api/payments/lock", body: `{"amount":1,"idempotencyKey":"a"}`, header: map[string]string{"Idempotency-Key": "b"}}, as: "t1", code: contract.InvalidIdempotentKey},
		"a lifetime before the future": {request: request{method: "POST", path: "/api/payments/lock", body: `{"amount":1,"expiresIn":"soon"}`}, as: "t1", code: contract.InvalidRequest},
	} {
		w := newWorld(t)
		w.bearerToken = c.as
		h := bearer(token + "good")
		for k, v := range c.header {
			h[k] = v
		}
		c.header = h
		rec := w.do(c.request)
		switch {
		case c.code == "" && rec.Code != 200:
			t.Errorf("%s: status %d: %s", name, rec.Code, rec.Body)
		case c.code != "" && strings.HasPrefix(c.path, "/api/payments/"):
			wantPaymentError(t, name, rec, c.code)
		case c.code != "":
			wantError(t, name, rec, c.code)
		}
	}
	w := newWorld(t)
	rec := w.do(request{method: "GET", path: "/api/payments/tokens", header: bearer(token + "bad")})
	wantPaymentError(t, "one that does not count", rec, contract.Unauthorized)
	w.bearerToken = "t1"
	w.do(request{method: "POST", path: "/api/payments/lock", body: `{"amount":0.25}`, header: bearer(token + "good")})
	if w.locked.Token != token+"good" || w.locked.By != "token:t1" || *w.locked.Amount != contract.Credit/4 {
		t.Errorf("the bearer itself is locked: %+v", w.locked)
	}
}

// What an agent's credential reaches: its own locks and tokens, its own account.
func TestAgentPays(t *testing.T) {
	w := newWorld(t)
	mine, err := w.auth.MakeAgentKey(t.Context(), w.agent.ID)
	w.must(t, err)
	w.do(request{method: "GET", path: "/api/payments/tokens", header: bearer(mine.RawKey)})
	if want := []string{w.agent.ID, "mia", "@mia", base + "/mia", base + "/agents/mia", base + "/api/agents/" + w.agent.ID}; strings.Join(w.tokens.Audience, " ") != strings.Join(want, " ") {
		t.Errorf("an agent lists the tokens meant for %q, want %q", w.tokens.Audience, want)
	}
	w.do(request{method: "POST", path: "/api/payments/lock", body: `{"token":"a.b.c","amount":1}`, header: bearer(mine.RawKey)})
	if w.locked.AgentID != w.agent.ID || w.locked.By != "agent:"+w.agent.ID {
		t.Errorf("locked %+v", w.locked)
	}
	for name, r := range map[string]request{
		"for another agent": {method: "POST", path: "/api/payments/lock", body: `{"token":"a.b.c","agent":"leo"}`},
		"by id":             {method: "POST", path: "/api/payments/lock", body: `{"tokenId":"t1"}`},
	} {
		r.header = bearer(mine.RawKey)
		wantPaymentError(t, name, w.do(r), contract.Forbidden)
	}
}

// Without a credential there is no payment, unless the owner says so; and then
// not for a page, and not for reading.
func TestRelaxedPayments(t *testing.T) {
	w := newWorld(t)
	settle := request{method: "POST", path: "/api/payments/settle", body: `{"token":"a.b.c","amount":1}`}
	wantPaymentError(t, "strict", w.do(settle), contract.Unauthorized)
	w.settings.RelaxedPayments = true
	if rec := w.do(settle); rec.Code != 200 || w.settled.By != payments.Owner {
		t.Errorf("relaxed: status %d: %s", rec.Code, rec.Body)
	}
	settle.header = bearer("rb_wrong")
	wantPaymentError(t, "relaxed, with a credential that is not valid", w.do(settle), contract.Unauthorized)
	settle.header = map[string]string{"Origin": base}
	wantPaymentError(t, "relaxed, from a page", w.do(settle), contract.Unauthorized)
	wantPaymentError(t, "relaxed, reading", w.do(request{method: "GET", path: "/api/payments/tokens"}), contract.Unauthorized)
	wantError(t, "relaxed, the owner's own", w.do(request{method: "GET", path: "/api/local/payments/balances"}), contract.Unauthorized)
}

func TestLedgerAsCSV(t *testing.T) {
	w := newWorld(t)
	rec := w.do(w.owner(request{method: "GET", path: "/api/local/payments/entries.csv?account=owner&since=2026-01-01T00:00:00Z"}))
	want := "seq,at,kind,debit,credit,amount,debit_balance,credit_balance,token,lock,agent,invocation,charge_type,description\n" +
		"2,1970-01-01T00:00:01Z,settle,lock:l,fee,0.000000005,0,0,,,,,,'=1+1\n" +
		"1,1970-01-01T00:00:01Z,settle,lock:l,fee,0.000000005,0,0,,,,,,\"a \"\"quoted\"\", text\"\n"
	if rec.Body.String() != want || !strings.HasPrefix(rec.Header().Get("Content-Disposition"), "attachment") {
		t.Errorf("%d %q, want %q", rec.Code, rec.Body, want)
	}
	if w.entries.Account != "owner" || w.entries.Since.Year() != 2026 {
		t.Errorf("filter %+v", w.entries)
	}
	for _, bad := range []string{"since=yesterday", "limit=0", "until=5"} {
		wantError(t, bad, w.do(w.owner(request{method: "GET", path: "/api/local/payments/entries?" + bad})), contract.InvalidRequest)
	}
}
