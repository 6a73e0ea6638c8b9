package consumers

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func at(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestCronNext(t *testing.T) {
	for _, c := range []struct{ cron, after, want, sentence string }{
		{"* * * * *", "2026-11-20 10:00", "2026-11-20 10:01", "Every minute UTC"},
		{"0 3 * * *", "2026-11-20 03:00", "2026-11-21 03:00", "At 03:00 every day UTC"},
		{"*/15 * * * *", "2026-11-20 10:46", "2026-11-20 11:00", "Every 15 minutes UTC"},
		{"7 */6 * * *", "2026-11-20 12:08", "2026-11-20 18:07", "Every 6 hours at minute 7 UTC"},
		{"30 9,17 * * 1-5", "2026-11-20 17:30", "2026-11-23 09:30", "At 09:30 and 17:30 on Monday to Friday UTC"},
		{"0 0 31 12 *", "2026-01-01 00:00", "2026-12-31 00:00", "At 00:00 on day 31 in December UTC"},
		{"59 23 31 12 *", "2026-12-31 23:59", "2027-12-31 23:59", "At 23:59 on day 31 in December UTC"},
		{"0 0 29 2 *", "2096-03-01 00:00", "2104-02-29 00:00", "At 00:00 on day 29 in February UTC"}, // 2100 is no leap year
		// Both day fields must hold: a Friday that is a 13th, not either.
		{"0 12 13 * 5", "2026-11-13 12:00", "2027-08-13 12:00", "At 12:00 on Friday, if it is day 13 of the month UTC"},
		// A number with a step is that number alone.
		{"5/10 * * * *", "2026-11-20 10:05", "2026-11-20 11:05", "Every hour at minute 5 UTC"},
		{"10-40/15 8 * * *", "2026-11-20 08:25", "2026-11-20 08:40", "At 08:10, 08:25 and 08:40 every day UTC"},
		{"0 0 1 */3 *", "2026-11-20 00:00", "2027-01-01 00:00", "At 00:00 on day 1 in January, April, July and October UTC"},
	} {
		e, err := parseCron(c.cron)
		if err != nil {
			t.Errorf("%s: %v", c.cron, err)
			continue
		}
		table := Timetable{cron: e}
		if got, ok := table.Next(at(c.after)); !ok || !got.Equal(at(c.want)) {
			t.Errorf("%s after %s: %v, want %s", c.cron, c.after, got, c.want)
		}
		if got := table.Sentence(); got != c.sentence {
			t.Errorf("%s: %q, want %q", c.cron, got, c.sentence)
		}
	}
}

func TestCronRefused(t *testing.T) {
	for cron, why := range map[string]string{
		"@daily":           "five fields",
		"* * * *":          "has 4 fields",
		"* * * * * *":      "has 6 fields",
		"60 * * * *":       "outside of 0 to 59",
		"* 24 * * *":       "outside of 0 to 23",
		"* * 0 * *":        "outside of 1 to 31",
		"* * * 13 *":       "outside of 1 to 12",
		"* * * * 7":        "Sunday is 0",
		"* * * * MON":      "names such as MON",
		"* * * JAN *":      "names such as MON",
		"5-1 * * * *":      "counts backwards",
		"*/0 * * * *":      "no step",
		"*/ * * * *":       "no step",
		"1,, * * * *":      "no number",
		"-5 * * * *":       "no number",
		"0 0 30 2 *":       "never fires",
		"0 0 31 4,6,9 *":   "never fires",
		"+5 * * * *":       "no number",
		"99999999 * * * *": "no number",
	} {
		if _, err := parseCron(cron); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", cron, err, why)
		}
	}
}

// Next agrees with looking at every minute, and never goes back.
func TestCronNextAgainstEveryMinute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := func(f field, wide []string) string {
			if rapid.IntRange(0, 2).Draw(t, f.name) > 0 {
				return rapid.SampledFrom(wide).Draw(t, f.name)
			}
			a := rapid.IntRange(f.low, f.top).Draw(t, f.name)
			return fmt.Sprintf("%d-%d", a, rapid.IntRange(a, f.top).Draw(t, f.name))
		}
		text := strings.Join([]string{
			part(fields[0], []string{"*", "0", "*/7", "59"}), part(fields[1], []string{"*", "0", "23", "*/5"}),
			part(fields[2], []string{"*", "1", "15-31", "28,31"}), part(fields[3], []string{"*", "2", "11-12"}),
			part(fields[4], []string{"*", "0", "1-5"}),
		}, " ")
		e, err := parseCron(text)
		if err != nil {
			return // a day that never is
		}
		start := time.Date(2026, 1, 1, 0, rapid.IntRange(0, 2*366*24*60).Draw(t, "start"), 0, 0, time.UTC)
		got, ok := Timetable{cron: e}.Next(start)
		if !ok {
			t.Fatalf("%s never fires after %v", text, start)
		}
		for m := start.Add(time.Minute); m.Before(start.AddDate(0, 0, 40)); m = m.Add(time.Minute) {
			fires := e.has(0, m.Minute()) && e.has(1, m.Hour()) && e.has(2, m.Day()) && e.has(3, int(m.Month())) && e.has(4, int(m.Weekday()))
			if fires != m.Equal(got) {
				t.Fatalf("%s after %v: next is %v, at %v it fires: %v", text, start, got, m, fires)
			}
			if fires {
				return
			}
		}
	})
}

func TestStructured(t *testing.T) {
	for _, c := range []struct {
		frequency, clock, zone string
		day                    int
		after                  string
		want                   []string
		sentence               string
	}{
		{"hourly", "00:20", "", 0, "2026-11-20 10:20", []string{"2026-11-20 11:20", "2026-11-20 12:20"}, "Every hour at minute 20 UTC"},
		{"hourly", "", "Asia/Kolkata", 0, "2026-11-20 10:00", []string{"2026-11-20 10:30", "2026-11-20 11:30"}, "Every hour at minute 0 Asia/Kolkata"},
		{"every_6h", "02:30", "", 0, "2026-11-20 20:30", []string{"2026-11-21 02:30", "2026-11-21 08:30"}, "At 02:30, 08:30, 14:30 and 20:30 every day UTC"},
		{"every_12h", "18:00", "", 0, "2026-11-20 18:00", []string{"2026-11-21 06:00", "2026-11-21 18:00"}, "At 06:00 and 18:00 every day UTC"},
		{"daily", "", "", 0, "2026-11-20 00:00", []string{"2026-11-21 00:00"}, "At 00:00 every day UTC"},
		{"weekly", "09:00", "America/New_York", 1, "2026-11-20 00:00", []string{"2026-11-23 14:00", "2026-11-30 14:00"}, "At 09:00 on Monday America/New_York"},
		// Berlin: 02:30 is skipped on 29 March 2026 and comes twice on 25 October.
		{"daily", "02:30", "Europe/Berlin", 0, "2026-03-27 12:00", []string{"2026-03-28 01:30", "2026-03-29 01:30", "2026-03-30 00:30"}, "At 02:30 every day Europe/Berlin"},
		{"daily", "02:30", "Europe/Berlin", 0, "2026-10-24 12:00", []string{"2026-10-25 00:30", "2026-10-26 01:30"}, "At 02:30 every day Europe/Berlin"},
		{"hourly", "00:30", "Europe/Berlin", 0, "2026-10-24 23:30", []string{"2026-10-25 00:30", "2026-10-25 01:30", "2026-10-25 02:30"}, "Every hour at minute 30 Europe/Berlin"},
	} {
		s, err := newStructured(c.frequency, c.clock, c.zone, c.day)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		table := Timetable{every: s}
		runs := table.NextN(at(c.after), len(c.want))
		for i, want := range c.want {
			if !runs[i].Equal(at(want)) {
				t.Errorf("%s %s %s after %s: run %d is %v, want %s", c.frequency, c.clock, c.zone, c.after, i, runs[i], want)
			}
		}
		if got := table.Sentence(); got != c.sentence {
			t.Errorf("%q, want %q", got, c.sentence)
		}
	}
	for _, bad := range []struct {
		frequency, clock, zone string
		day                    int
	}{{"monthly", "", "", 0}, {"daily", "9:00", "", 0}, {"daily", "24:00", "", 0}, {"weekly", "", "", 7}, {"daily", "", "Mars/Olympus", 0}, {"daily", "", "Local", 0}} {
		if _, err := newStructured(bad.frequency, bad.clock, bad.zone, bad.day); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// In any zone a daily schedule runs once for each date, clock changes or not.
func TestStructuredRunsOncePerDate(t *testing.T) {
	for _, zone := range []string{"Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca", "America/Sao_Paulo", "UTC"} {
		for _, clock := range []string{"00:00", "00:30", "01:45", "02:00", "02:30", "03:00", "23:59"} {
			s, err := newStructured("daily", clock, zone, 0)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Date(2018, 1, 1, 0, 0, 0, 0, s.zone)
			end := time.Date(2027, 1, 1, 0, 0, 0, 0, s.zone)
			seen, days := map[string]bool{}, 0
			for now := start.Add(-time.Minute); ; {
				next, ok := Timetable{every: s}.Next(now)
				if !ok || !next.After(now) {
					t.Fatalf("%s %s: after %v comes %v", zone, clock, now, next)
				}
				if !next.Before(end) {
					break
				}
				date := next.In(s.zone).Format(time.DateOnly)
				if seen[date] {
					t.Errorf("%s %s: twice on %s", zone, clock, date)
				}
				seen[date] = true
				days++
				now = next
			}
			if want := int(end.Sub(start).Hours()/24 + 0.5); days != want {
				t.Errorf("%s %s: %d runs in %d days", zone, clock, days, want)
			}
		}
	}
}

func FuzzCron(f *testing.F) {
	for _, seed := range []string{"* * * * *", "*/5 1-3,7 1 2 0", "@daily", "0 0 30 2 *", "1/2 * * * *"} {
		f.Add(seed)
	}
	start := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := parseCron(text)
		if err != nil {
			return
		}
		table := Timetable{cron: e}
		next, ok := table.Next(start)
		if !ok || !next.After(start) || table.Sentence() == "" {
			t.Errorf("%q: next is %v, %v; %q", text, next, ok, table.Sentence())
		}
	})
}

func BenchmarkCronNext(b *testing.B) {
	e, err := parseCron("0 12 13 * 5")
	if err != nil {
		b.Fatal(err)
	}
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for b.Loop() {
		if _, ok := e.next(now); !ok {
			b.Fatal("never")
		}
	}
}
