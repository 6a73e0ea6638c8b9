package scheduler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// A year of minutes in three time zones that change their clocks: every minute
// in which an entry is due fires once, and no other. When it is due is worked
// out here from the calendar, minute by minute, without asking the code that the
// scheduler asks.
func TestYear(t *testing.T) {
	const zones = 3
	names := [zones]string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe"}
	var locations [zones]*time.Location
	w := newWorld(t, "2026-01-01 00:00:10")
	schedules := []string{
		`{"id":"often","cron":"*/7 * * * *","use":"f"}`,
		`{"id":"both","cron":"30 2 1-7 * 1","use":"f"}`,
		`{"id":"leap","cron":"59 23 28-31 2,12 *","use":"f"}`,
		`{"id":"off","cron":"* * * * *","use":"f","enabled":false}`,
	}
	for i, name := range names {
		var err error
		if locations[i], err = time.LoadLocation(name); err != nil {
			t.Fatal(err)
		}
		schedules = append(schedules,
			fmt.Sprintf(`{"id":"daily%d","schedule":{"frequency":"daily","preferredTime":"02:30","timeZone":%q},"use":"f"}`, i, name),
			fmt.Sprintf(`{"id":"half%d","schedule":{"frequency":"every_12h","preferredTime":"01:45","timeZone":%q},"use":"f"}`, i, name),
			fmt.Sprintf(`{"id":"sunday%d","schedule":{"frequency":"weekly","preferredTime":"02:05","preferredDay":0,"timeZone":%q},"use":"f"}`, i, name),
			fmt.Sprintf(`{"id":"hourly%d","schedule":{"frequency":"hourly","preferredTime":"00:15","timeZone":%q},"use":"f"}`, i, name))
	}
	w.set(schedules...)
	w.open()
	random := rand.New(rand.NewPCG(1, 2))
	begin, end := w.clock(), moment("2027-01-01 00:00:00")
	minutes := 0
	w.play(func() bool {
		w.s.Wait()
		next := w.clock().Truncate(time.Minute).Add(time.Minute)
		if !next.Before(end) {
			return false
		}
		minutes++
		w.move(next.Add(time.Duration(random.IntN(59_000)) * time.Millisecond)) // a timer is late
		return true
	})
	if minutes != 365*24*60-1 {
		t.Fatalf("%d minutes in the year", minutes)
	}
	want := map[string][]time.Time{}
	add := func(id string, m time.Time) { want[id] = append(want[id], m) }
	days := [zones]map[string]map[string]bool{}
	for i := range days {
		days[i] = map[string]map[string]bool{}
	}
	for m := begin.Truncate(time.Minute).Add(-48 * time.Hour); m.Before(end); m = m.Add(time.Minute) {
		counts := m.After(begin)
		if counts {
			if m.Minute()%7 == 0 {
				add("often", m)
			}
			if m.Minute() == 30 && m.Hour() == 2 && m.Day() <= 7 && m.Weekday() == time.Monday {
				add("both", m)
			}
			if m.Minute() == 59 && m.Hour() == 23 && m.Day() >= 28 && (m.Month() == 2 || m.Month() == 12) {
				add("leap", m)
			}
		}
		for i, zone := range locations {
			local := m.In(zone)
			date, clock := local.Format("2006-01-02"), local.Format("15:04")
			shown := days[i][date]
			if shown == nil {
				shown = map[string]bool{}
				days[i][date] = shown
			}
			if counts && local.Minute() == 15 {
				add(fmt.Sprint("hourly", i), m)
			}
			first := !shown[clock]
			shown[clock] = true
			if !counts || !first {
				continue
			}
			for _, s := range []struct{ id, clock string }{{"daily", "02:30"}, {"half", "01:45"}, {"half", "13:45"}, {"sunday", "02:05"}} {
				if s.id == "sunday" && local.Weekday() != time.Sunday {
					continue
				}
				due := clock == s.clock
				if moved := skipped(zone, local, s.clock); moved != "" {
					due = clock == moved
				}
				if due {
					add(fmt.Sprint(s.id, i), m)
				}
			}
		}
	}
	total := 0
	for id, minutes := range want {
		got := slices.Clone(w.fired[Key{"a", id}])
		slices.SortFunc(got, time.Time.Compare)
		total += len(got)
		if !slices.Equal(got, minutes) {
			t.Errorf("%s fired %d times, want %d: %s", id, len(got), len(minutes), difference(got, minutes))
		}
	}
	if len(w.fired) != len(want) {
		t.Errorf("%d entries fired, want %d", len(w.fired), len(want))
	}
	if len(w.events) != total {
		t.Errorf("%d events for %d runs", len(w.events), total)
	}
	t.Logf("%d minutes, %d runs of %d entries", minutes, total, len(want))
}

// skipped gives the time of day that stands for one which the local date does
// not have, because the clock was moved on over it; empty when it has it.
func skipped(zone *time.Location, local time.Time, clock string) string {
	noon := time.Date(local.Year(), local.Month(), local.Day(), 12, 0, 0, 0, zone)
	_, after := noon.Zone()
	_, before := noon.Add(-24 * time.Hour).Zone()
	if after <= before {
		return ""
	}
	at, err := time.ParseInLocation("2006-01-02 15:04", local.Format("2006-01-02 ")+clock, time.FixedZone("", before))
	if err != nil || at.In(zone).Format("15:04") == clock {
		return ""
	}
	if late := time.FixedZone("", after); time.Date(local.Year(), local.Month(), local.Day(), at.Hour(), at.Minute(), 0, 0, late).In(zone).Format("15:04") == clock {
		return "" // after the change already
	}
	return at.In(zone).Format("15:04")
}

func difference(got, want []time.Time) string {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return "missing " + want[i].String()
		case i >= len(want):
			return "too many: " + got[i].String()
		case !got[i].Equal(want[i]):
			return fmt.Sprintf("at %d %s, want %s", i, got[i], want[i])
		}
	}
	return "none"
}
