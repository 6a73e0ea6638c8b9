package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"benchtop/app/client"
	"benchtop/backend/contract"
)

// Exit codes.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitFailed      = 3
	exitNotFound    = 4
	exitRefused     = 5
	exitUnreachable = 6
	exitInterrupted = 130
)

// exits is the table of exit codes, as help and documentation show it.
var exits = []struct {
	code int
	when string
}{
	{exitOK, "it is done"},
	{exitError, "it could not be done; the message says why"},
	{exitUsage, "the command line cannot be understood; nothing was done"},
	{exitFailed, "it ran, and what it looked at is bad: the function failed, a test differs, a source has errors"},
	{exitNotFound, "there is no such agent, function, schedule, invocation or snapshot"},
	{exitRefused, "the credential is missing, has expired or does not allow this"},
	{exitUnreachable, "no platform answers, or another process has the data directory"},
	{exitInterrupted, "it was interrupted"},
}

func exitTable() string {
	var b strings.Builder
	for _, e := range exits {
		fmt.Fprintf(&b, "  %-4d %s\n", e.code, e.when)
	}
	return b.String()
}

// usageError is a command line that cannot be understood.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// exitCode is an error that says nothing more.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// withExit is an error that has an exit code of its own.
type withExit struct {
	error
	code int
}

func (e withExit) Unwrap() error { return e.error }

// exitOf gives the exit code that an error leads to.
func exitOf(ctx context.Context, err error) int {
	var silent exitCode
	var own withExit
	var usage usageError
	var running *Running
	var refused *client.Error
	var gone *client.Unreachable
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &silent):
		return int(silent)
	case errors.As(err, &own):
		return own.code
	case errors.As(err, &usage):
		return exitUsage
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, &gone), errors.As(err, &running):
		return exitUnreachable
	case errors.As(err, &refused):
		return exitOfStatus(refused.Status)
	}
	if e := contract.AsError(err); e != nil {
		return exitOfStatus(e.Code.Status())
	}
	return exitError
}

func exitOfStatus(status int) int {
	switch status {
	case http.StatusNotFound:
		return exitNotFound
	case http.StatusUnauthorized, http.StatusForbidden:
		return exitRefused
	}
	return exitError
}

// report says on stderr what went wrong.
func (p *Program) report(err error, code int) {
	var silent exitCode
	if err == nil || errors.As(err, &silent) {
		return
	}
	if p.asJSON || slices.Contains(p.Args, "--json") {
		body := struct {
			Error    contract.ErrorDetail `json:"error"`
			ExitCode int                  `json:"exitCode"`
		}{contract.ErrorDetail{Code: codeOf(err), Message: err.Error()}, code}
		if b, e := json.Marshal(body); e == nil {
			fmt.Fprintln(p.Stderr, string(b))
			return
		}
	}
	hint := ""
	if code == exitUsage {
		hint = " (see benchtop --help)"
	}
	fmt.Fprintf(p.Stderr, "benchtop: %v%s\n", err, hint)
}

// codeOf is the platform's code of an error, or nothing.
func codeOf(err error) contract.Code {
	if e := contract.AsError(err); e != nil {
		return e.Code
	}
	return client.CodeOf(err)
}
