package contract

import "slices"

// Kinds of what a custom endpoint serves.
const (
	EndpointHTTP = "http" // an answer, or a stream when the handler returns one
	EndpointSSE  = "sse"  // an event stream, by its content_type
	EndpointWS   = "ws"   // a WebSocket
)

// AgentEndpointList answers GET /api/local/agents/<agent>/endpoints. Problems are
// of entries that do not serve.
type AgentEndpointList struct {
	Endpoints []AgentEndpoint `json:"endpoints"`
	Problems  []Problem       `json:"problems"`
	Routes    []AgentRoute    `json:"routes"`
}

// AgentEndpoint is an entry under endpoints in AGENT.md, spec 2.8. Price is in
// dollars, exact; empty: none. Problems say why the last good version serves.
type AgentEndpoint struct {
	ID          string    `json:"id"` // such as "GET /users/{id}"
	Method      string    `json:"method"`
	Path        string    `json:"path"`
	Kind        string    `json:"kind"` // http, sse or ws
	Scopes      []string  `json:"scopes"`
	Handler     string    `json:"handler"` // endpoints/users.js#getUser
	Enabled     bool      `json:"enabled"`
	Provides    string    `json:"provides,omitempty"`
	Description string    `json:"description,omitempty"`
	ContentType string    `json:"contentType,omitempty"`
	Price       string    `json:"price,omitempty"`
	Protocols   []string  `json:"protocols,omitempty"`
	Parameters  RawJSON   `json:"parameters,omitempty"` // JSON Schema of its arguments
	Address     string    `json:"address"`              // in full, http or ws
	Problems    []Problem `json:"problems,omitempty"`
}

// Provides are the names that the endpoints add to the agent's capabilities.
func (l AgentEndpointList) Provides() (names []string) {
	for _, e := range l.Endpoints {
		if e.Enabled && e.Provides != "" && !slices.Contains(names, e.Provides) {
			names = append(names, e.Provides)
		}
	}
	return names
}

// AgentRoute is one of everything that an agent answers. Kind is custom_http,
// endpoint, or the name of a transport. An empty Method takes every one. Default
// ones are there for every agent, and give way to an answer of its own.
type AgentRoute struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Kind   string `json:"kind"`
	ID     string `json:"id,omitempty"`

	Default bool `json:"default,omitempty"`
}
