package consumers

import (
	"slices"

	"benchtop/backend/contract"
)

// Set is all entries of one agent. It is immutable.
type Set struct {
	Entries   []*Entry // in the author's order, skill by skill
	endpoints []*Entry // enabled ones
	tools     []*Entry
	schedules []*Entry
}

var nothing = &Set{}

func newSet(entries []*Entry) *Set {
	s := &Set{Entries: entries}
	for _, e := range entries {
		switch {
		case !e.Enabled:
		case e.Endpoint != nil:
			s.endpoints = append(s.endpoints, e)
		case e.Tool != nil:
			s.tools = append(s.tools, e)
		case e.Schedule != nil:
			s.schedules = append(s.schedules, e)
		}
	}
	return s
}

// Entry finds an entry by skill and id.
func (s *Set) Entry(skill, id string) (*Entry, bool) {
	i := slices.IndexFunc(s.Entries, func(e *Entry) bool { return e.Skill == skill && e.ID == id })
	if i < 0 {
		return nil, false
	}
	return s.Entries[i], true
}

// Endpoints, Tools and Schedules are the enabled entries of a skill.
func (s *Set) Endpoints() []*Entry { return s.endpoints }

// Tools are the enabled entries of custom_tools.
func (s *Set) Tools() []*Entry { return s.tools }

// Schedules are the enabled entries of cron.
func (s *Set) Schedules() []*Entry { return s.schedules }

// Tool finds an enabled tool by the name that models call it.
func (s *Set) Tool(name string) (*Entry, bool) {
	for _, e := range s.tools {
		if e.Tool.Name == name {
			return e, true
		}
	}
	return nil, false
}

// UsedBy names the consumers of a function, disabled ones too; never nil.
func (s *Set) UsedBy(function string) []contract.UsedBy {
	used := []contract.UsedBy{}
	for _, e := range s.Entries {
		if e.Use == function {
			used = append(used, e.UsedBy())
		}
	}
	return used
}
