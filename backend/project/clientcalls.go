package project

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"benchtop/backend/contract"
)

// clientCalls is the folder below callsDir for calls of the Client place. A
// function may have that name, too: then files of both lie in it, and each says
// itself what it is.
const clientCalls = "client"

// clientCall reads one file. ok is false for a call of a function named client.
func (f *Folder) clientCall(name string) (c contract.ClientCall, ok bool) {
	c = contract.ClientCall{Name: name, File: callPath(clientCalls, name)}
	file, err := f.readCall(c.File)
	if err == nil {
		if ofFunction(file.Text) {
			return c, false
		}
		c.SHA256 = file.SHA256
		err = CheckCallName(name)
	}
	if err == nil {
		var content contract.ClientCallContent
		if content, err = parseClientCall(file.Text); err == nil {
			c.Call = &content
			return c, true
		}
	}
	c.Problem = plain(err)
	return c, true
}

// ofFunction reports whether a file is the saved call of a function: a body,
// perhaps a caller, and nothing else.
func ofFunction(text string) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &members) != nil || members["body"] == nil {
		return false
	}
	delete(members, "body")
	delete(members, "caller")
	return len(members) == 0
}

// SaveClientCall writes a call of the Client place without the credentials in it,
// in place of the file that base is the hash of. Errors: INVALID_NAME,
// INVALID_REQUEST, VERSION_CONFLICT, PROJECT_UNREACHABLE.
func (f *Folder) SaveClientCall(name, base string, content contract.ClientCallContent) (c contract.ClientCall, err error) {
	if err := CheckCallName(name); err != nil {
		return c, err
	}
	content, withheld := withhold(content)
	if err := checkClientCall(&content); err != nil {
		return c, contract.Errorf(contract.InvalidRequest, "the call cannot be saved: %s", err)
	}
	text, err := formatClientCall(content)
	if err != nil {
		return c, contract.Errorf(contract.InvalidRequest, "the call cannot be written as JSON: %s", err)
	}
	if len(text) > maxCallBytes {
		return c, contract.Errorf(contract.InvalidRequest, "the call has %d bytes; %d are allowed in a file", len(text), maxCallBytes)
	}
	at := callPath(clientCalls, name)
	if err := f.isBase(at, base); err != nil {
		return c, err
	}
	if err := f.roomFor(clientCalls, at, "the Client place"); err != nil {
		return c, err
	}
	if err := f.Prepare(); err != nil {
		return c, err
	}
	if err := f.Write(at, text); err != nil {
		return c, err
	}
	c, _ = f.clientCall(name)
	c.Withheld = withheld
	return c, nil
}

// isBase refuses to write over a file that whoever saves has not seen.
func (f *Folder) isBase(at, base string) error {
	if err := f.unlinked(at); err != nil {
		return contract.Errorf(contract.ProjectUnreachable, "%s in %s cannot be written: %s", at, f.path, err)
	}
	if !f.Exists(at) {
		if base == "" {
			return nil
		}
		return contract.Errorf(contract.VersionConflict, "%s was removed meanwhile; nothing was written", at)
	}
	file, err := f.readCall(at)
	switch {
	case err != nil:
		return contract.Errorf(contract.VersionConflict, "%s is there and cannot be read (%s); remove it first", at, plain(err))
	case base == "":
		return contract.Errorf(contract.VersionConflict, "%s is there already; nothing was written", at)
	case file.SHA256 != base:
		return contract.Errorf(contract.VersionConflict, "%s was changed meanwhile; nothing was written", at)
	}
	return nil
}

// RenameClientCall gives a call another name that no file has. The old name may
// be one that cannot name a call: that is how such a file gets a better one.
func (f *Folder) RenameClientCall(name, to string) (c contract.ClientCall, err error) {
	if err := CheckCallName(to); err != nil {
		return c, err
	}
	from, at, err := f.clientFile(name), callPath(clientCalls, to), error(nil)
	if from == "" {
		return c, noCall(name)
	}
	if err = f.unlinked(path.Dir(from)); err != nil {
		return c, contract.Errorf(contract.ProjectUnreachable, "%s in %s cannot be renamed: %s", from, f.path, err)
	}
	old, err := f.root.Lstat(from)
	if err != nil {
		return c, noCall(name)
	}
	// On some systems "a" and "A" are one file: that is a new name for it.
	if there, err := f.root.Lstat(at); err == nil && !os.SameFile(old, there) {
		return c, contract.Errorf(contract.VersionConflict, "%s is there already; nothing was renamed", at)
	}
	if err := f.root.Rename(from, at); err != nil {
		return c, contract.Errorf(contract.ProjectUnreachable, "%s in %s cannot be renamed: %s", from, f.path, plain(err))
	}
	c, _ = f.clientCall(to)
	return c, nil
}

// RemoveClientCall removes a call; false when there is none of that name.
func (f *Folder) RemoveClientCall(name string) (bool, error) {
	at := f.clientFile(name)
	if at == "" {
		return false, nil
	}
	if err := f.unlinked(path.Dir(at)); err != nil {
		return false, contract.Errorf(contract.ProjectUnreachable, "%s in %s cannot be removed: %s", at, f.path, err)
	}
	err := f.root.Remove(at)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, contract.Errorf(contract.ProjectUnreachable, "%s in %s cannot be removed: %s", at, f.path, plain(err))
	}
	_ = f.root.Remove(path.Dir(at)) // stays while it holds others
	return true, nil
}

// clientFile is the path of a file that the list of calls may hold; empty for a
// name that is no single file there, or the file of a function named client.
func (f *Folder) clientFile(name string) string {
	if name == "" || len(name) > 250 || strings.ContainsAny(name, "/\\\x00") || Ignored(name+callEnd) {
		return ""
	}
	at := callPath(clientCalls, name)
	if path.Dir(at) != path.Join(callsDir, clientCalls) {
		return ""
	}
	if file, err := f.readCall(at); err == nil && ofFunction(file.Text) {
		return ""
	}
	return at
}

func noCall(name string) error {
	return contract.Errorf(contract.NotFound, "the Client place has no saved call %.80q", name)
}
