package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/worker/sandbox"
)

// notebook takes what only running shows of a function that would behave
// differently on the hosted platform.
type notebook interface{ Note(text string) }

// noteRequest looks at the request of a function that reads members of its
// body: there are none when a form was sent, because a form is text.
func noteRequest(to notebook, readsMembers bool, context contract.RawJSON) {
	if !readsMembers {
		return
	}
	var c struct {
		Request struct {
			Headers map[string]any `json:"headers"`
			Body    contract.RawJSON
		} `json:"request"`
	}
	if json.Unmarshal(context, &c) != nil || !bytes.HasPrefix(bytes.TrimSpace(c.Request.Body), []byte{'"'}) {
		return
	}
	kind, _ := c.Request.Headers["content-type"].(string)
	if strings.HasPrefix(strings.ToLower(kind), "application/x-www-form-urlencoded") {
		to.Note("ctx.request.body is the text of the form, so it has no members: read it with new URLSearchParams(ctx.request.body).")
	}
}

// noteResult looks at the answer to a request: the hosted platform answers 500
// for some that are sent on here.
func noteResult(to notebook, context, value contract.RawJSON) {
	if !bytes.HasPrefix(value, []byte{'{'}) || !bytes.Contains(value, []byte(`"status"`)) || !hasRequest(context) {
		return // nearly always
	}
	var status, body contract.RawJSON
	shaped := false
	sandbox.Fields(value, func(name string, raw []byte) {
		switch name {
		case "status":
			status = raw
		case "body", "bodyB64":
			body, shaped = raw, true
		case "headers":
			shaped = true
		}
	})
	if status == nil {
		return
	}
	var n float64
	switch err := json.Unmarshal(status, &n); {
	case err != nil || n != float64(int(n)) || n < 200 || n > 599:
		to.Note(fmt.Sprintf("the result has a status of %.40s: for an HTTP endpoint that is a whole number from 200 to 599, and with another one the hosted platform answers 500.", status))
	case shaped && (n == 204 || n == 205 || n == 304) && body != nil && string(body) != "null":
		to.Note(fmt.Sprintf("a response with status %d has no body: with one the hosted platform answers 500.", int(n)))
	}
}

// hasRequest reports whether a run answers an HTTP request.
func hasRequest(context contract.RawJSON) bool {
	found := false
	sandbox.Fields(context, func(name string, raw []byte) { found = found || name == "request" && string(raw) != "null" })
	return found
}
