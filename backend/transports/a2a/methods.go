package a2a

import (
	"encoding/json"

	"benchtop/backend/tasks"
	"benchtop/backend/transports/answer"
)

// decode reads the parameters of a method.
func decode(params json.RawMessage, into any) error {
	if len(params) == 0 || string(params) == "null" {
		params = json.RawMessage("{}")
	}
	if err := json.Unmarshal(params, into); err != nil {
		return faultf(invalidParams, "params are not of the form that the method takes: %.200s", answer.Unfit(err))
	}
	return nil
}

func (t *Transport) sending(c call, params json.RawMessage) (*run, sendParams, error) {
	var p sendParams
	if err := decode(params, &p); err != nil {
		return nil, p, err
	}
	if p.Configuration.HistoryLength == nil {
		p.Configuration.HistoryLength = p.HistoryLength
	}
	if err := checkHistory(p.Configuration.HistoryLength); err != nil {
		return nil, p, err
	}
	if c.form == newForm && p.Message != nil && p.Message.MessageID == "" {
		return nil, p, faultf(invalidParams, "message.messageId is missing")
	}
	r, err := t.start(c, p)
	return r, p, err
}

// send starts a task and waits for its end, unless the client does not want to.
// A task that is waited for ends with the connection.
func send(t *Transport, c call, params json.RawMessage) (any, error) {
	r, p, err := t.sending(c, params)
	if err != nil {
		return nil, err
	}
	if p.Configuration.ReturnImmediately || c.form != newForm && p.Configuration.Blocking != nil && !*p.Configuration.Blocking {
		return c.form.sent(r.snapshot(), p.Configuration.HistoryLength), nil
	}
	task, err := r.over(c.ctx)
	if err != nil {
		r.abandon()
		return nil, err
	}
	return c.form.sent(task, p.Configuration.HistoryLength), nil
}

func sendStream(t *Transport, c call, params json.RawMessage, to *streamer) error {
	r, p, err := t.sending(c, params)
	if err != nil {
		return err
	}
	return to.follow(c, r, true, p.Configuration.HistoryLength)
}

// idParams are the parameters of methods about one task.
type idParams struct {
	ID            string `json:"id"`
	HistoryLength *int   `json:"historyLength"`
}

func (t *Transport) named(c call, params json.RawMessage) (idParams, tasks.Task, *run, error) {
	var p idParams
	if err := decode(params, &p); err != nil {
		return p, tasks.Task{}, nil, err
	}
	if p.ID == "" {
		return p, tasks.Task{}, nil, faultf(invalidParams, "params.id is missing: the id of a task")
	}
	if err := checkHistory(p.HistoryLength); err != nil {
		return p, tasks.Task{}, nil, err
	}
	task, r, err := t.find(c, p.ID)
	return p, task, r, err
}

func get(t *Transport, c call, params json.RawMessage) (any, error) {
	p, task, r, err := t.named(c, params)
	if err != nil {
		return nil, err
	}
	if r != nil {
		task, _ = r.soFar()
	}
	return c.form.task(task, p.HistoryLength), nil
}

func list(t *Transport, c call, params json.RawMessage) (any, error) {
	var p listParams
	if err := decode(params, &p); err != nil {
		return nil, err
	}
	return t.list(c, p)
}

func cancel(t *Transport, c call, params json.RawMessage) (any, error) {
	_, task, r, err := t.named(c, params)
	if err != nil {
		return nil, err
	}
	if r != nil {
		if task, err = r.stop(c.ctx); err != nil {
			return nil, err
		}
		if task.State == tasks.Canceled {
			return c.form.task(task, nil), nil
		}
	}
	return nil, faultf(taskNotCancelable, "task %s is %s and cannot be cancelled", task.ID, task.State)
}

func subscribe(t *Transport, c call, params json.RawMessage, to *streamer) error {
	_, task, r, err := t.named(c, params)
	if err != nil {
		return err
	}
	if r == nil {
		return faultf(unsupported, "task %s is %s: there is nothing more to follow", task.ID, task.State)
	}
	return to.follow(c, r, false, nil)
}

func push(*Transport, call, json.RawMessage) (any, error) {
	return nil, faultf(pushNotSupported, "push notifications are not supported: stream, subscribe or get the task")
}

func extendedCard(*Transport, call, json.RawMessage) (any, error) {
	return nil, faultf(noExtendedCard, "there is no extended card; the public one has everything")
}
