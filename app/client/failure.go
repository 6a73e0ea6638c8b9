package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"benchtop/backend/contract"
)

// Error is what a platform refused with. Code is empty when what answered is no
// platform.
type Error struct {
	Host     string
	Status   int
	Code     contract.Code
	Message  string
	Problems []contract.Problem
	Details  json.RawMessage
}

// Error says why it was refused, and behind it every problem on a line of its
// own.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Message)
	if e.Code == "" {
		b.Reset()
		b.WriteString(e.Host + " " + e.Message)
	}
	for _, p := range e.Problems {
		if p.Message != "" && !strings.Contains(e.Message, p.Message) {
			b.WriteString("\n  " + Place(p) + p.Message)
		}
	}
	return b.String()
}

// Place is where a problem is, with a colon and a space behind it, or nothing.
func Place(p contract.Problem) string {
	switch {
	case p.File != "" && p.Line > 0:
		return fmt.Sprintf("%s:%d:%d: ", p.File, p.Line, max(p.Column, 1))
	case p.File != "":
		return p.File + ": "
	case p.Path != "":
		return p.Path + ": "
	case p.Line > 0:
		return fmt.Sprintf("%d:%d: ", p.Line, max(p.Column, 1))
	}
	return ""
}

// Unreachable says that nothing answers at an address.
type Unreachable struct {
	URL string
	Err error
}

func (e *Unreachable) Error() string { return fmt.Sprintf("%s does not answer: %v", e.URL, e.Err) }

// Unwrap gives what the network said.
func (e *Unreachable) Unwrap() error { return e.Err }

// failure reads an answer that is none of what was asked for.
func failure(host string, res *http.Response) error {
	b, err := io.ReadAll(io.LimitReader(res.Body, contract.MB))
	if err != nil {
		return fmt.Errorf("%s answers %s and breaks off: %w", host, res.Status, err)
	}
	var body struct {
		Code    contract.Code      `json:"code"`
		Message string             `json:"message"`
		Errors  []contract.Problem `json:"errors"`
		Error   struct {
			Details json.RawMessage `json:"details"`
		} `json:"error"`
	}
	e := &Error{Host: host, Status: res.StatusCode}
	if json.Unmarshal(b, &body) != nil || body.Message == "" {
		e.Message = "answers " + res.Status
		return e
	}
	e.Code, e.Message, e.Problems, e.Details = body.Code, body.Message, body.Errors, body.Error.Details
	return e
}

// CodeOf is the code a platform refused with, or nothing.
func CodeOf(err error) contract.Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
