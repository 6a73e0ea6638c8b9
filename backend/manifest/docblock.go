package manifest

import (
	"strings"
	"unicode/utf8"

	"benchtop/backend/contract"
)

// Marker is the first word of a comment that is a function's header.
const Marker = "@robutler-function"

// Docblock reads the header of a single-file function, contract.md 2.4: a
// comment before the first statement whose first word is Marker, then JSON,
// "@key value" lines or YAML. found is false when there is none. Places are in
// the source.
func Docblock(source string, opts Options) (m Manifest, found bool, errors, warnings []contract.Problem) {
	if opts.DefaultRuntime == "" {
		opts.DefaultRuntime = RuntimeJS
	}
	c := &checker{opts: opts}
	body, slashes, found := findHeader(source)
	if !found {
		if i := strings.Index(source, Marker); i >= 0 {
			at := place{1 + strings.Count(source[:i], "\n"), 1}
			c.warn(contract.Portability, at, "", "a %s header counts only in a comment before the first statement", Marker)
		}
		return m, false, nil, c.warnings
	}
	if slashes {
		c.warn(contract.Portability, body.start(), "", "the hosted platform does not read headers in // comments; use /* … */")
	}
	root, doubles, serr := body.read(c)
	if serr != nil {
		c.err(contract.ManifestSyntax, serr.place, "", "in the %s header: %s", Marker, serr.msg)
		return m, true, c.errors, c.warnings
	}
	if root.kind == kindNull { // a header that only marks the file
		root.kind = kindObject
	}
	c.doubles(doubles)
	m = c.manifest(root)
	return m, true, c.errors, c.warnings
}

// header is the text of a comment without its decoration; each line remembers
// where it stood.
type header []headerLine

type headerLine struct {
	text string
	at   place
}

func (h header) start() place {
	if len(h) == 0 {
		return place{1, 1}
	}
	return h[0].at
}

func (h header) text() string {
	var b strings.Builder
	for i, l := range h {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.text)
	}
	return b.String()
}

// source gives the place in the file of a place in text().
func (h header) source(p place) place {
	if len(h) == 0 {
		return place{1, 1}
	}
	l := h[min(max(p.line, 1), len(h))-1]
	return place{l.at.line, l.at.col + max(p.col, 1) - 1}
}

// read picks the notation by the first line that is not empty.
func (h header) read(c *checker) (*node, []member, *syntaxError) {
	for len(h) > 0 && strings.TrimSpace(h[0].text) == "" {
		h = h[1:]
	}
	if len(h) == 0 {
		return &node{place: place{1, 1}}, nil, nil
	}
	first := strings.TrimSpace(h[0].text)
	if first[0] == '@' {
		c.loose = true
		return h.keys()
	}
	parse := readYAML
	if first[0] == '{' {
		parse = readJSON
	}
	root, doubles, err := parse(h.text())
	if err != nil {
		err.place = h.source(err.place)
		return nil, nil, err
	}
	for i := range doubles {
		doubles[i].place = h.source(doubles[i].place)
	}
	// An alias makes two values of one node: each node moves once.
	seen := map[*node]bool{}
	return root.movedOnce(h.source, seen), doubles, nil
}

// findHeader looks through the comments in front of the first statement.
func findHeader(src string) (body header, slashes, found bool) {
	s := scanner{src: src, line: 1, col: 1}
	if strings.HasPrefix(src, "\ufeff") {
		s.pos = len("\ufeff")
	}
	if strings.HasPrefix(src[s.pos:], "#!") {
		s.to(lineEnd(src, s.pos))
	}
	for {
		s.space()
		rest := src[s.pos:]
		switch {
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return nil, false, false
			}
			s.to(s.pos + 2)
			text := rest[2 : 2+end]
			if body, ok := blockHeader(text, place{s.line, s.col}); ok {
				return body, false, true
			}
			s.to(s.pos + end + 2)
		case strings.HasPrefix(rest, "//"):
			if body, ok := s.slashHeader(); ok {
				return body, true, true
			}
		case strings.HasPrefix(rest, `"use strict"`), strings.HasPrefix(rest, `'use strict'`):
			s.to(s.pos + len(`"use strict"`))
			if strings.HasPrefix(src[s.pos:], ";") {
				s.to(s.pos + 1)
			}
		default:
			return nil, false, false
		}
	}
}

// blockHeader takes the stars off the lines of a /* */ comment that starts at
// the given place.
func blockHeader(text string, at place) (header, bool) {
	trimmed := strings.TrimLeft(text, "* \t\r\n")
	after, ok := strings.CutPrefix(trimmed, Marker)
	if !ok || after != "" && !strings.ContainsRune(" \t\r\n{", rune(after[0])) {
		return nil, false
	}
	var h header
	skipped := text[:len(text)-len(after)]
	at = advance(at, skipped)
	for i, line := range strings.Split(after, "\n") {
		line = strings.TrimSuffix(line, "\r")
		p := place{at.line + i, 1}
		if i == 0 {
			p = at
		} else if bare := strings.TrimLeft(line, " \t"); strings.HasPrefix(bare, "*") {
			cut := len(line) - len(bare) + 1
			if strings.HasPrefix(bare[1:], " ") {
				cut++
			}
			p.col += utf8.RuneCountInString(line[:cut])
			line = line[cut:]
		}
		h = append(h, headerLine{line, p})
	}
	return h, true
}

// slashHeader takes a run of // lines; the scanner stands behind it.
func (s *scanner) slashHeader() (header, bool) {
	var h header
	for {
		end := lineEnd(s.src, s.pos)
		line := strings.TrimSuffix(s.src[s.pos+2:end], "\r")
		cut := 2
		if strings.HasPrefix(line, " ") {
			line, cut = line[1:], 3
		}
		h = append(h, headerLine{line, place{s.line, s.col + cut}})
		s.to(end)
		if end == len(s.src) {
			break
		}
		next := s.src[end+1:]
		blank := len(next) - len(strings.TrimLeft(next, " \t"))
		if !strings.HasPrefix(next[blank:], "//") {
			break
		}
		s.to(end + 1 + blank)
	}
	after, ok := strings.CutPrefix(strings.TrimLeft(h[0].text, " \t"), Marker)
	if !ok || after != "" && !strings.ContainsRune(" \t{", rune(after[0])) {
		return nil, false
	}
	h[0].at.col += utf8.RuneCountInString(h[0].text) - utf8.RuneCountInString(after)
	h[0].text = after
	return h, true
}

// scanner walks the source and keeps the place.
type scanner struct {
	src       string
	pos       int
	line, col int
}

func (s *scanner) to(pos int) {
	p := advance(place{s.line, s.col}, s.src[s.pos:pos])
	s.line, s.col, s.pos = p.line, p.col, pos
}

func (s *scanner) space() {
	rest := s.src[s.pos:]
	s.to(s.pos + len(rest) - len(strings.TrimLeft(rest, " \t\r\n")))
}

func advance(p place, text string) place {
	if n := strings.Count(text, "\n"); n > 0 {
		return place{p.line + n, 1 + utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:])}
	}
	return place{p.line, p.col + utf8.RuneCountInString(text)}
}

func lineEnd(s string, from int) int {
	if i := strings.IndexByte(s[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(s)
}
