package functions

import (
	"maps"
	"slices"
	"strings"
)

// snapshot is all that serves, never changed once it is published.
type snapshot map[string]*agentFunctions // by agent id

type agentFunctions struct {
	byName map[string]*Function
	list   []*Function // by name
	names  []string
}

// with gives a snapshot in which f serves; a nil f takes name away.
func (s snapshot) with(agentID, name string, f *Function) snapshot {
	next := maps.Clone(s)
	byName := map[string]*Function{}
	if old := s[agentID]; old != nil {
		byName = maps.Clone(old.byName)
	}
	if f == nil {
		delete(byName, name)
	} else {
		byName[name] = f
	}
	if len(byName) == 0 {
		delete(next, agentID)
	} else {
		next[agentID] = newAgentFunctions(byName)
	}
	return next
}

func newAgentFunctions(byName map[string]*Function) *agentFunctions {
	a := &agentFunctions{byName: byName, list: slices.Collect(maps.Values(byName))}
	slices.SortFunc(a.list, func(x, y *Function) int { return strings.Compare(x.Name, y.Name) })
	for _, f := range a.list {
		a.names = append(a.names, f.Name)
	}
	return a
}
