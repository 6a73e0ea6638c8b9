// Package payments owns money (spec 2.7 and 4.4, contract.md 5): a double-entry
// ledger of whole nanocredits, payment tokens, locks, settlement, delegation,
// and the check that a paid thing asks for its 402.
//
// Every credit is in one account: the owner's, an agent's, the platform's fee,
// that of a token or that of a lock, which is escrow. A movement takes an amount
// above 0 from one account to another, is never changed afterwards, and no
// account but "outside" goes below 0. An operation is one transaction of the
// store, with the answer that its idempotency key will be given again.
package payments

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"benchtop/backend/contract"
)

// Amount is money in nanocredits.
type Amount = contract.Amount

// ParseAmount reads a decimal number of dollars, exactly.
func ParseAmount(text string) (Amount, error) { return contract.ParseAmount(text) }

// Signer makes and checks the platform's RS256 tokens.
type Signer interface {
	Sign(typ string, claims jwt.Claims) (string, error)
	Verify(typ, token string, claims jwt.Claims) error
}

// Agent is what payments know of an agent. CommissionPercent is exact decimal
// text, "" for none.
type Agent struct {
	ID                string
	Username          string
	CommissionPercent string
}

// Config is what New needs. Agent finds one by id or username. Faults gives what
// the simulator does to an agent's payments and may be nil. Wait lets a simulated
// time pass; Die ends the platform at a simulated death and may return. Publish
// is told of each movement after it is stored. Ends is called when something
// was made that ends at a time: Sweep is to be called then.
type Config struct {
	Store   Store
	Signer  Signer
	Agent   func(ref string) (Agent, bool)
	Faults  func(agentID string) contract.Simulator
	Wait    func(ctx context.Context, d time.Duration) error
	Die     func(ctx context.Context) error
	BaseURL func() string
	Now     func() time.Time
	NewID   func() string
	Publish func(contract.EventName, any)
	Ends    func(time.Time)
	Log     *slog.Logger
}

// Payments is the ledger with its rules. All methods may be called concurrently.
type Payments struct{ cfg Config }

// New makes Payments over a store, and gives a new platform its starting credit.
func New(ctx context.Context, cfg Config) (*Payments, error) {
	if cfg.Publish == nil {
		cfg.Publish = func(contract.EventName, any) {}
	}
	if cfg.Faults == nil {
		cfg.Faults = func(string) contract.Simulator { return contract.Simulator{} }
	}
	if cfg.Agent == nil {
		cfg.Agent = func(string) (Agent, bool) { return Agent{}, false }
	}
	if cfg.Wait == nil {
		cfg.Wait = wait
	}
	if cfg.Die == nil {
		cfg.Die = func(context.Context) error { return nil }
	}
	if cfg.Ends == nil {
		cfg.Ends = func(time.Time) {}
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	p := &Payments{cfg}
	if err := p.start(ctx); err != nil {
		return nil, fmt.Errorf("open the ledger: %w", err)
	}
	return p, nil
}

// start deposits the starting credit once: a ledger has it from its first entry.
func (p *Payments) start(ctx context.Context) error {
	return p.cfg.Store.Pay(ctx, func(tx Tx) error {
		empty, err := tx.Empty()
		if err != nil || !empty {
			return err
		}
		_, err = tx.Move(contract.PaymentEntry{
			At: p.now(), Kind: contract.EntryDeposit, Debit: Outside, Credit: Owner,
			Amount: contract.StartingCredit, Description: "starting credit",
		})
		return err
	})
}

func (p *Payments) now() time.Time { return p.cfg.Now().UTC().Truncate(time.Microsecond) }

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
