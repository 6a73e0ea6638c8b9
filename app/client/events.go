package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"benchtop/backend/contract"
)

// Event is one message of a stream of server-sent events.
type Event struct {
	ID   string
	Name string
	Data json.RawMessage
}

// Events follows the live stream until ctx ends, do fails or the platform
// closes it. ready, which may be nil, is called once nothing can be missed any
// more.
func (c *Client) Events(ctx context.Context, ready func(), do func(Event) error) error {
	res, err := c.Send(ctx, http.MethodGet, "/api/local/events", nil, http.Header{"Accept": {"text/event-stream"}})
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if ready != nil {
		ready()
	}
	err = ReadEvents(res.Body, do)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// ReadEvents reads server-sent events until the stream ends or do fails.
func ReadEvents(r io.Reader, do func(Event) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64*contract.KB), maxAnswer)
	var ev Event
	var data []string
	for lines.Scan() {
		line := strings.TrimSuffix(lines.Text(), "\r")
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			if len(data) > 0 {
				ev.Data = json.RawMessage(strings.Join(data, "\n"))
				if err := do(ev); err != nil {
					return err
				}
			}
			ev, data = Event{}, nil
		case field == "id":
			ev.ID = value
		case field == "event":
			ev.Name = value
		case field == "data":
			data = append(data, value)
		}
	}
	return lines.Err()
}

// InvokeOptions are what Invoke may be told. Key is the Idempotency-Key, As who
// calls when it is not the owner (contract.CallAs…), Clock where the function's clock
// begins (contract.ClockHeader), and Emit gets the function's events as they happen.
type InvokeOptions struct {
	Key   string
	As    string
	Clock string
	Emit  func(Event) error
}

// RunSchedule runs what a schedule runs, with the function's clock beginning at
// clock; empty is the real time.
func (c *Client) RunSchedule(ctx context.Context, agent, id, clock string) (out contract.ScheduleRunResponse, err error) {
	header := http.Header{}
	if clock != "" {
		header.Set(contract.ClockHeader, clock)
	}
	res, err := c.Send(ctx, http.MethodPost, LocalAgent(agent, "schedules", id, "run"), nil, header)
	if err != nil {
		return out, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	return out, err
}

// Invoke runs a function with the body of spec 4.2. A run that failed inside the
// function is an answer with OK false and no error; replayed says that a run of
// before answers.
func (c *Client) Invoke(ctx context.Context, agent, function string, body json.RawMessage, o InvokeOptions) (out contract.InvokeResult, replayed bool, err error) {
	header := http.Header{}
	if o.Key != "" {
		header.Set("Idempotency-Key", o.Key)
	}
	if o.As != "" {
		header.Set("Benchtop-Caller", o.As)
	}
	if o.Clock != "" {
		header.Set(contract.ClockHeader, o.Clock)
	}
	emit := o.Emit
	if emit != nil {
		header.Set("Accept", "text/event-stream")
	}
	res, err := c.Send(ctx, http.MethodPost, Agent(agent, "functions", function, "invoke"), body, header)
	if err != nil {
		return out, false, err
	}
	defer res.Body.Close()
	replayed = res.Header.Get("Idempotent-Replayed") == "true"
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		b, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
		if err == nil {
			err = json.Unmarshal(b, &out)
		}
		return out, replayed, err
	}
	// The last frame is the result; a function may emit events of that name, too.
	var last *Event
	err = ReadEvents(res.Body, func(ev Event) error {
		if held := last; held != nil {
			last = nil
			if err := emit(*held); err != nil {
				return err
			}
		}
		if ev.Name == "result" {
			last = &ev
			return nil
		}
		return emit(ev)
	})
	if err == nil && last == nil {
		err = errors.New("the platform closed the stream before the result")
	}
	if err == nil {
		err = json.Unmarshal(last.Data, &out)
	}
	if err != nil {
		err = fmt.Errorf("invoke %s: %w", function, err)
	}
	return out, replayed, err
}
