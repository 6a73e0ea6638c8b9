package hostapi

import (
	"strconv"

	"benchtop/backend/worker/sandbox"
	"benchtop/backend/worker/wire"
)

// Members is ctx: the run's data, and what the modules of this package export,
// in the order of the hosted platform (contract.md 4.7).
func (s *Session) Members() []sandbox.Member {
	list := make([]sandbox.Member, len(layout), len(layout)+len(endpointLayout))
	copy(list, layout)
	if s.run.Endpoint != "" {
		list = append(list, endpointLayout...)
		if s.run.Endpoint != wire.EndpointSocket {
			list = list[:len(list)-1]
		}
	}
	sandbox.Fields(s.run.Context, func(name string, raw []byte) {
		if name == "request" {
			s.request = raw
			if !s.run.Permissions.RawBody {
				s.request = withoutRawBody(raw)
			}
			return
		}
		for i := range list {
			if list[i].Name == name && list[i].Module == "" {
				list[i].JSON = raw
			}
		}
	})
	return list
}

var layout = []sandbox.Member{
	{Name: "source"}, {Name: "request", Module: "request"}, {Name: "schedule"}, {Name: "toolCall"}, {Name: "auth"}, {Name: "limits"},
	{Name: "fetch", Module: "fetch"},
	{Name: "secrets", Module: "calls"}, {Name: "kv", Module: "calls"}, {Name: "content", Module: "calls"},
	{Name: "folders", Module: "calls"}, {Name: "fn", Module: "calls"}, {Name: "portal", Module: "calls"},
	{Name: "log", Module: "log"}, {Name: "emit", Module: "emit"}, {Name: "metadata"},
}

// endpointLayout is what a handler of a custom endpoint has beside: its bound
// arguments, the agent's own model, and the other end of a WebSocket.
var endpointLayout = []sandbox.Member{{Name: "args"}, {Name: "agent", Module: "endpoint"}, {Name: "socket", Module: "endpoint"}}

// withoutRawBody takes the bytes away from a function whose manifest does not
// ask for them.
func withoutRawBody(request []byte) []byte {
	out := []byte{'{'}
	sandbox.Fields(request, func(name string, raw []byte) {
		if name == "rawBodyB64" {
			return
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(strconv.AppendQuote(out, name), ':')
		out = append(out, raw...)
	})
	return append(out, '}')
}
