package content

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"benchtop/backend/contract"
)

// This file is folders that are directories of this machine. Every access goes
// through an os.Root, which cannot be led out of its directory, and no part of
// the way there may be a symbolic link: what a manifest names is what it gets.

// reserved are the parts of a project that say what functions may do. A
// function that could write there could grant itself more.
var reserved = []string{"functions", "endpoints"}

// open opens the directory that a binding names; nil when it is not there yet.
func (c *Content) open(at Folder, create bool) (*os.Root, error) {
	base, rel, err := c.place(at)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(base)
	if err != nil {
		return nil, notUsable(at, err)
	}
	if rel == "." {
		return root, nil
	}
	defer func() { _ = root.Close() }()
	if err := look(root, at, rel); err != nil {
		return nil, err
	}
	if create {
		if err := root.MkdirAll(rel, 0o755); err != nil {
			return nil, notUsable(at, err)
		}
	}
	dir, err := root.OpenRoot(rel)
	if errors.Is(err, fs.ErrNotExist) && !create {
		return nil, nil
	}
	if err != nil {
		return nil, notUsable(at, err)
	}
	return dir, nil
}

// place splits a binding's path into a directory it may lie in and the way from
// there.
func (c *Content) place(at Folder) (base, rel string, err error) {
	if base, rel, err = c.split(at); err != nil {
		return "", "", err
	}
	for i, part := range strings.Split(filepath.ToSlash(rel), "/") {
		switch {
		case strings.HasPrefix(part, ".") && part != ".":
			return "", "", refused(at, "hidden folders are not for functions to read or write")
		case part != "." && checkName(part) != nil: // such as a spelling that a system takes for another
			return "", "", refused(at, "a folder on the way has a name that not every system allows")
		case runtime.GOOS == "windows" && strings.Contains(part, "~"):
			return "", "", refused(at, "a short name of Windows may stand for another folder; write the long one")
		case i == 0 && !filepath.IsAbs(at.Path) && slices.ContainsFunc(reserved, func(r string) bool { return strings.EqualFold(r, part) }):
			return "", "", refused(at, "what says what a project's functions may do is not for them to read or write")
		}
	}
	return base, rel, nil
}

func (c *Content) split(at Folder) (base, rel string, err error) {
	if !filepath.IsAbs(at.Path) {
		home := c.cfg.Home(at.AgentID)
		rel = filepath.Clean(filepath.FromSlash(at.Path))
		switch {
		case home == "":
			return "", "", refused(at, "the agent has no project folder for a relative path to begin in")
		case !filepath.IsLocal(rel) || rel == ".":
			return "", "", refused(at, "it does not lie inside the project folder")
		}
		return home, rel, nil
	}
	for _, open := range c.cfg.Open {
		if rel, err := filepath.Rel(open, filepath.Clean(at.Path)); err == nil && filepath.IsLocal(rel) {
			return open, rel, nil
		}
	}
	return "", "", refused(at, "it is outside the project folder; start the platform with BENCHTOP_FOLDERS naming a directory above it to allow this")
}

func refused(at Folder, reason string) error {
	return contract.Errorf(contract.PermissionDenied, "the local folder %.200q cannot be used: %s", at.Path, reason)
}

// notUsable says what the system did not do, without the paths of this machine
// that its errors hold. What is wrong with a folder is its owner's to mend, and
// no fault of the platform.
func notUsable(at Folder, err error) error {
	var no syscall.Errno
	switch {
	case errors.Is(err, fs.ErrPermission):
		return refused(at, "the system does not permit it")
	case errors.Is(err, fs.ErrNotExist):
		return refused(at, "the directory that it lies in is not there")
	case errors.As(err, &no):
		return refused(at, no.Error())
	}
	return err
}

// look refuses a way that has something else than directories on it.
func look(root *os.Root, at Folder, rel string) error {
	parts := strings.Split(filepath.ToSlash(rel), "/")
	for i := range parts {
		st, err := root.Lstat(filepath.Join(parts[:i+1]...))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return notUsable(at, err)
		case st.Mode()&fs.ModeSymlink != 0:
			return refused(at, "a symbolic link is on the way there")
		case !st.IsDir():
			return refused(at, "it is no directory")
		}
	}
	return nil
}

// listLocal lists a directory; missing when it is not there.
func (c *Content) listLocal(at Folder, prefix, after string, limit int) (files []File, missing bool, err error) {
	dir, err := c.open(at, false)
	if dir == nil || err != nil {
		return nil, err == nil, err
	}
	defer func() { _ = dir.Close() }()
	f, err := dir.Open(".")
	if err != nil {
		return nil, false, notUsable(at, err)
	}
	defer func() { _ = f.Close() }()
	var names []string
	for {
		entries, err := f.ReadDir(1024)
		for _, e := range entries {
			if e.Type().IsRegular() && listed(e.Name(), prefix, after) {
				names = append(names, e.Name())
			}
		}
		if len(names) > 2*limit+1024 { // a directory of any size costs a page's memory
			slices.Sort(names)
			names = names[:limit]
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, false, notUsable(at, err)
		}
	}
	slices.Sort(names)
	for _, name := range names[:min(limit, len(names))] {
		st, err := dir.Lstat(name)
		if err != nil || !st.Mode().IsRegular() {
			continue // gone or replaced a moment ago
		}
		files = append(files, File{Name: name, MimeType: typeOf(name, beginning(dir, name)), Size: st.Size(), Modified: st.ModTime().UTC()})
	}
	return files, false, nil
}

// beginning is what a file's type is guessed from where its name does not tell:
// enough of it to know text from other bytes, without reading a directory whole.
func beginning(dir *os.Root, name string) []byte {
	if _, told := types[strings.ToLower(filepath.Ext(name))]; told {
		return nil
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	b := make([]byte, 512)
	n, err := io.ReadFull(f, b)
	if err == nil { // there is more: a character may be cut in two
		for cut := 0; cut < utf8.UTFMax && n > 0 && !utf8.Valid(b[:n]); cut++ {
			n--
		}
		if !utf8.Valid(b[:n]) {
			n = len(b)
		}
	}
	return b[:n]
}

// readLocal reads a regular file; anything else is as good as absent.
func (c *Content) readLocal(at Folder, name string) (*File, error) {
	dir, err := c.open(at, false)
	if dir == nil || err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	st, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !st.Mode().IsRegular() {
		return nil, nil
	}
	if err != nil {
		return nil, notUsable(at, err)
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // should it have become a pipe
	if err != nil {
		return nil, notUsable(at, err)
	}
	defer func() { _ = f.Close() }()
	now, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(st, now) {
		return nil, nil // replaced by a link between the two looks
	}
	b, err := io.ReadAll(io.LimitReader(f, contract.MaxContentBytes+1))
	if err != nil {
		return nil, notUsable(at, err)
	}
	if len(b) > contract.MaxContentBytes {
		return nil, contract.Errorf(contract.BodyTooLarge, "folders.read: %s has %d bytes; %d are allowed", name, max(now.Size(), int64(len(b))), contract.MaxContentBytes)
	}
	return &File{Name: name, MimeType: typeOf(name, b), Bytes: b, Size: int64(len(b)), Modified: now.ModTime().UTC()}, nil
}

// writeLocal writes beside the file and puts the new one in its place, with the
// permissions that the file had.
func (c *Content) writeLocal(at Folder, name string, body []byte) (err error) {
	dir, err := c.open(at, true)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	st, err := dir.Lstat(name)
	if err == nil && !st.Mode().IsRegular() {
		return contract.Errorf(contract.InvalidRequest, "folders.write: %s is there and is no regular file", name)
	}
	part := ".benchtop-" + rand.Text()
	f, err := dir.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return notUsable(at, err)
	}
	defer func() {
		if err != nil {
			_ = dir.Remove(part) // the first error is the one to tell
		}
	}()
	if st != nil {
		_ = f.Chmod(st.Mode().Perm()) // a file system without permissions has none to keep
	}
	_, err = f.Write(body)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return notUsable(at, err)
	}
	if err = dir.Rename(part, name); err != nil {
		return notUsable(at, err)
	}
	return nil
}
