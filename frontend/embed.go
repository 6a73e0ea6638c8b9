// Package frontend is the built page of the console as a file system.
package frontend

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Dist is the built page; on a fresh clone, before the first build, it has no
// index.html.
func Dist() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the directory is embedded: it cannot be absent
	}
	return sub
}
