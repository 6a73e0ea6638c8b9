package platform_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"benchtop/backend/contract"
)

// socket is a client of an agent's WebSocket.
type socket struct {
	t    *testing.T
	conn *websocket.Conn
}

// dial opens a WebSocket as one of the stage's people.
func (s *callStage) dial(t *testing.T, path, as string, header http.Header, protocols ...string) (*socket, *http.Response) {
	t.Helper()
	h := http.Header{}
	for name, values := range s.callers[as] {
		h[name] = values
	}
	for name, values := range header {
		h[name] = values
	}
	d := websocket.Dialer{Subprotocols: protocols}
	conn, resp, err := d.Dial("ws"+strings.TrimPrefix(s.url, "http")+path, h)
	if err != nil {
		if resp == nil {
			t.Fatal(err)
		}
		return nil, resp
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &socket{t, conn}, resp
}

func (c *socket) send(message string) {
	c.t.Helper()
	if err := c.conn.WriteMessage(websocket.TextMessage, []byte(message)); err != nil {
		c.t.Fatal(err)
	}
}

// expect reads one message.
func (c *socket) expect(want string) {
	c.t.Helper()
	kind, got, err := c.conn.ReadMessage()
	if err != nil {
		c.t.Fatalf("instead of %s: %v", want, err)
	}
	var have, should any
	if json.Unmarshal(got, &have) != nil || json.Unmarshal([]byte(want), &should) != nil || kind != websocket.TextMessage || !reflect.DeepEqual(have, should) {
		c.t.Fatalf("got %s, want %s", got, want)
	}
}

// closed reads up to the close frame.
func (c *socket) closed(code int, reason string) {
	c.t.Helper()
	for {
		_, got, err := c.conn.ReadMessage()
		if err == nil {
			c.t.Logf("before the end: %.100s", got)
			continue
		}
		var e *websocket.CloseError
		if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Text, reason) {
			c.t.Fatalf("ended with %v, want %d %s", err, code, reason)
		}
		return
	}
}

// row waits for the newest row of an endpoint to be this one.
func (s *callStage) row(t *testing.T, want string) {
	t.Helper()
	ended := s.events(t)
	for {
		have, _ := s.newestRow()
		if have == want {
			return
		}
		t.Logf("the newest row is %q", have)
		ended.wait("invocation.finished")
	}
}

// Every row of spec 4.5.2 and contract.md 6.4 that is a conversation.
func TestSockets(t *testing.T) {
	s := endpointStage(t)
	for name, test := range map[string]func(t *testing.T){
		"messages both ways": func(t *testing.T) {
			c, _ := s.dial(t, "/mia/live/7", "nobody", nil)
			c.expect(`{"room":"7"}`)
			c.send(`{"twice":[1,"☕"]}`)
			c.expect(`{"echo":{"twice":[1,"☕"]}}`)
			c.expect(`{"again":{"twice":[1,"☕"]}}`)
			c.send(`{"end":true}`)
			c.closed(websocket.CloseNormalClosure, "")
			s.row(t, "WS /live/:room ok")
		},
		"below every address": func(t *testing.T) {
			for _, path := range []string{"/agents/mia", "/api/agents/mia", "/api/agents/" + s.id} {
				c, _ := s.dial(t, path+"/live/x", "nobody", nil)
				c.expect(`{"room":"x"}`)
			}
		},
		"many at once are apart": func(t *testing.T) {
			var all []*socket
			for i := range 20 {
				c, _ := s.dial(t, fmt.Sprintf("/mia/live/%d", i), "nobody", nil)
				all = append(all, c)
			}
			for i, c := range all {
				c.expect(fmt.Sprintf(`{"room":"%d"}`, i))
				c.send(fmt.Sprintf(`{"n":%d}`, i))
			}
			for i, c := range all {
				c.expect(fmt.Sprintf(`{"echo":{"n":%d}}`, i))
			}
		},
		"the subprotocol": func(t *testing.T) {
			c, resp := s.dial(t, "/mia/live/1", "nobody", nil, "json.v1", "other")
			if got := resp.Header.Get("Sec-WebSocket-Protocol"); got != "json.v1" {
				t.Errorf("protocol %q", got)
			}
			c.expect(`{"room":"1"}`)
			_, resp = s.dial(t, "/mia/live/1?protocol=other", "nobody", nil, "json.v1", "other")
			if got := resp.Header.Get("Sec-WebSocket-Protocol"); got != "other" {
				t.Errorf("chosen protocol %q", got)
			}
		},
		"a handler refuses like any request": func(t *testing.T) {
			for path, status := range map[string]int{"?refuse=1": 418, "?quiet=1": 403, "?busy=1": 429, "?protocol=unheard": 500} {
				if c, resp := s.dial(t, "/mia/live/1"+path, "nobody", nil); c != nil || resp.StatusCode != status {
					t.Errorf("%s: %v", path, resp.Status)
				}
			}
		},
		"messages are given out in the order they were asked for": func(t *testing.T) {
			for range 20 {
				c, _ := s.dial(t, "/mia/pair", "nobody", nil)
				c.send(`1`)
				c.send(`2`)
				c.expect(`{"first":1,"second":2}`)
				c.closed(websocket.CloseNormalClosure, "")
			}
		},
		"nothing there": func(t *testing.T) {
			if _, resp := s.dial(t, "/mia/nowhere", "nobody", nil); resp.StatusCode != 404 {
				t.Error(resp.Status)
			}
			if _, resp := s.dial(t, "/nobody/uamp", "nobody", nil); resp.StatusCode != 404 {
				t.Error(resp.Status)
			}
			for path, code := range map[string]string{"/mia/nowhere": "NOT_FOUND", "/nobody/uamp": "NOT_FOUND", "/agents/nobody/uamp": "NOT_FOUND", "/api/agents/nobody/uamp": "AGENT_NOT_FOUND"} {
				c, _ := s.dial(t, path, "nobody", http.Header{"Origin": {"https://example.com"}})
				c.closed(4004, code)
			}
		},
		"outside of the scope": func(t *testing.T) {
			if _, resp := s.dial(t, "/mia/mine", "visitor", nil); resp.StatusCode != 403 {
				t.Error(resp.Status)
			}
			if _, resp := s.dial(t, "/mia/mine", "forged", nil); resp.StatusCode != 401 {
				t.Error(resp.Status)
			}
			c, _ := s.dial(t, "/mia/mine", "nobody", http.Header{"Origin": {"https://example.com"}})
			c.closed(4003, "forbidden")
			c, _ = s.dial(t, "/mia/mine", "owner", nil)
			c.expect(`{}`)
		},
		"a page of another origin has nobody's cookie": func(t *testing.T) {
			for _, row := range []struct{ as, origin, want string }{
				{"visitor", "", "true"}, {"visitor", s.url, "true"}, {"visitor", "http://localhost:5173", "false"}, {"visitor", "null", "false"}, {"nobody", "", "false"},
			} {
				header := http.Header{}
				if row.origin != "" {
					header.Set("Origin", row.origin)
				}
				c, _ := s.dial(t, "/mia/who", row.as, header)
				c.expect(`{"known":` + row.want + `}`)
			}
		},
		"an error": func(t *testing.T) {
			c, _ := s.dial(t, "/mia/live/1", "nobody", nil)
			c.send(`{"throw":"oops"}`)
			c.closed(4000, "oops")
			s.row(t, "WS /live/:room error JS_RUNTIME_ERROR")
		},
		"a close code of the handler": func(t *testing.T) {
			c, _ := s.dial(t, "/mia/live/1", "nobody", nil)
			c.send(`{"close":4321}`)
			c.closed(4321, "as you wish")
			c, _ = s.dial(t, "/mia/live/1", "nobody", nil)
			c.send(`{"close":999}`)
			c.closed(4000, "INVALID_REQUEST: ctx.socket.close: a code is 1000 or 3000 to 4999")
		},
		"what is no JSON text": func(t *testing.T) {
			c, _ := s.dial(t, "/mia/live/1", "nobody", nil)
			c.send(`{"a":`)
			c.closed(websocket.CloseInvalidFramePayloadData, "not JSON")
			c, _ = s.dial(t, "/mia/live/1", "nobody", nil)
			if err := c.conn.WriteMessage(websocket.BinaryMessage, []byte("1")); err != nil {
				t.Fatal(err)
			}
			c.closed(websocket.CloseUnsupportedData, "JSON texts")
		},
		"a message that is too large": func(t *testing.T) {
			c, _ := s.dial(t, "/mia/live/1", "nobody", nil)
			c.send(`"` + strings.Repeat("x", contract.MaxBodyBytes) + `"`)
			c.closed(websocket.CloseMessageTooBig, "")
		},
		"too many messages": func(t *testing.T) {
			c, _ := s.dial(t, "/mia/count", "nobody", nil)
			go func() {
				for c.conn.WriteMessage(websocket.TextMessage, []byte("1")) == nil {
				}
			}()
			c.closed(websocket.ClosePolicyViolation, "messages a second")
		},
		"the limit is that of one message": func(t *testing.T) {
			c, _ := s.dial(t, "/mia/live/1", "nobody", nil)
			c.expect(`{"room":"1"}`)
			c.send(`{"spin":true}`)
			c.closed(websocket.CloseInternalServerErr, "WALL_TIMEOUT")
			s.row(t, "WS /live/:room error WALL_TIMEOUT")
		},
		"the model's stream is relayed": func(t *testing.T) {
			c, _ := s.dial(t, "/mia/relay", "nobody", nil)
			for _, text := range []string{"good morning", "and again"} {
				c.send(`{"other":true}`)
				c.send(`{"messages":[{"role":"user","content":"` + text + `"}]}`)
				chunks := 0
				for done := false; !done; chunks++ {
					var m struct {
						Done   bool   `json:"done"`
						Object string `json:"object"`
					}
					if err := c.conn.ReadJSON(&m); err != nil {
						t.Fatal(err)
					}
					if done = m.Done; !done && m.Object != "chat.completion.chunk" {
						t.Fatalf("%+v", m)
					}
				}
				if chunks < 3 {
					t.Errorf("%d chunks", chunks)
				}
			}
		},
		"a client that leaves": func(t *testing.T) {
			c, _ := s.dial(t, "/mia/live/1", "nobody", nil)
			c.expect(`{"room":"1"}`)
			_ = c.conn.NetConn().Close()
			s.row(t, "WS /live/:room ok")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s.t = t
			test(t)
		})
	}
	s.t = t
}

// A handler that takes its process down takes its neighbours along, with 1011 and
// the reason, and nobody else.
func TestSocketsShareAFate(t *testing.T) {
	s := endpointStage(t)
	beside, _ := s.dial(t, "/mia/live/beside", "nobody", nil)
	beside.expect(`{"room":"beside"}`)
	far, _ := s.dial(t, "/mia/count", "nobody", nil)
	c, _ := s.dial(t, "/mia/live/1", "nobody", nil)
	c.expect(`{"room":"1"}`)
	c.send(`{"fill":true}`)
	c.closed(websocket.CloseInternalServerErr, "MEMORY_LIMIT_EXCEEDED")
	beside.closed(websocket.CloseInternalServerErr, "together they p")
	_ = far
	again, _ := s.dial(t, "/mia/live/again", "nobody", nil)
	again.expect(`{"room":"again"}`)
	if r := s.p.Status().Executor; r.InFlight == 0 {
		t.Errorf("%+v", r)
	}
}

// A platform that stops tells its WebSockets so, and does not wait for them.
func TestSocketsEndWithThePlatform(t *testing.T) {
	s := endpointStage(t)
	c, _ := s.dial(t, "/mia/live/1", "nobody", nil)
	c.expect(`{"room":"1"}`)
	go s.close()
	c.closed(websocket.CloseGoingAway, "stopping")
}
