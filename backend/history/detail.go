package history

import (
	"encoding/json"
	"slices"

	"benchtop/backend/contract"
)

// storable gives the detail with every raw text being JSON: a row must not be
// lost because something in it is not. A body that is not JSON is kept as a
// JSON string of what was sent.
func (d *Detail) storable() *Detail {
	if d == nil || d.valid() {
		return d
	}
	fixed := *d
	fixed.Input, fixed.Result, fixed.Manifest = quoted(d.Input), quoted(d.Result), quoted(d.Manifest)
	fixed.Logs = slices.Clone(d.Logs)
	for i := range fixed.Logs {
		fixed.Logs[i].Data = quoted(fixed.Logs[i].Data)
	}
	fixed.Events = slices.Clone(d.Events)
	for i := range fixed.Events {
		fixed.Events[i].Payload = quoted(fixed.Events[i].Payload)
	}
	fixed.Trace = slices.Clone(d.Trace)
	for i := range fixed.Trace {
		fixed.Trace[i].Args = quoted(fixed.Trace[i].Args)
		fixed.Trace[i].Result = quoted(fixed.Trace[i].Result)
	}
	return &fixed
}

func (d *Detail) valid() bool {
	if !storableText(d.Input) || !storableText(d.Result) || !storableText(d.Manifest) {
		return false
	}
	for i := range d.Logs {
		if !storableText(d.Logs[i].Data) {
			return false
		}
	}
	for i := range d.Events {
		if !storableText(d.Events[i].Payload) {
			return false
		}
	}
	for i := range d.Trace {
		if !storableText(d.Trace[i].Args) || !storableText(d.Trace[i].Result) {
			return false
		}
	}
	return true
}

func storableText(raw contract.RawJSON) bool { return len(raw) == 0 || json.Valid(raw) }

func quoted(raw contract.RawJSON) contract.RawJSON {
	if len(raw) == 0 {
		return nil
	}
	if json.Valid(raw) {
		return raw
	}
	text, err := json.Marshal(string(raw))
	if err != nil { // a string always has a JSON form
		return nil
	}
	return text
}
