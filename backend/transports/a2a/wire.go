package a2a

import (
	"encoding/json"
	"time"

	"benchtop/backend/tasks"
)

// form is how a version of the protocol writes what all versions have.
type form int

const (
	// newForm is that of 1.0.
	newForm form = iota
	// oldForm is that of 0.2 and 0.3, whose objects say their kind.
	oldForm
	// firstForm is the one before: tasks/send, parts with a type. It is written as
	// oldForm is, with what both have.
	firstForm
)

// JSON of a task and its parts. Members that only one form has are empty in the
// other.
type (
	wireTask struct {
		Kind      string           `json:"kind,omitempty"`
		ID        string           `json:"id"`
		ContextID string           `json:"contextId"`
		SessionID string           `json:"sessionId,omitempty"`
		Status    wireStatus       `json:"status"`
		Artifacts []wireArtifact   `json:"artifacts,omitempty"`
		History   []wireMessageOut `json:"history,omitempty"`
		Metadata  json.RawMessage  `json:"metadata,omitempty"`
	}
	wireStatus struct {
		State     string          `json:"state"`
		Message   *wireMessageOut `json:"message,omitempty"`
		Timestamp string          `json:"timestamp"`
	}
	wireArtifact struct {
		ArtifactID string        `json:"artifactId"`
		Name       string        `json:"name"`
		Parts      []wirePartOut `json:"parts"`
	}
	wireMessageOut struct {
		Kind      string          `json:"kind,omitempty"`
		MessageID string          `json:"messageId"`
		ContextID string          `json:"contextId,omitempty"`
		TaskID    string          `json:"taskId,omitempty"`
		Role      string          `json:"role"`
		Parts     []wirePartOut   `json:"parts"`
		Metadata  json.RawMessage `json:"metadata,omitempty"`
	}
	wirePartOut struct {
		Kind      string          `json:"kind,omitempty"`
		Type      string          `json:"type,omitempty"`
		Text      *string         `json:"text,omitempty"`
		Data      json.RawMessage `json:"data,omitempty"`
		URL       string          `json:"url,omitempty"`
		Raw       string          `json:"raw,omitempty"`
		Filename  string          `json:"filename,omitempty"`
		MediaType string          `json:"mediaType,omitempty"`
		File      *wireFile       `json:"file,omitempty"`
		Metadata  json.RawMessage `json:"metadata,omitempty"`
	}
	wireFile struct {
		Name     string `json:"name,omitempty"`
		MimeType string `json:"mimeType,omitempty"`
		Bytes    string `json:"bytes,omitempty"`
		URI      string `json:"uri,omitempty"`
	}
	wireArtifactUpdate struct {
		Kind      string       `json:"kind,omitempty"`
		ID        string       `json:"id,omitempty"`
		TaskID    string       `json:"taskId"`
		ContextID string       `json:"contextId"`
		Artifact  wireArtifact `json:"artifact"`
		Append    bool         `json:"append"`
		LastChunk bool         `json:"lastChunk"`
	}
	wireStatusUpdate struct {
		Kind      string          `json:"kind,omitempty"`
		ID        string          `json:"id,omitempty"`
		TaskID    string          `json:"taskId"`
		ContextID string          `json:"contextId"`
		Status    wireStatus      `json:"status"`
		Final     bool            `json:"final,omitempty"`
		Metadata  json.RawMessage `json:"metadata,omitempty"`
	}
)

// Names of the states in 1.0; earlier versions have those of tasks.
var newStates = map[tasks.State]string{
	tasks.Submitted: "TASK_STATE_SUBMITTED", tasks.Working: "TASK_STATE_WORKING", tasks.Completed: "TASK_STATE_COMPLETED",
	tasks.Failed: "TASK_STATE_FAILED", tasks.Canceled: "TASK_STATE_CANCELED",
}

// stateOf reads a state in any form; known is false for those that no task has
// here.
func stateOf(name string) (s tasks.State, known bool) {
	for state, n := range newStates {
		if name == n || name == string(state) {
			return state, true
		}
	}
	return "", false
}

// otherStates are those of the protocol that no task has here.
var otherStates = map[string]bool{
	"TASK_STATE_INPUT_REQUIRED": true, "TASK_STATE_REJECTED": true, "TASK_STATE_AUTH_REQUIRED": true,
}

func (f form) kind(name string) string {
	if f == newForm {
		return ""
	}
	return name
}

// task writes a task with at most history of its messages, all when nil.
func (f form) task(t tasks.Task, history *int) wireTask {
	out := wireTask{
		Kind: f.kind("task"), ID: t.ID, ContextID: t.ContextID, SessionID: f.kind(t.ContextID),
		Status: f.status(t), Metadata: t.Metadata,
	}
	for _, a := range t.Artifacts {
		out.Artifacts = append(out.Artifacts, f.artifact(a))
	}
	messages := t.History
	if history != nil && *history < len(messages) {
		messages = messages[len(messages)-max(*history, 0):]
	}
	for _, m := range messages {
		out.History = append(out.History, f.message(t, m))
	}
	return out
}

func (f form) status(t tasks.Task) wireStatus {
	s := wireStatus{State: string(t.State), Timestamp: t.UpdatedAt.UTC().Format("2006-01-02T15:04:05.000Z07:00")}
	if f == newForm {
		s.State = newStates[t.State]
	}
	message := t.Status
	if message == nil && f != newForm && t.State == tasks.Completed && len(t.History) > 0 {
		message = &t.History[len(t.History)-1] // where clients of earlier versions look for the answer
	}
	if message != nil {
		m := f.message(t, *message)
		s.Message = &m
	}
	return s
}

func (f form) message(t tasks.Task, m tasks.Message) wireMessageOut {
	out := wireMessageOut{
		Kind: f.kind("message"), MessageID: m.ID, ContextID: t.ContextID, TaskID: t.ID, Role: m.Role, Metadata: m.Metadata,
		Parts: f.parts(m.Parts),
	}
	if f == newForm {
		out.Role = map[string]string{tasks.RoleUser: "ROLE_USER", tasks.RoleAgent: "ROLE_AGENT"}[m.Role]
	}
	return out
}

func (f form) artifact(a tasks.Artifact) wireArtifact {
	return wireArtifact{ArtifactID: a.ID, Name: a.Name, Parts: f.parts(a.Parts)}
}

func (f form) parts(all []tasks.Part) []wirePartOut {
	out := make([]wirePartOut, 0, len(all))
	for _, p := range all {
		w := wirePartOut{Text: p.Text, Data: p.Data, Metadata: p.Metadata}
		sort := "text"
		switch {
		case len(p.Data) > 0:
			sort = "data"
		case p.Text == nil:
			sort = "file"
		}
		if f == newForm {
			w.URL, w.Raw, w.Filename, w.MediaType = p.URL, p.Raw, p.Filename, p.MediaType
		} else {
			w.Kind, w.Type = sort, sort
			if sort == "file" {
				w.File = &wireFile{Name: p.Filename, MimeType: p.MediaType, Bytes: p.Raw, URI: p.URL}
			}
		}
		out = append(out, w)
	}
	return out
}

// sent is what sending a message gives.
func (f form) sent(t tasks.Task, history *int) any {
	if f == newForm {
		return map[string]any{"task": f.task(t, history)}
	}
	return f.task(t, history)
}

// update is an element of a stream.
func (f form) update(t tasks.Task, u update) any {
	id := f.kind(t.ID)
	if u.ended {
		s := wireStatusUpdate{Kind: f.kind("status-update"), ID: id, TaskID: t.ID, ContextID: t.ContextID, Status: f.status(t), Final: f != newForm}
		if t.Status != nil {
			s.Metadata = t.Status.Metadata
		}
		if f == newForm {
			return map[string]any{"statusUpdate": s}
		}
		return s
	}
	a := wireArtifactUpdate{
		Kind: f.kind("artifact-update"), ID: id, TaskID: t.ID, ContextID: t.ContextID,
		Artifact: f.artifact(*u.artifact), Append: u.append, LastChunk: u.last,
	}
	if f == newForm {
		return map[string]any{"artifactUpdate": a}
	}
	return a
}

// listed is the answer to a list.
type listed struct {
	Tasks         []wireTask `json:"tasks"`
	NextPageToken string     `json:"nextPageToken"`
	PageSize      int        `json:"pageSize"`
	TotalSize     int        `json:"totalSize"`
}

// listParams are the parameters of a list.
type listParams struct {
	ContextID        string `json:"contextId"`
	Status           string `json:"status"`
	PageSize         *int   `json:"pageSize"`
	PageToken        string `json:"pageToken"`
	HistoryLength    *int   `json:"historyLength"`
	After            string `json:"statusTimestampAfter"`
	IncludeArtifacts bool   `json:"includeArtifacts"`
}

// list answers with the caller's tasks. Who is anonymous is many: they see the
// tasks of a context that they name.
func (t *Transport) list(c call, p listParams) (listed, error) {
	q := tasks.Query{AgentID: c.agent.ID, Caller: c.owner(), ContextID: p.ContextID, Limit: tasks.DefaultPage}
	if p.PageSize != nil {
		if q.Limit = *p.PageSize; q.Limit < 1 || q.Limit > tasks.MaxPage {
			return listed{}, faultf(invalidParams, "pageSize is from 1 to %d", tasks.MaxPage)
		}
	}
	if err := checkHistory(p.HistoryLength); err != nil {
		return listed{}, err
	}
	out := listed{Tasks: []wireTask{}, PageSize: q.Limit}
	if p.After != "" {
		after, err := time.Parse(time.RFC3339Nano, p.After)
		if err != nil {
			return listed{}, faultf(invalidParams, "statusTimestampAfter is a time such as 2026-01-02T15:04:05.000Z")
		}
		q.From = after
	}
	if p.Status != "" && p.Status != "TASK_STATE_UNSPECIFIED" {
		state, known := stateOf(p.Status)
		switch {
		case otherStates[p.Status]:
			return out, nil
		case !known:
			return listed{}, faultf(invalidParams, "status is a state such as TASK_STATE_COMPLETED, not %.40q", p.Status)
		}
		q.State = state
	}
	if q.Caller == "" && q.ContextID == "" {
		return out, nil
	}
	page, total, next, err := t.cfg.Tasks.List(c.ctx, q, p.PageToken)
	if err != nil {
		return listed{}, err
	}
	out.NextPageToken, out.TotalSize = next, total
	for _, task := range page {
		if !p.IncludeArtifacts {
			task.Artifacts = nil
		}
		out.Tasks = append(out.Tasks, c.form.task(task, p.HistoryLength))
	}
	return out, nil
}

func checkHistory(n *int) error {
	if n != nil && *n < 0 {
		return faultf(invalidParams, "historyLength is 0 or more")
	}
	return nil
}
