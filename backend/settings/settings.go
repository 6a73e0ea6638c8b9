// Package settings owns what the owner may set: how long the history is kept, how
// many validations a minute has, and in what unit functions name amounts.
package settings

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"benchtop/backend/contract"
)

// Store keeps one JSON text. Writes are durable when they return.
type Store interface {
	// LoadSettings gives nil when nothing was ever set.
	LoadSettings(ctx context.Context) (json.RawMessage, error)
	SaveSettings(ctx context.Context, value json.RawMessage) error
}

// Config is what New needs. Changed is told of each change; it may be nil.
type Config struct {
	Store    Store
	Defaults contract.Settings
	Changed  func(contract.Settings)
}

// Settings serves the settings from memory. What the owner never set follows the
// defaults, also those of a later version.
type Settings struct {
	cfg     Config
	change  sync.Mutex // held by one change from merge to store
	set     contract.SettingsRequest
	current atomic.Pointer[contract.Settings]
}

// New loads the settings.
func New(ctx context.Context, cfg Config) (*Settings, error) {
	s := &Settings{cfg: cfg}
	text, err := cfg.Store.LoadSettings(ctx)
	if err == nil && text != nil {
		err = json.Unmarshal(text, &s.set)
	}
	if err != nil {
		return nil, fmt.Errorf("load the settings: %w", err)
	}
	s.publish()
	return s, nil
}

// Get gives the settings as they are now.
func (s *Settings) Get() contract.Settings { return *s.current.Load() }

// Put changes what the request names, and gives the settings then.
func (s *Settings) Put(ctx context.Context, req contract.SettingsRequest) (contract.Settings, error) {
	s.change.Lock()
	defer s.change.Unlock()
	next := s.set
	for _, f := range []struct {
		name      string
		asked     *int
		set       **int
		from, max int
	}{
		{"historyRows", req.HistoryRows, &next.HistoryRows, 100, contract.MaxHistoryRows},
		{"historyDays", req.HistoryDays, &next.HistoryDays, 1, contract.MaxHistoryDays},
		{"validationsPerMinute", req.ValidationsPerMinute, &next.ValidationsPerMinute, 1, contract.MaxValidationsPerMinute},
	} {
		if f.asked == nil {
			continue
		}
		if n := *f.asked; n != 0 && (n < f.from || n > f.max) {
			return s.Get(), contract.Errorf(contract.InvalidRequest, "%s must be from %d to %d, or 0 for no limit", f.name, f.from, f.max)
		}
		*f.set = f.asked
	}
	if n := req.NanocentsPerDollar; n != nil {
		if !slices.Contains(contract.NanocentsPerDollar, *n) {
			return s.Get(), contract.Errorf(contract.InvalidRequest, "nanocentsPerDollar must be one of %d", contract.NanocentsPerDollar)
		}
		next.NanocentsPerDollar = n
	}
	if req.RelaxedPayments != nil {
		next.RelaxedPayments = req.RelaxedPayments
	}
	if req.A2ALegacy != nil {
		next.A2ALegacy = req.A2ALegacy
	}
	text, err := json.Marshal(next)
	if err != nil {
		return s.Get(), err
	}
	if err := s.cfg.Store.SaveSettings(ctx, text); err != nil {
		return s.Get(), err
	}
	s.set = next
	s.publish()
	now := s.Get()
	if s.cfg.Changed != nil {
		s.cfg.Changed(now)
	}
	return now, nil
}

func (s *Settings) publish() {
	now := s.cfg.Defaults
	for _, f := range []struct {
		from *int
		to   *int
	}{
		{s.set.HistoryRows, &now.HistoryRows}, {s.set.HistoryDays, &now.HistoryDays},
		{s.set.ValidationsPerMinute, &now.ValidationsPerMinute},
	} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	if s.set.NanocentsPerDollar != nil {
		now.NanocentsPerDollar = *s.set.NanocentsPerDollar
	}
	if s.set.RelaxedPayments != nil {
		now.RelaxedPayments = *s.set.RelaxedPayments
	}
	if s.set.A2ALegacy != nil {
		now.A2ALegacy = *s.set.A2ALegacy
	}
	s.current.Store(&now)
}
