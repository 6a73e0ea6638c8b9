package httpapi

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// Simulator keeps what goes wrong on purpose with an agent's payments.
type Simulator interface {
	Simulator(a agents.Agent) (contract.Simulator, error)
	SetSimulator(a agents.Agent, s contract.Simulator) error
}

// pageOf reads limit and cursor.
func pageOf(q url.Values) (payments.Page, error) {
	p := payments.Page{Cursor: q.Get("cursor")}
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return p, contract.Errorf(contract.InvalidRequest, "limit must be a whole number of 1 or more")
		}
		p.Limit = n
	}
	return p, nil
}

func (a *api) paymentBalances(c *call) error {
	b, err := a.deps.Payments.Balances(c.r.Context())
	if err != nil {
		return err
	}
	return c.ok(b)
}

func (a *api) checkPayments(c *call) error {
	r, err := a.deps.Payments.Check(c.r.Context())
	if err != nil {
		return err
	}
	return c.ok(r)
}

func (a *api) mintPayment(c *call) error {
	var req contract.PaymentMintRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	key, err := c.key(req.IdempotencyKey)
	if err != nil {
		return err
	}
	t, text, err := a.deps.Payments.Mint(c.r.Context(), payments.MintRequest{
		Amount: req.Amount, Audience: req.Audience, ExpiresIn: lifetimeOf(req.ExpiresIn), MaxDepth: req.MaxDepth,
		Description: req.Description, By: payments.Owner, IdempotencyKey: key,
	})
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, contract.PaymentMintResponse{Token: text, Info: a.deps.Payments.Shown(t), Replayed: c.replay(t.Replayed)})
}

func (a *api) depositPayment(c *call) error {
	var req contract.PaymentDepositRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	key, err := c.key(req.IdempotencyKey)
	if err != nil {
		return err
	}
	replayed, err := a.deps.Payments.Deposit(c.r.Context(), req.Amount, payments.Owner, key)
	if err != nil {
		return err
	}
	c.replay(replayed)
	return a.paymentBalances(c)
}

func (a *api) listLocks(c *call) error {
	q := c.r.URL.Query()
	page, err := pageOf(q)
	if err != nil {
		return err
	}
	out, err := a.deps.Payments.Locks(c.r.Context(), payments.LockFilter{
		Page: page, State: q.Get("state"), Token: q.Get("token"), Agent: q.Get("agent"), Invocation: q.Get("invocation"), ID: q.Get("lock"),
	})
	if err != nil {
		return err
	}
	return c.ok(out)
}

// entryFilter reads the filters of the ledger.
func entryFilter(q url.Values) (payments.EntryFilter, error) {
	page, err := pageOf(q)
	if err != nil {
		return payments.EntryFilter{}, err
	}
	f := payments.EntryFilter{
		Page: page, Account: q.Get("account"), Token: q.Get("token"), Lock: q.Get("lock"), Invocation: q.Get("invocation"),
		Agent: q.Get("agent"), Kind: q.Get("kind"),
	}
	for _, t := range []struct {
		name string
		to   *time.Time
	}{{"since", &f.Since}, {"until", &f.Until}} {
		text := q.Get(t.name)
		if text == "" {
			continue
		}
		if *t.to, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return f, contract.Errorf(contract.InvalidRequest, "%s must be a time such as 2026-11-20T10:00:00Z", t.name)
		}
	}
	return f, nil
}

func (a *api) listLedger(c *call) error {
	f, err := entryFilter(c.r.URL.Query())
	if err != nil {
		return err
	}
	page, err := a.deps.Payments.Entries(c.r.Context(), f)
	if err != nil {
		return err
	}
	return c.ok(page)
}

var csvHead = []string{
	"seq", "at", "kind", "debit", "credit", "amount", "debit_balance", "credit_balance", "token", "lock", "agent", "invocation", "charge_type", "description",
}

// exportLedger writes all entries of a filter as CSV, page by page, the newest
// first.
func (a *api) exportLedger(c *call) error {
	f, err := entryFilter(c.r.URL.Query())
	if err != nil {
		return err
	}
	f.Limit = contract.MaxPage
	page, err := a.deps.Payments.Entries(c.r.Context(), f)
	if err != nil {
		return err
	}
	h := c.w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="ledger.csv"`)
	h["Cache-Control"] = noStore
	c.wrote = true
	out := csv.NewWriter(c.w)
	_ = out.Write(csvHead) // a failure shows at the next Flush
	for more := true; more; {
		for _, e := range page.Entries {
			row := []string{
				strconv.FormatInt(e.Seq, 10), e.At.Format(time.RFC3339Nano), e.Kind, e.Debit, e.Credit,
				e.Amount.String(), e.DebitBalance.String(), e.CreditBalance.String(),
				e.TokenID, e.LockID, e.AgentID, e.InvocationID, e.ChargeType, harmless(e.Description),
			}
			_ = out.Write(row)
		}
		out.Flush()
		if more = page.NextCursor != nil && out.Error() == nil; !more {
			continue // all is written, or nobody reads it
		}
		f.Cursor = *page.NextCursor
		if page, err = a.deps.Payments.Entries(c.r.Context(), f); err != nil {
			a.deps.Log.Error("an export of the ledger ended early", "request", requestID(c.w), "error", err)
			panic(http.ErrAbortHandler) // half a file must not look like a whole one
		}
	}
	return nil
}

// harmless keeps a text from being a formula in a spreadsheet.
func harmless(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

func (a *api) getSimulator(c *call) error {
	s, err := a.deps.Simulator.Simulator(c.agent)
	if err != nil {
		return err
	}
	return c.ok(s)
}

// putSimulator replaces all switches.
func (a *api) putSimulator(c *call) error {
	var s contract.Simulator
	if err := c.decode(&s); err != nil {
		return err
	}
	if err := a.deps.Simulator.SetSimulator(c.agent, s); err != nil {
		return err
	}
	return a.getSimulator(c)
}
