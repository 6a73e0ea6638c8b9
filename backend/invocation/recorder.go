package invocation

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"benchtop/backend/contract"
	"benchtop/backend/history"
	"benchtop/backend/worker/wire"
)

// Caps of what is kept of one run. The worker caps logs itself; here the same
// is done once more because a worker is not trusted.
const (
	maxTraceValue = 4 * contract.KB
	maxTraceBody  = 2 * contract.KB // of what a fetch sent, and of what it got
	maxTraceHex   = 2 * 64          // the same of bytes, which few can read
	maxTraceBytes = 256 * contract.KB
	maxTraceItems = 2_000
	maxKeptValue  = 256 * contract.KB // of input and result
	maxEvents     = 10_000
	maxEventBytes = 1 * contract.MB
)

// recorder is the Host of one run: it passes host calls on and writes down, in
// order of resolution, what the function did. Everything it keeps or publishes
// is redacted.
type recorder struct {
	v     *Invoker
	c     *call
	host  HostSession
	begun time.Time

	mu         sync.Mutex
	logs       []contract.LogLine
	logBytes   int
	logsFull   bool
	events     []contract.EmittedEvent
	eventCount int
	eventBytes int
	trace      []contract.TraceEntry
	onHost     []bool // trace[i] is timed by begun, not by the worker
	traceBytes int
}

func newRecorder(v *Invoker, c *call, host HostSession, now time.Time) *recorder {
	return &recorder{v: v, c: c, host: host, begun: now}
}

// HostCall passes a host call to the bridge, or to the peer of an endpoint's run:
// what is said there is the answer itself, and no part of the trace.
func (r *recorder) HostCall(ctx context.Context, n int, method string, args contract.RawJSON) contract.HostReply {
	if e := r.c.req.Endpoint; e != nil && wire.PeerCall(method) {
		return e.Peer.Call(WithRun(ctx, r.c.row.ID), method, args)
	}
	start := r.v.cfg.Now()
	var child string
	reply := r.host.Call(context.WithValue(ctx, childKey{}, &child), n, method, args)
	end := r.v.cfg.Now()
	e := contract.TraceEntry{
		Kind: contract.TraceHost, Name: hostCallName(method, args), Error: reply.Error,
		StartUs: start.Sub(r.begun).Microseconds(), DurationUs: end.Sub(start).Microseconds(),
		Args: r.host.RedactJSON(args), Result: r.host.RedactJSON(reply.Result),
		OutBytes: int64(len(args)), InBytes: int64(len(reply.Result)), InvocationID: child, Line: lineOf(ctx),
	}
	if method == "secrets.get" && reply.Result != nil {
		e.Result = json.RawMessage(`"[secret]"`)
	}
	if reply.Error != nil {
		e.Error = &contract.HostFailed{Code: reply.Error.Code, Message: r.host.Redact(reply.Error.Message)}
	}
	r.add(e, true)
	for _, note := range r.host.Notes() {
		r.Log(end.Sub(r.begun).Microseconds(), contract.LogLine{Level: "debug", Message: note, TS: r.c.job.ClockStartMs + end.Sub(r.begun).Milliseconds()})
	}
	return reply
}

// hostCallName is the name of a host call in the trace: those of ctx.portal
// travel in an envelope.
func hostCallName(method string, args contract.RawJSON) string {
	if method != contract.PortalDispatch {
		return method
	}
	var inner struct {
		Method string `json:"method"`
	}
	if json.Unmarshal(args, &inner) != nil || inner.Method == "" {
		return method
	}
	return contract.PortalSpace + inner.Method
}

// Log keeps and publishes a line, up to 64 KB in all; then one last line says
// that the rest was cut.
func (r *recorder) Log(atUs int64, line contract.LogLine) {
	line.Message = r.host.Redact(line.Message)
	line.Data = r.host.RedactJSON(line.Data)
	size := len(line.Message) + len(line.Data)
	r.mu.Lock()
	if r.logsFull {
		r.mu.Unlock()
		return
	}
	if r.logBytes+size > contract.MaxLogBytes+contract.KB { // room for the worker's own last line
		r.logsFull = true
		line = contract.LogLine{Level: "warn", Message: "log truncated: more than 64 KB in one invocation", TS: line.TS}
	}
	r.logBytes += size
	r.logs = append(r.logs, line)
	r.mu.Unlock()
	r.add(contract.TraceEntry{Kind: contract.TraceLog, Name: line.Level, StartUs: atUs, Result: quote(line.Message)}, false)
	r.v.cfg.Publish(contract.EvInvocationLog, contract.InvocationLog{
		AgentID: r.c.agent.ID, Function: r.c.fn.Name, InvocationID: r.c.row.ID, LogLine: line,
	})
}

// Emit keeps, publishes and streams an event. Beyond 10,000 events or 1 MB of
// them the rest is dropped and the log says so.
func (r *recorder) Emit(atUs int64, ev contract.EmittedEvent) {
	ev.Event = r.host.Redact(ev.Event)
	ev.Payload = r.host.RedactJSON(ev.Payload)
	size := len(ev.Event) + len(ev.Payload)
	r.mu.Lock()
	r.eventCount++
	r.eventBytes += size
	full := r.eventCount > maxEvents || r.eventBytes > maxEventBytes
	if !full {
		r.events = append(r.events, ev)
	}
	first := full && (r.eventCount == maxEvents+1 || r.eventBytes-size <= maxEventBytes)
	r.mu.Unlock()
	if full {
		if first {
			r.Log(atUs, contract.LogLine{Level: "warn", TS: ev.TS, Message: "events truncated: more than 10,000 events or 1 MB of them in one invocation"})
		}
		return
	}
	r.add(contract.TraceEntry{Kind: contract.TraceEvent, Name: ev.Event, StartUs: atUs, Args: ev.Payload}, false)
	r.v.cfg.Publish(contract.EvInvocationEvent, contract.InvocationEvent{
		AgentID: r.c.agent.ID, Function: r.c.fn.Name, InvocationID: r.c.row.ID, EmittedEvent: ev,
	})
	if r.c.req.OnEmit != nil {
		r.c.req.OnEmit(ev)
	}
}

// Fetch keeps the trace entry of a fetch.
func (r *recorder) Fetch(e contract.TraceEntry) {
	e.Kind = contract.TraceFetch
	e.Name = r.host.Redact(e.Name)
	e.Args, e.Result = r.host.RedactJSON(e.Args), r.host.RedactJSON(e.Result)
	if e.Error != nil {
		e.Error = &contract.HostFailed{Code: e.Error.Code, Message: r.host.Redact(e.Error.Message)}
	}
	r.mu.Lock()
	most := maxTraceBody
	if r.traceBytes > maxTraceBytes/2 {
		most = 0 // where it went to is worth more than what it brought
	}
	r.mu.Unlock()
	var cutA, cutR bool
	e.Args, cutA = cutBody(e.Args, most)
	e.Result, cutR = cutBody(e.Result, most)
	e.Truncated = e.Truncated || cutA || cutR
	r.add(e, false)
}

func (r *recorder) add(e contract.TraceEntry, onHost bool) {
	var cutA, cutR bool
	e.Args, cutA = capJSON(e.Args, maxTraceValue)
	e.Result, cutR = capJSON(e.Result, maxTraceValue)
	e.Truncated = e.Truncated || cutA || cutR
	e.Name = strings.ToValidUTF8(capText(e.Name, 512), "\uFFFD")
	r.mu.Lock()
	defer r.mu.Unlock()
	size := len(e.Name) + len(e.Args) + len(e.Result)
	if len(r.trace) >= maxTraceItems {
		return
	}
	if r.traceBytes+size > maxTraceBytes {
		e.Args, e.Result, e.Truncated = nil, nil, true
	}
	r.traceBytes += size
	r.trace = append(r.trace, e)
	r.onHost = append(r.onHost, onHost)
}

// finish gives the logs and what is kept of the run.
func (r *recorder) finish(o Outcome) ([]contract.LogLine, *history.Detail) {
	// Host calls were timed from before the run was queued; the handler's own
	// duration, counted back from its end, says when it really began.
	shift := r.v.cfg.Now().Sub(r.begun).Microseconds() - o.DurationUs
	r.mu.Lock()
	defer r.mu.Unlock()
	// A secret may have been logged before the platform was told that it is one.
	for i, line := range r.logs {
		r.logs[i].Message, r.logs[i].Data = r.host.Redact(line.Message), r.host.RedactJSON(line.Data)
	}
	for i, ev := range r.events {
		r.events[i].Event, r.events[i].Payload = r.host.Redact(ev.Event), r.host.RedactJSON(ev.Payload)
	}
	for i := range r.trace {
		e := &r.trace[i]
		e.Name, e.Args, e.Result = r.host.Redact(e.Name), r.host.RedactJSON(e.Args), r.host.RedactJSON(e.Result)
		if r.onHost[i] {
			r.trace[i].StartUs = max(0, r.trace[i].StartUs-max(0, shift))
		}
	}
	d := &history.Detail{
		ErrorAt: o.At, Logs: r.logs, Events: r.events, Trace: r.trace,
		Replay: contract.ReplayRecord{Seed: r.c.job.Seed, ClockStartMs: r.c.job.ClockStartMs, Clock: r.c.clock.String(), SourceSHA256: r.c.fn.SourceSHA256},
	}
	var cut bool
	if d.Input, cut = capJSON(r.host.RedactJSON(r.c.manual.keptInput(r.c.req.Body)), maxKeptValue); cut {
		d.Cut = append(d.Cut, "input")
	}
	if d.Result, cut = capJSON(r.host.RedactJSON(o.Value), maxKeptValue); cut {
		d.Cut = append(d.Cut, "result")
	}
	return r.logs, d
}

// capJSON gives raw, or when it is longer than most bytes a JSON string with
// its beginning.
func capJSON(raw json.RawMessage, most int) (json.RawMessage, bool) {
	if len(raw) <= most {
		return raw, false
	}
	return quote(capText(string(raw), most) + "…"), true
}

// cutBody cuts the body in one side of a fetch, so that what else is known of it
// stays an object that can be read.
func cutBody(raw json.RawMessage, most int) (json.RawMessage, bool) {
	var side map[string]json.RawMessage
	if json.Unmarshal(raw, &side) != nil || side["body"] == nil {
		return raw, false
	}
	most = min(most, maxTraceValue-(len(raw)-len(side["body"]))-256)
	body := side["body"]
	var bytes struct {
		Hex string `json:"hex"`
	}
	long := json.Unmarshal(body, &bytes) == nil && len(bytes.Hex) > maxTraceHex
	if len(body) <= most && !long {
		return raw, false
	}
	delete(side, "body")
	switch {
	case long && most > 0:
		side["body"], _ = json.Marshal(map[string]string{"hex": capText(bytes.Hex, maxTraceHex) + "…"})
	case most > 0:
		text := string(body)
		_ = json.Unmarshal(body, &text) // of JSON the text it is written in
		side["body"] = quote(capText(text, most) + "…")
	}
	out, err := json.Marshal(side)
	if err != nil {
		return raw, false
	}
	return out, true
}

func capText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

func quote(s string) json.RawMessage {
	b, _ := json.Marshal(s) // a string always marshals
	return b
}
