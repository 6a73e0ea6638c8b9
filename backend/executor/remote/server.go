package remote

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/executor"
	"benchtop/backend/invocation"
	"benchtop/backend/manifest"
)

// ServerConfig of a Server. Stats and Load look at the executor's pool. Secret is what a client must send as its bearer; empty
// asks for none, which is for loopback alone. CPULimit is the share of its
// computing time, 0 to 1, above which a server with a queue takes nothing more;
// 0 is 0.85.
type ServerConfig struct {
	Executor invocation.Executor
	Stats    func() contract.ExecutorStats
	Load     func() executor.Load
	Secret   string
	CPULimit float64
	Bridge   *http.Client // for host calls; nil is a client of its own
	Now      func() time.Time
	Log      *slog.Logger
}

// Server is an http.Handler. Close it to end its look at the load.
type Server struct {
	cfg   ServerConfig
	gauge *gauge
}

// NewServer makes a Server.
func NewServer(cfg ServerConfig) *Server {
	if cfg.CPULimit <= 0 {
		cfg.CPULimit = 0.85
	}
	if cfg.Bridge == nil {
		cfg.Bridge = bridgeClient()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Server{cfg: cfg, gauge: newGauge(cfg)}
}

// Close ends what runs in the background.
func (s *Server) Close() { s.gauge.close() }

// ServeHTTP answers the four addresses. What is no POST is 405 and what is
// nowhere is 404, both without a body, as on the hosted platform.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer s.recover(w)
	w.Header().Set("Cache-Control", "no-store")
	// No platform sends an Origin, and every page does that posts: without this a
	// page could have its code run by an executor of loopback, which asks for no
	// secret.
	if len(r.Header["Origin"]) > 0 {
		writeJSON(w, http.StatusForbidden, map[string]string{"error": "pages may not use an executor; programs send no Origin header"})
		return
	}
	if r.URL.Path == pathHealth && r.Method == http.MethodGet {
		writeJSON(w, http.StatusOK, s.gauge.health())
		return
	}
	if !s.known(r) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="benchtop executor"`)
		writeJSON(w, http.StatusUnauthorized, map[string]string{"error": "the executor's secret is needed here as a bearer"})
		return
	}
	switch {
	case r.URL.Path == pathMetrics && r.Method == http.MethodGet:
		s.gauge.metrics(w)
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.URL.Path == pathInvoke:
		s.invoke(w, r)
	case r.URL.Path == pathValidate:
		s.validate(w, r)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (s *Server) known(r *http.Request) bool {
	if s.cfg.Secret == "" {
		return true
	}
	got, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	a, b := sha256.Sum256([]byte(got)), sha256.Sum256([]byte(s.cfg.Secret))
	return ok && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// recover answers for a fault of the executor itself.
func (s *Server) recover(w http.ResponseWriter) {
	fault := recover()
	if fault == nil {
		return
	}
	if err, ok := fault.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(fault)
	}
	// The value may hold anything, a secret too; a stack has addresses only.
	s.cfg.Log.Error("a request to the executor panicked", "panic", fmt.Sprintf("%T", fault), "stack", string(debug.Stack()))
	writeJSON(w, http.StatusInternalServerError, Result{InvokeResult: contract.InvokeResult{
		ErrorCode: contract.ExecutorInternal, ErrorMessage: "a fault of the executor; its log says more"}})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a client that is gone reads nothing
}

// decode reads a body; false when it has answered.
func decode(w http.ResponseWriter, r *http.Request, into any) bool {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEnvelope))
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		writeJSON(w, http.StatusRequestEntityTooLarge, map[string]string{"error": fmt.Sprintf("the body is larger than %d bytes", large.Limit)})
		return false
	}
	if err != nil || json.Unmarshal(body, into) != nil {
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": "invalid JSON"})
		return false
	}
	return true
}

// job makes what the executor runs out of an envelope.
func (s *Server) job(e *Envelope) (invocation.Job, *contract.Error) {
	source, ok := e.CodeRef.Text()
	switch {
	case !ok:
		return invocation.Job{}, contract.Errorf(contract.InvalidCodeRef, "codeRef: an executor runs inline and inlineB64 sources")
	case e.Manifest.Runtime != manifest.RuntimeJS:
		return invocation.Job{}, contract.Errorf(contract.RuntimeDisabled, "manifest.runtime: this executor runs %s, not %.40q", manifest.RuntimeJS, e.Manifest.Runtime)
	}
	sum := sha256.Sum256([]byte(source))
	j := invocation.Job{
		AgentID: e.AgentID, Function: e.FunctionName,
		Source:     invocation.Source{Name: "functions/" + e.FunctionName + "/index.js", Text: source, SHA256: hex.EncodeToString(sum[:])},
		Entrypoint: e.Manifest.Entrypoint, Permissions: e.Manifest.Permissions, Limits: e.Manifest.Limits, Context: e.Context,
	}
	var inner struct {
		Source struct {
			InvocationID string `json:"invocationId"`
		} `json:"source"`
		Limits manifest.Limits `json:"limits"`
	}
	if len(e.Context) == 0 {
		j.Context = contract.RawJSON("{}")
	} else if err := json.Unmarshal(e.Context, &inner); err != nil {
		return j, contract.Errorf(contract.InvalidRequest, "context: must be an object with source and limits")
	}
	j.InvocationID = inner.Source.InvocationID
	if inner.Limits.WallMs > 0 {
		j.Limits.WallMs = inner.Limits.WallMs // a consumer's own limit is below the manifest's
	}
	if e.Chain != nil {
		j.Depth = e.Chain.Depth
	}
	if r := e.Run; r != nil {
		j.InvocationID, j.Siblings, j.Seed, j.ClockStartMs = r.InvocationID, r.Siblings, r.Seed, r.ClockStartMs
		if r.File != "" {
			j.Source.Name = r.File
		}
	} else {
		j.Seed, j.ClockStartMs = rand.Int64(), s.cfg.Now().UnixMilli()
	}
	if j.InvocationID == "" && e.HostBridge != nil {
		return j, contract.Errorf(contract.InvalidRequest, "context.source.invocationId: host calls are numbered by it")
	}
	return j, nil
}

// invoke runs one invocation. The answer is 200 whatever happened inside.
func (s *Server) invoke(w http.ResponseWriter, r *http.Request) {
	var e Envelope
	if !decode(w, r, &e) {
		return
	}
	a := newAnswer(w, strings.Contains(r.Header.Get("Accept"), streamType))
	job, failed := s.job(&e)
	if failed != nil {
		a.end(job, invocation.Outcome{Code: failed.Code, Message: failed.Message})
		return
	}
	if e.ValidateOnly {
		a.end(job, s.smoke(r.Context(), job))
		return
	}
	if busy := s.gauge.admit(); busy != nil {
		a.end(job, invocation.Outcome{Code: busy.Code, Message: busy.Message, RetryAfterSec: busy.RetryAfterSec})
		return
	}
	host := &host{answer: a, client: s.cfg.Bridge, bridge: e.HostBridge, invocation: job.InvocationID}
	stop := a.beat()
	outcome := s.cfg.Executor.Run(r.Context(), job, host)
	stop()
	s.gauge.ended(outcome)
	a.end(job, outcome)
}

// smoke compiles and loads, and calls nothing.
func (s *Server) smoke(ctx context.Context, job invocation.Job) invocation.Outcome {
	found := s.cfg.Executor.Check(ctx, job.Source, job.Entrypoint)
	if len(found.Errors) == 0 {
		return invocation.Outcome{}
	}
	return invocation.Outcome{Code: found.Errors[0].Code, Message: found.Errors[0].Message}
}

// validate answers POST /validate.
func (s *Server) validate(w http.ResponseWriter, r *http.Request) {
	var v Validate
	if !decode(w, r, &v) {
		return
	}
	out := Validated{Errors: []contract.Problem{}, Warnings: []contract.Problem{}}
	if v.Runtime == "" {
		v.Runtime = v.Manifest.Runtime
	}
	if v.Entrypoint == "" {
		v.Entrypoint = v.Manifest.Entrypoint
	}
	if v.File == "" {
		v.File = "functions/function/index.js"
	}
	fail := func(code contract.Code, format string, args ...any) {
		out.Errors = append(out.Errors, contract.Problem{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	switch {
	case v.Runtime != manifest.RuntimeJS:
		fail(contract.RuntimeDisabled, "this executor runs %s, not %.40q", manifest.RuntimeJS, v.Runtime)
	case strings.TrimSpace(v.Source) == "":
		fail(contract.JSNoHandler, "the source is empty: export an async handler")
	case len(v.Source) > contract.MaxStoredSource:
		fail(contract.CodeTooLarge, "the source has %d bytes, at most %d", len(v.Source), contract.MaxStoredSource)
	default:
		sum := sha256.Sum256([]byte(v.Source))
		out.BundleSHA256 = hex.EncodeToString(sum[:])
		found := s.cfg.Executor.Check(r.Context(), invocation.Source{Name: v.File, Text: v.Source, SHA256: out.BundleSHA256}, v.Entrypoint)
		out.Errors, out.Warnings = append(out.Errors, found.Errors...), append(out.Warnings, found.Warnings...)
	}
	out.OK = len(out.Errors) == 0
	writeJSON(w, http.StatusOK, out)
}
