package agents

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"benchtop/backend/contract"
)

// maxPrice is the largest price of a call or a unit, in nanocents: with as many
// units as an invocation can use, the sum still fits.
const maxPrice = 1_000_000_000_000

// maxPrices is how many functions of an agent can have a price.
const maxPrices = 1000

var pricedFunction = regexp.MustCompile(`^fn:[A-Za-z][A-Za-z0-9_]{0,63}$`)

// pricing reads toolPricing: { tools: { "fn:quote": { perCall: 100 } } }.
func (r *settingReader) pricing(value json.RawMessage) map[string]ToolPrice {
	top, ok := r.object(nil, value)
	if !ok {
		return nil
	}
	prices := map[string]ToolPrice{}
	for _, key := range slices.Sorted(maps.Keys(top)) {
		if key != "tools" {
			r.warn([]string{key}, "nothing reads toolPricing.%.80s", key)
		}
	}
	if top["tools"] == nil || string(top["tools"]) == "null" {
		return prices
	}
	tools, ok := r.object([]string{"tools"}, top["tools"])
	if !ok {
		return nil
	}
	if len(tools) > maxPrices {
		r.fail([]string{"tools"}, "toolPricing.tools has %d prices; %d are allowed", len(tools), maxPrices)
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		if !pricedFunction.MatchString(name) {
			r.warn([]string{"tools", name}, "nothing reads the price of %.80q; a function's price is under \"fn:\" and its name, such as \"fn:quote\"", name)
			continue
		}
		prices[name] = r.price([]string{"tools", name}, tools[name])
	}
	return prices
}

func (r *settingReader) price(at []string, value json.RawMessage) (p ToolPrice) {
	keys, ok := r.object(at, value)
	if !ok {
		return p
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		below := slices.Concat(at, []string{key})
		switch key {
		case "perCall":
			p.PerCall = r.nanocents(below, keys[key])
		case "perUnit":
			p.PerUnit = r.units(below, keys[key])
		default:
			r.warn(below, "nothing reads %.80q; a price has perCall and perUnit", key)
		}
	}
	return p
}

func (r *settingReader) units(at []string, value json.RawMessage) (u contract.UnitPrice) {
	keys, ok := r.object(at, value)
	if !ok {
		return u
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		below := slices.Concat(at, []string{key})
		switch key {
		case "cpu_ms":
			u.CPUMs = r.nanocents(below, keys[key])
		case "ingress_bytes":
			u.IngressBytes = r.nanocents(below, keys[key])
		case "egress_bytes":
			u.EgressBytes = r.nanocents(below, keys[key])
		default:
			r.warn(below, "nothing measures %.80q; there are cpu_ms, ingress_bytes and egress_bytes", key)
		}
	}
	return u
}

func (r *settingReader) nanocents(at []string, value json.RawMessage) int64 {
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil || n < 0 || n > maxPrice {
		r.fail(at, "%s is a whole number of nanocents from 0 to %d, not %.40s", at[len(at)-1], int64(maxPrice), value)
		return 0
	}
	return n
}

func (r *settingReader) object(at []string, value json.RawMessage) (map[string]json.RawMessage, bool) {
	var keys map[string]json.RawMessage
	if json.Unmarshal(value, &keys) != nil || keys == nil {
		path := Fault{At: slices.Concat(r.at, at)}.Path()
		r.fail(at, "%s is an object, such as toolPricing: { tools: { \"fn:quote\": { perCall: 100 } } }", path)
		return nil, false
	}
	return keys, true
}
