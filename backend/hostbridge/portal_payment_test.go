package hostbridge_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/hostbridge"
	"benchtop/backend/manifest"
	"benchtop/backend/payments"
)

// ledger answers like payments and keeps what it was asked. Its locks are l1 of
// the agent a1, l2 of another one, and l3, which is closed.
type ledger struct {
	locks    []payments.LockRequest
	settles  []payments.SettleRequest
	released []string
}

func (l *ledger) Verify(_ context.Context, r payments.VerifyRequest) payments.Verification {
	if !strings.Contains(r.Token, ".") || r.Audience[0] != "a1" && r.Audience[0] != "me" {
		return payments.Verification{Reason: "meant for somebody else"}
	}
	return payments.Verification{Valid: true, Balance: 2_500_000_000}
}

func (l *ledger) Lock(_ context.Context, r payments.LockRequest) (payments.Lock, error) {
	l.locks = append(l.locks, r)
	if *r.Amount > contract.Credit {
		return payments.Lock{}, contract.Errorf(contract.InsufficientToken, "it has not enough (available: 1)")
	}
	return payments.Lock{ID: "l1", ExpiresAt: time.Unix(1767323045, 0).UTC()}, nil
}

func (l *ledger) LockRow(_ context.Context, id string) (*payments.Lock, error) {
	agents := map[string]string{"l1": "a1", "l2": "a2", "l3": "a1"}
	if agents[id] == "" {
		return nil, contract.Errorf(contract.PaymentLockNotFound, "no lock has the id %q", id)
	}
	return &payments.Lock{ID: id, AgentID: agents[id]}, nil
}

func (l *ledger) Settle(_ context.Context, r payments.SettleRequest) (payments.Settlement, error) {
	l.settles = append(l.settles, r)
	if r.LockID == "l3" {
		return payments.Settlement{}, contract.Errorf(contract.PaymentLockClosed, "lock l3 is closed")
	}
	s := payments.Settlement{Settled: min(*r.Amount, 1000), Released: 1000 - min(*r.Amount, 1000)}
	s.Unbilled = *r.Amount - s.Settled
	s.Partial = s.Unbilled > 0
	return s, nil
}

func (l *ledger) Release(_ context.Context, id string) (payments.Amount, error) {
	l.released = append(l.released, id)
	return 0, nil
}

// paymentToken looks like one, as far as its type is concerned.
func paymentToken() string {
	enc := base64.RawURLEncoding.EncodeToString
	return enc([]byte(`{"alg":"RS256","typ":"payment"}`)) + "." + enc([]byte(`{"sub":"owner","jti":"t1"}`)) + ".c2ln"
}

func TestPaymentCalls(t *testing.T) {
	token := paymentToken()
	all := manifest.Permissions{Portal: []string{"payment.lock", "payment.settle", "payment.release", "verifyToken"}}
	lockOnly := manifest.Permissions{Portal: []string{"payment.lock"}}
	for _, tt := range []struct {
		method, args string
		perms        manifest.Permissions
		result       string
		code         contract.Code
	}{
		{"payment.lock", `{"paymentToken":"` + token + `","amountNanocents":"100","reason":"work"}`, all, `{"lockId":"l1","expiresAt":"2026-01-02T03:04:05Z"}`, ""},
		{"payment.lock", `{"paymentToken":"` + token + `","amountNanocents":100}`, all, `{"lockId":"l1","expiresAt":"2026-01-02T03:04:05Z"}`, ""},
		{"payment.lock", `{"paymentToken":"` + token + `","amountNanocents":"2000000000"}`, all, "", contract.InsufficientToken},
		{"payment.lock", `{"paymentToken":"` + token + `","amountNanocents":"-1"}`, all, "", contract.InvalidAmount},
		{"payment.lock", `{"paymentToken":"` + token + `","amountNanocents":0.5}`, all, "", contract.InvalidAmount},
		{"payment.lock", `{"paymentToken":"` + token + `","amountNanocents":1e3}`, all, "", contract.InvalidAmount},
		{"payment.lock", `{"paymentToken":"` + token + `"}`, all, "", contract.InvalidAmount},
		{"payment.lock", `{"paymentToken":7,"amountNanocents":"1"}`, all, "", contract.InvalidRequest},
		{"payment.settle", `{"lockId":"l1","amountNanocents":"400"}`, all, `{"ok":true,"settled":400,"released":600}`, ""},
		{"payment.settle", `{"lockId":"l1","amountNanocents":"1400","recipientId":"leo"}`, all, `{"ok":true,"settled":1000,"released":0,"unbilled":400}`, ""},
		{"payment.settle", `{"lockId":"l2","amountNanocents":"1"}`, all, `{"ok":false,"reason":"no lock has the id \"l2\"","code":"PAYMENT_LOCK_NOT_FOUND"}`, ""},
		{"payment.settle", `{"lockId":"none","amountNanocents":"1"}`, all, `{"ok":false,"reason":"no lock has the id \"none\"","code":"PAYMENT_LOCK_NOT_FOUND"}`, ""},
		{"payment.settle", `{"lockId":"l3","amountNanocents":"1"}`, all, `{"ok":false,"reason":"lock l3 is closed","code":"PAYMENT_LOCK_CLOSED"}`, ""},
		{"payment.settle", `{"lockId":"l1"}`, all, "", contract.InvalidAmount},
		{"payment.settle", `{"lockId":"l1","amountNanocents":"1"}`, lockOnly, "", contract.PermissionDenied},
		{"payment.release", `{"lockId":"l1"}`, all, "", ""},
		{"payment.release", `{"lockId":"l2"}`, all, "", contract.PaymentLockNotFound},
		{"payment.release", `{"lockId":"l1"}`, lockOnly, "", contract.PermissionDenied},
		{"payment.lock", `{"paymentToken":"` + token + `","amountNanocents":"1"}`, noPermissions, "", contract.PermissionDenied},
		{"payment.refund", `{}`, all, "", contract.UnknownHostCall},
		{"verifyToken", `{"token":"` + token + `"}`, all, `{"valid":true,"claims":{"sub":"owner","jti":"t1"},"balance":2500000000}`, ""},
		{"verifyToken", `{"token":"` + token + `","opts":{"expectBalance":"2500000000","expectAudience":"me"}}`, all, `{"valid":true,"claims":{"sub":"owner","jti":"t1"},"balance":2500000000}`, ""},
		{"verifyToken", `{"token":"` + token + `","opts":{"expectBalance":2500000001}}`, all, `{"valid":false,"reason":"the payment token has 2.5 dollars, less than the 2.500000001 that are expected","balance":2500000000}`, ""},
		{"verifyToken", `{"token":"` + token + `","opts":{"expectAudience":"you"}}`, all, `{"valid":false,"reason":"meant for somebody else"}`, ""},
		{"verifyToken", `{"token":"` + token + `","opts":{"expectBalance":0.5}}`, all, "", contract.InvalidAmount},
	} {
		b := newBench(t)
		for door, open := range b.doors(t) {
			r := open(tt.perms)("portal.dispatch", envelope(tt.method, tt.args))
			switch {
			case tt.code != "" && (r.OK || r.Error.Code != tt.code):
				t.Errorf("%s %s %s: %+v, want %s", door, tt.method, tt.args, r.Error, tt.code)
			case tt.code == "" && (!r.OK || string(r.Result) != tt.result):
				t.Errorf("%s %s %s: %+v %s, want %s", door, tt.method, tt.args, r.Error, r.Result, tt.result)
			}
		}
	}
}

// What reaches the ledger says who asks, for what, and which call it is, so that
// one that is sent again moves nothing twice.
func TestPaymentRequests(t *testing.T) {
	b := newBench(t)
	b.perDollar = 100_000_000
	c := b.claims(manifest.Permissions{Portal: []string{"payment.lock", "payment.settle"}})
	s := b.Open(c)
	token := paymentToken()
	for n, call := range []string{
		envelope("payment.lock", `{"paymentToken":"`+token+`","amountNanocents":"5","reason":"two hours"}`),
		envelope("payment.settle", `{"lockId":"l1","amountNanocents":"5","recipientId":"leo"}`),
	} {
		if r := s.Call(t.Context(), n+1, "portal.dispatch", json.RawMessage(call)); !r.OK {
			t.Fatalf("%+v", r.Error)
		}
	}
	amount, closes := payments.Amount(50), true
	by := "invocation:" + c.InvocationID
	if want := (payments.LockRequest{Token: token, Amount: &amount, AgentID: "a1", InvocationID: c.InvocationID, Reason: "two hours", By: by,
		IdempotencyKey: "fn:1"}); !reflect.DeepEqual(b.ledger.locks[0], want) {
		t.Errorf("lock %+v", b.ledger.locks[0])
	}
	if want := (payments.SettleRequest{LockID: "l1", Amount: &amount, ChargeType: contract.ChargeAgentFee, Release: &closes, Recipient: "leo",
		Description: "settled by greet", InvocationID: c.InvocationID, By: by, IdempotencyKey: "fn:2"}); !reflect.DeepEqual(b.ledger.settles[0], want) {
		t.Errorf("settle %+v", b.ledger.settles[0])
	}
}

// A token stays out of the records, also when the call with it is refused, and so
// does what a header wrapped it in.
func TestPaymentTokensAreHidden(t *testing.T) {
	b := newBench(t)
	s := b.Open(b.claims(noPermissions))
	token := paymentToken()
	for n, method := range []string{"verifyToken", "payment.lock", "callTool"} {
		mine := strings.Replace(token, "c2ln", fmt.Sprintf("c2ln%d", n), 1)
		args := fmt.Sprintf(`{"token":%q,"paymentToken":%q,"opts":{"paymentToken":%q}}`, mine, mine, mine)
		if r := s.Call(t.Context(), n+1, "portal.dispatch", json.RawMessage(envelope(method, args))); r.OK || r.Error.Code != contract.PermissionDenied {
			t.Errorf("%s: %+v", method, r)
		}
		if got := s.Redact("x " + mine + " y"); got != "x [secret token] y" {
			t.Errorf("%s: recorded as %s", method, got)
		}
	}
	wrapped := base64.StdEncoding.EncodeToString([]byte(`{"x402Version":1,"payload":{"token":"` + token + `"}}`))
	s.HideTokens([]string{wrapped, "none", "a.b.c"})
	if got := s.Redact(wrapped + " " + token + " none a.b.c"); got != "[secret token] [secret token] none a.b.c" {
		t.Errorf("recorded as %s", got)
	}
}

// A settle that could not charge all leaves a line in the log of the run.
func TestPaymentNotes(t *testing.T) {
	b := newBench(t)
	s := b.Open(b.claims(manifest.Permissions{Portal: []string{"payment.settle"}}))
	for n, args := range []string{`{"lockId":"l1","amountNanocents":"1400"}`, `{"lockId":"l3","amountNanocents":"1"}`} {
		s.Call(t.Context(), n+1, "portal.dispatch", json.RawMessage(envelope("payment.settle", args)))
	}
	notes := strings.Join(s.Notes(), "\n")
	if !strings.Contains(notes, "0.0000004 dollars were not charged") || !strings.Contains(notes, "PAYMENT_LOCK_CLOSED: lock l3 is closed") {
		t.Errorf("notes %s", notes)
	}
}

var _ hostbridge.Payments = (*ledger)(nil)
