package history

import (
	"context"
	"time"

	"benchtop/backend/contract"
)

// sweepBatch is how many rows one write removes: a matter of milliseconds, so
// that no invocation waits for a sweep.
const sweepBatch = 100

// Retention says what is kept; 0 does not limit. A row goes when it is older
// than Days or when there are more than Rows newer ones, whichever comes first.
type Retention struct {
	Rows int
	Days int
}

// Sweep removes what need not be kept, oldest first, in small writes, and gives
// how many rows went. Rows about authoring stay: they are the record of who
// changed what.
func (h *History) Sweep(ctx context.Context, keep Retention) (removed int, err error) {
	if keep.Days > 0 {
		before := contract.FormatTime(h.cfg.Now().Add(-time.Duration(keep.Days) * 24 * time.Hour))
		for n := sweepBatch; n == sweepBatch; removed += n {
			if n, err = h.cfg.Store.DropRows(ctx, before, sweepBatch); err != nil {
				return removed, err
			}
		}
	}
	if keep.Rows <= 0 {
		return removed, nil
	}
	count, err := h.cfg.Store.CountRows(ctx)
	for excess := count - keep.Rows; err == nil && excess > 0; {
		var n int
		if n, err = h.cfg.Store.DropRows(ctx, "", min(excess, sweepBatch)); n == 0 {
			break // what is left is still running
		}
		removed, excess = removed+n, excess-n
	}
	return removed, err
}
