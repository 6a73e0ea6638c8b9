//go:build soak

package cli_test

import "testing"

// TestSoakPaymentsKilled kills the platform a hundred times.
func TestSoakPaymentsKilled(t *testing.T) { killPayments(t, 100) }
