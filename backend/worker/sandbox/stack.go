package sandbox

import (
	"regexp"
	"strconv"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/worker/compile"
)

// Frames are the author's own places of a stack, the innermost first. Frames of
// the prelude, of compiled-in helpers and of the engine are left out.
type Frames struct {
	head   string // the error's own line
	places []Frame
}

// Frame is one place and the function it is in.
type Frame struct {
	Function string
	Pos      contract.SourcePos
}

var frameLine = regexp.MustCompile(`^\s*at (?:(.*) \()?([^()\s]+):(\d+):(\d+)(?:\(\d+\))?\)?$`)

// maxFrames is how many places are kept.
const maxFrames = 20

// ReadStack reads a stack as the engine writes it. Mapped columns count from 0
// there and from 1 here. A function may have written the text itself; then the
// worst is a wrong place in its own error.
func ReadStack(stack string) Frames {
	var f Frames
	for i, line := range strings.Split(stack, "\n") {
		m := frameLine.FindStringSubmatch(line)
		if m == nil {
			if i == 0 {
				f.head = strings.TrimSpace(line)
			}
			continue
		}
		file := m[2]
		if file == compile.Unmapped || strings.HasPrefix(file, "sandbox:") || len(f.places) == maxFrames {
			continue
		}
		row, _ := strconv.Atoi(m[3])
		col, _ := strconv.Atoi(m[4])
		f.places = append(f.places, Frame{m[1], contract.SourcePos{File: file, Line: row, Column: col + 1}})
	}
	return f
}

// Place is the innermost one, or nil.
func (f Frames) Place() *contract.SourcePos {
	if len(f.places) == 0 {
		return nil
	}
	p := f.places[0].Pos
	return &p
}

// maxLineFrames is how deep Line looks for the author's own frame: behind it lie
// only the few of the prelude.
const maxLineFrames = 12

// Line is the line of the author's source that made the call, or 0.
func (c *Call) Line() int {
	for _, f := range c.s.rt.CaptureCallStack(maxLineFrames, nil) {
		p := f.Position()
		if p.Filename == "" || p.Filename == compile.Unmapped || strings.HasPrefix(p.Filename, "sandbox:") || strings.HasPrefix(p.Filename, "<") {
			continue
		}
		return p.Line
	}
	return 0
}

// Text writes the stack for a person.
func (f Frames) Text() string {
	if len(f.places) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(f.head)
	for _, p := range f.places {
		b.WriteString("\n    at ")
		place := p.Pos.File + ":" + strconv.Itoa(p.Pos.Line) + ":" + strconv.Itoa(p.Pos.Column)
		if p.Function == "" {
			b.WriteString(place)
		} else {
			b.WriteString(p.Function + " (" + place + ")")
		}
	}
	return b.String()
}
