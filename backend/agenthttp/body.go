package agenthttp

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"benchtop/backend/contract"
)

// ReadBody reads the body of a request, of limit bytes at most. A larger one is
// BODY_TOO_LARGE, one that does not arrive whole or in time INVALID_REQUEST.
func ReadBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var large *http.MaxBytesError
	switch {
	case err == nil:
		// The body is there: what follows may take its time. One that is not keeps
		// its deadline, because net/http waits for the rest of it before it answers.
		// A writer without deadlines, as in tests, has none to lift.
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		return b, nil
	case errors.As(err, &large):
		return nil, contract.Errorf(contract.BodyTooLarge, "the body is larger than the %d bytes allowed here", limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, contract.Errorf(contract.InvalidRequest, "the body did not arrive in time")
	}
	return nil, contract.Errorf(contract.InvalidRequest, "the body ended too early")
}
