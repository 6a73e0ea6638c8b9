package contract

import (
	"strings"
	"time"
)

// ClockHeader is how the owner says at which moment the clock of a run that is
// started by hand begins: RFC 3339, and in brackets the time zone in which the
// author thinks of it, which only shows it (2026-12-31T23:59:50+01:00[Europe/Berlin]).
const ClockHeader = "Benchtop-Clock"

// The years that a run's clock may be set to: JavaScript and RFC 3339 agree on
// them, and no function was ever called before the first.
const (
	FirstClockYear = 1970
	LastClockYear  = 9998
)

const maxZone = 64

// Clock is where the clock of a run begins that does not see the real time. It
// is the function's alone: history, tokens, TTLs and schedules keep the real one.
type Clock struct {
	Start time.Time
	Zone  string // may be empty
}

// ParseClock reads what ClockHeader says.
func ParseClock(text string) (*Clock, error) {
	moment, zone, zoned := strings.Cut(text, "[")
	if zoned {
		var closed bool
		if zone, closed = strings.CutSuffix(zone, "]"); !closed || !zoneName(zone) {
			return nil, Errorf(InvalidRequest, "a time zone in brackets is a name such as [Europe/Berlin], not %.80q", "["+zone)
		}
	}
	start, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		return nil, Errorf(InvalidRequest, "a clock begins at a moment such as 2026-12-31T23:59:50+01:00 (RFC 3339), not %.80q", text)
	}
	if y := start.UTC().Year(); y < FirstClockYear || y > LastClockYear {
		return nil, Errorf(InvalidRequest, "a clock begins in the years %d to %d, not %.80q", FirstClockYear, LastClockYear, text)
	}
	return &Clock{Start: start.Truncate(time.Millisecond), Zone: zone}, nil
}

// zoneName reports whether s may name a time zone. Which ones there are is for
// those to know who show it.
func zoneName(s string) bool {
	return s != "" && len(s) <= maxZone && !strings.ContainsFunc(s, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("/_+-", c)
	})
}

// After is the same clock later on; that of nil is nil.
func (c *Clock) After(d time.Duration) *Clock {
	if c == nil {
		return nil
	}
	return &Clock{Start: c.Start.Add(d).Truncate(time.Millisecond), Zone: c.Zone}
}

// String gives what ParseClock reads, nothing for nil.
func (c *Clock) String() string {
	if c == nil {
		return ""
	}
	text := c.Start.Format("2006-01-02T15:04:05.999Z07:00")
	if c.Zone != "" {
		text += "[" + c.Zone + "]"
	}
	return text
}
