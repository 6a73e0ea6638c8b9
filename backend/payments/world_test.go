package payments_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
	"benchtop/backend/sqlite"
)

// pen signs with a shared secret: quicker than RS256, and checked all the same.
type pen struct{ now func() time.Time }

func (pen) Sign(typ string, claims jwt.Claims) (string, error) {
	t := jwt.NewWithClaims(jwt.SigningMethodHS256, claims)
	t.Header["typ"] = typ
	return t.SignedString([]byte("ink"))
}

func (p pen) Verify(typ, token string, claims jwt.Claims) error {
	_, err := jwt.ParseWithClaims(token, claims, func(t *jwt.Token) (any, error) {
		if t.Header["typ"] != typ {
			return nil, errors.New("another type")
		}
		return []byte("ink"), nil
	}, jwt.WithTimeFunc(p.now), jwt.WithValidMethods([]string{"HS256"}))
	return err
}

// world is payments over a real store, with a clock and a simulator of its own.
type world struct {
	*payments.Payments
	t      *testing.T
	mu     sync.Mutex
	now    time.Time
	faults map[string]contract.Simulator
	agents map[string]payments.Agent
	waited []time.Duration
	died   int
	events []contract.EventName
}

func newWorld(t *testing.T) *world {
	t.Helper()
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Config{Path: filepath.Join(t.TempDir(), "benchtop.db")})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), faults: map[string]contract.Simulator{}, agents: map[string]payments.Agent{}}
	for _, name := range []string{"mia", "leo", "ana"} {
		w.agents[name] = payments.Agent{ID: "id-" + name, Username: name}
	}
	w.Payments, err = payments.New(ctx, payments.Config{
		Store: db, Signer: pen{w.clock}, Now: w.clock, NewID: uuid.NewString, BaseURL: func() string { return "http://127.0.0.1:4780" },
		Agent: func(ref string) (payments.Agent, bool) {
			for _, a := range w.agents {
				if a.ID == ref || a.Username == ref {
					return a, true
				}
			}
			return payments.Agent{}, false
		},
		Faults: func(id string) contract.Simulator { return w.faults[id] },
		Wait: func(_ context.Context, d time.Duration) error {
			w.waited = append(w.waited, d)
			w.pass(d)
			return nil
		},
		Die:     func(context.Context) error { w.died++; return nil },
		Publish: func(name contract.EventName, _ any) { w.events = append(w.events, name) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if r, err := w.Check(ctx); err != nil || !r.OK {
			t.Errorf("the ledger does not agree with itself: %v %v", r.Problems, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) mint(text string, audience ...string) (payments.Token, string) {
	w.t.Helper()
	t, token, err := w.Mint(w.t.Context(), payments.MintRequest{Amount: dollars(text), Audience: audience})
	w.must(err)
	return t, token
}

func (w *world) lock(token, text string) payments.Lock {
	w.t.Helper()
	l, err := w.Lock(w.t.Context(), payments.LockRequest{Token: token, Amount: dollars(text)})
	w.must(err)
	return l
}

func (w *world) left(id string) string {
	w.t.Helper()
	t, err := w.Row(w.t.Context(), id)
	w.must(err)
	return t.Balance.String()
}

func dollars(text string) *payments.Amount {
	a, err := payments.ParseAmount(text)
	if err != nil {
		panic(err)
	}
	return &a
}

func wantCode(t *testing.T, name string, err error, code contract.Code) {
	t.Helper()
	if e := contract.AsError(err); e == nil || e.Code != code {
		t.Errorf("%s: %v, want %s", name, err, code)
	}
}

// TestGate asks for the price of something with every kind of token.
func TestGate(t *testing.T) {
	w := newWorld(t)
	_, poor := w.mint("0.01")
	rich, richText := w.mint("5", "mia")
	_, others := w.mint("5", "leo")
	gone, goneText := w.mint("5")
	_, _, err := w.Revoke(t.Context(), gone.ID)
	w.must(err)
	charge := payments.Charge{AgentID: "id-mia", Price: *dollars("0.02"), Resource: "/report", Description: "a report", InvocationID: "run-1"}
	for name, c := range map[string]struct {
		tokens  []string
		code    contract.Code
		subcode string
	}{
		"none":                      {nil, contract.PaymentTokenRequired, ""},
		"not enough":                {[]string{poor}, contract.InsufficientToken, ""},
		"for somebody else":         {[]string{others}, contract.PaymentTokenInvalid, contract.SubTokenAudience},
		"revoked":                   {[]string{goneText}, contract.PaymentTokenInvalid, contract.SubTokenRevoked},
		"nonsense":                  {[]string{"nonsense"}, contract.PaymentTokenInvalid, contract.SubTokenMalformed},
		"the second is good enough": {[]string{poor, richText}, "", ""},
	} {
		paid, refused := w.Gate(t.Context(), charge, c.tokens)
		if c.code == "" {
			if refused != nil || paid.TokenID != rich.ID || paid.Amount != charge.Price {
				t.Fatalf("%s: %+v, %v", name, paid, refused)
			}
			locks, err := w.OpenLocks(t.Context(), "run-1")
			w.must(err)
			if len(locks) != 1 || locks[0].Reason != "a report" || locks[0].AgentID != "id-mia" {
				t.Errorf("%s: locks %+v", name, locks)
			}
			s, err := paid.Settle(t.Context(), *dollars("0.015"))
			w.must(err)
			if s.Settled != *dollars("0.015") || s.Released != *dollars("0.005") || w.left(rich.ID) != "4.985" {
				t.Errorf("%s: settled %+v", name, s)
			}
			if again, err := paid.Settle(t.Context(), *dollars("0.015")); err != nil || !again.Replayed {
				t.Errorf("%s: settled twice: %+v, %v", name, again, err)
			}
			w.must(paid.Release(t.Context()))
			continue
		}
		if refused == nil || refused.Code != c.code || payments.Status(refused) != http.StatusPaymentRequired {
			t.Fatalf("%s: %v", name, refused)
		}
		rec := httptest.NewRecorder()
		payments.WriteRequired(rec, refused)
		var body contract.PaymentRequiredBody
		w.must(json.Unmarshal(rec.Body.Bytes(), &body))
		if rec.Code != 402 || body.StatusCode != 402 || body.Error == "" || body.Subcode != c.subcode || len(body.Context.Accepts) != 1 {
			t.Errorf("%s: %d %s", name, rec.Code, rec.Body)
		}
		a := body.Context.Accepts[0]
		if a.Scheme != "token" || a.Network != "robutler" || a.Amount != "0.02" || a.Asset != "robutler:credits" || a.MaxTimeoutSeconds != 300 || a.Extra["tokenType"] != "jwt" {
			t.Errorf("%s: accepts %+v", name, a)
		}
		if header, err := base64.StdEncoding.DecodeString(rec.Header().Get("PAYMENT-REQUIRED")); err != nil || string(header) != rec.Body.String() {
			t.Errorf("%s: header %q", name, header)
		}
	}
	free, refused := w.Gate(t.Context(), payments.Charge{AgentID: "id-mia"}, nil)
	if refused != nil || free.LockID != "" {
		t.Errorf("what costs nothing: %+v, %v", free, refused)
	}
	if _, err := free.Settle(t.Context(), 0); err != nil {
		t.Error(err)
	}
	w.must(free.Release(t.Context()))
}

// TestTokensOf reads the headers in which clients send a token.
func TestTokensOf(t *testing.T) {
	payload := `{"x402Version":1,"scheme":"token","payload":{"token":"a.b.c"}}`
	for name, h := range map[string]http.Header{
		"X-PAYMENT":       {"X-Payment": {"a.b.c"}},
		"older":           {"X-Payment-Token": {" a.b.c "}},
		"x402 in base64":  {"X-Payment": {base64.StdEncoding.EncodeToString([]byte(payload))}},
		"x402 as JSON":    {"X-Payment": {payload}},
		"x402 v2":         {"Payment-Signature": {base64.StdEncoding.EncodeToString([]byte(`{"x402Version":2,"payload":"a.b.c"}`))}},
		"url-safe base64": {"Payment-Signature": {base64.RawURLEncoding.EncodeToString([]byte(`{"token":"a.b.c"}`))}},
	} {
		if got := payments.TokensOf(h); len(got) != 1 || got[0] != "a.b.c" {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, text := range []string{"", "{", "e30=", "bnVsbA==", "[]", "{}"} {
		if got := payments.TokenIn(text); got != text {
			t.Errorf("%q is %q", text, got)
		}
	}
	if got := payments.TokensOf(http.Header{"X-Payment": {"", "a", "b"}, "X-Payment-Token": {"c"}}); strings.Join(got, " ") != "a b c" {
		t.Errorf("%q", got)
	}
}

func FuzzTokenIn(f *testing.F) {
	for _, s := range []string{"a.b.c", `{"payload":{"token":"x"}}`, "eyJ0b2tlbiI6ImEifQ==", "{", `{"payload":5}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := payments.TokenIn(s); s != "" && got == "" {
			t.Errorf("%q is nothing", s)
		}
	})
}
