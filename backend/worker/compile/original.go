package compile

import (
	"encoding/base64"
	"errors"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
	"github.com/go-sourcemap/sourcemap"
)

// Unmapped is the file name of everything in a script that is not the author's:
// the engine resolves a map's sources against the script's own name, which
// therefore has no folder.
const Unmapped = "js-v1"

// originalPlace finds where in the author's text an engine's complaint about
// the compiled script belongs; 0, 0 when that cannot be known.
func originalPlace(code string, err error) (line, col int) {
	var list parser.ErrorList
	var syntax *goja.CompilerSyntaxError
	switch {
	case errors.As(err, &list) && len(list) > 0:
		// A tree that does not parse never gets its map, so it is read here.
		at := list[0].Position
		if m := inlineMap(code); m != nil {
			if _, _, l, c, ok := m.Source(at.Line, at.Column-1); ok {
				return l, c + 1
			}
		}
	case errors.As(err, &syntax) && syntax.File != nil:
		if at := syntax.File.Position(syntax.Offset); at.Filename != Unmapped {
			return at.Line, at.Column + 1
		}
	}
	return 0, 0
}

func inlineMap(code string) *sourcemap.Consumer {
	_, b64, ok := strings.Cut(code[strings.LastIndexByte(strings.TrimSpace(code), '\n')+1:], "base64,")
	if !ok {
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(b64))
	if err != nil {
		return nil
	}
	m, err := sourcemap.Parse("", data)
	if err != nil {
		return nil
	}
	return m
}
