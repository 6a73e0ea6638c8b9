package consumers

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// sentence says when an expression fires, by what was parsed and not by its
// text.
func (e *expression) sentence() string {
	day := e.days()
	all := func(i int) bool { return bits.OnesCount64(e.set[i]) == fields[i].top-fields[i].low+1 }
	minutes, hours := members(e.set[0]), members(e.set[1])
	var when string
	switch {
	case all(0) && all(1):
		when = "Every minute"
	case all(1) && len(minutes) == 1:
		when = fmt.Sprintf("Every hour at minute %d", minutes[0])
	case all(1) && even(minutes, 60):
		when = fmt.Sprintf("Every %d minutes", minutes[1]-minutes[0])
	case len(minutes) == 1 && even(hours, 24):
		when = fmt.Sprintf("Every %d hours at minute %d", hours[1]-hours[0], minutes[0])
	case len(minutes)*len(hours) <= 6:
		var times []string
		for _, h := range hours {
			for _, m := range minutes {
				times = append(times, fmt.Sprintf("%02d:%02d", h, m))
			}
		}
		when = "At " + list(times)
		if day == "" {
			day = " every day"
		}
	case all(0):
		when = "Every minute of hour " + spans(hours, number)
	case all(1):
		when = "Every hour at minute " + spans(minutes, number)
	default:
		when = "At minute " + spans(minutes, number) + " of hour " + spans(hours, number)
	}
	return when + day + " UTC"
}

// days describes the three fields that choose a day. All of them must hold.
func (e *expression) days() string {
	var out string
	if week := members(e.set[4]); len(week) < 7 {
		out += " on " + spans(week, func(n int) string { return time.Weekday(n).String() })
	}
	if days := members(e.set[2]); len(days) < 31 {
		if out != "" {
			out += ", if it is"
		} else {
			out += " on"
		}
		out += " day " + spans(days, number)
	}
	if months := members(e.set[3]); len(months) < 12 {
		out += " in " + spans(months, func(n int) string { return time.Month(n).String() })
	} else if strings.Contains(out, " day ") {
		out += " of the month"
	}
	return out
}

func (s *structured) sentence() string {
	at := fmt.Sprintf("%02d:%02d", s.minute/60, s.minute%60)
	zone := s.zone.String()
	switch s.frequency {
	case "hourly":
		return fmt.Sprintf("Every hour at minute %d %s", s.minute%60, zone)
	case "daily":
		return "At " + at + " every day " + zone
	case "weekly":
		return "At " + at + " on " + s.day.String() + " " + zone
	}
	var times []string
	for _, m := range s.minutes() {
		times = append(times, fmt.Sprintf("%02d:%02d", m/60, m%60))
	}
	return "At " + list(times) + " every day " + zone
}

func members(set uint64) []int {
	var all []int
	for ; set != 0; set &= set - 1 {
		all = append(all, bits.TrailingZeros64(set))
	}
	return all
}

// even reports whether a list goes around a clock of that size in equal steps.
func even(all []int, size int) bool {
	if len(all) < 2 || all[0] != 0 {
		return false
	}
	step := all[1] - all[0]
	for i, n := range all {
		if n != i*step {
			return false
		}
	}
	return len(all)*step == size
}

func number(n int) string { return strconv.Itoa(n) }

// spans writes 1, 2, 3, 7 as "1 to 3 and 7".
func spans(all []int, name func(int) string) string {
	var parts []string
	for i := 0; i < len(all); {
		j := i
		for j+1 < len(all) && all[j+1] == all[j]+1 {
			j++
		}
		switch {
		case j-i >= 2:
			parts = append(parts, name(all[i])+" to "+name(all[j]))
		default:
			for k := i; k <= j; k++ {
				parts = append(parts, name(all[k]))
			}
		}
		i = j + 1
	}
	return list(parts)
}

func list(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}
