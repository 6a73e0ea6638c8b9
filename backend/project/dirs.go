package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Trees are the folders of a project that hold parts of its unit.
var Trees = []string{functionsDir, endpointsDir}

const (
	maxDirs  = 4096
	maxLevel = 8
)

// Looks reports whether a folder looks like a project.
func Looks(dir string) bool {
	for _, name := range append([]string{AgentFileName}, Trees...) {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// Matters reports whether a change of a file or folder can change what serves.
// What editors and version control leave never does, nor do other files beside
// AGENT.md; of our own folder, only the rules of the scripted model do.
func Matters(root, path string) bool {
	base, dir := filepath.Base(path), filepath.Dir(path)
	switch {
	case path == root:
		return true
	case dir == root:
		return base == AgentFileName || base == ownDir || slices.Contains(Trees, base)
	case dir == filepath.Join(root, ownDir):
		return base == ModelFileName || base == callsBase
	}
	return !Ignored(base)
}

// Dirs gives the folders in which a change can change what serves, root first,
// then our own, then those of Trees and, for links that stay inside root, those
// they lead to.
func Dirs(root string) []string {
	d := dirs{root: root, seen: map[string]bool{}}
	d.add(root)
	if st, err := os.Lstat(filepath.Join(root, ownDir)); err == nil && st.IsDir() {
		d.add(filepath.Join(root, ownDir))
	}
	for _, tree := range Trees {
		d.walk(filepath.Join(root, tree), 0)
	}
	d.calls()
	return d.out
}

type dirs struct {
	root string
	seen map[string]bool
	out  []string
}

func (d *dirs) add(dir string) bool {
	if d.seen[dir] || len(d.out) >= maxDirs {
		return false
	}
	d.seen[dir] = true
	d.out = append(d.out, dir)
	return true
}

func (d *dirs) walk(dir string, level int) {
	if st, err := os.Stat(dir); err != nil || !st.IsDir() || level > maxLevel || !d.add(dir) {
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		full := filepath.Join(dir, e.Name())
		switch {
		case Ignored(e.Name()):
		case e.IsDir():
			d.walk(full, level+1)
		case e.Type()&os.ModeSymlink != 0:
			to, err := filepath.EvalSymlinks(full)
			if err != nil || !strings.HasPrefix(to, d.root+string(filepath.Separator)) {
				continue
			}
			if st, err := os.Stat(to); err == nil && st.IsDir() {
				d.walk(to, level+1)
			} else {
				d.add(filepath.Dir(to))
			}
		}
	}
}
