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
	callsDir     = ownDir + "/calls"
	callEnd      = ".json"
	maxCalls     = 500 // of one function
	maxCallBytes = contract.MB
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
	out := contract.SavedCalls{Calls: []contract.SavedCall{}, Problems: []contract.Problem{}}
	dirs, err := list(f.root, callsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return out, contract.Errorf(contract.ProjectUnreachable, "%s in %s cannot be read: %s", callsDir, f.path, plain(err))
	}
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
			if !ok || CheckCallName(name) != nil {
				continue
			}
			call, err := f.call(dir.Name(), name)
			if err != nil {
				at := callPath(dir.Name(), name)
				out.Problems = append(out.Problems, contract.Problem{Code: contract.ProjectInvalid, Message: fmt.Sprintf("%s is no saved call: %s", at, plain(err))}.At(at, 1, 1))
				continue
			}
			out.Calls = append(out.Calls, call)
		}
	}
	return out, nil
}

func (f *Folder) call(function, name string) (c contract.SavedCall, err error) {
	file, err := readFile(f.root, callPath(function, name), maxCallBytes)
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
	if there, err := list(f.root, path.Join(callsDir, function)); err == nil && len(there) >= maxCalls && !f.Exists(callPath(function, name)) {
		return c, contract.Errorf(contract.InvalidRequest, "%s has %d saved calls, which is the most; remove some", function, len(there))
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
