package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

const (
	callsBase    = "calls"
	callsDir     = ownDir + "/" + callsBase
	callEnd      = ".json"
	maxCalls     = 500 // of one function
	maxCallBytes = contract.MB
	maxCallsRead = 16 * contract.MB // of one project
)

var callName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$`)

// CheckCallName holds the name of a saved call to what every file system takes.
func CheckCallName(name string) error {
	if callName.MatchString(name) && !strings.HasSuffix(name, ".") && !strings.HasSuffix(name, " ") {
		return nil
	}
	return contract.Errorf(contract.InvalidName, "%.80q cannot name a saved call: a name is a letter or digit, then letters, digits, spaces, dots, hyphens or underscores, "+
		"64 characters at most, and ends with none of space and dot", name)
}

func callPath(function, name string) string { return path.Join(callsDir, function, name+callEnd) }

// Calls reads the saved calls, by function and name. A file that is none is a
// problem and takes nothing away from the others.
func (f *Folder) Calls() (contract.SavedCalls, error) {
	out := contract.SavedCalls{Calls: []contract.SavedCall{}, Client: []contract.ClientCall{}, Problems: []contract.Problem{}}
	if err := f.unlinked(callsDir); err != nil {
		return out, contract.Errorf(contract.ProjectUnreachable, "%s in %s cannot be read: %s", callsDir, f.path, err)
	}
	dirs, err := list(f.root, callsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return out, contract.Errorf(contract.ProjectUnreachable, "%s in %s cannot be read: %s", callsDir, f.path, plain(err))
	}
	left := maxCallsRead
	for _, dir := range dirs {
		if !dir.IsDir() || !manifest.ValidName(dir.Name()) {
			continue
		}
		files, err := list(f.root, path.Join(callsDir, dir.Name()))
		if err != nil {
			return out, contract.Errorf(contract.ProjectUnreachable, "%s in %s cannot be read: %s", path.Join(callsDir, dir.Name()), f.path, plain(err))
		}
		for _, file := range files {
			name, ok := strings.CutSuffix(file.Name(), callEnd)
			if !ok || Ignored(file.Name()) {
				continue
			}
			if st, err := file.Info(); err == nil && left >= 0 {
				left -= int(min(st.Size(), maxCallBytes))
			}
			f.addCall(&out, dir.Name(), name, left >= 0)
		}
	}
	return out, nil
}

// addCall adds one file to the list. There is an end to what is read at once.
func (f *Folder) addCall(out *contract.SavedCalls, dir, name string, read bool) {
	at := callPath(dir, name)
	tooMany := fmt.Sprintf("it was not read: the saved calls of this project have more than %d MB", maxCallsRead/contract.MB)
	if dir == clientCalls {
		c, ok := contract.ClientCall{Name: name, File: at, Problem: tooMany}, true
		if read {
			c, ok = f.clientCall(name)
		}
		if ok {
			out.Client = append(out.Client, c)
			return
		}
	}
	if CheckCallName(name) != nil {
		return
	}
	err := errors.New(tooMany)
	if read {
		var call contract.SavedCall
		if call, err = f.call(dir, name); err == nil {
			out.Calls = append(out.Calls, call)
			return
		}
	}
	out.Problems = append(out.Problems, contract.Problem{Code: contract.ProjectInvalid, Message: fmt.Sprintf("%s is no saved call: %s", at, plain(err))}.At(at, 1, 1))
}

// readCall reads the file of a saved call and follows no link to it.
func (f *Folder) readCall(at string) (*File, error) {
	if err := f.unlinked(at); err != nil {
		return nil, err
	}
	return readFile(f.root, at, maxCallBytes)
}

// unlinked refuses a path of .benchtop that is a link, or that leads over one:
// what is behind it is something else, and not ours to read or to replace.
func (f *Folder) unlinked(at string) error {
	parts := strings.Split(at, "/")
	for i := range parts {
		st, err := f.root.Lstat(path.Join(parts[:i+1]...))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return errors.New(plain(err))
		}
		if st.Mode().Type()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a link, and links are not followed here", path.Join(parts[:i+1]...))
		}
	}
	return nil
}

// roomFor refuses one file more than a folder of calls may have.
func (f *Folder) roomFor(dir, at, what string) error {
	if there, err := list(f.root, path.Join(callsDir, dir)); err == nil && len(there) >= maxCalls && !f.Exists(at) {
		return contract.Errorf(contract.InvalidRequest, "%s has %d saved calls, which is the most; remove some", what, len(there))
	}
	return nil
}

func (f *Folder) call(function, name string) (c contract.SavedCall, err error) {
	file, err := f.readCall(callPath(function, name))
	if err != nil {
		return c, err
	}
	var kept contract.SaveCallRequest
	if err := json.Unmarshal([]byte(file.Text), &kept); err != nil {
		return c, err
	}
	if len(kept.Body) == 0 {
		return c, errors.New(`it has no "body"`)
	}
	return contract.SavedCall{Function: function, Name: name, Path: file.Path, Body: kept.Body, Caller: kept.Caller}, nil
}

// SaveCall writes a call, over one of that name if there is one.
func (f *Folder) SaveCall(function, name string, req contract.SaveCallRequest) (c contract.SavedCall, err error) {
	if err := CheckCallName(name); err != nil {
		return c, err
	}
	if err := f.functionFile(function, name); err != nil {
		return c, err
	}
	if err := f.roomFor(function, callPath(function, name), function); err != nil {
		return c, err
	}
	text, err := json.MarshalIndent(req, "", "  ")
	if err != nil {
		return c, contract.Errorf(contract.InvalidRequest, "the body of the call is not JSON: %s", err)
	}
	if err := f.Prepare(); err != nil {
		return c, err
	}
	if err := f.Write(callPath(function, name), string(text)+"\n"); err != nil {
		return c, err
	}
	return f.call(function, name)
}

// RemoveCall removes a saved call; false when there is none of that name.
func (f *Folder) RemoveCall(function, name string) (bool, error) {
	if err := CheckCallName(name); err != nil {
		return false, err
	}
	if err := f.functionFile(function, name); err != nil {
		return false, nil //nolint:nilerr // a file of that name there is no call of the function
	}
	err := f.root.Remove(callPath(function, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, contract.Errorf(contract.ProjectUnreachable, "%s in %s cannot be removed: %s", callPath(function, name), f.path, plain(err))
	}
	_ = f.root.Remove(path.Join(callsDir, function)) // stays while it holds others
	return true, nil
}

// functionFile refuses the path of a call that is not the function's: a link, or
// a file of the Client place where the function is named client.
func (f *Folder) functionFile(function, name string) error {
	at := callPath(function, name)
	if err := f.unlinked(path.Dir(at)); err != nil {
		return contract.Errorf(contract.ProjectUnreachable, "%s in %s cannot be written: %s", at, f.path, err)
	}
	if function == clientCalls && f.Exists(at) {
		if file, err := f.readCall(at); err != nil || !ofFunction(file.Text) {
			return contract.Errorf(contract.VersionConflict, "%s is a call of the Client place; choose another name", at)
		}
	}
	return nil
}
