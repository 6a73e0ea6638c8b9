package a2a

import (
	"encoding/json"
	"net/http"

	"benchtop/backend/agents"
	"benchtop/backend/tasks"
	"benchtop/backend/transports/sse"
)

// legacyOff answers where the REST verbs of earlier versions are switched off.
func (t *Transport) legacyOff(w http.ResponseWriter, allow string) bool {
	if t.cfg.Legacy() {
		return false
	}
	w.Header().Set("Allow", allow)
	write(w, restMedia, http.StatusMethodNotAllowed, map[string]any{"error": map[string]any{
		"code": http.StatusMethodNotAllowed, "status": "UNIMPLEMENTED",
		"message": "this verb is of an earlier version of the protocol, which the settings of this platform have switched off",
	}})
	return true
}

func legacyFail(w http.ResponseWriter, f *fault) {
	write(w, "application/json", f.http, map[string]any{"error": map[string]any{"code": f.code, "message": f.message}})
}

// legacyStart serves POST /a2a/tasks, the way in which an early version streams a
// task: events task.started, task.message for each piece, and task.completed,
// task.failed or task.canceled.
func (t *Transport) legacyStart(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	if !admit(w, r, a) || t.legacyOff(w, "GET, HEAD, OPTIONS") {
		return
	}
	c := t.call(r, a)
	c.form = firstForm
	body, err := readBody(w, r)
	if err == nil && !json.Valid(body) {
		err = faultf(parseError, "the body is not valid JSON")
	}
	var task *run
	if err == nil {
		task, _, err = t.sending(c, body)
	}
	if err != nil {
		legacyFail(w, t.faultOf(err))
		return
	}
	out := sse.New(w)
	send := func(event string, v any) error {
		b, err := json.Marshal(v)
		if err != nil {
			return err
		}
		return out.Send(event, b)
	}
	_ = task.follow(c.ctx, follower{ // an error says that the reader has gone
		fromStart: true,
		first:     func(now tasks.Task) error { return send("task.started", c.form.task(now, nil)) },
		each: func(now tasks.Task, u update) error {
			if !u.ended {
				return send("task.message", c.form.update(now, u))
			}
			return send("task."+string(now.State), legacyEnd{c.form.task(now, nil), aboutEnd(now)})
		},
		silent: out.Comment,
	})
}

// legacyEnd is a task with why it failed.
type legacyEnd struct {
	wireTask
	failure
}

// failure is what is known in a form for machines about why a task failed.
type failure struct {
	Code       string          `json:"code,omitempty"`
	StatusCode int             `json:"status_code,omitempty"`
	Accepts    json.RawMessage `json:"accepts,omitempty"`
	Error      string          `json:"error,omitempty"`
}

func aboutEnd(task tasks.Task) (f failure) {
	if task.Status == nil {
		return f
	}
	if json.Unmarshal(task.Status.Metadata, &f) != nil {
		return failure{}
	}
	for _, p := range task.Status.Parts {
		if p.Text != nil {
			f.Error += *p.Text
		}
	}
	return f
}

// legacyDelete serves DELETE /a2a/tasks/<id>, which cancels.
func (t *Transport) legacyDelete(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	if !admit(w, r, a) || t.legacyOff(w, "GET, HEAD, OPTIONS") {
		return
	}
	c := t.call(r, a)
	c.form = firstForm
	params, err := idOfPath(r, nil)
	if err != nil {
		legacyFail(w, t.faultOf(err))
		return
	}
	result, err := cancel(t, c, params)
	if err != nil {
		legacyFail(w, t.faultOf(err))
		return
	}
	write(w, "application/json", http.StatusOK, result)
}
