package manifest

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// keys reads the "@key value" notation of a header, contract.md 2.4. Lines that
// do not start with @ go on with the value before them.
func (h header) keys() (*node, []member, *syntaxError) {
	root := &node{place: h.start(), kind: kindObject}
	for i := 0; i < len(h); {
		line := h[i]
		bare := strings.TrimLeft(line.text, " \t")
		if bare == "" {
			i++
			continue
		}
		at := place{line.at.line, line.at.col + len(line.text) - len(bare)}
		key, rest, _ := strings.Cut(bare[1:], " ")
		key = strings.TrimSpace(key)
		value := header{{rest, place{at.line, at.col + 2 + utf8.RuneCountInString(key)}}}
		for i++; i < len(h) && !strings.HasPrefix(strings.TrimLeft(h[i].text, " \t"), "@"); i++ {
			value = append(value, h[i])
		}
		if !identifier(key) {
			return nil, nil, &syntaxError{at, "a line starts with @ and a key, such as @runtime js-v1"}
		}
		v, err := value.keyed(key)
		if err != nil {
			return nil, nil, err
		}
		root.members = append(root.members, member{at, key, v})
	}
	return root, root.dropDoubles(), nil
}

// keyed reads the value of one key.
func (h header) keyed(key string) (*node, *syntaxError) {
	text := strings.TrimSpace(h.text())
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		n, _, err := readJSON(h.text())
		if err != nil {
			err.place = h.source(err.place)
			return nil, err
		}
		return n.movedOnce(h.source, map[*node]bool{}), nil
	}
	start := h.start()
	start.col += len(h[0].text) - len(strings.TrimLeft(h[0].text, " \t"))
	if key != "permissions" && key != "limits" {
		return &node{place: start, kind: kindString, text: strings.Join(strings.Fields(text), " ")}, nil
	}
	n := &node{place: start, kind: kindObject}
	for _, line := range h {
		col := line.at.col
		for _, part := range strings.Split(line.text, ",") {
			trimmed := strings.TrimSpace(part)
			at := place{line.at.line, col + utf8.RuneCountInString(part) - utf8.RuneCountInString(strings.TrimLeft(part, " \t"))}
			col += utf8.RuneCountInString(part) + 1
			if trimmed == "" {
				continue
			}
			k, v, ok := strings.Cut(trimmed, "=")
			if !ok {
				return nil, &syntaxError{at, "@" + key + " holds key=value pairs with commas between them; " + quoted(trimmed) + " is none"}
			}
			at.col += utf8.RuneCountInString(k) + 1
			n.members = append(n.members, member{at, strings.TrimSpace(k), pairValue(key, strings.TrimSpace(v), at)})
		}
	}
	n.dropDoubles()
	return n, nil
}

// pairValue reads what stands behind "=": numbers in limits, lists where there
// is a semicolon.
func pairValue(key, v string, at place) *node {
	if key == "limits" {
		if _, err := strconv.ParseFloat(v, 64); err == nil {
			return &node{place: at, kind: kindNumber, text: v}
		}
	}
	if !strings.Contains(v, ";") {
		return &node{place: at, kind: kindString, text: v}
	}
	list := &node{place: at, kind: kindArray}
	for _, s := range strings.Split(v, ";") {
		if s = strings.TrimSpace(s); s != "" {
			list.items = append(list.items, &node{place: at, kind: kindString, text: s})
		}
	}
	return list
}
