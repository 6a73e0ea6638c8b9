package httpapi

import (
	"encoding/json"
	"strconv"
	"time"

	"benchtop/backend/contract"
)

// boot tells a browser how to reach the platform: where it came from, with its
// cookie. The window makes its own, with a token.
func (a *api) boot(c *call) error {
	return c.ok(contract.Boot{Mode: "browser", API: "", Version: a.deps.Version, DataID: a.deps.Auth.DataID()})
}

func (a *api) status(c *call) error {
	s := a.deps.Status()
	if s.Notices == nil {
		s.Notices = []contract.Notice{}
	}
	return c.ok(s)
}

// focus brings the window to the front, for a second start on the same data.
func (a *api) focus(c *call) error {
	focused := a.deps.Focus != nil
	if focused {
		a.deps.Focus()
	}
	return c.ok(contract.FocusResponse{OK: true, Focused: focused})
}

// streamEvents is the one live stream (spec section 6): from now on or, with
// Last-Event-ID or ?after=, from behind that id.
func (a *api) streamEvents(c *call) error {
	after, resume, err := lastEventID(c)
	if err != nil {
		return err
	}
	if c.r.Method == "HEAD" {
		c.startStream()
		return nil
	}
	sub := a.deps.Events.Subscribe(after, resume)
	defer sub.Close()
	s := c.startStream()
	s.comment("benchtop events")
	if s.flush() != nil {
		return nil
	}
	tick := time.NewTicker(keepAlive)
	defer tick.Stop()
	for {
		select {
		case <-c.r.Context().Done(): // the reader left, or the server stops
			return nil
		case <-tick.C:
			s.comment("keep-alive")
		case ev, more := <-sub.C:
			if !more {
				return nil
			}
			if err := s.event(ev); err != nil {
				return err
			}
			// What has come meanwhile goes out in the same write.
			for n := len(sub.C); n > 0; n-- {
				if ev, more = <-sub.C; !more {
					break
				}
				if err := s.event(ev); err != nil {
					return err
				}
			}
		}
		if s.flush() != nil {
			return nil
		}
	}
}

func (s *stream) event(ev contract.Event) error {
	data, err := json.Marshal(ev.Data)
	if err == nil {
		s.frame(ev.ID, string(ev.Name), data)
	}
	return err
}

// lastEventID reads where a reader stopped; the header wins.
func lastEventID(c *call) (id uint64, resume bool, err error) {
	text := c.r.Header.Get("Last-Event-ID")
	if text == "" {
		text = c.r.URL.Query().Get("after")
	}
	if text == "" {
		return 0, false, nil
	}
	if id, err = strconv.ParseUint(text, 10, 64); err != nil {
		return 0, false, contract.Errorf(contract.InvalidRequest, "Last-Event-ID and after must be an id of this stream, a whole number")
	}
	return id, true, nil
}
