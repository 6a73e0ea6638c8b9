package manifest

import (
	"encoding/json"
	"strconv"
)

// Bounds of a manifest text, however it is written. Parsing happens in the
// platform's own process, on text that anybody may send.
const (
	MaxManifestBytes = 128 << 10
	maxDepth         = 64
	maxNodes         = 20_000
)

type nodeKind byte

const (
	kindNull nodeKind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

func (k nodeKind) String() string {
	return [...]string{"null", "a boolean", "a number", "a text", "an array", "an object"}[k]
}

// place is where something stands in its file; both count from 1, columns in
// characters.
type place struct{ line, col int }

// node is a JSON value that remembers its place. JSON, YAML and @key headers
// all become nodes, so every rule is written once.
type node struct {
	place
	kind    nodeKind
	text    string // of a text; of a number, its JSON literal
	flag    bool   // of a boolean
	items   []*node
	members []member
}

type member struct {
	place
	key string
	val *node
}

// get finds a member.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].key == key {
			return n.members[i].val
		}
	}
	return nil
}

// placeOf is where the value of that name stands, or n itself.
func (n *node) placeOf(key string) place {
	if v := n.get(key); v != nil {
		return v.place
	}
	return n.place
}

// locate follows a path of keys and indexes as far as it goes.
func (n *node) locate(path []string) *node {
	for _, step := range path {
		var next *node
		switch n.kind {
		case kindObject:
			next = n.get(step)
		case kindArray:
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.items) {
				next = n.items[i]
			}
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// appendJSON writes the value, members in the author's order.
func (n *node) appendJSON(b []byte) []byte {
	switch n.kind {
	case kindBool:
		return strconv.AppendBool(b, n.flag)
	case kindNumber:
		return append(b, n.text...)
	case kindString:
		return appendText(b, n.text)
	case kindArray:
		b = append(b, '[')
		for i, it := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = it.appendJSON(b)
		}
		return append(b, ']')
	case kindObject:
		b = append(b, '{')
		for i, m := range n.members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, m.key), ':')
			b = m.val.appendJSON(b)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// dropDoubles drops members that a later one of the same name replaces, as
// JavaScript does, and gives the dropped ones.
func (n *node) dropDoubles() (doubles []member) {
	last := make(map[string]int, len(n.members))
	for i, m := range n.members {
		last[m.key] = i
	}
	if len(last) == len(n.members) {
		return nil
	}
	kept := n.members[:0:0]
	for i, m := range n.members {
		if last[m.key] == i {
			kept = append(kept, m)
		} else {
			doubles = append(doubles, m)
		}
	}
	n.members = kept
	return doubles
}

func appendText(b []byte, s string) []byte {
	enc, err := json.Marshal(s)
	if err != nil { // a string always marshals
		return append(b, `""`...)
	}
	return append(b, enc...)
}

// movedOnce shifts every place of the tree, for text that was cut out of a
// larger file. A node that merge keys put into two objects is shifted once.
func (n *node) movedOnce(to func(place) place, seen map[*node]bool) *node {
	if seen[n] {
		return n
	}
	seen[n] = true
	n.place = to(n.place)
	for _, it := range n.items {
		it.movedOnce(to, seen)
	}
	for i := range n.members {
		n.members[i].place = to(n.members[i].place)
		n.members[i].val.movedOnce(to, seen)
	}
	return n
}

// syntaxError is a text that is no JSON or YAML.
type syntaxError struct {
	place
	msg string
}
