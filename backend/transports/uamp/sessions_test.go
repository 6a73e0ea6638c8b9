package uamp_test

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/model"
	"benchtop/backend/transports/uamp"
)

// endless says one piece and waits for its end.
func endless(ctx context.Context, _ model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
	if err := emit(model.Chunk{Kind: model.ChunkText, Text: "and on "}); err != nil {
		return model.TurnResult{}, err
	}
	<-ctx.Done()
	return model.TurnResult{}, contract.Errorf(contract.TurnCancelled, "the turn was ended")
}

func TestCancel(t *testing.T) {
	first := true
	w := open(t, func(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
		if first {
			first = false
			return endless(ctx, req, emit)
		}
		return parrot(ctx, req, emit)
	})
	c, _ := w.session(nil)
	c.send("input.text", object{"text": "go"})
	c.send("response.create", nil)
	id := c.wants("response.created")["response_id"]
	c.wants("response.delta")
	c.send("response.create", nil)
	if e := c.wants("response.error"); at(e, "error", "code") != "response_active" {
		t.Errorf("two at once: %s", text(e))
	}
	c.send("response.cancel", object{"response_id": "resp_other"})
	if e := c.wants("response.error"); at(e, "error", "code") != "response_not_found" {
		t.Errorf("cancel another: %s", text(e))
	}
	c.send("response.cancel", object{"response_id": id})
	if e := c.wants("response.cancelled"); e["response_id"] != id || at(e, "partial_output", 0, "text") != "and on " {
		t.Errorf("cancelled: %s", text(e))
	}
	c.ask("next")
	if got := text(w.request(1).Messages); !strings.Contains(got, `{"role":"assistant","content":"and on "}`) {
		t.Errorf("what was said is not remembered: %s", got)
	}
}

// A session has the agent as it is when it answers, not as it was when it began.
func TestAgentsChange(t *testing.T) {
	w := open(t, parrot)
	c, _ := w.session(nil)
	change := func(a agents.Agent) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.agent = a
	}
	a := w.agent
	a.Instructions = "Be kind."
	change(a)
	c.ask("hello")
	if got := w.request(0).Agent.Instructions; got != "Be kind." {
		t.Errorf("the turn has the instructions %q", got)
	}
	gone := a
	gone.ID = ""
	unlisted := a
	unlisted.Settings.Transports = nil
	for name, now := range map[string]agents.Agent{"gone": gone, "not listed any more": unlisted} {
		change(now)
		c.send("input.text", object{"text": "hello?"})
		c.send("response.create", nil)
		if e := c.wants("response.error"); at(e, "error", "code") != "no_agent" {
			t.Errorf("%s: %s", name, text(e))
		}
	}
}

// A client of the stream over HTTP that is killed takes its turn along.
func TestKilledReader(t *testing.T) {
	ended := make(chan struct{})
	w := open(t, func(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
		defer close(ended)
		return endless(ctx, req, emit)
	})
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url+"/uamp/stream", strings.NewReader(text([]object{create(), input("go"), respond})))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), "response.delta") {
		continue
	}
	kill()
	<-ended
	wait(t, "the connection is gone", func() bool { return w.uamp.Connections() == 0 })
}

// A client that is killed frees everything it had.
func TestKilledClient(t *testing.T) {
	ended := make(chan struct{})
	w := open(t, func(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
		defer close(ended)
		return endless(ctx, req, emit)
	})
	c, _ := w.session(nil)
	c.send("input.text", object{"text": "go"})
	c.send("response.create", nil)
	c.until("response.delta")
	if err := c.ws.UnderlyingConn().Close(); err != nil {
		t.Fatal(err)
	}
	<-ended
	wait(t, "the connection is gone", func() bool { return w.uamp.Connections() == 0 })
}

// A session outlives its connection: for its caller, at its agent, for a while.
func TestResume(t *testing.T) {
	w := open(t, asking)
	leave := func(c *client) {
		_ = c.ws.UnderlyingConn().Close()
		wait(t, "the connection is gone", func() bool { return w.uamp.Connections() == 0 })
	}
	visitor := auth.Caller{Kind: auth.KindVisitor, UserID: "v1"}
	w.is(visitor)
	c, created := w.session(object{"session": object{"instructions": "Be short."}})
	id := at(created, "session", "id")
	c.send("input.text", object{"text": "remember"})
	c.send("response.create", nil)
	c.until("response.done") // it waits for two results
	leave(c)

	try := func(create object) object {
		c := w.dial()
		c.send("session.create", create)
		e := c.next()
		defer leave(c)
		return e
	}
	w.is(auth.Caller{Kind: auth.KindVisitor, UserID: "v2"})
	if e := try(object{"session_id": id}); e["type"] != "session.error" || at(e, "error", "code") != "session_not_found" {
		t.Errorf("somebody else: %s", text(e))
	}
	w.is(visitor)
	c, created = w.session(object{"session_id": id})
	if at(created, "session", "id") != id || created["resumed"] != true || at(created, "session", "config", "instructions") != "Be short." {
		t.Errorf("resumed: %s", text(created))
	}
	c.send("tool.result", object{"call_id": "c1", "result": "1"})
	c.send("tool.result", object{"call_id": "c2", "result": "2"})
	done, _ := c.until("response.done")
	if at(done, "response", "output", 0, "text") != "c1=1 c2=2" || !strings.Contains(text(w.request(1).Messages), "remember") {
		t.Errorf("goes on: %s", text(done))
	}
	leave(c)
	w.clock.at.Add(int64(11 * time.Minute / time.Millisecond))
	if e := try(object{"session_id": id}); e["type"] != "session.error" {
		t.Errorf("much later: %s", text(e))
	}
	c, created = w.session(nil)
	c.send("session.end", nil)
	for c.next() != nil {
		continue
	}
	wait(t, "the connection is gone", func() bool { return w.uamp.Connections() == 0 })
	if e := try(object{"session_id": at(created, "session", "id")}); e["type"] != "session.error" {
		t.Errorf("after its end: %s", text(e))
	}
}

// Several sessions on one connection, each with its own conversation.
func TestMultiplex(t *testing.T) {
	w := open(t, parrot)
	c, created := w.session(nil)
	one := at(created, "session", "id")
	c.send("session.create", object{"session_id": "mine"})
	if e := c.wants("session.created"); e["session_id"] != "mine" || at(e, "session", "id") != "mine" {
		t.Errorf("the second: %s", text(e))
	}
	c.wants("capabilities")
	c.send("input.text", object{"text": "whose?"})
	if e := c.wants("response.error"); at(e, "error", "code") != "session_required" {
		t.Errorf("without session_id: %s", text(e))
	}
	c.send("input.text", object{"text": "x", "session_id": "sess_none"})
	if e := c.wants("response.error"); at(e, "error", "code") != "session_not_found" {
		t.Errorf("of none: %s", text(e))
	}
	c.send("session.create", object{"session_id": "mine"})
	if e := c.wants("session.error"); e["session_id"] != "mine" {
		t.Errorf("twice: %s", text(e))
	}
	for _, id := range []any{one, "mine"} {
		c.send("input.text", object{"text": "to " + id.(string), "session_id": id})
		c.send("response.create", object{"session_id": id})
		for {
			e := c.next()
			if e["session_id"] != id {
				t.Fatalf("an event of %v: %s", id, text(e))
			}
			if e["type"] == "response.done" {
				if at(e, "response", "output", 0, "text") != "you said to "+id.(string) {
					t.Errorf("%s", text(e))
				}
				break
			}
		}
	}
	c.send("session.end", object{"session_id": one})
	c.send("ping", nil) // of the connection
	if e := c.wants("pong"); e["session_id"] != nil {
		t.Errorf("a ping of nobody's: %s", text(e))
	}
	c.send("ping", object{"session_id": "mine"})
	c.wants("pong")
	for range 15 {
		c.send("session.create", nil)
		c.wants("session.created")
		c.wants("capabilities")
	}
	c.send("session.create", nil)
	if e := c.wants("session.error"); at(e, "error", "code") != "rate_limited" {
		t.Errorf("too many: %s", text(e))
	}
}

var price = func() *contract.Error {
	e := contract.Errorf(contract.PaymentTokenRequired, "this costs 0.02")
	e.Details = contract.PaymentFailure{Accepts: []contract.PaymentAccept{{Scheme: "token", Network: "robutler", Amount: "0.02", MaxAmountRequired: "0.02"}}}
	return e
}

// paid answers who has the token "good".
func paid(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
	for _, token := range req.Tokens {
		if token == "good" {
			return parrot(ctx, req, emit)
		}
	}
	return model.TurnResult{}, price()
}

var tokens = purse{
	"good": {Valid: true, Balance: contract.Credit}, "poor": {Valid: true, Balance: 1},
	"old": {Reason: "the token has expired", Subcode: contract.SubTokenExpired},
}

func TestPayment(t *testing.T) {
	w := open(t, paid, func(c *uamp.Config) { c.Payments = tokens })
	c, _ := w.session(nil)
	c.send("input.text", object{"text": "please"})
	c.send("response.create", nil)
	id := c.wants("response.created")["response_id"]
	e := c.wants("payment.required")
	if e["response_id"] != id || at(e, "requirements", "amount") != "0.02" || at(e, "requirements", "currency") != "USD" || at(e, "requirements", "schemes", 0, "scheme") != "token" ||
		at(e, "requirements", "reason") != "llm_usage" || at(e, "requirements", "expires_at") == nil {
		t.Errorf("required: %s", text(e))
	}
	for token, code := range map[string]string{"old": "token_expired", "none": "token_invalid"} {
		c.send("payment.submit", object{"payment": object{"scheme": "token", "token": token}})
		if e := c.wants("payment.error"); e["code"] != code || e["can_retry"] != true {
			t.Errorf("%s: %s", token, text(e))
		}
	}
	c.send("payment.submit", object{"payment": object{"scheme": "token", "amount": "0.02", "token": "good"}})
	if e := c.wants("payment.accepted"); !strings.HasPrefix(e["payment_id"].(string), "pay_") || e["balance_remaining"] != "1" {
		t.Errorf("accepted: %s", text(e))
	}
	done, _ := c.until("response.done")
	if done["response_id"] != id || at(done, "response", "output", 0, "text") != "you said please" {
		t.Errorf("done: %s", text(done))
	}
	// The session keeps the token.
	c.ask("again")

	// One that was sent before is used without a question; what is left is told.
	c, _ = w.session(object{"payment_token": "good"})
	c.ask("at once")
	if e := c.wants("payment.balance"); e["balance"] != "1" || e["currency"] != "USD" {
		t.Errorf("balance: %s", text(e))
	}
	c, _ = w.session(nil, "X-PAYMENT", "good")
	c.ask("by header")

	// A token that counts but is not enough is asked for once.
	c, _ = w.session(object{"payment_token": "poor"})
	c.send("input.text", object{"text": "please"})
	c.send("response.create", nil)
	c.until("payment.required")
	c.send("payment.submit", object{"payment": object{"token": "poor"}})
	e, kinds := c.until("response.error")
	if kinds != "payment.accepted payment.error response.error" || at(e, "error", "code") != "payment_failed" {
		t.Errorf("%s: %s", kinds, text(e))
	}

	// Cancelled while it waits.
	c, _ = w.session(nil)
	c.send("input.text", object{"text": "please"})
	c.send("response.create", nil)
	c.until("payment.required")
	c.send("response.cancel", nil)
	c.wants("response.cancelled")
}

func TestPaymentThatNeverComes(t *testing.T) {
	w := open(t, paid, func(c *uamp.Config) { c.Payments, c.PayWithin = tokens, time.Millisecond })
	c, _ := w.session(nil)
	c.send("input.text", object{"text": "please"})
	c.send("response.create", nil)
	if e, _ := c.until("response.error"); at(e, "error", "code") != "payment_timeout" {
		t.Errorf("%s", text(e))
	}
}

func TestConnections(t *testing.T) {
	w := open(t, parrot, func(c *uamp.Config) { c.PingEvery = 5 * time.Millisecond })
	c, _ := w.session(nil)
	pings := make(chan struct{}, 1)
	answer := c.ws.PingHandler()
	c.ws.SetPingHandler(func(data string) error {
		select {
		case pings <- struct{}{}:
		default:
		}
		return answer(data)
	})
	for pinged := false; !pinged; {
		c.send("ping", nil)
		c.wants("pong") // a ping of the server's is read on the way
		select {
		case <-pings:
			pinged = true
		default:
		}
	}

	for _, bad := range []string{"{", "[1]", `"x"`, "{}", `{"type":1}`} {
		if err := c.ws.WriteMessage(websocket.TextMessage, []byte(bad)); err != nil {
			t.Fatal(err)
		}
		c.wants("response.error")
	}
	if err := c.ws.WriteMessage(websocket.BinaryMessage, []byte(`{"type":"ping"}`)); err != nil {
		t.Fatal(err)
	}
	c.wants("response.error")
	if err := c.ws.WriteMessage(websocket.TextMessage, []byte(strings.Repeat("x", 8<<20+1))); err != nil {
		t.Fatal(err)
	}
	for c.next() != nil {
		continue
	}

	c, _ = w.session(nil)
	w.uamp.Close()
	_, _, err := c.ws.ReadMessage()
	if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("the platform's end: %v", err)
	}
	if _, res, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(w.url, "http")+"/uamp", nil); err == nil || res.StatusCode != 503 {
		t.Errorf("after the end: %v", err)
	}

	w = open(t, parrot, func(c *uamp.Config) { c.Greet = time.Millisecond })
	_, _, err = w.dial().ws.ReadMessage()
	if !websocket.IsCloseError(err, websocket.ClosePolicyViolation) {
		t.Errorf("without a session: %v", err)
	}
}
