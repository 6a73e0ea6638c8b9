package consumers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // not every system has a database of time zones
)

// structured is a schedule in words: every so often, at a time of day, in a time
// zone. A time of day that a clock change skips fires when the clock has moved
// on; one that comes twice fires the first time only.
type structured struct {
	frequency string
	minute    int // of the day, 0 to 1439
	day       time.Weekday
	zone      *time.Location
}

// everyHours is how far apart the runs of one day are; 0 is once.
var everyHours = map[string]int{"hourly": 1, "every_6h": 6, "every_12h": 12, "daily": 0, "weekly": 0}

func newStructured(frequency, preferredTime, zone string, day int) (*structured, error) {
	if _, ok := everyHours[frequency]; !ok {
		return nil, fmt.Errorf("frequency is one of hourly, every_6h, every_12h, daily, weekly, not %q", frequency)
	}
	s := &structured{frequency: frequency, zone: time.UTC}
	if preferredTime != "" {
		h, m, ok := clock(preferredTime)
		if !ok {
			return nil, fmt.Errorf("preferredTime is a time of day such as 09:30, not %q", preferredTime)
		}
		s.minute = 60*h + m
	}
	if day < 0 || day > 6 {
		return nil, fmt.Errorf("preferredDay is a number from 0 (Sunday) to 6, not %d", day)
	}
	s.day = time.Weekday(day)
	if zone != "" {
		loc, err := time.LoadLocation(zone)
		if err != nil || zone == "Local" {
			return nil, fmt.Errorf("timeZone is the name of a time zone such as Europe/Berlin, not %q", zone)
		}
		s.zone = loc
	}
	return s, nil
}

func clock(text string) (h, m int, ok bool) {
	hours, minutes, found := strings.Cut(text, ":")
	if !found || len(hours) != 2 || len(minutes) != 2 {
		return 0, 0, false
	}
	h, err := strconv.Atoi(hours)
	m, err2 := strconv.Atoi(minutes)
	return h, m, err == nil && err2 == nil && h >= 0 && h < 24 && m >= 0 && m < 60
}

// next gives the first run after t, which is a whole minute in UTC.
func (s *structured) next(t time.Time) (time.Time, bool) {
	if s.frequency == "hourly" {
		// By the minute of the local clock: a day has as many runs as hours.
		for i := 1; i <= 120; i++ {
			if at := t.Add(time.Duration(i) * time.Minute); at.In(s.zone).Minute() == s.minute%60 {
				return at, true
			}
		}
		return time.Time{}, false
	}
	local := t.In(s.zone)
	for ahead := -1; ahead <= 8; ahead++ {
		day := time.Date(local.Year(), local.Month(), local.Day()+ahead, 12, 0, 0, 0, time.UTC)
		if s.frequency == "weekly" && day.Weekday() != s.day {
			continue
		}
		for _, minute := range s.minutes() {
			if at := s.at(day, minute); at.After(t) {
				return at, true
			}
		}
	}
	return time.Time{}, false
}

// minutes are the times of one day.
func (s *structured) minutes() []int {
	step := everyHours[s.frequency]
	if step == 0 {
		return []int{s.minute}
	}
	var all []int
	for n := range 24 / step {
		all = append(all, (s.minute+n*step*60)%(24*60))
	}
	slices.Sort(all)
	return all
}

// at gives the moment at which the local clock of a date first shows a minute of
// the day, or has first passed it.
func (s *structured) at(date time.Time, minute int) time.Time {
	wall := time.Date(date.Year(), date.Month(), date.Day(), 0, minute, 0, 0, time.UTC)
	// The offsets that hold around that date; the larger one comes first.
	var found time.Time
	for _, hours := range []int{-36, 36} {
		_, offset := wall.Add(time.Duration(hours) * time.Hour).In(s.zone).Zone()
		at := wall.Add(-time.Duration(offset) * time.Second)
		if sameClock(at.In(s.zone), wall) && (found.IsZero() || at.Before(found)) {
			found = at
		}
	}
	if !found.IsZero() {
		return found
	}
	// Skipped: read with the offset from before the change, the clock shows as
	// much more as it was moved.
	_, offset := wall.Add(-36 * time.Hour).In(s.zone).Zone()
	return wall.Add(-time.Duration(offset) * time.Second)
}

func sameClock(a, b time.Time) bool {
	return a.Day() == b.Day() && a.Hour() == b.Hour() && a.Minute() == b.Minute()
}
