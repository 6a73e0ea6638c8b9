package history

import (
	"strings"

	"benchtop/backend/contract"
)

// Choice narrows a column to some of its values: any of Any, when there are
// some, and none of None. A "*" in one stands for any text, an empty one too.
type Choice struct{ Any, None []string }

// Has reports whether a value is among those chosen.
func (c Choice) Has(value string) bool {
	for _, p := range c.None {
		if like(p, value) {
			return false
		}
	}
	for _, p := range c.Any {
		if like(p, value) {
			return true
		}
	}
	return len(c.Any) == 0
}

// Empty reports whether it chooses everything.
func (c Choice) Empty() bool { return len(c.Any)+len(c.None) == 0 }

// like matches a pattern in which only "*" is special.
func like(pattern, value string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == value
	}
	rest, ok := strings.CutPrefix(value, parts[0])
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		at := strings.Index(rest, part)
		if !ok || at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return ok && strings.HasSuffix(rest, parts[last])
}

// Terms narrow a search beyond one value for each column. LongerMs and ShorterMs
// are exclusive bounds of duration_ms; with one of them, rows that took no time
// of their own are left out: those about authoring and those still running.
type Terms struct {
	Functions, Skills, Statuses, Codes Choice
	LongerMs, ShorterMs                *float64
}

// Empty reports whether they let everything through.
func (t Terms) Empty() bool {
	return t.Functions.Empty() && t.Skills.Empty() && t.Statuses.Empty() && t.Codes.Empty() && !t.Timed()
}

// Timed reports whether the duration matters.
func (t Terms) Timed() bool { return t.LongerMs != nil || t.ShorterMs != nil }

// FitKind reports whether rows with these values can be among those asked for:
// everything but their duration.
func (t Terms) FitKind(function, skill, status, code string) bool {
	if t.Timed() && (skill == contract.SkillAuthoring || status == contract.StatusRunning) {
		return false
	}
	return t.Functions.Has(function) && t.Skills.Has(skill) && t.Statuses.Has(status) && t.Codes.Has(code)
}

// FitDuration reports whether a duration is within the bounds.
func (t Terms) FitDuration(ms float64) bool {
	return (t.LongerMs == nil || ms > *t.LongerMs) && (t.ShorterMs == nil || ms < *t.ShorterMs)
}
