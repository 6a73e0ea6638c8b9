package uamp

import (
	"bytes"
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"sync"
	"time"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/model"
	"benchtop/backend/payments"
	"benchtop/backend/transports/answer"
	"benchtop/backend/transports/sse"
)

// list serves POST /uamp: a list of events for a list of events.
func (t *Transport) list(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	var mu sync.Mutex
	all := []event{}
	err := t.request(w, r, a, func(e event) error {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, e)
		return nil
	})
	if err != nil {
		refuse(w, err)
		return
	}
	answer.JSON(w, http.StatusOK, all)
}

// stream serves POST /uamp/stream: the same as a stream that ends with [DONE].
func (t *Transport) stream(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	out := sse.New(w)
	silent := time.NewTicker(sse.KeepAlive)
	defer silent.Stop()
	ctx, cancel := context.WithCancel(r.Context())
	quiet := make(chan struct{})
	defer func() { cancel(); <-quiet }()
	go func() {
		defer close(quiet)
		for {
			select {
			case <-silent.C:
				if out.Begun() && out.Comment() != nil {
					cancel()
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	err := t.request(w, r.WithContext(ctx), a, func(e event) error {
		b, err := json.Marshal(e)
		if err == nil {
			err = out.Send("", b)
		}
		if err != nil {
			cancel() // nobody listens any more
		}
		return err
	})
	if err != nil {
		refuse(w, err)
		return
	}
	_ = out.Send("", []byte("[DONE]")) // who has gone cannot be told
}

// refuse answers with an error of the request, before any event.
func refuse(w http.ResponseWriter, err error) {
	e := contract.AsError(err)
	if e == nil || e.Code == contract.Unauthorized || e.Code == contract.Forbidden {
		answer.Fail(w, err)
		return
	}
	answer.JSON(w, e.Code.Status(), map[string]any{"error": map[string]string{"code": "uamp_error", "message": e.Message}})
}

// request handles the events of a request, one after the other. A list that does
// not begin with session.create has a session of its own.
func (t *Transport) request(w http.ResponseWriter, r *http.Request, a agents.Agent, send func(event) error) error {
	events, err := readEvents(w, r)
	if err != nil {
		return err
	}
	leave, err := t.enter(a)
	if err != nil {
		return err
	}
	defer leave()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(t.ctx, cancel)()
	c := &connection{
		t: t, ctx: ctx, agent: a, caller: callerOf(r), tokens: payments.TokensOf(r.Header), sessions: map[string]*session{}, alone: true, send: send,
	}
	defer c.close()
	if in, f := parse(events[0]); f != nil || in.Type != "session.create" {
		if err := model.Admit(a, c.caller); err != nil {
			return err
		}
		events = append([]json.RawMessage{json.RawMessage(`{"type":"session.create","uamp_version":"` + Version + `"}`)}, events...)
	} else if err := c.refused(in); err != nil {
		return err
	}
	for _, raw := range events {
		over := c.handle(raw)
		c.turns.Wait()
		if over || ctx.Err() != nil {
			break
		}
	}
	return nil
}

// refused says why the first session.create of a request is refused, so that the
// answer has that status.
func (c *connection) refused(in incoming) error {
	var e sessionEvent
	if in.into(&e) != nil {
		return nil // it is answered with an event
	}
	_, given, f := e.read()
	if f != nil {
		return nil
	}
	caller, f := c.admit(given.Token)
	if f == nil {
		return nil
	}
	return model.Admit(c.agent, caller)
}

func readEvents(w http.ResponseWriter, r *http.Request) ([]json.RawMessage, error) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return nil, contract.Errorf(contract.UnsupportedMedia, "send the events as JSON, with Content-Type: application/json")
	}
	body, err := agenthttp.ReadBody(w, r, maxEvent)
	if err != nil {
		return nil, err
	}
	body = bytes.TrimSpace(body)
	var events []json.RawMessage
	if bytes.HasPrefix(body, []byte("{")) && json.Valid(body) {
		events = []json.RawMessage{body}
	} else if json.Unmarshal(body, &events) != nil {
		return nil, contract.Errorf(contract.InvalidRequest, "the body is a list of events, as JSON")
	}
	if len(events) == 0 || len(events) > maxEvents {
		return nil, contract.Errorf(contract.InvalidRequest, "the list has 1 to %d events", maxEvents)
	}
	return events, nil
}
