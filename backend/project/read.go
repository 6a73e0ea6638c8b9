package project

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// Names inside a project folder.
const (
	AgentFileName = "AGENT.md"
	functionsDir  = "functions"
	manifestName  = "manifest.json"
	ownDir        = ".benchtop"
)

// MaxAgentFile is how long AGENT.md may be, in bytes.
const MaxAgentFile = 1 << 20

const maxEntries = 2000 // in functions/

// sourceExts are the endings of a source, in the order they are looked for.
var sourceExts = []string{".js", ".mjs", ".ts"}

// File is a file of a function. Path is relative to the folder, with forward
// slashes; SHA256 is of the bytes, in hexadecimal.
type File struct {
	Path   string
	Text   string
	SHA256 string
}

// Unit is a folder read as a whole: what is declared together is read together.
type Unit struct {
	Root      string
	Agent     Agent
	Functions []Files            // by name
	Modules   map[string]Module  // of endpoints, by path
	Problems  []contract.Problem // of AGENT.md and of files that belong to no function
	Hash      string             // changes when any file of the unit does
	Partial   bool               // functions/ could not be listed: what is missing here may still exist
}

// Function finds one function's files; nil when there are none.
func (u *Unit) Function(name string) *Files {
	for i := range u.Functions {
		if u.Functions[i].Name == name {
			return &u.Functions[i]
		}
	}
	return nil
}

// ErrUnsettled says that a folder changed while it was read, again and again.
var ErrUnsettled = errors.New("the folder is being written to")

// ReadSettled reads a folder until two readings agree, so that a file that is
// just being written is not taken for a finished one.
func ReadSettled(root string) (*Unit, error) {
	before, err := Read(root)
	for range 3 {
		if err != nil {
			return nil, err
		}
		var now *Unit
		if now, err = Read(root); err == nil && now.Hash == before.Hash {
			return now, nil
		}
		before = now
	}
	return nil, errors.Join(ErrUnsettled, err)
}

// Read reads AGENT.md and functions/ below root. Nothing outside of root is
// read: a link that leaves it is a problem. The error is PROJECT_UNREACHABLE
// when the folder itself cannot be read; everything else is in Problems.
func Read(root string) (*Unit, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, unreachable(root, err)
	}
	defer r.Close()
	u := &Unit{Root: root}
	u.readAgent(r)
	entries, err := list(r, functionsDir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// A folder that was unmounted or moved away has lost its inode, too.
		if _, err := os.Stat(root); err != nil {
			return nil, unreachable(root, err)
		}
	case err != nil:
		u.Partial = true
		u.problem(contract.ProjectInvalid, functionsDir, "%s cannot be read: %s", functionsDir, plain(err))
	}
	u.readFunctions(r, entries)
	u.readModules(r)
	u.Hash = u.hash()
	return u, nil
}

func unreachable(root string, err error) error {
	return contract.Errorf(contract.ProjectUnreachable, "the project folder %s cannot be read: %s", root, plain(err))
}

// plain gives an error without the operation and path that wrap it.
func plain(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if strings.Contains(err.Error(), "escapes") {
		return "it is a link that leaves the folder"
	}
	return err.Error()
}

func (u *Unit) problem(code contract.Code, file, format string, args ...any) {
	u.Problems = append(u.Problems, contract.Problem{Code: code, File: file, Message: fmt.Sprintf(format, args...)})
}

func list(r *os.Root, dir string) ([]fs.DirEntry, error) {
	f, err := r.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(maxEntries)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// readFile reads a regular file of bounded size. It never waits for a pipe.
func readFile(r *os.Root, name string, most int) (*File, error) {
	f, err := r.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	b, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err != nil {
		return nil, err
	}
	if len(b) > most {
		return nil, contract.Errorf(contract.CodeTooLarge, "%s has %d bytes; %d are allowed", name, max(st.Size(), int64(len(b))), most)
	}
	sum := sha256.Sum256(b)
	return &File{Path: name, Text: string(b), SHA256: hex.EncodeToString(sum[:])}, nil
}

// SHA256 is the hash that File has for a text.
func SHA256(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (u *Unit) readFunctions(r *os.Root, entries []fs.DirEntry) {
	if len(entries) == maxEntries {
		u.problem(contract.ProjectInvalid, functionsDir, "%s has more than %d entries; the rest is not read", functionsDir, maxEntries-1)
	}
	found := map[string]*Files{}
	claimed := u.readClaimed(r, found)
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || claimed[name] {
			continue
		}
		// Stat follows links that stay inside; one that leaves is a problem.
		st, err := r.Stat(path.Join(functionsDir, name))
		if err != nil {
			base := name
			if b, ok := sourceBase(name); ok {
				base = b
			}
			if f := (&Files{Name: base, Layout: LayoutFile}); found[base] == nil && u.named(f) {
				f.fail(functionsDir+"/"+name, err)
				found[base] = f
			}
			continue
		}
		if st.IsDir() {
			if f := readFolder(r, name); f != nil && u.named(f) {
				found[name] = f
			}
		}
	}
	for _, e := range entries {
		base, ok := sourceBase(e.Name())
		if !ok || claimed[e.Name()] {
			continue
		}
		if st, err := r.Stat(path.Join(functionsDir, e.Name())); err != nil || !st.Mode().IsRegular() {
			continue
		}
		if other := found[base]; other != nil {
			u.problem(contract.ProjectInvalid, functionsDir+"/"+e.Name(), "%s/%s is not read: %s is the function %s", functionsDir, e.Name(), other.dir(), base)
			continue
		}
		f := &Files{Name: base, Layout: LayoutFile}
		// greet.test.js and the like are an author's own files.
		if strings.Contains(base, ".") || !u.named(f) {
			continue
		}
		f.readSource(r, functionsDir+"/"+e.Name())
		found[base] = f
	}
	for _, f := range found {
		f.Entry = u.Agent.entry(f.Name)
		u.Functions = append(u.Functions, *f)
	}
	slices.SortFunc(u.Functions, func(a, b Files) int { return strings.Compare(a.Name, b.Name) })
	u.orphanEntries(found)
}

// named refuses files whose name cannot name a function.
func (u *Unit) named(f *Files) bool {
	if err := manifest.CheckName(f.Name); err != nil {
		u.problem(contract.InvalidName, functionsDir+"/"+f.Name, "not read as a function: %s", err.Message)
		return false
	}
	return true
}

// sourceBase gives the function a single file would be; declarations of types
// and editor files are none.
func sourceBase(name string) (string, bool) {
	if Ignored(name) || strings.HasSuffix(name, ".d.ts") {
		return "", false
	}
	for _, ext := range sourceExts {
		if base, ok := strings.CutSuffix(name, ext); ok && base != "" {
			return base, true
		}
	}
	return "", false
}

func (u *Unit) hash() string {
	h := sha256.New()
	add := func(f *File) {
		if f != nil {
			fmt.Fprintf(h, "%s %s\n", f.SHA256, f.Path)
		}
	}
	add(u.Agent.File)
	for i := range u.Functions {
		add(u.Functions[i].Source)
		add(u.Functions[i].Manifest)
		for _, p := range u.Functions[i].Problems {
			fmt.Fprintf(h, "%s %s\n", p.Code, p.Message)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(u.Modules)) {
		m := u.Modules[name]
		add(m.Source)
		add(m.Manifest)
		fmt.Fprintf(h, "%s %v\n", name, m.Err)
	}
	for _, p := range u.Problems {
		fmt.Fprintf(h, "%s %s\n", p.Code, p.Message)
	}
	return hex.EncodeToString(h.Sum(nil))
}
