package consumers

import (
	"encoding/json"

	"benchtop/backend/contract"
)

// keptNote ends the message about an entry that is answered for.
const keptNote = " (until this is mended, it serves as it did before)"

// CheckKeeping is Check for entries of a file that somebody is writing: one with
// an error is answered for by the entry of that skill and id in before, if there
// is one, as if it stood in its place. What a kept entry claims stays claimed, so
// that a new one which wants its path or name is refused. The problems are those
// of what is written.
func CheckKeeping(raws []Raw, before *Set, declared func(function string) bool) (entries []*Entry, errors, warnings []contract.Problem) {
	raws = append([]Raw{}, raws...)
	kept := make([]*checked, len(raws)) // what was wrong with those that are answered for
	all := checkAll(raws, declared)
	for keep(raws, all, kept, before) {
		all = checkAll(raws, declared) // with those in place the others may fare otherwise
	}
	for i, c := range all {
		if c.entry != nil {
			entries = append(entries, c.entry)
		}
		if i < len(kept) && kept[i] != nil {
			c = *kept[i]
		}
		errors, warnings = append(errors, c.errors...), append(warnings, c.warnings...)
	}
	return entries, errors, warnings
}

// keep puts what served before in the place of the entries that cannot serve,
// and says whether there was one.
func keep(raws []Raw, all []checked, kept []*checked, before *Set) (changed bool) {
	for i := range raws {
		if i >= len(all) || all[i].entry != nil || kept[i] != nil {
			continue
		}
		old, ok := before.Entry(raws[i].Skill, raws[i].id())
		if !ok || stands(raws, all, i, old) {
			continue
		}
		kept[i] = &all[i]
		for n := range kept[i].errors {
			kept[i].errors[n].Message += keptNote
		}
		raws[i].JSON = old.JSON
		changed = true
	}
	return changed
}

// stands reports whether another entry with the id of the one at i serves: two
// entries with one id are no reason to keep a third.
func stands(raws []Raw, all []checked, i int, old *Entry) bool {
	for j := range all {
		if j != i && j < len(raws) && all[j].entry != nil && raws[j].Skill == old.Skill && all[j].entry.ID == old.ID {
			return true
		}
	}
	return false
}

func (r Raw) id() string {
	if r.JSON == nil {
		return r.ID
	}
	var keys map[string]json.RawMessage
	var id string
	if json.Unmarshal(r.JSON, &keys) != nil || json.Unmarshal(keys["id"], &id) != nil {
		return ""
	}
	return id
}
