package httpapi

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"time"

	"benchtop/backend/contract"
)

// decode reads the body, a JSON object, into v. Unknown members are ignored.
func (c *call) decode(v any) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	if len(body) == 0 {
		return contract.Errorf(contract.InvalidRequest, "the body is empty; a JSON object is expected")
	}
	if body[0] != '{' {
		return contract.Errorf(contract.InvalidRequest, "the body must be a JSON object")
	}
	return unmarshal(body, v)
}

// body reads the body of a request as JSON text, trimmed and checked for depth
// and repeated members; its grammar is the decoder's to check. It may be empty.
func (c *call) body() ([]byte, error) {
	if c.r.ContentLength == 0 {
		return nil, nil
	}
	if t := c.r.Header["Content-Type"]; len(t) != 1 || !isJSON(t[0]) {
		return nil, contract.Errorf(contract.UnsupportedMedia, "send the body as Content-Type: application/json")
	}
	b, err := readAll(c.r)
	if err != nil {
		// The deadline stays: net/http waits for the rest of a body before it answers.
		return nil, bodyError(err)
	}
	// The body is there: what follows may take its time.
	_ = http.NewResponseController(c.w).SetReadDeadline(time.Time{})
	b = trimSpace(b)
	return b, checkJSON(b)
}

// readAll reads a body of known length into one allocation.
func readAll(r *http.Request) ([]byte, error) {
	const trusted = 64 * contract.KB // of a length that was only announced
	if n := r.ContentLength; n > 0 && n <= trusted {
		b := make([]byte, n)
		_, err := io.ReadFull(r.Body, b)
		return b, err
	}
	return io.ReadAll(r.Body)
}

func bodyError(err error) error {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return contract.Errorf(contract.BodyTooLarge, "the body is larger than the %d bytes allowed here", large.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return contract.Errorf(contract.InvalidRequest, "the body did not arrive within %v", bodyTimeout)
	}
	return contract.Errorf(contract.InvalidRequest, "the body ended too early")
}

// isJSON accepts application/json with parameters; the charset must be UTF-8.
func isJSON(contentType string) bool {
	if contentType == "application/json" {
		return true
	}
	t, params, err := mime.ParseMediaType(contentType)
	if err != nil || t != "application/json" {
		return false
	}
	switch params["charset"] {
	case "", "utf-8", "UTF-8":
		return true
	}
	return false
}

// unmarshal says in a client's words what is wrong with a body.
func unmarshal(body []byte, v any) error {
	err := json.Unmarshal(body, v)
	if err == nil {
		return nil
	}
	if e := contract.AsError(err); e != nil {
		return e // of a value that reads itself, such as an amount
	}
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		line, column := place(body, int(syntax.Offset))
		return contract.Errorf(contract.InvalidRequest, "the body is not JSON: %v (line %d, column %d)", syntax, line, column)
	case errors.As(err, &wrong):
		return contract.Errorf(contract.InvalidRequest, "%s must be %s, not %s", orBody(wrong.Field), jsonName(wrong.Type.Kind()), wrong.Value)
	}
	return contract.Errorf(contract.InvalidRequest, "the body cannot be read: %v", err)
}

func orBody(field string) string {
	if field == "" {
		return "the body"
	}
	return field
}
