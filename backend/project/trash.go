package project

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"benchtop/backend/contract"
)

const trashDir = ownDir + "/trash"

// Trash moves files out of the way, to .benchtop/trash/<time>-<name>/<path>, and
// gives the name to Restore them by; empty when none of them was there. An
// emptied function folder goes, too.
func (f *Folder) Trash(now time.Time, name string, files ...string) (string, error) {
	return f.put(now, name, files, f.root.Rename)
}

// Keep copies files to the trash, before they are overwritten.
func (f *Folder) Keep(now time.Time, name string, files ...*File) error {
	var paths []string
	texts := map[string]string{}
	for _, file := range files {
		if file != nil {
			paths = append(paths, file.Path)
			texts[file.Path] = file.Text
		}
	}
	_, err := f.put(now, name, paths, func(from, to string) error { return f.write(to, texts[from]) })
	return err
}

func (f *Folder) put(now time.Time, name string, files []string, move func(from, to string) error) (string, error) {
	if err := f.Prepare(); err != nil {
		return "", err
	}
	id := now.UTC().Format("20060102T150405.000000") + "-" + name + "-" + suffix()[:4]
	moved := false
	for _, file := range files {
		if _, err := f.root.Lstat(file); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		to := path.Join(trashDir, id, file)
		err := f.root.MkdirAll(path.Dir(to), 0o755)
		if err == nil {
			err = move(file, to)
		}
		if err != nil {
			return id, contract.Errorf(contract.ProjectUnreachable, "%s in %s cannot be moved to the trash: %s", file, f.path, plain(err))
		}
		moved = true
		if dir := path.Dir(file); strings.HasPrefix(dir, functionsDir+"/") {
			_ = f.root.Remove(dir) // stays when something else is in it
		}
	}
	if !moved {
		return "", nil
	}
	return id, nil
}

// NoteAgent keeps what AGENT.md said before and after something went to the
// trash, beside it, for RestoreAgent.
func (f *Folder) NoteAgent(id, before, after string) error {
	return errors.Join(f.Write(agentNote(id, "before"), before), f.Write(agentNote(id, "after"), after))
}

// RestoreAgent gives AGENT.md the text it had before; false when it was changed
// since, and is left alone.
func (f *Folder) RestoreAgent(id string) (bool, error) {
	before, err := readFile(f.root, agentNote(id, "before"), MaxAgentFile)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil // it said nothing
	}
	after, err2 := readFile(f.root, agentNote(id, "after"), MaxAgentFile)
	if err := errors.Join(err, err2); err != nil {
		return false, err
	}
	back := false
	err = f.UpdateAgent(func(text string) (string, bool) {
		back = text == after.Text
		return before.Text, back
	})
	return back, err
}

func agentNote(id, when string) string { return path.Join(trashDir, id+"-agent", when+".md") }

// LastTrash gives the name of what was put into the trash last under a name;
// empty when there is none.
func (f *Folder) LastTrash(name string) string {
	entries, err := fs.ReadDir(f.root.FS(), trashDir)
	if err != nil {
		return ""
	}
	for _, e := range slices.Backward(entries) {
		// <time>-<name>-<four signs>; a name has no dash in it.
		if parts := strings.Split(e.Name(), "-"); len(parts) == 3 && parts[1] == name && e.IsDir() {
			return e.Name()
		}
	}
	return ""
}

// Restore moves what one Trash took away back to where it was. A file that is
// there again is not overwritten: VERSION_CONFLICT, and nothing is moved.
func (f *Folder) Restore(id string) error {
	if id == "" || id != path.Base(id) || strings.HasPrefix(id, ".") {
		return contract.Errorf(contract.NotFound, "the trash has no %q", id)
	}
	base := path.Join(trashDir, id)
	var files []string
	err := fs.WalkDir(f.root.FS(), base, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, strings.TrimPrefix(p, base+"/"))
		}
		return err
	})
	if err != nil || len(files) == 0 {
		return contract.Errorf(contract.NotFound, "the trash has no %q", id)
	}
	for _, file := range files {
		if _, err := f.root.Lstat(file); err == nil {
			return contract.Errorf(contract.VersionConflict, "%s is there again; move it away first", file)
		}
	}
	for _, file := range files {
		err := f.root.MkdirAll(path.Dir(file), 0o755)
		if err == nil {
			err = f.root.Rename(path.Join(base, file), file)
		}
		if err != nil {
			return contract.Errorf(contract.ProjectUnreachable, "%s cannot be restored: %s", file, plain(err))
		}
	}
	return f.root.RemoveAll(base)
}
