package platform

import (
	"context"
	"log/slog"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/history"
	"benchtop/backend/quota"
	"benchtop/backend/settings"
)

// openSettings loads what the owner set and starts the sweep of the history
// that follows it.
func (p *Platform) openSettings(ctx context.Context, hist *history.History) (err error) {
	defaults := contract.Settings{
		HistoryRows: contract.DefaultHistoryRows, HistoryDays: contract.DefaultHistoryDays,
		ValidationsPerMinute: contract.ValidationsPerMinute, NanocentsPerDollar: contract.DefaultNanocentsPerDollar,
		A2ALegacy: true,
	}
	if n := p.cfg.ValidationsPerMinute; n != 0 {
		defaults.ValidationsPerMinute = max(n, 0)
	}
	sw := &sweeper{again: make(chan struct{}, 1), log: p.cfg.Log}
	p.settings, err = settings.New(ctx, settings.Config{Store: p.db, Defaults: defaults, Changed: func(contract.Settings) { sw.nudge() }})
	if err != nil {
		return err
	}
	sw.start(func(ctx context.Context) (int, error) {
		keep := p.settings.Get()
		return hist.Sweep(ctx, history.Retention{Rows: keep.HistoryRows, Days: keep.HistoryDays})
	})
	p.sweeper = sw
	return nil
}

// nanocentsPerDollar is the unit in which functions name amounts.
func (p *Platform) nanocentsPerDollar() int64 { return p.settings.Get().NanocentsPerDollar }

// validations is the validation bucket of each agent.
func (p *Platform) validations() *quota.Window {
	return quota.New(quota.Config{
		Limit: func() int { return p.settings.Get().ValidationsPerMinute }, Per: time.Minute, Now: time.Now,
	})
}

// sweepEvery is how long the history may hold more than it should.
const sweepEvery = 10 * time.Minute

// sweeper runs a sweep at the start, now and then, and when it is asked to.
type sweeper struct {
	again chan struct{}
	log   *slog.Logger
	end   context.CancelFunc
	done  chan struct{}
}

func (s *sweeper) start(sweep func(context.Context) (int, error)) {
	ctx, cancel := context.WithCancel(context.Background())
	s.end, s.done = cancel, make(chan struct{})
	go func() {
		defer close(s.done)
		tick := time.NewTicker(sweepEvery)
		defer tick.Stop()
		for {
			n, err := sweep(ctx)
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				s.log.Error("the history could not be swept", "error", err)
			} else if n > 0 {
				s.log.Info("history swept", "rows", n)
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			case <-s.again:
			}
		}
	}()
}

// nudge asks for a sweep soon.
func (s *sweeper) nudge() {
	select {
	case s.again <- struct{}{}:
	default:
	}
}

func (s *sweeper) stop() {
	s.end()
	<-s.done
}
