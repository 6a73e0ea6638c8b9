package sqlite

import (
	"slices"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// The figures and every filter read stretches of one index. With a look at the
// row beside each of its entries, they take three times as long.
func TestKindsAreReadFromTheIndexAlone(t *testing.T) {
	db := openTemp(t)
	for _, code := range []string{"", string(contract.JSRuntimeError)} {
		piece := kind{"agent", "greet", "custom_http", contract.StatusError, code, 2}.stretch()
		var plan []string
		if err := db.read(ctx, func(c *conn) error {
			return c.query(func(r *row) error {
				for range 3 { // which step of the plan it is
					r.int()
				}
				plan = append(plan, r.str())
				return nil
			}, "EXPLAIN QUERY PLAN SELECT started_at, id, agent_id, function_name, duration_ms FROM "+piece.from+" WHERE "+piece.where+
				" AND started_at > ? ORDER BY started_at DESC LIMIT ?", append(slices.Clone(piece.args), 0, 1)...)
		}); err != nil {
			t.Fatal(err)
		}
		if len(plan) != 1 || !strings.HasPrefix(plan[0], "SEARCH invocations USING COVERING INDEX invocations_kinds") ||
			!strings.HasSuffix(plan[0], "AND <expr>=? AND started_at>?)") {
			t.Errorf("with code %q: %q", code, plan)
		}
	}
}
