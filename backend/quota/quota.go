// Package quota counts what may happen only so often in a while, such as the
// validations of an agent (spec section 8, contract.md 1 row 21).
package quota

import (
	"sync"
	"time"
)

// Config of a Window. Limit is how often each key may be taken in any stretch of
// Per; it is asked each time, and 0 does not limit. Now defaults to time.Now.
type Config struct {
	Limit func() int
	Per   time.Duration
	Now   func() time.Time
}

// Window is a sliding window: there is no moment at which twice the limit goes
// through, as there is where counters start over.
type Window struct {
	cfg  Config
	mu   sync.Mutex
	took map[string][]time.Time // oldest first, none older than Per when last looked at
}

// New makes a Window.
func New(cfg Config) *Window {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Window{cfg: cfg, took: map[string][]time.Time{}}
}

// Take counts one for key. When there is no room it counts nothing and gives how
// long to wait until there is, more than 0.
func (w *Window) Take(key string) (wait time.Duration, ok bool) {
	limit := w.cfg.Limit()
	if limit <= 0 {
		return 0, true
	}
	now := w.cfg.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	list := w.took[key]
	gone := 0
	for gone < len(list) && now.Sub(list[gone]) >= w.cfg.Per {
		gone++
	}
	list = append(list[:0], list[gone:]...)
	if len(list) >= limit {
		w.took[key] = list
		// The one that has to go before there is room; more than one when the
		// limit was lowered meanwhile.
		return w.cfg.Per - now.Sub(list[len(list)-limit]), false
	}
	w.took[key] = append(list, now)
	return 0, true
}
