package platform

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// simulatedDeath, in the environment, lets the simulator really end the program
// at the moments it is told to; without it only a connection is cut.
const simulatedDeath = "BENCHTOP_SIMULATED_DEATH"

// ledger is the payments of the platform with what runs beside them.
type ledger struct {
	*payments.Payments
	simulators *simulators
	sweeps     paymentSweeps
	checked    atomic.Pointer[contract.PaymentCheck] // at the start; nil until it is done
	end        context.CancelFunc
	done       sync.WaitGroup
}

// openPayments opens the ledger, holds it against itself and starts to end what
// is due.
func (p *Platform) openPayments(ctx context.Context, ag *agents.Agents) (err error) {
	l := &ledger{simulators: newSimulators(ag, p.bus.Publish, p.cfg.Log)}
	l.sweeps.wake = make(chan struct{}, 1)
	l.Payments, err = payments.New(ctx, payments.Config{
		Store: p.db, Signer: p.auth, BaseURL: p.URL, Now: time.Now, NewID: newID, Publish: p.bus.Publish, Log: p.cfg.Log,
		Agent: func(ref string) (payments.Agent, bool) {
			a, ok := ag.Resolve(ref)
			return payments.Agent{ID: a.ID, Username: a.Username, CommissionPercent: a.Settings.CommissionPercent}, ok
		},
		Faults: l.simulators.faults, Ends: l.sweeps.at, Die: p.die,
	})
	if err != nil {
		return err
	}
	background, end := context.WithCancel(context.Background())
	l.end = end
	l.done.Go(func() { l.check(background, p) })
	l.done.Go(func() { l.sweep(background, p) })
	p.ledger = l
	return nil
}

func (l *ledger) stop() {
	l.end()
	l.done.Wait()
}

// die ends the program at once, as a power failure would, when it was started to
// do so.
func (p *Platform) die(context.Context) error {
	if os.Getenv(simulatedDeath) != "on" {
		return nil
	}
	p.cfg.Log.Warn("the simulator ends the platform now")
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		return fmt.Errorf("simulated death: %w", err)
	}
	select {} // the system takes it from here
}

func (l *ledger) check(ctx context.Context, p *Platform) {
	r, err := l.Check(ctx)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		r = contract.PaymentCheck{Problems: []string{"the ledger cannot be read"}, CheckedAt: time.Now().UTC()}
		p.cfg.Log.Error("the ledger could not be checked", "error", err)
	}
	for _, problem := range r.Problems {
		p.cfg.Log.Error("the ledger does not agree with itself", "problem", problem)
	}
	l.checked.Store(&r)
}

// paymentSweeps remembers when the next lock or token ends.
type paymentSweeps struct {
	mu   sync.Mutex
	next time.Time // zero: nothing has an end
	wake chan struct{}
}

// at asks for a sweep at a time.
func (s *paymentSweeps) at(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.next.IsZero() && !t.Before(s.next) {
		return
	}
	s.next = t
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// sweepAgain is when a sweep that failed is tried again.
const sweepAgain = 10 * time.Second

func (l *ledger) sweep(ctx context.Context, p *Platform) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.sweeps.wake:
		case <-timer.C:
			l.sweeps.mu.Lock()
			l.sweeps.next = time.Time{} // what comes meanwhile asks again
			l.sweeps.mu.Unlock()
			next, err := l.Sweep(ctx)
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				p.cfg.Log.Error("locks and tokens that are due could not be ended", "error", err)
				next = time.Now().Add(sweepAgain)
			}
			if !next.IsZero() {
				l.sweeps.at(next)
			}
		}
		l.sweeps.mu.Lock()
		next := l.sweeps.next
		l.sweeps.mu.Unlock()
		if !next.IsZero() {
			timer.Reset(time.Until(next))
		}
	}
}

// notices are what the owner should know about payments.
func (l *ledger) notices() []contract.Notice { return append(l.unsound(), l.simulators.notices()...) }

func (l *ledger) unsound() []contract.Notice {
	r := l.checked.Load()
	if r == nil || r.OK {
		return nil
	}
	return []contract.Notice{{Kind: "warning", Code: "ledger_unsound", Message: fmt.Sprintf(
		"The ledger of payments does not agree with itself (%d findings; the first: %s). Nothing was changed: see the check in Payments, and restore a backup of the data directory.",
		len(r.Problems), r.Problems[0])}}
}
