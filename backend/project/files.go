package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// Layouts of a function in a folder.
const (
	LayoutFolder = "folder" // functions/<name>/manifest.json and index.js
	LayoutFile   = "file"   // functions/<name>.js with a header
)

// Files are the files of one function. Source is nil when there is none yet,
// Manifest when the function has a header or an entry in AGENT.md instead.
type Files struct {
	Name     string
	Layout   string
	Source   *File
	Manifest *File
	Entry    *Entry
	Problems []contract.Problem // of reading them
}

// Entry is what AGENT.md says about a function, under functions.
type Entry struct {
	Name string
	Line int
	node *yaml.Node
}

// Loaded is what the files of a function say. With Errors it must not serve.
type Loaded struct {
	Manifest     manifest.Manifest
	ManifestText string // of manifest.json; empty without one
	Source       string
	File         string // path of the source
	Errors       []contract.Problem
	Warnings     []contract.Problem
}

// Load reads the manifest out of the files. manifest.json counts, else the
// header, else the entry of AGENT.md, else nothing is permitted. schema is
// manifest.Options.Schema.
func (f *Files) Load(schema func([]byte) ([]string, string)) Loaded {
	l := Loaded{Errors: append([]contract.Problem(nil), f.Problems...)}
	opts := manifest.Options{DefaultRuntime: manifest.RuntimeJS}
	if schema != nil {
		opts.Schema = func(text contract.RawJSON) ([]string, string) { return schema(text) }
	}
	var errs, warns []contract.Problem
	header := false
	if f.Source != nil {
		l.Source, l.File = f.Source.Text, f.Source.Path
		opts.File = f.Source.Path
		if strings.TrimSpace(l.Source) == "" {
			l.Errors = append(l.Errors, contract.Problem{Code: contract.SourceEmpty, Message: f.Source.Path + " is empty"}.At(f.Source.Path, 1, 1))
		}
	}
	switch {
	case f.Manifest != nil:
		l.ManifestText = f.Manifest.Text
		opts.File = f.Manifest.Path
		l.Manifest, errs, warns = manifest.Parse([]byte(f.Manifest.Text), opts)
	case f.Source != nil:
		l.Manifest, header, errs, warns = manifest.Docblock(f.Source.Text, opts)
	}
	l.Errors, l.Warnings = append(l.Errors, errs...), append(l.Warnings, warns...)
	inAgent := opts
	inAgent.File = AgentFileName
	switch {
	case (f.Manifest != nil || header) && f.Entry != nil && len(errs) == 0:
		l.Warnings = append(l.Warnings, manifest.Differences(f.Entry.node, l.Manifest, "functions."+f.Name, inAgent)...)
	case f.Manifest != nil || header:
	case f.Entry != nil:
		l.Manifest, errs, warns = manifest.ParseYAML(f.Entry.node, inAgent)
		l.Errors, l.Warnings = append(l.Errors, errs...), append(l.Warnings, warns...)
	case f.Source != nil:
		l.Manifest = manifest.Manifest{Runtime: manifest.RuntimeJS, Entrypoint: "default"}
		l.Warnings = append(l.Warnings, contract.Problem{Code: contract.Portability, Message: "the function has no manifest, so it is permitted nothing; " +
			"add manifest.json beside it, or a comment that starts with " + manifest.Marker}.At(f.Source.Path, 1, 1))
	}
	if h := l.Manifest.BundleSHA256; h != "" && f.Source != nil && h != f.Source.SHA256 {
		l.Errors = append(l.Errors, contract.Problem{Code: contract.BundleHashMismatch, Path: "bundleSha256",
			Message: fmt.Sprintf("bundleSha256 is %s, the source has %s", h, f.Source.SHA256)}.At(opts.File, 1, 1))
	}
	return l
}

// Declares reports whether the function's own files say what it may do, so that
// no entry of AGENT.md is asked.
func (f *Files) Declares() bool {
	if f.Manifest != nil {
		return true
	}
	if f.Source == nil {
		return false
	}
	_, header, _, _ := manifest.Docblock(f.Source.Text, manifest.Options{DefaultRuntime: manifest.RuntimeJS})
	return header
}

// dir names where the function lives, for messages.
func (f *Files) dir() string {
	if f.Source != nil {
		return f.Source.Path
	}
	return functionsDir + "/" + f.Name
}

// readFolder reads functions/<name>/; nil when there is nothing of a function.
func readFolder(r *os.Root, name string) *Files {
	f := &Files{Name: name, Layout: LayoutFolder}
	dir := path.Join(functionsDir, name)
	m, err := readFile(r, path.Join(dir, manifestName), manifest.MaxManifestBytes)
	switch {
	case err == nil:
		f.Manifest = m
	case !errors.Is(err, fs.ErrNotExist):
		f.fail(path.Join(dir, manifestName), err)
	}
	var there []string
	for _, ext := range sourceExts {
		if _, err := r.Lstat(path.Join(dir, "index"+ext)); err == nil {
			there = append(there, path.Join(dir, "index"+ext))
		}
	}
	switch {
	case len(there) > 0:
		f.readSource(r, there[0])
		for _, extra := range there[1:] {
			f.Problems = append(f.Problems, contract.Problem{Code: contract.ProjectInvalid, File: extra,
				Message: fmt.Sprintf("%s and %s are both there; keep one", there[0], extra)})
		}
	case f.Manifest == nil && len(f.Problems) == 0:
		return nil
	default:
		f.Problems = append(f.Problems, contract.Problem{Code: contract.SourceEmpty, File: path.Join(dir, "index.js"),
			Message: path.Join(dir, "index.js") + " is missing"})
	}
	return f
}

func (f *Files) readSource(r *os.Root, name string) {
	src, err := readFile(r, name, contract.MaxStoredSource)
	if err != nil {
		f.fail(name, err)
		return
	}
	f.Source = src
}

func (f *Files) fail(file string, err error) {
	p := contract.Problem{Code: contract.ProjectInvalid, File: file, Message: fmt.Sprintf("%s is not read: %s", file, plain(err))}
	if e := contract.AsError(err); e != nil {
		p.Code, p.Message = e.Code, e.Message
	}
	f.Problems = append(f.Problems, p)
}

// Ignored reports whether a file or folder of that name is never part of a
// project: version control, packages, our own folder, what editors leave.
func Ignored(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", "node_modules", ownDir, ".idea", ".vscode", "4913", ".DS_Store", "Thumbs.db":
		return true
	}
	for _, end := range []string{"~", ".swp", ".swo", ".swx", ".swpx", ".tmp", ".bak", ".orig", ".part", ".crdownload", "___jb_tmp___", "___jb_old___"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return strings.HasPrefix(name, ".#") || strings.HasPrefix(name, "#") || strings.HasPrefix(name, tempPrefix) || strings.HasPrefix(name, ".goutputstream-")
}
