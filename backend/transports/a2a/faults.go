package a2a

import (
	"errors"
	"fmt"

	"benchtop/backend/contract"
	"benchtop/backend/tasks"
)

// kind is one of the protocol's errors: its code of JSON-RPC, and its HTTP status
// and names of the REST form (A2A 1.0 sections 5.4 and 11.6).
type kind struct {
	code   int
	http   int
	status string
	reason string
}

// The protocol's errors that occur here.
var (
	parseError        = kind{-32700, 400, "INVALID_ARGUMENT", "INVALID_PARAMS"}
	invalidRequest    = kind{-32600, 400, "INVALID_ARGUMENT", "INVALID_PARAMS"}
	methodNotFound    = kind{-32601, 404, "NOT_FOUND", "METHOD_NOT_FOUND"}
	invalidParams     = kind{-32602, 400, "INVALID_ARGUMENT", "INVALID_PARAMS"}
	internalError     = kind{-32603, 500, "INTERNAL", "INTERNAL_ERROR"}
	taskNotFound      = kind{-32001, 404, "NOT_FOUND", "TASK_NOT_FOUND"}
	taskNotCancelable = kind{-32002, 400, "FAILED_PRECONDITION", "TASK_NOT_CANCELABLE"}
	pushNotSupported  = kind{-32003, 400, "FAILED_PRECONDITION", "PUSH_NOTIFICATION_NOT_SUPPORTED"}
	unsupported       = kind{-32004, 400, "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION"}
	contentType       = kind{-32005, 400, "INVALID_ARGUMENT", "CONTENT_TYPE_NOT_SUPPORTED"}
	wrongMedia        = kind{-32005, 415, "INVALID_ARGUMENT", "CONTENT_TYPE_NOT_SUPPORTED"} // of the request, spec 7.2
	noExtendedCard    = kind{-32007, 400, "FAILED_PRECONDITION", "EXTENDED_AGENT_CARD_NOT_CONFIGURED"}
	versionNotServed  = kind{-32009, 400, "FAILED_PRECONDITION", "VERSION_NOT_SUPPORTED"}
	tooMany           = kind{-32603, 429, "RESOURCE_EXHAUSTED", "CONCURRENCY_EXCEEDED"}
)

// fault is an error as a client of the protocol gets it.
type fault struct {
	kind
	message string
}

func (f *fault) Error() string { return f.message }

func faultf(k kind, format string, args ...any) *fault {
	return &fault{k, fmt.Sprintf(format, args...)}
}

// details say in a form for machines what went wrong.
func (f *fault) details() []any {
	return []any{map[string]string{
		"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": f.reason, "domain": "a2a-protocol.org",
	}}
}

// faultOf finds the protocol's word for an error.
func (t *Transport) faultOf(err error) *fault {
	var f *fault
	if errors.As(err, &f) {
		return f
	}
	switch {
	case errors.Is(err, tasks.ErrNotFound):
		return faultf(taskNotFound, "there is no task of yours with that id")
	case errors.Is(err, tasks.ErrPage):
		return faultf(invalidParams, "pageToken is none that a list gave")
	}
	if e := contract.AsError(err); e != nil && e.Code.Status() < 500 {
		return faultf(invalidParams, "%s", e.Message)
	}
	t.cfg.Log.Error("a request of the agent-to-agent protocol failed", "error", err)
	return faultf(internalError, "a fault of the platform; its log has the details")
}
