// Package wire is the language between the platform and a worker process:
// length-prefixed frames over two pipes. It is the only thing that executor
// (outside the wall) and worker (inside) share beside floor 0.
//
// A frame is a little-endian uint32 with the length of what follows, one byte
// that names its kind, and a body. Bodies are JSON, except KindCode's, which
// starts with the 64 characters of a hash and goes on with JavaScript.
package wire

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// Kind names a frame.
type Kind byte

// From the platform to the worker. A worker does one Compile, Check or Run at
// a time.
const (
	KindCompile Kind = iota + 1 // Compile: turn a source into a script
	KindCheck                   // Run without a call: load the code, find the handler
	KindRun                     // Run: one invocation
	KindCode                    // hash and script, the answer to KindNeed
	KindReply                   // Reply: the answer to a Host
	KindGo                      // the slot asked for by KindWake is yours; no body
	KindCancel                  // stop the running invocation; no body
)

// From the worker to the platform.
const (
	KindReady    Kind = iota + 32 // Ready: the process is up
	KindCompiled                  // Compiled
	KindChecked                   // Result of a check
	KindNeed                      // Need: the script of this hash, please
	KindHost                      // Host: a host-bridge call
	KindIdle                      // nothing to do until a Reply or I/O: take my slot; no body
	KindWake                      // I/O is there: give me a slot; no body
	KindLog                       // Log
	KindEmit                      // Emit
	KindFetch                     // Fetch: a finished fetch, for the trace
	KindResult                    // Result: the invocation's end
)

// KindLane goes both ways: bytes of one of the runs that share a process, which
// speaks the same wire inside (see lane.go).
const KindLane Kind = 64

// MaxFrame bounds a frame's length; a peer that announces more is cut off.
const MaxFrame = 32 << 20

// HashLen is the length of a source hash in hexadecimal.
const HashLen = 64

// Exit codes of a worker that stops itself.
const (
	ExitMemory = 71 // the memory cap was passed
	ExitWall   = 72 // the interrupt did not take within the grace time
)

// Ready says what holds around a new worker process. A body that is not there
// says nothing.
type Ready struct {
	Landlock int `json:"landlock"` // version of the kernel's Landlock in force; 0: none
}

// Compile asks for a script. Name is what stack traces call the file, such as
// functions/greet/index.js.
type Compile struct {
	Name   string `json:"name"`
	Source string `json:"source"`
}

// Compiled is its answer: the script with an inline source map, or problems.
type Compiled struct {
	Code     string             `json:"code,omitempty"`
	Errors   []contract.Problem `json:"errors,omitempty"`
	Warnings []contract.Problem `json:"warnings,omitempty"`
}

// Run is one invocation. Context becomes ctx.source, request, schedule,
// toolCall, auth and limits.
type Run struct {
	Hash         string               `json:"hash"` // of the script to run
	InvocationID string               `json:"invocationId"`
	File         string               `json:"file"` // the Name it was compiled with
	Entrypoint   string               `json:"entrypoint,omitempty"`
	Context      contract.RawJSON     `json:"context"`
	Permissions  manifest.Permissions `json:"permissions"`
	Siblings     []string             `json:"siblings"` // what ctx.fn.list() gives
	WallMs       int                  `json:"wallMs"`
	MemoryMb     int                  `json:"memoryMb"`
	IngressBytes int64                `json:"ingressBytes"`
	EgressBytes  int64                `json:"egressBytes"`
	Seed         int64                `json:"seed"`         // of Math.random
	ClockStartMs int64                `json:"clockStartMs"` // what Date.now() is at the start
	// Endpoint makes the handler one of a custom endpoint: EndpointHTTP or
	// EndpointSocket. It has a peer, and WallMs counts its own time between two
	// things that the peer takes or sends.
	Endpoint string   `json:"endpoint,omitempty"`
	Offline  *Offline `json:"offline,omitempty"` // nil: fetch uses the network
}

// Offline is the network of a run that must not use any: the answers that its
// fetches get, each once. A fetch without one fails with FETCH_FAILED.
type Offline struct {
	Answers []FetchAnswer `json:"answers"`
}

// FetchAnswer is what a fetch of this method and address gets. Body is text;
// with Error the fetch fails.
type FetchAnswer struct {
	Method  string               `json:"method"`
	URL     string               `json:"url"`
	Status  int                  `json:"status,omitempty"`
	Headers [][2]string          `json:"headers,omitempty"`
	Body    string               `json:"body,omitempty"`
	Error   *contract.HostFailed `json:"error,omitempty"`
}

// Result ends a run or a check. Error is nil when it went well; Value is absent
// for undefined.
type Result struct {
	Value        contract.RawJSON   `json:"value,omitempty"`
	Error        *Failure           `json:"error,omitempty"`
	DurationUs   int64              `json:"durationUs"` // from the start of Run to here
	CPUUs        int64              `json:"cpuUs"`
	IngressBytes int64              `json:"ingressBytes"`
	EgressBytes  int64              `json:"egressBytes"`
	Warnings     []contract.Problem `json:"warnings,omitempty"`
}

// Failure is an error of a run, already classified inside the sandbox.
type Failure struct {
	Code    contract.Code       `json:"code"`
	Message string              `json:"message"`
	At      *contract.SourcePos `json:"at,omitempty"`
	Stack   string              `json:"stack,omitempty"` // in the author's own places
}

// Need asks for the script of a hash.
type Need struct {
	Hash string `json:"hash"`
}

// Host is a host-bridge call; N counts from 1 in each invocation.
type Host struct {
	N      int              `json:"n"`
	Method string           `json:"method"`
	Args   contract.RawJSON `json:"args"`
	Line   int              `json:"line,omitempty"` // of the author's source that made the call; 0: not known
}

// Reply answers the Host with the same N.
type Reply struct {
	N int `json:"n"`
	contract.HostReply
}

// Log is a line of ctx.log or console. AtUs counts from the start of the run.
type Log struct {
	AtUs int64 `json:"atUs"`
	contract.LogLine
}

// Emit is a ctx.emit.
type Emit struct {
	AtUs int64 `json:"atUs"`
	contract.EmittedEvent
}

// Fetch is the trace entry of a finished fetch.
type Fetch struct {
	contract.TraceEntry
}

// ErrTooLarge is what reading or writing a frame above MaxFrame gives.
var ErrTooLarge = errors.New("wire: frame larger than allowed")

// ErrKind is what a bounded Reader gives for a kind it does not take.
var ErrKind = errors.New("wire: frame of a kind not expected here")

// Append adds a frame with a JSON body to buf.
func Append(buf []byte, kind Kind, body any) ([]byte, error) {
	if body == nil {
		return AppendRaw(buf, kind, nil)
	}
	b, err := json.Marshal(body)
	if err != nil {
		return buf, fmt.Errorf("wire: %w", err)
	}
	return AppendRaw(buf, kind, b)
}

// AppendReply adds a KindReply frame. It is Append without the reflection, which
// would cost more than many a host call itself.
func AppendReply(buf []byte, r Reply) ([]byte, error) {
	if r.Error != nil || !r.OK || !json.Valid(r.Result) {
		return Append(buf, KindReply, r)
	}
	body := make([]byte, 0, len(r.Result)+48)
	body = append(body, `{"n":`...)
	body = strconv.AppendInt(body, int64(r.N), 10)
	body = append(body, `,"ok":true,"result":`...)
	body = append(append(body, r.Result...), '}')
	return AppendRaw(buf, KindReply, body)
}

// AppendRaw adds a frame with a body as it is.
func AppendRaw(buf []byte, kind Kind, body []byte) ([]byte, error) {
	if len(body)+1 > MaxFrame {
		return buf, ErrTooLarge
	}
	buf = binary.LittleEndian.AppendUint32(buf, uint32(len(body)+1))
	buf = append(buf, byte(kind))
	return append(buf, body...), nil
}

// Reader reads frames.
type Reader struct {
	r     *bufio.Reader
	limit func(Kind) int
	head  [5]byte
}

// NewReader reads frames of up to MaxFrame from r.
func NewReader(r io.Reader) *Reader { return NewBoundedReader(r, nil) }

// NewBoundedReader reads frames from a peer that is not trusted: limit says how
// long a frame of a kind may be, and 0 refuses the kind altogether. The body of
// a large frame is allocated as it arrives, not as it is announced.
func NewBoundedReader(r io.Reader, limit func(Kind) int) *Reader {
	return newReader(r, limit, 64<<10)
}

func newReader(r io.Reader, limit func(Kind) int, buffer int) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, buffer), limit: limit}
}

// Next reads one frame. The body belongs to the caller. io.EOF comes only
// between frames.
func (r *Reader) Next() (Kind, []byte, error) {
	if _, err := io.ReadFull(r.r, r.head[:]); err != nil {
		return 0, nil, err
	}
	n, kind := binary.LittleEndian.Uint32(r.head[:4]), Kind(r.head[4])
	if n == 0 || n > MaxFrame {
		return 0, nil, ErrTooLarge
	}
	if r.limit != nil {
		if most := r.limit(kind); most == 0 {
			return 0, nil, fmt.Errorf("%w: %d", ErrKind, kind)
		} else if n > uint32(most) {
			return 0, nil, ErrTooLarge
		}
	}
	body, err := r.body(int(n - 1))
	if err != nil {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return kind, body, nil
}

// step is how much of a body is allocated before any of it is there.
const step = 256 << 10

func (r *Reader) body(n int) ([]byte, error) {
	body := make([]byte, min(n, step))
	for have := 0; ; {
		if _, err := io.ReadFull(r.r, body[have:]); err != nil {
			return nil, err
		}
		if have = len(body); have == n {
			return body, nil
		}
		more := make([]byte, min(n, 4*have))
		copy(more, body)
		body = more
	}
}
