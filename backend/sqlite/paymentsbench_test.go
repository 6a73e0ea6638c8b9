package sqlite_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// noSigner leaves the signature out: its cost is its own.
type noSigner struct{}

func (noSigner) Sign(string, jwt.Claims) (string, error) { return "", nil }
func (noSigner) Verify(string, string, jwt.Claims) error { return errors.New("nothing is signed") }

// BenchmarkPayments times lock and settle beside the durable commit of one row,
// with one caller and with 16.
func BenchmarkPayments(b *testing.B) {
	ctx := context.Background()
	db := openNew(b)
	ledger, err := payments.New(ctx, payments.Config{
		Store: db, Signer: noSigner{}, BaseURL: func() string { return "" }, Now: time.Now,
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
	})
	if err != nil {
		b.Fatal(err)
	}
	budget := 500 * contract.Credit
	token, _, err := ledger.Mint(ctx, payments.MintRequest{Amount: &budget})
	if err != nil {
		b.Fatal(err)
	}
	much, little := contract.Credit, payments.Amount(1)
	for _, callers := range []int{1, 16} {
		for _, work := range []struct {
			name string
			call func(lock string) error
		}{
			{"bare commit", func(string) error { return db.SaveSettings(ctx, json.RawMessage(`{"a":1}`)) }},
			{"lock", func(string) error {
				_, err := ledger.Lock(ctx, payments.LockRequest{TokenID: token.ID, Amount: &little})
				return err
			}},
			{"settle", func(lock string) error {
				_, err := ledger.Settle(ctx, payments.SettleRequest{LockID: lock, Amount: &little, ChargeType: contract.ChargeAgentFee})
				return err
			}},
		} {
			b.Run(fmt.Sprintf("%s/callers=%d", work.name, callers), func(b *testing.B) {
				todo, failed := make(chan struct{}), make(chan error, callers)
				done := make(chan struct{})
				for range callers {
					l, err := ledger.Lock(ctx, payments.LockRequest{TokenID: token.ID, Amount: &much})
					if err != nil {
						b.Fatal(err)
					}
					go func() {
						defer func() { done <- struct{}{} }()
						for range todo {
							if err := work.call(l.ID); err != nil {
								failed <- err
								return
							}
						}
					}()
				}
				b.ResetTimer()
				for range b.N {
					select {
					case todo <- struct{}{}:
					case err := <-failed:
						b.Fatal(err)
					}
				}
				close(todo)
				for range callers {
					<-done
				}
			})
		}
	}
}
