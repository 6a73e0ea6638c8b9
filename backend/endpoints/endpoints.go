// Package endpoints owns what an agent serves by modules of its own: the entries
// under endpoints in AGENT.md, their rules, and how a request finds its answer
// (spec 2.8 and 4.5, contract.md 6, decisions.md 10).
package endpoints

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"sync"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
	"benchtop/backend/schema"
)

// Entry is one endpoint. It is immutable.
type Entry struct {
	ID          string // "GET /users/{id}", "WS /live"
	Method      string // upper case; GET for a WebSocket
	Path        string // as its author wrote it
	Template    Template
	Socket      bool
	Scopes      []string // all, owner, admin; none lets nobody in
	Provides    string
	Description string
	ContentType string
	Protocols   []string // of a WebSocket, the preferred one first
	Price       string   // dollars, an exact decimal above 0; empty: none
	AnyBody     bool     // takes a body of any type
	Parameters  []Parameter
	Schema      json.RawMessage // of the parameters; nil without
	schema      *schema.Schema
	Enabled     bool
	Module      string // endpoints/users.js
	Export      string // getUser; empty: the default one
	Manifest    manifest.Manifest
	Own         bool // AGENT.md says what the handler may do
	Source      string
	SHA256      string             // of Source
	Warnings    []contract.Problem // of the source
	Problems    []contract.Problem // why an earlier source serves
}

// Parameter is an argument that is bound by name. Type is one of JSON Schema's.
type Parameter struct{ Name, Type string }

// Handler names module and function, as AGENT.md does.
func (e *Entry) Handler() string {
	if e.Export == "" {
		return e.Module
	}
	return e.Module + "#" + e.Export
}

// Serve lets the entry go on with what another one loaded: its module as it was.
// It is for whoever has just checked the entry, before anybody else sees it.
func (e *Entry) Serve(before *Entry, problems []contract.Problem) {
	e.Module, e.Export, e.Source, e.SHA256 = before.Module, before.Export, before.Source, before.SHA256
	e.Manifest.Entrypoint = before.Manifest.Entrypoint
	e.Warnings, e.Problems = before.Warnings, problems
}

// Check holds arguments against the declared parameters; without any, everything
// fits.
func (e *Entry) Check(args json.RawMessage) []contract.Problem { return e.schema.Validate(args) }

// Streams reports whether the entry says of itself that it sends an event stream.
func (e *Entry) Streams() bool { return mediaType(e.ContentType) == "text/event-stream" }

// Kind is what the endpoint serves, by its own word.
func (e *Entry) Kind() string {
	switch {
	case e.Socket:
		return contract.EndpointWS
	case e.Streams():
		return contract.EndpointSSE
	}
	return contract.EndpointHTTP
}

// Set is all endpoints of one agent. It is immutable.
type Set struct {
	Entries  []*Entry           // in the author's order
	Problems []contract.Problem // of entries that do not serve, and warnings
}

var nothing = &Set{}

// Match finds the endpoint for a method and the segments of a path; socket asks
// for a WebSocket. Where several templates match, the one that is literal
// earliest counts. A HEAD is answered by the GET. Without an endpoint, allowed
// are the methods that the path has; upgrade says that it has a WebSocket only.
func (s *Set) Match(method string, segments []string, socket bool) (best *Entry, allowed []string, upgrade bool) {
	for _, e := range s.Entries {
		if !e.Enabled || !e.Template.Matches(segments) {
			continue
		}
		if e.Socket != socket {
			if e.Socket {
				upgrade = true
			} else {
				allowed = append(allowed, e.Method)
			}
			continue
		}
		if !e.Socket {
			allowed = append(allowed, e.Method)
		}
		if e.Method != method && (method != http.MethodHead || e.Method != http.MethodGet) {
			continue
		}
		if best == nil || e.Template.Before(best.Template) || !best.Template.Before(e.Template) && e.Method == method && best.Method != method {
			best = e
		}
	}
	return best, allowed, upgrade && len(allowed) == 0
}

// Provides are the capabilities that the endpoints add, in order and once each.
func (s *Set) Provides() []string {
	out := []string{}
	for _, e := range s.Entries {
		if e.Enabled && e.Provides != "" && !slices.Contains(out, e.Provides) {
			out = append(out, e.Provides)
		}
	}
	return out
}

// Entry finds an entry by its id.
func (s *Set) Entry(id string) (*Entry, bool) {
	i := slices.IndexFunc(s.Entries, func(e *Entry) bool { return e.ID == id })
	if i < 0 {
		return nil, false
	}
	return s.Entries[i], true
}

// Endpoints are those of every agent. They live in AGENT.md and the agents'
// folders, which are read whenever the platform starts, so nothing is stored.
type Endpoints struct {
	mu   sync.RWMutex
	sets map[string]*Set
}

// New has none yet.
func New() *Endpoints { return &Endpoints{sets: map[string]*Set{}} }

// Of gives the endpoints of an agent; never nil.
func (es *Endpoints) Of(agentID string) *Set {
	es.mu.RLock()
	defer es.mu.RUnlock()
	if s, ok := es.sets[agentID]; ok {
		return s
	}
	return nothing
}

// Replace makes these the endpoints of an agent and reports whether that changes
// anything.
func (es *Endpoints) Replace(agentID string, s *Set) bool {
	es.mu.Lock()
	defer es.mu.Unlock()
	before, ok := es.sets[agentID]
	if !ok {
		before = nothing
	}
	es.sets[agentID] = s
	return !same(before, s)
}

// same compares what was written; the rest follows from it.
func same(a, b *Set) bool {
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}
