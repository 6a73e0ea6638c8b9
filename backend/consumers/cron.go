package consumers

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// field is one of the five fields of an expression.
type field struct {
	name     string
	low, top int
}

var fields = [5]field{
	{"minute", 0, 59}, {"hour", 0, 23}, {"day of month", 1, 31}, {"month", 1, 12}, {"day of week", 0, 6},
}

// expression is a cron expression, contract.md 2.6: five fields in UTC, of
// numbers, a-b, *, lists and /n. Unlike elsewhere there are no names, 7 is no
// Sunday, both day fields must hold, and n/step is n alone.
type expression struct {
	text string
	set  [5]uint64 // bit n: the value n
}

const maxExpression = 256

func parseCron(text string) (*expression, error) {
	if len(text) > maxExpression {
		return nil, fmt.Errorf("a cron expression has %d characters at most", maxExpression)
	}
	if strings.HasPrefix(strings.TrimSpace(text), "@") {
		return nil, fmt.Errorf("%q: write five fields; forms such as @daily are not known here (that one is 0 0 * * *)", text)
	}
	parts := strings.Fields(text)
	if len(parts) != len(fields) {
		return nil, fmt.Errorf("%q has %d fields; a cron expression has five: minute, hour, day of month, month, day of week", text, len(parts))
	}
	e := &expression{text: strings.Join(parts, " ")}
	for i, part := range parts {
		set, err := fields[i].parse(part)
		if err != nil {
			return nil, err
		}
		e.set[i] = set
	}
	// Any moment will do as the start: the calendar repeats.
	if _, ok := e.next(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)); !ok {
		return nil, fmt.Errorf("%q never fires: no such day exists", text)
	}
	return e, nil
}

func (f field) parse(text string) (set uint64, err error) {
	for item := range strings.SplitSeq(text, ",") {
		bits, err := f.item(item)
		if err != nil {
			return 0, err
		}
		set |= bits
	}
	return set, nil
}

func (f field) item(text string) (set uint64, err error) {
	span, stepText, stepped := strings.Cut(text, "/")
	step := 1
	if stepped {
		if step, err = f.number(stepText); err != nil || step < 1 {
			return 0, fmt.Errorf("%s: %q is no step; a step is a number from 1", f.name, stepText)
		}
	}
	low, top := f.low, f.top
	if span != "*" {
		from, to, ranged := strings.Cut(span, "-")
		if low, err = f.number(from); err != nil {
			return 0, err
		}
		top = low
		if ranged {
			if top, err = f.number(to); err != nil {
				return 0, err
			}
		}
		if low < f.low || top > f.top {
			return 0, fmt.Errorf("%s: %s is outside of %d to %d%s", f.name, span, f.low, f.top, f.sunday(top))
		}
		if low > top {
			return 0, fmt.Errorf("%s: %s counts backwards", f.name, span)
		}
	}
	for n := low; n <= top; n += step {
		set |= 1 << n
	}
	return set, nil
}

func (f field) sunday(n int) string {
	if f.low == 0 && f.top == 6 && n == 7 {
		return " (Sunday is 0)"
	}
	return ""
}

func (f field) number(text string) (int, error) {
	if text == "" || len(text) > 3 || strings.Trim(text, "0123456789") != "" {
		return 0, fmt.Errorf("%s: %q is no number; names such as MON or JAN are not known here", f.name, text)
	}
	return strconv.Atoi(text)
}

func (e *expression) has(i, n int) bool { return e.set[i]&(1<<n) != 0 }

// cycle is after how many years the calendar of dates and weekdays repeats.
const cycle = 400

// next gives the first run at or after t, which is a whole minute in UTC.
func (e *expression) next(t time.Time) (time.Time, bool) {
	minute, hour := t.Minute(), t.Hour()
	year, month, day := t.Date()
	for last := year + cycle; year <= last; {
		if !e.has(3, int(month)) {
			month, day, hour, minute = month+1, 1, 0, 0
			if month > time.December {
				year, month = year+1, time.January
			}
			continue
		}
		date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		if e.has(2, day) && e.has(4, int(date.Weekday())) {
			if h, m, ok := e.timeOfDay(hour, minute); ok {
				return date.Add(time.Duration(h)*time.Hour + time.Duration(m)*time.Minute), true
			}
		}
		hour, minute = 0, 0
		year, month, day = date.AddDate(0, 0, 1).Date()
	}
	return time.Time{}, false
}

// timeOfDay gives the first time at or after one within the same day.
func (e *expression) timeOfDay(hour, minute int) (h, m int, ok bool) {
	if e.has(1, hour) {
		if m, ok := first(e.set[0], minute); ok {
			return hour, m, true
		}
	}
	if h, ok = first(e.set[1], hour+1); !ok {
		return 0, 0, false
	}
	m, ok = first(e.set[0], 0)
	return h, m, ok
}

// first gives the lowest member of a set that is not below from.
func first(set uint64, from int) (int, bool) {
	if set >>= from; set == 0 {
		return 0, false
	}
	return from + bits.TrailingZeros64(set), true
}
