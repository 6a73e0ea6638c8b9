package settings

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"benchtop/backend/contract"
)

type mem struct {
	text json.RawMessage
	fail error
}

func (m *mem) LoadSettings(context.Context) (json.RawMessage, error) { return m.text, nil }
func (m *mem) SaveSettings(_ context.Context, text json.RawMessage) error {
	if m.fail == nil {
		m.text = text
	}
	return m.fail
}

var defaults = contract.Settings{HistoryRows: 1000, HistoryDays: 30, ValidationsPerMinute: 60}

func load(t *testing.T, m *mem, d contract.Settings, changed func(contract.Settings)) *Settings {
	t.Helper()
	s, err := New(t.Context(), Config{Store: m, Defaults: d, Changed: changed})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func of(n int) *int { return &n }

func TestSettings(t *testing.T) {
	m := &mem{}
	var told []contract.Settings
	s := load(t, m, defaults, func(c contract.Settings) { told = append(told, c) })
	if s.Get() != defaults {
		t.Errorf("at first %+v", s.Get())
	}
	want := contract.Settings{HistoryRows: 0, HistoryDays: 7, ValidationsPerMinute: 60}
	got, err := s.Put(t.Context(), contract.SettingsRequest{HistoryRows: of(0), HistoryDays: of(7)})
	if err != nil || got != want || s.Get() != want || len(told) != 1 || told[0] != want {
		t.Errorf("%+v, %v, told %v", got, err, told)
	}
	// What was set outlives a restart; what was not follows the new defaults.
	next := contract.Settings{HistoryRows: 5000, HistoryDays: 90, ValidationsPerMinute: 600}
	want.ValidationsPerMinute = 600
	if s = load(t, m, next, nil); s.Get() != want {
		t.Errorf("after a restart %+v, want %+v", s.Get(), want)
	}
	for name, req := range map[string]contract.SettingsRequest{
		"few rows": {HistoryRows: of(99)}, "negative days": {HistoryDays: of(-1)}, "many days": {HistoryDays: of(contract.MaxHistoryDays + 1)},
		"many validations": {ValidationsPerMinute: of(contract.MaxValidationsPerMinute + 1)}, "an unknown unit": {NanocentsPerDollar: new(int64)}, "one good, one bad": {HistoryDays: of(3), HistoryRows: of(1)},
	} {
		if _, err := s.Put(t.Context(), req); contract.AsError(err) == nil || contract.AsError(err).Code != contract.InvalidRequest || s.Get() != want {
			t.Errorf("%s: %v, %+v", name, err, s.Get())
		}
	}
	unit := contract.NanocentsPerDollar[0]
	want.NanocentsPerDollar = unit
	if got, err := s.Put(t.Context(), contract.SettingsRequest{NanocentsPerDollar: &unit}); err != nil || got != want || load(t, m, next, nil).Get() != want {
		t.Errorf("another unit: %+v, %v", got, err)
	}
	on := true
	want.A2ALegacy = on
	if got, err := s.Put(t.Context(), contract.SettingsRequest{A2ALegacy: &on}); err != nil || got != want || load(t, m, next, nil).Get() != want {
		t.Errorf("the earlier protocol: %+v, %v", got, err)
	}
	m.fail = errors.New("disk full")
	if _, err := s.Put(t.Context(), contract.SettingsRequest{HistoryDays: of(3)}); !errors.Is(err, m.fail) || s.Get() != want {
		t.Errorf("not stored: %v, %+v", err, s.Get())
	}
}

func TestDamagedSettings(t *testing.T) {
	if _, err := New(t.Context(), Config{Store: &mem{text: json.RawMessage(`{"historyRows":"x"}`)}}); err == nil {
		t.Error("a damaged text was taken")
	}
}
