package contract

import (
	"testing"
	"time"
)

func TestParseClock(t *testing.T) {
	for text, want := range map[string]int64{
		"2026-12-31T23:59:50+01:00[Europe/Berlin]": time.Date(2026, 12, 31, 22, 59, 50, 0, time.UTC).UnixMilli(),
		"2028-02-29T00:00:00Z":                     time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC).UnixMilli(),
		"1970-01-01T00:00:00Z":                     0,
		"1970-01-01T00:00:00.25Z[Etc/GMT+5]":       250,
		"9998-12-31T23:59:59.999Z":                 time.Date(9998, 12, 31, 23, 59, 59, 999e6, time.UTC).UnixMilli(),
	} {
		c, err := ParseClock(text)
		if err != nil || c.Start.UnixMilli() != want || c.String() != text {
			t.Errorf("%s: %v, %v; want %d", text, c, err, want)
		}
	}
	for _, text := range []string{
		"", "tomorrow", "2026-12-31", "2026-12-31T23:59:50", "2026-02-30T00:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00+01:00",
		"9999-01-01T00:00:00Z", "12026-01-01T00:00:00Z", "2026-01-01T00:00:00Z[", "2026-01-01T00:00:00Z[]", "2026-01-01T00:00:00Z[Europe/Berlin",
		"2026-01-01T00:00:00Z[a b]", "2026-01-01T00:00:00Z[é]", "2026-01-01T00:00:00Z[a][b]", "[Europe/Berlin]",
	} {
		if c, err := ParseClock(text); AsError(err) == nil || AsError(err).Code != InvalidRequest {
			t.Errorf("%q: %v, %v", text, c, err)
		}
	}
}

func TestClockGoesOn(t *testing.T) {
	c, err := ParseClock("2026-12-31T23:59:50+01:00[Europe/Berlin]")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.After(10*time.Second + 500*time.Microsecond).String(); got != "2027-01-01T00:00:00+01:00[Europe/Berlin]" {
		t.Error(got)
	}
	var live *Clock
	if live.After(time.Hour) != nil || live.String() != "" {
		t.Error("no clock became one")
	}
}

// FuzzParseClock: what is taken is written in a form that is read as the same.
func FuzzParseClock(f *testing.F) {
	for _, text := range []string{"2026-12-31T23:59:50+01:00[Europe/Berlin]", "1970-01-01T00:00:00Z", "2028-02-29T12:00:00.123456-11:30", "2026-12-31t23:59:50z", "2026-12-31T23:59:50,5Z", "[", "9998-12-31T23:59:59.999Z[]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseClock(text)
		if err != nil {
			if AsError(err) == nil {
				t.Fatalf("%q: %v has no code", text, err)
			}
			return
		}
		again, err := ParseClock(c.String())
		if err != nil || !again.Start.Equal(c.Start) || again.Zone != c.Zone || again.String() != c.String() {
			t.Fatalf("%q became %q, and that %v, %v", text, c, again, err)
		}
	})
}
