// Package consumers owns what makes functions reachable: the entries of an
// agent's skills custom_tools, custom_http and cron, their rules, how a request
// finds its endpoint and when a schedule fires (contract.md 2.6, decisions.md 8
// to 10). Where the entries are written down is not its business: AGENT.md for
// an agent with a folder, the store for one without.
package consumers

import (
	"context"
	"encoding/json"

	"benchtop/backend/contract"
	"benchtop/backend/schema"
)

// Entry is one entry of a skill. It is immutable. Exactly one of Tool, Endpoint
// and Schedule is set, by Skill. JSON is the entry as its author wrote it.
type Entry struct {
	Skill       string
	ID          string
	Use         string // the function
	Enabled     bool
	Description string
	JSON        json.RawMessage

	Tool     *Tool
	Endpoint *Endpoint
	Schedule *Schedule
}

// Tool is what custom_tools offers to a model. Parameters is its own JSON
// Schema; nil leaves it to the function's.
type Tool struct {
	Name       string
	Parameters json.RawMessage
	schema     *schema.Schema
}

// Check holds arguments against the tool's own schema; without one everything
// fits.
func (t *Tool) Check(args json.RawMessage) []contract.Problem { return t.schema.Validate(args) }

// Auth modes of an endpoint, contract.md 2.6: who checks the caller.
const (
	AuthPublic    = "public"          // nobody
	AuthSignature = "signature"       // the function, by ctx.portal.verifyHmac
	AuthSession   = "session"         // the owner, nobody else
	AuthVisitor   = "visitor_session" // anybody; who is signed in is known
	AuthPortal    = "portal_token"    // a portal token as bearer
)

var authModes = []string{AuthPublic, AuthSignature, AuthSession, AuthVisitor, AuthPortal}

// Endpoint is what custom_http serves. A limit of 0 is the default.
type Endpoint struct {
	Method        string
	Path          string // a template such as /orders/:id
	Auth          string
	TimeoutMs     int
	BodyLimit     int64           // bytes of a request
	ResponseLimit int64           // bytes of an answer's body
	Price         contract.Amount // of one request; 0 is free
	Widget        bool            // may be framed by the platform
	segments      []segment
}

// Schedule is when cron calls.
type Schedule struct{ Timetable }

// UsedBy is how a listing names the entry, spec 2.1.
func (e *Entry) UsedBy() contract.UsedBy {
	u := contract.UsedBy{Skill: e.Skill, EntryID: e.ID}
	switch {
	case e.Tool != nil:
		u.Description = e.Tool.Name
	case e.Endpoint != nil:
		u.Description = e.Endpoint.Method + " " + e.Endpoint.Path
	case e.Schedule != nil:
		u.Description = e.Schedule.Sentence()
	}
	return u
}

// Stored is an entry as a store keeps it. Position orders the entries of one
// agent from 0.
type Stored struct {
	AgentID  string
	Position int
	Skill    string
	EntryID  string
	JSON     json.RawMessage
}

// Store keeps entries. Writes are durable when they return.
type Store interface {
	// ListConsumers gives all entries, each agent's in order.
	ListConsumers(ctx context.Context) ([]Stored, error)
	// ReplaceConsumers makes these the only entries of an agent, all or none.
	ReplaceConsumers(ctx context.Context, agentID string, all []Stored) error
}
