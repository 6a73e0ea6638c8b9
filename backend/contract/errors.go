package contract

import (
	"errors"
	"fmt"
)

// Code names one kind of failure. Codes are for machines and never change;
// messages are for people and may.
type Code string

// Codes of the function runtime, spec 7.1.
const (
	WallTimeout           Code = "WALL_TIMEOUT"
	MemoryLimitExceeded   Code = "MEMORY_LIMIT_EXCEEDED"
	EvalDenied            Code = "EVAL_DENIED"
	FunctionDenied        Code = "FUNCTION_DENIED"
	FetchForbidden        Code = "FETCH_FORBIDDEN"
	HostQuotaExceeded     Code = "HOST_QUOTA_EXCEEDED"
	PermissionDenied      Code = "PERMISSION_DENIED"
	HostBridgeError       Code = "HOST_BRIDGE_ERROR"
	JSNoHandler           Code = "JS_NO_HANDLER"
	JSResultNotSerialized Code = "JS_RESULT_NOT_SERIALIZABLE"
	JSRuntimeError        Code = "JS_RUNTIME_ERROR"
	RuntimeDisabled       Code = "RUNTIME_DISABLED"
)

// Codes around an invocation.
const (
	FnNotFound            Code = "FN_NOT_FOUND"
	FnChainTooDeep        Code = "FN_CHAIN_TOO_DEEP"
	FnCycleDetected       Code = "FN_CYCLE_DETECTED"
	FnQuotaExhausted      Code = "FN_QUOTA_EXHAUSTED"
	PoolSaturated         Code = "POOL_SATURATED"
	ExecutorUnavailable   Code = "EXECUTOR_UNAVAILABLE"
	ExecutorInternal      Code = "EXECUTOR_INTERNAL"
	InvocationInterrupted Code = "INVOCATION_INTERRUPTED"
	InvocationCancelled   Code = "INVOCATION_CANCELLED"
	InvocationNotFound    Code = "INVOCATION_NOT_FOUND"
	IdempotencyMismatch   Code = "IDEMPOTENCY_MISMATCH"
	ParametersInvalid     Code = "PARAMETERS_INVALID"
	FetchFailed           Code = "FETCH_FAILED"
	EgressTimeout         Code = "FETCH_TIMEOUT"
)

// Codes of manifest and source validation.
const (
	MissingRuntime          Code = "MISSING_RUNTIME"
	RuntimeUnknown          Code = "RUNTIME_UNKNOWN"
	InvalidCodeRef          Code = "INVALID_CODE_REF"
	InvalidPermissions      Code = "INVALID_PERMISSIONS"
	InvalidLimits           Code = "INVALID_LIMITS"
	InvalidFetchPattern     Code = "INVALID_FETCH_PATTERN"
	InvalidSecrets          Code = "INVALID_SECRETS"
	InvalidParametersSchema Code = "INVALID_PARAMETERS_SCHEMA"
	InvalidName             Code = "INVALID_NAME"
	InvalidManifest         Code = "INTERNAL" // a manifest that is no object, contract.md 2.1
	ManifestSyntax          Code = "MANIFEST_SYNTAX"
	AgentFileInvalid        Code = "AGENT_FILE_INVALID"
	CodeTooLarge            Code = "CODE_TOO_LARGE"
	SourceEmpty             Code = "SOURCE_EMPTY"
	JSCompileError          Code = "JS_COMPILE_ERROR"
	Portability             Code = "PORTABILITY"
	UnknownKey              Code = "UNKNOWN_KEY"
	BundleHashMismatch      Code = "BUNDLE_HASH_MISMATCH"
	ManifestDiffers         Code = "MANIFEST_DIFFERS"
)

// Codes of the management API.
const (
	Unauthorized         Code = "unauthorized"
	Forbidden            Code = "forbidden"
	AgentNotFound        Code = "AGENT_NOT_FOUND"
	NotFound             Code = "NOT_FOUND"
	InvalidRequest       Code = "INVALID_REQUEST"
	BodyTooLarge         Code = "BODY_TOO_LARGE"
	UnsupportedMedia     Code = "UNSUPPORTED_MEDIA_TYPE"
	InvalidSurface       Code = "INVALID_SURFACE"
	MethodNotAllowed     Code = "METHOD_NOT_ALLOWED"
	QuotaExceeded        Code = "QUOTA_EXCEEDED"
	UsernameTaken        Code = "USERNAME_TAKEN"
	InvalidUsername      Code = "INVALID_USERNAME"
	VersionConflict      Code = "VERSION_CONFLICT"
	ProjectInvalid       Code = "PROJECT_INVALID"
	ProjectExists        Code = "PROJECT_EXISTS"
	ProjectUnreachable   Code = "PROJECT_UNREACHABLE"
	WatchLimited         Code = "WATCH_LIMITED"
	HostForbidden        Code = "HOST_FORBIDDEN"
	OriginForbidden      Code = "ORIGIN_FORBIDDEN"
	SecretsUnavailable   Code = "SECRETS_UNAVAILABLE"
	ShuttingDown         Code = "SHUTTING_DOWN"
	Internal             Code = "INTERNAL_ERROR"
	InvalidInvocation    Code = "INVALID_INVOCATION_TOKEN"
	UnknownHostCall      Code = "UNKNOWN_HOST_CALL"
	StorageUnavailable   Code = "STORAGE_UNAVAILABLE"
	InvalidIdempotentKey Code = "INVALID_IDEMPOTENCY_KEY"
)

// Codes of what consumes functions, contract.md 2.6, 2.8 and 3.3.
const (
	InvalidEntry        Code = "INVALID_ENTRY"
	InvalidSchedule     Code = "INVALID_SCHEDULE"
	EntryExists         Code = "ENTRY_EXISTS"
	EntryNotFound       Code = "ENTRY_NOT_FOUND"
	RouteConflict       Code = "ROUTE_CONFLICT"
	ToolNotFound        Code = "TOOL_NOT_FOUND"
	ResponseSizeCap     Code = "RESPONSE_SIZE_CAP_EXCEEDED"
	InvalidSetCookie    Code = "INVALID_SET_COOKIE"
	FunctionsDisabled   Code = "FUNCTIONS_DISABLED"
	FnNoBilling         Code = "FN_NO_BILLING_PRINCIPAL"
	WSNotYetSupported   Code = "WS_NOT_YET_SUPPORTED"
	UpgradeRequired     Code = "UPGRADE_REQUIRED"
	SocketClosed        Code = "SOCKET_CLOSED"
	CPUPressure         Code = "CPU_PRESSURE"
	ConcurrencyExceeded Code = "CONCURRENCY_EXCEEDED"
)

// Codes of schedules and of ctx.portal.
const (
	ScheduleBusy      Code = "SCHEDULE_BUSY"
	PortalUnsupported Code = "PORTAL_METHOD_UNSUPPORTED"
	LinkInvalid       Code = "LINK_INVALID"
)

// Codes of payments, contract.md 5.4.
const (
	InvalidAmount        Code = "INVALID_AMOUNT"
	InsufficientToken    Code = "INSUFFICIENT_TOKEN_BALANCE"
	InsufficientAccount  Code = "INSUFFICIENT_ACCOUNT_BALANCE"
	PaymentTokenRequired Code = "PAYMENT_TOKEN_REQUIRED"
	PaymentTokenInvalid  Code = "PAYMENT_TOKEN_INVALID"
	PaymentTokenNotFound Code = "PAYMENT_TOKEN_NOT_FOUND"
	DelegationTooDeep    Code = "DELEGATION_TOO_DEEP"
	PaymentLockNotFound  Code = "PAYMENT_LOCK_NOT_FOUND"
	PaymentLockClosed    Code = "PAYMENT_LOCK_CLOSED"
	PaymentLockExpired   Code = "PAYMENT_LOCK_EXPIRED"
	PaymentUnavailable   Code = "PAYMENT_PLATFORM_UNAVAILABLE"
)

// Codes of the model behind an agent.
const (
	ModelFailed   Code = "MODEL_FAILED"
	ModelTimeout  Code = "MODEL_TIMEOUT"
	ModelNotReady Code = "MODEL_NOT_READY"
	AgentLoop     Code = "AGENT_LOOP"
	TurnCancelled Code = "TURN_CANCELLED"
)

// ErrorRow says what a code means and which HTTP status goes with it: when the
// platform itself refuses a call, of its own API or below an agent's address
// (Status), and when the function behind a custom HTTP endpoint ended with it
// (Outcome, contract.md 3.3). The two differ because an error that a function
// did not catch, such as a missing grant or a tool that is not there, says
// nothing about the request that the caller sent.
type ErrorRow struct {
	Code    Code
	Status  int
	Outcome int
	Meaning string
}

// Errors is the one table of codes. A code that is not here is a bug; a test
// compares this table with the constants above.
var Errors = []ErrorRow{
	{WallTimeout, 200, 504, "The wall-clock limit passed; the sandbox was disposed."},
	{MemoryLimitExceeded, 200, 500, "The memory cap was passed; the worker was stopped."},
	{EvalDenied, 200, 500, "The function used eval."},
	{FunctionDenied, 200, 500, "The function used the Function constructor or one of its disguises."},
	{FetchForbidden, 200, 500, "The fetch target is not in the allow-list, or its protocol is not http or https."},
	{HostQuotaExceeded, 409, 500, "A host-bridge quota of the invocation is used up."},
	{PermissionDenied, 403, 500, "The function used an API that its permissions do not grant."},
	{HostBridgeError, 200, 500, "The host bridge failed."},
	{JSNoHandler, 400, 500, "No handler export was found."},
	{JSResultNotSerialized, 200, 500, "The handler's result cannot be written as JSON."},
	{JSRuntimeError, 200, 500, "An error in the function was not caught."},
	{RuntimeDisabled, 400, 500, "The manifest pins a runtime that is not active."},
	{FnNotFound, 404, 404, "The agent has no function of that name."},
	{FnChainTooDeep, 429, 429, "Functions called each other more than four levels deep."},
	{FnCycleDetected, 429, 429, "A function called one of its own callers."},
	{FnQuotaExhausted, 429, 429, "The time left for a nested call is used up."},
	{PoolSaturated, 429, 429, "Too many invocations are waiting for a worker."},
	{ExecutorUnavailable, 503, 503, "No worker could be started."},
	{ExecutorInternal, 500, 500, "The worker ended in a way nobody planned."},
	{InvocationInterrupted, 409, 500, "The platform stopped while this invocation ran; it never runs again under its key."},
	{InvocationCancelled, 200, 500, "The invocation was cancelled."},
	{InvocationNotFound, 404, 500, "No invocation has that id."},
	{IdempotencyMismatch, 422, 500, "The idempotency key was used before with another body or clock."},
	{ParametersInvalid, 400, 500, "The arguments do not fit the function's parameter schema."},
	{FetchFailed, 200, 500, "The request of a fetch could not be completed."},
	{EgressTimeout, 200, 500, "A fetch took longer than its timeoutMs."},
	{MissingRuntime, 400, 500, "The manifest names no runtime."},
	{RuntimeUnknown, 400, 500, "The manifest names an unknown runtime."},
	{InvalidCodeRef, 400, 500, "The manifest's code reference is malformed."},
	{InvalidPermissions, 400, 500, "A permission of the manifest is malformed."},
	{InvalidLimits, 400, 500, "A limit of the manifest is not a positive number."},
	{InvalidFetchPattern, 400, 500, "An entry of permissions.fetch is malformed."},
	{InvalidSecrets, 400, 500, "permissions.secrets is malformed."},
	{InvalidParametersSchema, 400, 500, "parameters is no JSON Schema of an object."},
	{InvalidName, 400, 500, "A function name is a letter, then letters, digits or underscores, 64 at most."},
	{InvalidManifest, 400, 500, "The manifest is not an object."},
	{ManifestSyntax, 400, 500, "The manifest cannot be parsed."},
	{AgentFileInvalid, 400, 500, "AGENT.md cannot be read as YAML frontmatter and text."},
	{CodeTooLarge, 400, 500, "The source is larger than allowed."},
	{SourceEmpty, 400, 500, "The source is empty."},
	{JSCompileError, 400, 500, "The source has a syntax error."},
	{Portability, 200, 500, "Works here but not on the hosted platform, or the reverse (a warning)."},
	{UnknownKey, 200, 500, "A key that nothing reads (a warning)."},
	{BundleHashMismatch, 400, 500, "The source has another hash than the manifest pins."},
	{ManifestDiffers, 200, 500, "AGENT.md says something else about a function than its own manifest, which counts (a warning)."},
	{Unauthorized, 401, 500, "No credential, or one that is not valid."},
	{Forbidden, 403, 500, "The credential does not allow this."},
	{AgentNotFound, 404, 500, "No agent has that id or username."},
	{NotFound, 404, 500, "There is nothing at this address."},
	{InvalidRequest, 400, 500, "The request is malformed."},
	{BodyTooLarge, 413, 500, "The request body is larger than allowed."},
	{UnsupportedMedia, 415, 500, "The request body is not application/json."},
	{InvalidSurface, 400, 500, "Function-Authoring-Surface is none of factory, host, ui, cli."},
	{MethodNotAllowed, 405, 500, "The address exists, with other methods."},
	{QuotaExceeded, 429, 429, "Too many requests of this kind; Retry-After says when."},
	{UsernameTaken, 409, 500, "Another agent has that username."},
	{InvalidUsername, 400, 500, "A username is a lower-case letter, then 1 to 38 of a-z, 0-9 and -, and not reserved."},
	{VersionConflict, 409, 500, "Something newer is stored than what the edit was based on."},
	{ProjectInvalid, 400, 500, "The folder cannot be opened as a project."},
	{ProjectExists, 409, 500, "The folder is there already and is not empty."},
	{ProjectUnreachable, 409, 500, "The project folder cannot be read any more; what was loaded keeps serving."},
	{WatchLimited, 200, 500, "The system watches no more folders; this one is looked at every second instead (a warning)."},
	{HostForbidden, 421, 500, "The Host header names none of this platform's addresses."},
	{OriginForbidden, 403, 500, "The page that sent this may not use this API."},
	{SecretsUnavailable, 503, 500, "The key that seals secrets cannot be reached."},
	{ShuttingDown, 503, 500, "The platform is stopping."},
	{Internal, 500, 500, "A fault of the platform; its log says more."},
	{InvalidInvocation, 401, 500, "The invocation token is missing, forged, expired or of another type."},
	{UnknownHostCall, 400, 500, "The host bridge has no such method."},
	{StorageUnavailable, 503, 500, "The database cannot be written."},
	{InvalidIdempotentKey, 400, 500, "An idempotency key is 1 to 255 printable ASCII characters without spaces."},
	{InvalidEntry, 400, 500, "An entry of a skill is malformed."},
	{InvalidSchedule, 400, 500, "A cron expression or schedule is malformed, or never fires."},
	{EntryExists, 409, 500, "Another entry of the skill has that id or name."},
	{EntryNotFound, 404, 500, "The skill has no entry of that id."},
	{RouteConflict, 409, 500, "Another endpoint answers the same method and path."},
	{ToolNotFound, 404, 500, "The agent has no tool of that name."},
	{ResponseSizeCap, 502, 502, "The function's answer is larger than its endpoint allows."},
	{InvalidSetCookie, 502, 502, "The function set a cookie that is not its agent's own."},
	{FunctionsDisabled, 503, 503, "Functions are switched off."},
	{FnNoBilling, 401, 401, "Nobody is there to bill the invocation to."},
	{UpgradeRequired, 426, 500, "The address is a WebSocket's."},
	{SocketClosed, 409, 500, "The WebSocket is closed."},
	{WSNotYetSupported, 501, 501, "Functions cannot answer WebSockets."},
	{CPUPressure, 429, 429, "The executor has no computing time to spare."},
	{ScheduleBusy, 409, 500, "A run of the schedule is under way; two never run at once."},
	{PortalUnsupported, 400, 500, "This platform does not offer that method of ctx.portal; the message names what to use."},
	{LinkInvalid, 403, 500, "The signed address was changed, or it has expired."},
	{ConcurrencyExceeded, 429, 429, "Too many invocations run at once."},
	{ModelFailed, 502, 500, "The model behind the agent answered with an error, or not at all; the message has its words."},
	{ModelTimeout, 504, 500, "The model behind the agent took too long."},
	{ModelNotReady, 503, 500, "The agent's model is not ready: its key is not set, or .benchtop/model.yaml has a mistake."},
	{AgentLoop, 400, 500, "Agents that are each other's models would talk in a circle."},
	{TurnCancelled, 409, 500, "The turn was ended before its answer was complete."},
	{InvalidAmount, 400, 500, "An amount is a decimal number of dollars above 0, with nine decimals at most."},
	{InsufficientToken, 400, 500, "The payment token has less than is asked for."},
	{InsufficientAccount, 400, 500, "The account has less than is asked for."},
	{PaymentTokenRequired, 402, 500, "This has a price; the answer says how to pay it."},
	{PaymentTokenInvalid, 400, 500, "The payment token does not count: forged, expired, revoked, unknown or for somebody else."},
	{PaymentTokenNotFound, 404, 500, "No payment token has that id."},
	{DelegationTooDeep, 400, 500, "The payment token may not be handed on any further."},
	{PaymentLockNotFound, 404, 500, "No lock has that id."},
	{PaymentLockClosed, 409, 500, "The lock is closed: it was settled or released."},
	{PaymentLockExpired, 409, 500, "The lock has expired; what it held went back."},
	{PaymentUnavailable, 503, 500, "Payments cannot be reached; Retry-After says when to try again."},
}

var rowOf = func() map[Code]ErrorRow {
	m := make(map[Code]ErrorRow, len(Errors))
	for _, r := range Errors {
		m[r.Code] = r
	}
	return m
}()

// Known reports whether the code is in the table.
func (c Code) Known() bool { _, ok := rowOf[c]; return ok }

// Status is the HTTP status of a management call that ends with this code;
// 500 for a code the table does not have.
func (c Code) Status() int {
	if r, ok := rowOf[c]; ok {
		return r.Status
	}
	return 500
}

// OutcomeStatus is the HTTP status of a custom HTTP endpoint whose function
// ended with this code, contract.md 3.3.
func (c Code) OutcomeStatus() int {
	if r, ok := rowOf[c]; ok {
		return r.Outcome
	}
	return 500
}

// Problem is one finding of a validation. Line and Column count from 1; zero
// means unknown. File is relative to the project folder.
type Problem struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Loc     *Loc   `json:"loc,omitempty"`
}

// Loc repeats a problem's place in the form the manifest stage of the hosted
// platform uses.
type Loc struct {
	Line   int `json:"line"`
	Column int `json:"column,omitempty"`
}

// At returns the problem with its place set in both notations.
func (p Problem) At(file string, line, column int) Problem {
	p.File, p.Line, p.Column = file, line, column
	if line > 0 {
		p.Loc = &Loc{line, column}
	}
	return p
}

// Error is the one error type that crosses a package boundary on purpose. Every
// other error is a fault of the platform and is answered as INTERNAL_ERROR.
type Error struct {
	Code          Code
	Message       string
	Problems      []Problem
	Details       any
	RetryAfterSec int
}

// Error gives "<CODE>: <message>", the text a function sees when it catches a
// host error.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Errorf makes an Error.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// AsError finds the Error in err's chain, or nil.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// ErrorBody is the JSON of every failed management call, contract.md 3.4.
type ErrorBody struct {
	Error   ErrorDetail `json:"error"`
	Code    Code        `json:"code"`
	Message string      `json:"message"`
	Errors  []Problem   `json:"errors,omitempty"`
}

// ErrorDetail is the part of an ErrorBody that clients of the platform read.
type ErrorDetail struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Details any    `json:"details,omitempty"`
}
