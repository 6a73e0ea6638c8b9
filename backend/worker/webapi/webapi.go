// Package webapi has the web's globals of js-v1, a few files each: a thin prelude
// over native operations in Go. Which names there are is decided in
// globals.go; everything else that the engine brings along is removed there.
package webapi

import (
	"embed"
	"strings"

	"benchtop/backend/worker/compile"
	"benchtop/backend/worker/sandbox"
)

//go:embed *.js
var files embed.FS

// Scripts are the preludes of this package, by file name.
func Scripts() ([]sandbox.Script, error) { return read(files) }

// Ops are the native operations behind them. None of them needs to know the
// run it is called from.
func Ops() []sandbox.Op {
	var ops []sandbox.Op
	for _, of := range [][]sandbox.Op{urlOps, encodingOps, base64Ops, cryptoOps, cloneOps, absentOps} {
		ops = append(ops, of...)
	}
	return ops
}

var absentOps = []sandbox.Op{
	// absentNames() gives names and advice in turn.
	{Name: "absentNames", Do: func(*sandbox.Call) (any, error) { return compile.Absent(), nil }},
}

func read(fs embed.FS) ([]sandbox.Script, error) {
	entries, err := fs.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var out []sandbox.Script
	for _, e := range entries {
		text, err := fs.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		out = append(out, sandbox.Script{Name: strings.TrimSuffix(e.Name(), ".js"), Source: string(text)})
	}
	return out, nil
}
