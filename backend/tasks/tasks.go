// Package tasks owns the tasks of agents: what became of a message that somebody
// sent to an agent by the agent-to-agent protocol, in which state it is, and who
// may see it (contract.md 6.7). A task is its caller's alone.
package tasks

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// State is where a task is in its life.
type State string

// The states that tasks have here. The last three are the end.
const (
	Submitted State = "submitted"
	Working   State = "working"
	Completed State = "completed"
	Failed    State = "failed"
	Canceled  State = "canceled"
)

// Ended reports whether a task in this state changes no more.
func (s State) Ended() bool { return s == Completed || s == Failed || s == Canceled }

// Who a message is from.
const (
	RoleUser  = "user"
	RoleAgent = "agent"
)

// Part is a piece of a message or an artifact; one of Text, Data, URL and Raw is
// there. Raw is base64.
type Part struct {
	Text      *string         `json:"text,omitempty"`
	Data      json.RawMessage `json:"data,omitempty"`
	URL       string          `json:"url,omitempty"`
	Raw       string          `json:"raw,omitempty"`
	Filename  string          `json:"filename,omitempty"`
	MediaType string          `json:"mediaType,omitempty"`
	Metadata  json.RawMessage `json:"metadata,omitempty"`
}

// TextPart makes a Part of text.
func TextPart(text string) Part { return Part{Text: &text} }

// Message is one of a conversation.
type Message struct {
	ID       string          `json:"id"`
	Role     string          `json:"role"`
	Parts    []Part          `json:"parts"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

// Artifact is what a task made.
type Artifact struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Parts []Part `json:"parts"`
}

// Body is what a task has beside what it is looked up by.
type Body struct {
	Status    *Message        `json:"status,omitempty"` // what there is to say about the state
	Artifacts []Artifact      `json:"artifacts,omitempty"`
	History   []Message       `json:"history,omitempty"`
	Metadata  json.RawMessage `json:"metadata,omitempty"`
}

// Task is one task. Caller is who sent its message, as CallerKey names callers;
// UpdatedAt is when it got its state.
type Task struct {
	ID        string
	AgentID   string
	ContextID string
	Caller    string
	State     State
	CreatedAt time.Time
	UpdatedAt time.Time
	Body
}

// Kept is how many tasks of an agent are kept: the oldest that are over go.
const Kept = 1000

// Bounds of a page.
const (
	DefaultPage = 50
	MaxPage     = 100
)

// Errors of looking up.
var (
	ErrNotFound = errors.New("there is no such task")
	ErrPage     = errors.New("the page token is none that a list gave")
)

// Query asks for a page of one caller's tasks at one agent, the last changed
// first. Empty ContextID and State do not limit; From is the earliest UpdatedAt.
// Before and BeforeID are the place after which the page begins.
type Query struct {
	AgentID   string
	Caller    string
	ContextID string
	State     State
	From      time.Time
	Before    time.Time
	BeforeID  string
	Limit     int
}

// Store keeps tasks. Writes are durable when they return.
type Store interface {
	// PutTask stores a task or replaces it, and drops the oldest of its agent
	// that are over beyond the newest keep.
	PutTask(ctx context.Context, t Task, keep int) error
	// Task gives nil when there is none.
	Task(ctx context.Context, agentID, id string) (*Task, error)
	// ListTasks gives a page, and how many there are on all of them.
	ListTasks(ctx context.Context, q Query) (page []Task, total int, err error)
	// FailTasks ends all tasks that are not over.
	FailTasks(ctx context.Context, at time.Time) error
}

// Config is what New needs.
type Config struct {
	Store Store
	Now   func() time.Time
}

// Tasks are the tasks of all agents.
type Tasks struct{ cfg Config }

// New makes Tasks over a store. What was under way when the platform last ended
// has failed.
func New(ctx context.Context, cfg Config) (*Tasks, error) {
	t := &Tasks{cfg}
	if err := cfg.Store.FailTasks(ctx, t.Time()); err != nil {
		return nil, fmt.Errorf("end the tasks that were interrupted: %w", err)
	}
	return t, nil
}

// Time is now, as exact as a store keeps it.
func (t *Tasks) Time() time.Time { return t.cfg.Now().UTC().Truncate(time.Microsecond) }

// Put stores a task.
func (t *Tasks) Put(ctx context.Context, task Task) error {
	return t.cfg.Store.PutTask(ctx, task, Kept)
}

// Get gives a caller's task, or ErrNotFound: also for the task of somebody else,
// so that nobody learns which ids there are.
func (t *Tasks) Get(ctx context.Context, agentID, caller, id string) (Task, error) {
	task, err := t.cfg.Store.Task(ctx, agentID, id)
	if err != nil {
		return Task{}, err
	}
	if task == nil || task.Caller != caller {
		return Task{}, ErrNotFound
	}
	return said(*task), nil
}

// Taken reports whether an id is that of a task of somebody else, whose id it
// stays.
func (t *Tasks) Taken(ctx context.Context, agentID, caller, id string) (bool, error) {
	task, err := t.cfg.Store.Task(ctx, agentID, id)
	return task != nil && task.Caller != caller, err
}

// List gives a page of tasks, how many there are on all, and the token of the
// next page, empty after the last. A limit of 0 is the default.
func (t *Tasks) List(ctx context.Context, q Query, token string) (page []Task, total int, next string, err error) {
	if q.Limit <= 0 {
		q.Limit = DefaultPage
	}
	q.Limit = min(q.Limit, MaxPage)
	if q.Before, q.BeforeID, err = parseToken(token); err != nil {
		return nil, 0, "", err
	}
	limit := q.Limit
	q.Limit++
	if page, total, err = t.cfg.Store.ListTasks(ctx, q); err != nil {
		return nil, 0, "", err
	}
	if len(page) > limit {
		page = page[:limit]
		last := page[limit-1]
		next = base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(last.UpdatedAt.UnixMicro(), 10) + " " + last.ID))
	}
	for i := range page {
		page[i] = said(page[i])
	}
	return page, total, next, nil
}

// said adds what a task that the platform's end interrupted could not say itself.
func said(t Task) Task {
	if t.State == Failed && t.Status == nil {
		t.Status = &Message{ID: t.ID + "-interrupted", Role: RoleAgent, Parts: []Part{TextPart("the platform ended while the task was under way; send the message again")}}
	}
	return t
}

func parseToken(token string) (time.Time, string, error) {
	if token == "" {
		return time.Time{}, "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return time.Time{}, "", ErrPage
	}
	digits, id, ok := strings.Cut(string(text), " ")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !ok || n <= 0 || id == "" {
		return time.Time{}, "", ErrPage
	}
	return time.UnixMicro(n).UTC(), id, nil
}
