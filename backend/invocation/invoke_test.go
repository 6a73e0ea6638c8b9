package invocation

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/history"
	"benchtop/backend/manifest"
)

// world is a platform of fakes around a real Invoker.
type world struct {
	*Invoker
	mu       sync.Mutex
	fn       functions.Function
	rows     []contract.InvocationRow
	detail   []*history.Detail
	claims   map[string]Claim
	events   []contract.EventName
	runs     atomic.Int32
	exec     func(ctx context.Context, job Job, host Host) Outcome
	secret   string
	hidden   []string
	settings agents.Settings
	ids      int
	lose     error // of the history, for the end of a run
}

func newWorld(t *testing.T) *world {
	w := &world{
		fn: functions.Function{AgentID: "a1", Name: "greet", Version: 3, Source: "x", SourceSHA256: "sha",
			Manifest: manifest.Manifest{Runtime: manifest.RuntimeJS}},
		claims: map[string]Claim{},
	}
	w.exec = func(context.Context, Job, Host) Outcome { return Outcome{Value: json.RawMessage(`"hi"`)} }
	w.Invoker = New(Config{
		Functions: w, Agents: w, Executor: w, History: w, Claims: w,
		OpenHost: func(Pins) HostSession { return fakeSession{w} },
		Publish: func(n contract.EventName, _ any) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.events = append(w.events, n)
		},
		BaseURL: func() string { return "http://127.0.0.1:1" },
		Now:     time.Now, NewSeed: func() int64 { return 7 },
		NewID: func() string { w.mu.Lock(); defer w.mu.Unlock(); w.ids++; return "id" + strconv.Itoa(w.ids) },
		Log:   slog.New(slog.DiscardHandler),
	})
	return w
}

func (w *world) Get(agentID, name string) (*functions.Function, bool) {
	return &w.fn, name == w.fn.Name && agentID == "a1"
}
func (w *world) Names(string) []string { return []string{"greet"} }
func (w *world) Resolve(s string) (agents.Agent, bool) {
	return agents.Agent{ID: "a1", Username: "mia", Settings: w.settings}, s == "mia" || s == "a1"
}
func (w *world) Run(ctx context.Context, job Job, host Host) Outcome {
	w.runs.Add(1)
	return w.exec(ctx, job, host)
}
func (w *world) Check(context.Context, Source, string) Check { return Check{} }
func (w *world) Begin(r contract.InvocationRow) contract.InvocationRow {
	r.StartedAt, r.Status = contract.FormatTime(time.Now()), contract.StatusRunning
	return r
}
func (w *world) Finish(_ context.Context, r contract.InvocationRow, d *history.Detail) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lose != nil {
		return w.lose
	}
	w.rows, w.detail = append(w.rows, r), append(w.detail, d)
	return nil
}
func (w *world) ClaimKey(_ context.Context, c Claim, since time.Time) (*Claim, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if old, ok := w.claims[c.Key]; ok && old.ClaimedAt.After(since) {
		return &old, nil
	}
	w.claims[c.Key] = c
	return nil, nil
}
func (w *world) CompleteKey(_ context.Context, c Claim) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.claims[c.Key] = c
	return nil
}
func (w *world) ReleaseKey(_ context.Context, c Claim) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.claims, c.Key)
	return nil
}
func (w *world) DropKeys(context.Context, time.Time) error { return nil }

type fakeSession struct{ w *world }

func (s fakeSession) Call(_ context.Context, _ int, method string, args json.RawMessage) contract.HostReply {
	return contract.HostReply{OK: true, Result: args}
}
func (s fakeSession) Redact(t string) string {
	if s.w.secret == "" {
		return t
	}
	return strings.ReplaceAll(t, s.w.secret, "[secret]")
}
func (s fakeSession) RedactJSON(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	return json.RawMessage(s.Redact(string(raw)))
}
func (s fakeSession) Notes() []string { return nil }

func (s fakeSession) Meters() Meters { return Meters{HostCalls: 2, KVPutBytes: 30} }
func (s fakeSession) Close()         {}

func (s fakeSession) HideTokens(tokens []string) { s.w.hidden = append(s.w.hidden, tokens...) }

func request(body, key string) Request {
	return Request{AgentID: "mia", Function: "greet", Skill: contract.SkillManual, Body: json.RawMessage(body),
		IdempotencyKey: key, Caller: auth.Caller{Kind: auth.KindOwner, UserID: auth.OwnerUserID}}
}

func result(t *testing.T, a Answer) contract.InvokeResult {
	t.Helper()
	var r contract.InvokeResult
	if err := json.Unmarshal(a.Body, &r); err != nil {
		t.Fatalf("answer %s: %v", a.Body, err)
	}
	return r
}

func wantCode(t *testing.T, err error, code contract.Code) {
	t.Helper()
	var e *contract.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("error %v, want code %s", err, code)
	}
}

func TestInvokeRecordsAndPublishes(t *testing.T) {
	w := newWorld(t)
	w.secret = "s3cr3t"
	var emitted []string
	w.exec = func(ctx context.Context, job Job, host Host) Outcome {
		if job.Limits.WallMs != contract.DefaultWallMs || job.Seed != 7 {
			t.Errorf("job %+v", job)
		}
		host.HostCall(ctx, 1, "kv.put", json.RawMessage(`{"key":"k","value":"s3cr3t"}`))
		host.Emit(10, contract.EmittedEvent{Event: "progress", Payload: json.RawMessage(`{"at":"s3cr3t"}`)})
		host.Log(20, contract.LogLine{Level: "info", Message: "got s3cr3t"})
		return Outcome{Code: contract.JSRuntimeError, Message: "bad s3cr3t", DurationUs: 1500}
	}
	req := request(`{"args":{"name":"Ada"}}`, "")
	req.OnEmit = func(e contract.EmittedEvent) { emitted = append(emitted, e.Event+string(e.Payload)) }
	a, err := w.Invoke(t.Context(), req)
	if err != nil || a.Status != 200 {
		t.Fatalf("answer %d %v", a.Status, err)
	}
	r := result(t, a)
	if r.OK || r.ErrorCode != contract.JSRuntimeError || r.DurationMs != 1.5 || r.Version != 3 {
		t.Errorf("result %+v", r)
	}
	row, d := w.rows[0], w.detail[0]
	if row.Status != contract.StatusError || row.HostCalls != 2 || row.KVPutBytes != 30 || row.SourceSkill != contract.SkillManual {
		t.Errorf("row %+v", row)
	}
	all, _ := json.Marshal([]any{row, d, r, emitted})
	if strings.Contains(string(all), "s3cr3t") {
		t.Errorf("a secret is in the records: %s", all)
	}
	kinds := ""
	for _, e := range d.Trace {
		kinds += e.Kind + " "
	}
	if kinds != "host event log " {
		t.Errorf("trace %q", kinds)
	}
	want := []contract.EventName{contract.EvInvocationStarted, contract.EvInvocationEvent, contract.EvInvocationLog, contract.EvInvocationFinished}
	for i, n := range want {
		if i >= len(w.events) || w.events[i] != n {
			t.Fatalf("events %v, want %v", w.events, want)
		}
	}
}

// A schedule that is run under a clock fires then, whatever the real time is.
func TestScheduleUnderAClock(t *testing.T) {
	w := newWorld(t)
	var seen string
	w.exec = func(_ context.Context, job Job, _ Host) Outcome {
		seen = string(job.Context)
		return Outcome{}
	}
	now := time.Now()
	req := Request{AgentID: "mia", Function: "greet", Skill: contract.SkillCron, Schedule: &ScheduledRun{now, now},
		Clock: &contract.Clock{Start: time.Date(2028, 2, 29, 3, 0, 0, 0, time.UTC)}}
	if _, err := w.Invoke(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if want := `"schedule":{"plannedAt":"2028-02-29T03:00:00.000000Z","firedAt":"2028-02-29T03:00:00.000000Z"}`; !strings.Contains(seen, want) {
		t.Errorf("ctx is %s", seen)
	}
}

func TestInvokeRefusals(t *testing.T) {
	w := newWorld(t)
	tests := []struct {
		name string
		req  Request
		code contract.Code
	}{
		{"unknown agent", Request{AgentID: "bob", Function: "greet"}, contract.AgentNotFound},
		{"unknown function", Request{AgentID: "mia", Function: "no"}, contract.FnNotFound},
		{"array", request(`[]`, ""), contract.InvalidRequest},
		{"both forms", request(`{"args":1,"method":"GET"}`, ""), contract.InvalidRequest},
		{"neither form", request(`{"x":1}`, ""), contract.InvalidRequest},
		{"no method name", request(`{"method":"a b"}`, ""), contract.InvalidRequest},
		{"path of another host", request(`{"method":"GET","path":"//evil"}`, ""), contract.InvalidRequest},
		{"query object", request(`{"method":"GET","query":{"a":{}}}`, ""), contract.InvalidRequest},
		{"headers list", request(`{"method":"GET","headers":[]}`, ""), contract.InvalidRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := w.Invoke(t.Context(), tt.req)
			wantCode(t, err, tt.code)
		})
	}
	if n := w.runs.Load(); n != 0 {
		t.Errorf("%d refused requests ran", n)
	}
}

func TestIdempotency(t *testing.T) {
	w := newWorld(t)
	first, err := w.Invoke(t.Context(), request(`{"args":{"n":1}}`, "k1"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := w.Invoke(t.Context(), request(`{ "args" : {"n":1} }`, "k1"))
	if err != nil || !again.Replayed || string(again.Body) != string(first.Body) {
		t.Errorf("replay %v %v %s", err, again.Replayed, again.Body)
	}
	_, err = w.Invoke(t.Context(), request(`{"args":{"n":2}}`, "k1"))
	wantCode(t, err, contract.IdempotencyMismatch)
	if n := w.runs.Load(); n != 1 {
		t.Errorf("ran %d times", n)
	}

	later := request(`{"args":{"n":1}}`, "k1")
	later.Clock = &contract.Clock{Start: time.Unix(1, 0)}
	_, err = w.Invoke(t.Context(), later)
	wantCode(t, err, contract.IdempotencyMismatch)

	w.claims["k2"] = Claim{Key: "k2", BodySHA256: bodySHA(json.RawMessage(`{}`)), ClaimedAt: time.Now(), InvocationID: "old"}
	_, err = w.Invoke(t.Context(), request(`{}`, "k2"))
	wantCode(t, err, contract.InvocationInterrupted)

	w.claims["k3"] = Claim{Key: "k3", BodySHA256: bodySHA(json.RawMessage(`{}`)), ClaimedAt: time.Now().Add(-25 * time.Hour)}
	if _, err = w.Invoke(t.Context(), request(`{}`, "k3")); err != nil {
		t.Errorf("a key older than a day: %v", err)
	}
}

// A refusal before or instead of the run gives the key back.
func TestIdempotencyKeyIsReleasedWhenNothingRan(t *testing.T) {
	w := newWorld(t)
	w.exec = func(context.Context, Job, Host) Outcome {
		return Outcome{Code: contract.PoolSaturated, RetryAfterSec: 2}
	}
	a, err := w.Invoke(t.Context(), request(`{}`, "k"))
	if err != nil || a.Status != 429 || a.RetryAfterSec != 2 {
		t.Fatalf("%+v %v", a, err)
	}
	w.exec = func(context.Context, Job, Host) Outcome { return Outcome{} }
	if a, err = w.Invoke(t.Context(), request(`{}`, "k")); err != nil || a.Status != 200 || a.Replayed {
		t.Errorf("%+v %v", a, err)
	}
}

// A run whose record is lost has happened all the same: its key does not let it
// happen again.
func TestIdempotencyKeyOfALostRecordStaysUsed(t *testing.T) {
	w := newWorld(t)
	w.lose = contract.Errorf(contract.StorageUnavailable, "the disk is full")
	_, err := w.Invoke(t.Context(), request(`{}`, "k"))
	wantCode(t, err, contract.StorageUnavailable)
	w.lose = nil
	_, err = w.Invoke(t.Context(), request(`{}`, "k"))
	wantCode(t, err, contract.InvocationInterrupted)
	if n := w.runs.Load(); n != 1 {
		t.Errorf("ran %d times", n)
	}
}

func TestHistoryHasNoCredentialsOfAManualCall(t *testing.T) {
	w := newWorld(t)
	if _, err := w.Invoke(t.Context(), request(`{"method":"GET","headers":{"Authorization":"Bearer s3cret"}}`, "")); err != nil {
		t.Fatal(err)
	}
	if kept := string(w.detail[0].Input); kept != `{"headers":{"Authorization":"[redacted]"},"method":"GET"}` {
		t.Errorf("kept %s", kept)
	}
}

func TestConcurrentDuplicatesRunOnce(t *testing.T) {
	w := newWorld(t)
	started, release := make(chan struct{}), make(chan struct{})
	w.exec = func(context.Context, Job, Host) Outcome {
		close(started)
		<-release
		return Outcome{Value: json.RawMessage(`1`)}
	}
	var wg sync.WaitGroup
	var replayed atomic.Int32
	invoke := func() {
		a, err := w.Invoke(t.Context(), request(`{}`, "k"))
		if err != nil || result(t, a).InvocationID == "" {
			t.Errorf("%+v %v", a, err)
		}
		if a.Replayed {
			replayed.Add(1)
		}
	}
	wg.Go(invoke)
	<-started
	for range 20 {
		wg.Go(invoke)
	}
	_, err := w.Invoke(t.Context(), request(`{"args":1}`, "k"))
	wantCode(t, err, contract.IdempotencyMismatch)
	close(release)
	wg.Wait()
	if w.runs.Load() != 1 || replayed.Load() != 20 {
		t.Errorf("%d runs, %d replays", w.runs.Load(), replayed.Load())
	}
}

func TestCancelAndClose(t *testing.T) {
	w := newWorld(t)
	started := make(chan string, 2)
	w.exec = func(ctx context.Context, job Job, _ Host) Outcome {
		started <- job.InvocationID
		<-ctx.Done()
		return Outcome{Code: contract.InvocationCancelled}
	}
	done := make(chan Answer, 2)
	hangup, gone := context.WithCancel(t.Context())
	go func() { a, _ := w.Invoke(hangup, request(`{}`, "")); done <- a }()
	id := <-started
	gone() // a caller that hangs up does not end the run
	if c, known := w.Cancel(id); !c || !known {
		t.Errorf("cancel: %v %v", c, known)
	}
	if r := result(t, <-done); r.ErrorCode != contract.InvocationCancelled || !strings.Contains(r.ErrorMessage, "owner") {
		t.Errorf("%+v", r)
	}
	if w.rows[0].Status != contract.StatusCancelled {
		t.Errorf("status %s", w.rows[0].Status)
	}
	if _, known := w.Cancel(id); known {
		t.Error("an ended invocation is known")
	}
	go func() { a, _ := w.Invoke(t.Context(), request(`{}`, "")); done <- a }()
	<-started
	expired, stop := context.WithCancel(t.Context())
	stop()
	w.Close(expired)
	<-done
	_, err := w.Invoke(t.Context(), request(`{}`, ""))
	wantCode(t, err, contract.ShuttingDown)
}

func TestRecordsAreBounded(t *testing.T) {
	w := newWorld(t)
	big := json.RawMessage(`"` + strings.Repeat("x", 3*contract.KB) + `"`)
	w.exec = func(ctx context.Context, _ Job, h Host) Outcome {
		for i := range 30_000 {
			h.Emit(int64(i), contract.EmittedEvent{Event: "e", Payload: big})
			h.Log(int64(i), contract.LogLine{Message: string(big)})
		}
		return Outcome{}
	}
	if _, err := w.Invoke(t.Context(), request(`{}`, "")); err != nil {
		t.Fatal(err)
	}
	b, _ := json.Marshal(w.detail[0])
	if len(b) > 2*contract.MB {
		t.Errorf("%d bytes kept of one run", len(b))
	}
	last := w.detail[0].Logs[len(w.detail[0].Logs)-1]
	if !strings.Contains(last.Message, "truncated") {
		t.Errorf("last line %q", last.Message)
	}
	if len(w.events) > 2_000 {
		t.Errorf("%d events published", len(w.events))
	}
}

func TestLongValuesAreMarkedAsCut(t *testing.T) {
	w := newWorld(t)
	long := `"` + strings.Repeat("x", maxKeptValue) + `"`
	w.exec = func(context.Context, Job, Host) Outcome { return Outcome{Value: json.RawMessage(long)} }
	for _, tt := range []struct{ body, want string }{{`{}`, "result"}, {`{"args":{"name":` + long + `}}`, "input result"}} {
		if _, err := w.Invoke(t.Context(), request(tt.body, "")); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(w.detail[len(w.detail)-1].Cut, " "); got != tt.want {
			t.Errorf("cut %q, want %q", got, tt.want)
		}
	}
}
