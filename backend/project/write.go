package project

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"benchtop/backend/contract"
)

// tempPrefix starts the name of a file that is about to replace another. The
// watcher passes such files over.
const tempPrefix = ".benchtop-"

// Folder edits a project folder. Every path is relative to it and cannot leave
// it, whatever links there are.
type Folder struct {
	root *os.Root
	path string
}

// OpenFolder opens a folder for editing. Close it.
func OpenFolder(dir string) (*Folder, error) {
	r, err := os.OpenRoot(dir)
	if err != nil {
		return nil, unreachable(dir, err)
	}
	return &Folder{r, dir}, nil
}

// Close releases the folder. Nothing is written by then that could be lost.
func (f *Folder) Close() { _ = f.root.Close() }

// SourcePath is where a new function's source goes.
func SourcePath(name string) string { return path.Join(functionsDir, name, "index.js") }

// SingleFilePath is where a new function with a header goes.
func SingleFilePath(name string) string { return path.Join(functionsDir, name+".js") }

// ManifestPath is where a function's manifest goes.
func ManifestPath(name string) string { return path.Join(functionsDir, name, manifestName) }

// Function reads the files of one function as they are now; nil when there are
// none.
func (f *Folder) Function(name string) (*Files, error) {
	u, err := Read(f.path)
	if err != nil {
		return nil, err
	}
	return u.Function(name), nil
}

// Write puts a text in place of a file, or of none: a reader sees the old text
// or the new one, and after a power cut, too. Folders on the way are made; a
// file that is there keeps its permissions.
func (f *Folder) Write(name, text string) error {
	if err := f.write(name, text); err != nil {
		return contract.Errorf(contract.ProjectUnreachable, "%s in %s cannot be written: %s", name, f.path, plain(err))
	}
	return nil
}

func (f *Folder) write(name, text string) error {
	name = f.behind(name)
	dir := path.Dir(name)
	if err := f.root.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	old, err := f.root.Stat(name)
	if err != nil {
		old = nil
	}
	temp := path.Join(dir, tempPrefix+suffix())
	if err := f.fill(temp, text, old); err != nil {
		return errors.Join(err, ignoreMissing(f.root.Remove(temp)))
	}
	if err := f.root.Rename(temp, name); err != nil {
		return errors.Join(err, ignoreMissing(f.root.Remove(temp)))
	}
	return f.syncDir(dir)
}

// behind follows links to the file that they lead to, so that a link stays one
// when its text is written. One that leads out of the folder is replaced: its
// file was not read either.
func (f *Folder) behind(name string) string {
	at := name
	for range maxLinks {
		to, err := f.root.Readlink(at)
		if err != nil {
			break
		}
		if path.IsAbs(filepath.ToSlash(to)) || filepath.IsAbs(to) {
			return name
		}
		at = path.Join(path.Dir(at), filepath.ToSlash(to))
	}
	if at == name {
		return name
	}
	if st, err := f.root.Lstat(at); err != nil || !st.Mode().IsRegular() {
		return name
	}
	return at
}

// maxLinks is how many links after each other are followed.
const maxLinks = 8

// fill makes a file, with the permissions of the one whose place it will take.
func (f *Folder) fill(name, text string, old fs.FileInfo) (err error) {
	mode := fs.FileMode(0o644)
	if old != nil {
		mode = old.Mode().Perm()
	}
	w, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if old != nil {
		// The umask took away from what a new file is asked to have. A file system
		// without permissions has none to keep.
		_ = w.Chmod(mode)
	}
	if _, err := w.WriteString(text); err != nil {
		return err
	}
	return w.Sync()
}

// syncDir makes a rename last. Windows has no such thing and needs none.
func (f *Folder) syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := f.root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func suffix() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Prepare makes .benchtop/ with a .gitignore for what is nobody else's business.
func (f *Folder) Prepare() error {
	name := path.Join(ownDir, ".gitignore")
	if _, err := f.root.Stat(name); err == nil {
		return nil
	}
	return f.Write(name, "# What Benchtop keeps here for this machine alone.\ntrash/\ndrafts/\ntypes/\n")
}

// Agent reads AGENT.md as it is now; nil when there is none. PROJECT_INVALID or
// CODE_TOO_LARGE when it is there and cannot be read.
func (f *Folder) Agent() (*File, error) {
	file, err := readFile(f.root, AgentFileName, MaxAgentFile)
	switch {
	case err == nil:
		return file, nil
	case contract.AsError(err) != nil:
		return nil, err
	case errors.Is(err, fs.ErrNotExist) && !f.Exists(AgentFileName):
		return nil, nil
	}
	return nil, contract.Errorf(contract.ProjectInvalid, "AGENT.md is not read: %s", plain(err))
}

// UpdateAgent replaces AGENT.md by what edit makes of it. False of edit: nothing
// to do. A file that is not there stays so.
func (f *Folder) UpdateAgent(edit func(text string) (string, bool)) error {
	file, err := readFile(f.root, AgentFileName, MaxAgentFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("AGENT.md: %w", err)
	}
	next, changed := edit(file.Text)
	if !changed || next == file.Text {
		return nil
	}
	return f.Write(AgentFileName, next)
}

// PathsOf gives every path that could make a function of that name, and the one
// its source has. Removing a function removes them all.
func PathsOf(name, source string) []string {
	paths := []string{path.Join(functionsDir, name)}
	for _, ext := range sourceExts {
		paths = append(paths, path.Join(functionsDir, name+ext))
	}
	if source != "" && !slices.Contains(paths, source) && !strings.HasPrefix(source, paths[0]+"/") {
		paths = append(paths, source)
	}
	return paths
}

// Exists reports whether something has that path.
func (f *Folder) Exists(name string) bool {
	_, err := f.root.Lstat(name)
	return err == nil
}
