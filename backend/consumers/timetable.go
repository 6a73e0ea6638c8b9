package consumers

import (
	"time"
)

// Timetable says when a schedule fires: a cron expression in UTC, or a
// structured schedule in a time zone. Both fire on whole minutes.
type Timetable struct {
	cron  *expression
	every *structured
}

// Next gives the first minute strictly after t in which the schedule fires.
// False: there is none in the four hundred years after which the calendar
// repeats.
func (s Timetable) Next(t time.Time) (time.Time, bool) {
	t = t.UTC().Truncate(time.Minute)
	switch {
	case s.cron != nil:
		return s.cron.next(t.Add(time.Minute))
	case s.every != nil:
		return s.every.next(t)
	}
	return time.Time{}, false
}

// NextN gives the next n runs after t.
func (s Timetable) NextN(t time.Time, n int) []time.Time {
	var runs []time.Time
	for range n {
		next, ok := s.Next(t)
		if !ok {
			break
		}
		runs = append(runs, next)
		t = next
	}
	return runs
}

// Sentence says in words when the schedule fires.
func (s Timetable) Sentence() string {
	switch {
	case s.cron != nil:
		return s.cron.sentence()
	case s.every != nil:
		return s.every.sentence()
	}
	return ""
}
