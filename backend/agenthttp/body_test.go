package agenthttp

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"benchtop/backend/contract"
)

// deadlines notes whether the deadline of a request's body was lifted.
type deadlines struct {
	http.ResponseWriter
	lifted bool
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.lifted = t.IsZero()
	return nil
}

// What follows a body may take longer than the body; a body that does not come
// keeps its deadline.
func TestReadBody(t *testing.T) {
	for name, tt := range map[string]struct {
		body io.Reader
		code contract.Code // "" when it is read
	}{
		"whole":     {strings.NewReader("12345678"), ""},
		"too large": {strings.NewReader("123456789"), contract.BodyTooLarge},
		"cut off":   {io.MultiReader(strings.NewReader("1"), iotest.ErrReader(io.ErrUnexpectedEOF)), contract.InvalidRequest},
		"too late":  {iotest.ErrReader(os.ErrDeadlineExceeded), contract.InvalidRequest},
	} {
		w := &deadlines{ResponseWriter: httptest.NewRecorder()}
		b, err := ReadBody(w, httptest.NewRequest("POST", "/", tt.body), 8)
		var code contract.Code
		if e := contract.AsError(err); e != nil {
			code = e.Code
		}
		if code != tt.code || w.lifted != (tt.code == "") || tt.code == "" && string(b) != "12345678" {
			t.Errorf("%s: %q, %v, deadline lifted: %v", name, b, err, w.lifted)
		}
	}
}
