package agenthttp

import (
	"net/http"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/endpoints"
)

// Transport is a protocol that agents speak below their own address, spec 4.6.
// It serves the agents whose AGENT.md lists its name under transports, or every
// agent when it is Always there. A path of an agent has one answer: an entry of
// custom_http or of endpoints on the same method and path is refused; but it comes
// before what is Always there.
type Transport struct {
	Name   string
	Always bool
	Routes []Route
}

// Route is one address of a transport. Path is a template below the agent's own
// address, such as /v1/models or /tasks/{id}: {name} stands for a segment,
// {name}:verb for one that ends in :verb, {name...} for all that follows; the
// request has the values as PathValue. An empty Method takes every one; GET
// answers HEAD, too. Serve finds the caller by auth.CallerOf and has not been
// refused anything: who may call is the transport's own question. OPTIONS, 404
// and 405 are answered before.
type Route struct {
	Method string
	Path   string
	Serve  func(w http.ResponseWriter, r *http.Request, a agents.Agent)
}

// mounted is a Route with its template parsed.
type mounted struct {
	Route
	transport *Transport
	template  endpoints.Template
}

// mount parses the templates of all transports. They come from the program's own
// table, so one that does not parse is a mistake in the program.
func mount(transports []Transport) []mounted {
	var all []mounted
	for i := range transports {
		t := &transports[i]
		for _, r := range t.Routes {
			template, err := endpoints.ParseTemplate(r.Path)
			if err != nil {
				panic("transport " + t.Name + ": " + err.Message)
			}
			all = append(all, mounted{Route: r, transport: t, template: template})
		}
	}
	return all
}

// serves reports whether a transport is there for an agent.
func (s *Server) serves(t *Transport, a agents.Agent) bool {
	return t.Always || s.cfg.Listed != nil && s.cfg.Listed(a, t.Name)
}

// transport finds the route of a transport for a method and the segments of a
// path. Without one, allowed are the methods that the path has.
func (s *Server) transport(a agents.Agent, method string, segments []string) (best *mounted, allowed []string) {
	for i := range s.mounted {
		m := &s.mounted[i]
		if !m.template.Matches(segments) || !s.serves(m.transport, a) {
			continue
		}
		if m.Method != "" {
			allowed = append(allowed, m.Method)
		}
		if m.Method != "" && m.Method != method && (method != http.MethodHead || m.Method != http.MethodGet) {
			continue
		}
		if best == nil || m.template.Before(best.template) || best.transport.Always && !m.transport.Always && !best.template.Before(m.template) {
			best = m
		}
	}
	return best, allowed
}

// run serves a request by a transport's route.
func (m *mounted) run(w http.ResponseWriter, r *http.Request, a agents.Agent, segments []string) {
	for name, value := range m.template.Values(segments) {
		r.SetPathValue(name, value)
	}
	m.Serve(w, r, a)
}

// Routes gives everything that an agent answers: what may not have the same
// method and path twice.
func (s *Server) Routes(a agents.Agent) []contract.AgentRoute {
	out := []contract.AgentRoute{}
	for _, e := range s.cfg.Consumers.Of(a.ID).Endpoints() {
		out = append(out, contract.AgentRoute{Method: e.Endpoint.Method, Path: e.Endpoint.Path, Kind: contract.SkillHTTP, ID: e.ID})
	}
	if s.cfg.Endpoints != nil {
		for _, e := range s.cfg.Endpoints.Of(a.ID).Entries {
			if e.Enabled {
				out = append(out, contract.AgentRoute{Method: e.Method, Path: e.Path, Kind: contract.SkillEndpoint, ID: e.ID})
			}
		}
	}
	for i := range s.mounted {
		if m := &s.mounted[i]; s.serves(m.transport, a) {
			out = append(out, contract.AgentRoute{Method: m.Method, Path: m.Path, Kind: m.transport.Name, Default: m.transport.Always})
		}
	}
	return out
}
