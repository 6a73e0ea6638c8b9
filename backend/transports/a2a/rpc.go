package a2a

import (
	"encoding/json"
	"mime"
	"net/http"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/model"
	"benchtop/backend/tasks"
	"benchtop/backend/transports/answer"
	"benchtop/backend/transports/sse"
)

// rpcRequest is a request of JSON-RPC 2.0.
type rpcRequest struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// rpcAnswer is its answer: Result or Error.
type rpcAnswer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    []any  `json:"data,omitempty"`
}

// method is one method of the protocol. One of its functions is there.
type method struct {
	form   form
	result func(t *Transport, c call, params json.RawMessage) (any, error)
	stream func(t *Transport, c call, params json.RawMessage, to *streamer) error
}

// methods is the table of them. The names of 0.3 are also those by which some
// clients call 1.0: they mean that when they name its version.
var methods = map[string]method{
	"SendMessage":          {newForm, send, nil},
	"SendStreamingMessage": {newForm, nil, sendStream},
	"GetTask":              {newForm, get, nil},
	"ListTasks":            {newForm, list, nil},
	"CancelTask":           {newForm, cancel, nil},
	"SubscribeToTask":      {newForm, nil, subscribe},
	"GetExtendedAgentCard": {newForm, extendedCard, nil},

	"CreateTaskPushNotificationConfig": {newForm, push, nil},
	"GetTaskPushNotificationConfig":    {newForm, push, nil},
	"ListTaskPushNotificationConfigs":  {newForm, push, nil},
	"DeleteTaskPushNotificationConfig": {newForm, push, nil},

	"message/send":                        {oldForm, send, nil},
	"message/stream":                      {oldForm, nil, sendStream},
	"tasks/get":                           {oldForm, get, nil},
	"tasks/list":                          {oldForm, list, nil},
	"tasks/cancel":                        {oldForm, cancel, nil},
	"tasks/resubscribe":                   {oldForm, nil, subscribe},
	"tasks/pushNotificationConfig/set":    {oldForm, push, nil},
	"tasks/pushNotificationConfig/get":    {oldForm, push, nil},
	"tasks/pushNotificationConfig/list":   {oldForm, push, nil},
	"tasks/pushNotificationConfig/delete": {oldForm, push, nil},
	"agent/getAuthenticatedExtendedCard":  {oldForm, extendedCard, nil},

	"tasks/send":          {firstForm, send, nil},
	"tasks/sendSubscribe": {firstForm, nil, sendStream},
}

// versionHeader says which version of the protocol a client speaks.
const versionHeader = "A2A-Version"

// version reads the client's version; named is false when it says none.
func version(r *http.Request) (v string, named bool) {
	if v = r.Header.Get(versionHeader); v == "" {
		v = r.URL.Query().Get(versionHeader)
	}
	return v, v != ""
}

func isNew(v string) bool { return v == "1.0" || v == "1.0.0" || v == "1" }

// earlier are the versions before that are written in oldForm.
func isEarlier(v string) bool {
	switch v {
	case "0.2", "0.2.0", "0.2.1", "0.2.5", "0.2.6", "0.3", "0.3.0":
		return true
	}
	return false
}

// method finds a request's method and the form that it is answered in.
func (t *Transport) method(r *http.Request, name string) (method, error) {
	v, named := version(r)
	m, ok := methods[name]
	legacy := t.cfg.Legacy()
	if named && !isNew(v) && (!legacy || !isEarlier(v) || ok && m.form == newForm) {
		return m, faultf(versionNotServed, "version %.40q of the protocol is not served by this method; 1.0 is", v)
	}
	if ok && m.form == firstForm && (!legacy || isNew(v)) {
		ok = false
	}
	if !ok {
		return m, faultf(methodNotFound, "there is no method %.80q", name)
	}
	if m.form == oldForm && (isNew(v) || !legacy) {
		m.form = newForm
	}
	return m, nil
}

// rpc serves POST /a2a.
func (t *Transport) rpc(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	if !admit(w, r, a) {
		return
	}
	id := json.RawMessage("null")
	fail := func(err error) {
		f := t.faultOf(err)
		status := http.StatusOK
		if f.code == parseError.code || f.http == http.StatusUnsupportedMediaType {
			status = f.http
		}
		write(w, "application/json", status, rpcAnswer{Version: "2.0", ID: id, Error: &rpcError{f.code, f.message, f.details()}})
	}
	if err := checkMedia(r); err != nil {
		fail(err)
		return
	}
	body, err := readBody(w, r)
	if err != nil {
		fail(err)
		return
	}
	if !json.Valid(body) {
		fail(faultf(parseError, "the body is not valid JSON"))
		return
	}
	var req rpcRequest
	err = json.Unmarshal(body, &req)
	if validID(req.ID) {
		id = req.ID
	}
	if err != nil || req.Version != "2.0" || req.Method == "" || !validID(req.ID) {
		fail(faultf(invalidRequest, `the body is one request of JSON-RPC 2.0: {"jsonrpc": "2.0", "id": 1, "method": …, "params": {…}}`))
		return
	}
	m, err := t.method(r, req.Method)
	if err != nil {
		fail(err)
		return
	}
	c := t.call(r, a)
	c.form = m.form
	if m.result != nil {
		result, err := m.result(t, c, req.Params)
		if err != nil {
			fail(err)
			return
		}
		write(w, "application/json", http.StatusOK, rpcAnswer{Version: "2.0", ID: id, Result: result})
		return
	}
	to := &streamer{out: sse.New(w), form: m.form, wrap: func(v any) any { return rpcAnswer{Version: "2.0", ID: id, Result: v} }}
	if err := m.stream(t, c, req.Params, to); err != nil && !to.out.Begun() {
		fail(err)
	}
}

func validID(id json.RawMessage) bool {
	if len(id) == 0 || len(id) > 256 {
		return false
	}
	return id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9'
}

// admit answers whoever may not talk to the agent.
func admit(w http.ResponseWriter, r *http.Request, a agents.Agent) bool {
	err := model.Admit(a, auth.CallerOf(r.Context()))
	if err != nil {
		answer.Fail(w, err)
	}
	return err == nil
}

// readBody reads a request's JSON; it may be empty.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	b, err := agenthttp.ReadBody(w, r, contract.MaxBodyBytes)
	if e := contract.AsError(err); e != nil {
		return nil, faultf(invalidRequest, "%s", e.Message)
	}
	if len(b) > 0 {
		return b, checkMedia(r)
	}
	return b, nil
}

// checkMedia refuses a body that is not said to be JSON (spec 7.2).
func checkMedia(r *http.Request) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/json" && media != restMedia {
		return faultf(wrongMedia, "send Content-Type: application/json or application/a2a+json")
	}
	return nil
}

func write(w http.ResponseWriter, mediaType string, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil { // what a client sent is kept as valid JSON
		status, b = http.StatusInternalServerError, []byte("{}")
	}
	h := w.Header()
	h.Set("Content-Type", mediaType)
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(status)
	_, _ = w.Write(b) // who has hung up cannot be told
}

// streamer sends the elements of a stream.
type streamer struct {
	out  *sse.Stream
	form form
	wrap func(any) any
}

func (s *streamer) send(v any) error {
	b, err := json.Marshal(s.wrap(v))
	if err != nil {
		return err
	}
	return s.out.Send("", b)
}

func (s *streamer) follow(c call, r *run, fromStart bool, history *int) error {
	return r.follow(c.ctx, follower{
		fromStart: fromStart,
		first: func(task tasks.Task) error {
			if s.form == newForm {
				return s.send(map[string]any{"task": s.form.task(task, history)})
			}
			return s.send(s.form.task(task, history))
		},
		each:   func(task tasks.Task, u update) error { return s.send(s.form.update(task, u)) },
		silent: s.out.Comment,
	})
}
