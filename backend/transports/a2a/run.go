package a2a

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/model"
	"benchtop/backend/tasks"
	"benchtop/backend/transports/sse"
)

// update is one thing that happened to a task after its beginning: a piece of its
// artifact, or its end.
type update struct {
	artifact     *tasks.Artifact
	append, last bool
	ended        bool
}

// run is a task under way. Whoever follows it holds a place in its updates, so
// that a slow reader holds up nobody.
type run struct {
	t      *Transport
	key    key
	begun  tasks.Task // as it began
	cancel context.CancelFunc
	done   chan struct{} // closed when the end is stored

	mu       sync.Mutex
	task     tasks.Task
	updates  []update
	grown    chan struct{} // closed at the next update
	canceled bool
	held     *update // the newest piece of text: the last one says that it is
}

// find gives a task of the caller's, and its run while it is under way.
func (t *Transport) find(c call, id string) (tasks.Task, *run, error) {
	t.mu.Lock()
	r := t.runs[key{c.agent.ID, id}]
	t.mu.Unlock()
	if r != nil {
		if task := r.snapshot(); task.Caller == c.owner() {
			return task, r, nil
		}
		return tasks.Task{}, nil, tasks.ErrNotFound
	}
	task, err := t.cfg.Tasks.Get(c.ctx, c.agent.ID, c.owner(), id)
	return task, nil, err
}

// start makes a task of a message and sets it going.
func (t *Transport) start(c call, p sendParams) (*run, error) {
	message, err := p.Message.read(t.cfg.NewID)
	if err != nil {
		return nil, err
	}
	if len(object(p.Configuration.Push)) > 0 || len(object(p.Configuration.LegacyPush)) > 0 {
		return nil, faultf(pushNotSupported, "push notifications are not supported: stream, subscribe or get the task")
	}
	task, before, err := t.place(c, p)
	if err != nil {
		return nil, err
	}
	task.State, task.CreatedAt, task.UpdatedAt = tasks.Working, t.cfg.Tasks.Time(), t.cfg.Tasks.Time()
	task.Metadata = object(p.Metadata)
	task.History = append(task.History, message)
	r := &run{t: t, key: key{c.agent.ID, task.ID}, begun: task, task: task, grown: make(chan struct{}), done: make(chan struct{})}
	ctx, cancel := context.WithTimeout(t.ctx, maxTime)
	r.cancel = cancel
	if err := t.enter(c, r); err != nil {
		cancel()
		return nil, err
	}
	if err := t.claim(c, task); err != nil {
		cancel()
		t.leave(r)
		return nil, err
	}
	go r.run(ctx, model.TurnRequest{
		Agent: c.agent, Messages: conversation(append(before, task.History...)), Caller: c.who, Tokens: c.tokens,
	})
	return r, nil
}

// place finds which task and context a message belongs to, and what was said
// there before.
func (t *Transport) place(c call, p sendParams) (task tasks.Task, before []tasks.Message, err error) {
	task = tasks.Task{ID: t.cfg.NewID(), AgentID: c.agent.ID, Caller: c.owner(), ContextID: p.Message.ContextID}
	if id := p.Message.TaskID; id != "" {
		old, r, err := t.find(c, id)
		switch {
		case err != nil:
			return task, nil, err
		case task.ContextID != "" && task.ContextID != old.ContextID:
			return task, nil, faultf(invalidParams, "task %s is of another context", id)
		case r != nil:
			return task, nil, faultf(unsupported, "task %s is under way and takes no more messages; cancel it or wait", id)
		}
		return task, nil, faultf(unsupported, "task %s is %s and takes no more messages; send one without taskId, with the task's contextId", id, old.State)
	}
	if c.form == firstForm {
		return t.firstPlace(c, p, task)
	}
	if task.ContextID == "" {
		task.ContextID = t.cfg.NewID()
		return task, nil, nil
	}
	before, err = t.said(c, task.ContextID)
	return task, before, err
}

// firstPlace is place for the first versions, where a client names the task and
// goes on in it.
func (t *Transport) firstPlace(c call, p sendParams, task tasks.Task) (tasks.Task, []tasks.Message, error) {
	for _, id := range []struct{ name, value string }{{"id", p.ID}, {"sessionId", p.SessionID}} {
		if err := checkID(id.name, id.value); err != nil {
			return task, nil, err
		}
	}
	if task.ContextID = p.SessionID; task.ContextID == "" {
		task.ContextID = t.cfg.NewID()
	}
	var before []tasks.Message
	var err error
	if p.SessionID != "" && p.ID == "" {
		before, err = t.said(c, p.SessionID)
	}
	if err != nil || p.ID == "" {
		return task, before, err
	}
	task.ID = p.ID
	old, r, err := t.find(c, p.ID)
	switch {
	case errors.Is(err, tasks.ErrNotFound):
		return task, nil, nil
	case err != nil:
		return task, nil, err
	case r != nil:
		return task, nil, faultf(unsupported, "task %s is under way and takes no more messages; cancel it or wait", p.ID)
	}
	task.ContextID, task.History = old.ContextID, old.History
	return task, nil, nil
}

// remembered is how many tasks back an agent remembers a context.
const remembered = 20

// said is the conversation of a context so far.
func (t *Transport) said(c call, contextID string) ([]tasks.Message, error) {
	page, _, _, err := t.cfg.Tasks.List(c.ctx, tasks.Query{AgentID: c.agent.ID, Caller: c.owner(), ContextID: contextID, State: tasks.Completed, Limit: remembered}, "")
	var all []tasks.Message
	for i := len(page) - 1; i >= 0; i-- {
		all = append(all, page[i].History...)
	}
	return all, err
}

// claim stores a task, unless its id is that of a task of somebody else.
func (t *Transport) claim(c call, task tasks.Task) error {
	taken, err := t.cfg.Tasks.Taken(c.ctx, c.agent.ID, task.Caller, task.ID)
	if err == nil && taken {
		err = faultf(invalidParams, "the id of the task is taken")
	}
	if err != nil {
		return err
	}
	return t.cfg.Tasks.Put(c.ctx, task)
}

// enter takes a place for a run, and the id of its task.
func (t *Transport) enter(c call, r *run) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return faultf(internalError, "the platform is shutting down")
	case t.runs[r.key] != nil:
		return faultf(invalidParams, "the id of the task is taken")
	case t.count[c.agent.ID] >= maxRuns:
		return faultf(tooMany, "%d tasks of agent %s are under way; no more at once", maxRuns, c.agent.Username)
	}
	t.runs[r.key] = r
	t.count[c.agent.ID]++
	t.wait.Add(1)
	return nil
}

func (t *Transport) leave(r *run) {
	t.mu.Lock()
	delete(t.runs, r.key)
	if t.count[r.key.agentID]--; t.count[r.key.agentID] == 0 {
		delete(t.count, r.key.agentID)
	}
	t.mu.Unlock()
	close(r.done)
	t.wait.Done()
}

// Running is how many tasks are under way.
func (t *Transport) Running() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.runs)
}

func (r *run) run(ctx context.Context, req model.TurnRequest) {
	defer r.t.leave(r)
	defer r.cancel()
	result, err := r.turn(ctx, req)
	r.end(ctx, result, err)
	if err := r.t.cfg.Tasks.Put(context.WithoutCancel(ctx), r.snapshot()); err != nil {
		r.t.cfg.Log.Error("the end of a task could not be stored", "task", r.key.id, "error", err)
	}
}

// turn answers. A panic ends the task and not the platform.
func (r *run) turn(ctx context.Context, req model.TurnRequest) (result model.TurnResult, err error) {
	defer func() {
		if v := recover(); v != nil {
			// The value may hold anything, a secret too; a stack has addresses only.
			r.t.cfg.Log.Error("a task panicked", "task", r.key.id, "panic", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
			err = contract.Errorf(contract.Internal, "a fault of the platform; its log has the details")
		}
	}()
	return r.t.cfg.Turner.Turn(ctx, req, func(c model.Chunk) error {
		if c.Kind == model.ChunkText {
			r.say(c.Text)
		}
		return ctx.Err()
	})
}

const artifactName = "response"

func (r *run) artifact(parts ...tasks.Part) *tasks.Artifact {
	return &tasks.Artifact{ID: r.key.id + "-" + artifactName, Name: artifactName, Parts: parts}
}

// say passes on a piece of text, one behind: which is the last is known when the
// turn has ended.
func (r *run) say(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := r.held == nil && len(r.updates) == 0
	if r.held != nil {
		r.add(*r.held)
	}
	r.held = &update{artifact: r.artifact(tasks.TextPart(text)), append: !first}
}

// add is called with the lock held.
func (r *run) add(u update) {
	r.updates = append(r.updates, u)
	close(r.grown)
	r.grown = make(chan struct{})
}

// end gives the task its last state.
func (r *run) end(ctx context.Context, result model.TurnResult, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	task := &r.task
	task.UpdatedAt = r.t.cfg.Tasks.Time()
	switch {
	case err == nil:
		text := result.Message.Text()
		task.State = tasks.Completed
		task.Artifacts = []tasks.Artifact{*r.artifact(tasks.TextPart(text))}
		task.History = append(task.History, tasks.Message{ID: r.t.cfg.NewID(), Role: tasks.RoleAgent, Parts: []tasks.Part{tasks.TextPart(text)}})
		if r.held == nil {
			r.held = &update{artifact: r.artifact(tasks.TextPart(text))}
		}
	case r.canceled:
		task.State = tasks.Canceled
	default:
		task.State, task.Status = tasks.Failed, r.failure(ctx, err)
	}
	if r.held != nil {
		r.held.last = true
		r.add(*r.held)
		r.held = nil
	}
	r.add(update{ended: true})
}

// failure is what a task says about why it failed.
func (r *run) failure(ctx context.Context, err error) *tasks.Message {
	e := contract.AsError(err)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		e = contract.Errorf(contract.TurnCancelled, "the task took longer than %s", maxTime)
	case r.t.ctx.Err() != nil:
		e = contract.Errorf(contract.ShuttingDown, "the platform ended while the task was under way; send the message again")
	case e == nil:
		r.t.cfg.Log.Error("a task failed", "task", r.key.id, "error", err)
		e = contract.Errorf(contract.Internal, "a fault of the platform; its log has the details")
	}
	about := map[string]any{"code": e.Code}
	if accepts, required := e.Accepts(); required {
		about = map[string]any{"code": "payment_required", "status_code": 402, "accepts": accepts, "subcode": e.Code}
	}
	meta, err := json.Marshal(about)
	if err != nil {
		meta = nil
	}
	return &tasks.Message{ID: r.t.cfg.NewID(), Role: tasks.RoleAgent, Parts: []tasks.Part{tasks.TextPart(strings.TrimSpace(e.Message))}, Metadata: meta}
}

func (r *run) snapshot() tasks.Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.task
}

// stop cancels a task and waits for its end.
func (r *run) stop(ctx context.Context) (tasks.Task, error) {
	r.abandon()
	return r.over(ctx)
}

// abandon cancels a task.
func (r *run) abandon() {
	r.mu.Lock()
	r.canceled = true
	r.mu.Unlock()
	r.cancel()
}

// over waits for a task's end.
func (r *run) over(ctx context.Context) (tasks.Task, error) {
	select {
	case <-r.done:
		return r.snapshot(), nil
	case <-ctx.Done():
		return tasks.Task{}, ctx.Err()
	}
}

// follow gives the task as it began, or as it is now, and then each update, until
// its end, the reader's, or an error of each. silent is called when nothing
// happened for long.
func (r *run) follow(ctx context.Context, f follower) error {
	task, next := r.begun, 0
	if !f.fromStart {
		if task, next = r.soFar(); task.State.Ended() {
			return faultf(unsupported, "task %s is %s: there is nothing more to follow", task.ID, task.State)
		}
	}
	if err := f.first(task); err != nil {
		return err
	}
	tick := time.NewTicker(sse.KeepAlive)
	defer tick.Stop()
	for {
		r.mu.Lock()
		task, updates, grown := r.task, r.updates[next:], r.grown
		r.mu.Unlock()
		for _, u := range updates {
			next++
			if err := f.each(task, u); err != nil || u.ended {
				return err
			}
		}
		select {
		case <-grown:
		case <-tick.C:
			if err := f.silent(); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// follower is who follows a task.
type follower struct {
	fromStart bool
	first     func(tasks.Task) error
	each      func(tasks.Task, update) error
	silent    func() error
}

// soFar is the task with what it has said, and how many updates that are.
func (r *run) soFar() (tasks.Task, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	task := r.task
	if len(r.updates) == 0 || task.State.Ended() {
		return task, len(r.updates)
	}
	var text strings.Builder
	for _, u := range r.updates {
		for _, p := range u.artifact.Parts {
			text.WriteString(*p.Text)
		}
	}
	task.Artifacts = []tasks.Artifact{*r.artifact(tasks.TextPart(text.String()))}
	return task, len(r.updates)
}
