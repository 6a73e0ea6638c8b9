package a2a

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"benchtop/backend/agents"
	"benchtop/backend/transports/sse"
)

// restMedia is the content type of the REST form.
const restMedia = "application/a2a+json"

// restCall is one request of the REST form: params gives the parameters of the
// method that answers it.
type restCall struct {
	method string
	params func(r *http.Request, body []byte) (json.RawMessage, error)
}

var (
	restSend   = restCall{"SendMessage", bodyParams}
	restStream = restCall{"SendStreamingMessage", bodyParams}
	restGet    = restCall{"GetTask", func(r *http.Request, _ []byte) (json.RawMessage, error) {
		return queryParams(r, map[string]any{"id": r.PathValue("id")}, "historyLength")
	}}
	restList = restCall{"ListTasks", func(r *http.Request, _ []byte) (json.RawMessage, error) {
		return queryParams(r, map[string]any{}, "contextId", "status", "pageSize", "pageToken", "historyLength", "statusTimestampAfter", "includeArtifacts")
	}}
	restCancel       = restCall{"CancelTask", idOfPath}
	restSubscribe    = restCall{"SubscribeToTask", idOfPath}
	restPush         = restCall{"GetTaskPushNotificationConfig", idOfPath}
	restExtendedCard = restCall{"GetExtendedAgentCard", idOfPath}
)

func bodyParams(_ *http.Request, body []byte) (json.RawMessage, error) {
	if !json.Valid(body) {
		return nil, faultf(parseError, "the body is not valid JSON")
	}
	return body, nil
}

func idOfPath(r *http.Request, _ []byte) (json.RawMessage, error) {
	return json.Marshal(map[string]string{"id": r.PathValue("id")})
}

// queryParams adds the named parameters of the query to members.
func queryParams(r *http.Request, members map[string]any, names ...string) (json.RawMessage, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, faultf(invalidParams, "the query has a %% that begins no escape")
	}
	for _, name := range names {
		text := query.Get(name)
		if text == "" {
			continue
		}
		switch name {
		case "pageSize", "historyLength":
			n, err := strconv.Atoi(text)
			if err != nil {
				return nil, faultf(invalidParams, "%s is a number, not %.40q", name, text)
			}
			members[name] = n
		case "includeArtifacts":
			b, err := strconv.ParseBool(text)
			if err != nil {
				return nil, faultf(invalidParams, "%s is true or false, not %.40q", name, text)
			}
			members[name] = b
		default:
			members[name] = text
		}
	}
	return json.Marshal(members)
}

// rest serves one address of the REST form, which 1.0 brought.
func (t *Transport) rest(rc restCall) func(http.ResponseWriter, *http.Request, agents.Agent) {
	return func(w http.ResponseWriter, r *http.Request, a agents.Agent) {
		if !admit(w, r, a) {
			return
		}
		fail := func(err error) {
			f := t.faultOf(err)
			write(w, restMedia, f.http, map[string]any{"error": map[string]any{
				"code": f.http, "status": f.status, "message": f.message, "details": f.details(),
			}})
		}
		m, err := t.method(r, rc.method)
		var body []byte
		if err == nil {
			body, err = readBody(w, r)
		}
		var params json.RawMessage
		if err == nil {
			params, err = rc.params(r, body)
		}
		if err != nil {
			fail(err)
			return
		}
		c := t.call(r, a)
		if m.result != nil {
			result, err := m.result(t, c, params)
			if err != nil {
				fail(err)
				return
			}
			write(w, restMedia, http.StatusOK, result)
			return
		}
		to := &streamer{out: sse.New(w), wrap: func(v any) any { return v }}
		if err := m.stream(t, c, params, to); err != nil && !to.out.Begun() {
			fail(err)
		}
	}
}
