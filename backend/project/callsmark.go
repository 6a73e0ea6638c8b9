package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// callDirs gives the folders that hold saved calls; links are none.
func callDirs(root string) []string {
	for _, name := range []string{ownDir, callsDir} {
		if st, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name))); err != nil || !st.IsDir() {
			return nil
		}
	}
	top := filepath.Join(root, filepath.FromSlash(callsDir))
	out := []string{top}
	entries, err := os.ReadDir(top)
	if err != nil {
		return out
	}
	for _, e := range entries {
		if e.IsDir() && !Ignored(e.Name()) {
			out = append(out, filepath.Join(top, e.Name()))
		}
	}
	return out
}

// calls adds the folders of saved calls to those that are watched.
func (d *dirs) calls() {
	for _, dir := range callDirs(d.root) {
		d.add(dir)
	}
}

// CallsMark is a text that changes when the saved calls of a folder do. It looks
// at names, sizes and times, and reads nothing.
func CallsMark(root string) string {
	var b strings.Builder
	for _, dir := range callDirs(root) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if st, err := e.Info(); err == nil && !e.IsDir() && !Ignored(e.Name()) {
				fmt.Fprintf(&b, "%s %d %d\n", filepath.Join(dir, e.Name()), st.Size(), st.ModTime().UnixNano())
			}
		}
	}
	return b.String()
}
