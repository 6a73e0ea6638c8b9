//go:build soak

package sqlite_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"benchtop/backend/storetest"
)

// paymentOperations is how many operations the soak does; BENCHTOP_SOAK_PAYMENTS
// sets another number.
const paymentOperations = 1_000_000

// TestSoakPayments lets 16 clients do a million random operations on one ledger.
func TestSoakPayments(t *testing.T) {
	operations := paymentOperations
	if text := os.Getenv("BENCHTOP_SOAK_PAYMENTS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("BENCHTOP_SOAK_PAYMENTS=%q is no number", text)
		}
		operations = n
	}
	const rounds = 20
	db := openAt(t, filepath.Join(t.TempDir(), "benchtop.db"))
	start := time.Now()
	for round := range rounds {
		done, refused, replayed := storetest.PaymentClients(t, db, 16, operations/rounds, uint64(round))
		t.Logf("round %d: %d done, %d refused, %d asked twice at once; %v since the start", round+1, done, refused, replayed, time.Since(start).Round(time.Second))
		if t.Failed() {
			return
		}
	}
}
