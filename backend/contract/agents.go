package contract

import (
	"encoding/json"
	"time"
)

// RawJSON is a JSON text kept as it came.
type RawJSON = json.RawMessage

// Agent is an element of GET /api/agents (a bare array).
type Agent struct {
	ID           string    `json:"id"`
	Username     string    `json:"username"`
	Name         string    `json:"name"`
	Description  string    `json:"description"`
	Instructions string    `json:"instructions"`
	Model        string    `json:"model"`
	IsPublic     bool      `json:"isPublic"`
	AgentURL     string    `json:"agentUrl"`
	Folder       string    `json:"folder,omitempty"` // absolute path of its project folder
	CreatedAt    time.Time `json:"createdAt"`

	Settings AgentSettings `json:"settings"`
	Provides []string      `json:"provides,omitempty"` // what its custom endpoints add to its capabilities
}

// CreateAgentRequest is the body of POST /api/agents. Username defaults to the
// slug of Name. The settings are written as in AGENT.md (decisions.md 10).
type CreateAgentRequest struct {
	Name         string `json:"name"`
	Username     string `json:"username,omitempty"`
	Description  string `json:"description,omitempty"`
	Instructions string `json:"instructions,omitempty"`
	Model        string `json:"model,omitempty"` // a name, or an object as text

	Visibility        string  `json:"visibility,omitempty"`
	Transports        RawJSON `json:"transports,omitempty"`
	CommissionPercent RawJSON `json:"commission_percent,omitempty"`
	ToolPricing       RawJSON `json:"toolPricing,omitempty"`
}

// ChangeAgentRequest is the body of PATCH /api/agents/<a>, for an agent without a
// project folder: what is absent stays, and a null setting has its default again.
type ChangeAgentRequest struct {
	Name         *string `json:"name,omitempty"`
	Username     *string `json:"username,omitempty"`
	Description  *string `json:"description,omitempty"`
	Instructions *string `json:"instructions,omitempty"`
	Model        *string `json:"model,omitempty"`

	Visibility        RawJSON `json:"visibility,omitempty"`
	Transports        RawJSON `json:"transports,omitempty"`
	CommissionPercent RawJSON `json:"commission_percent,omitempty"`
	ToolPricing       RawJSON `json:"toolPricing,omitempty"`
}

// SessionRequest is the body of POST /api/auth/session: one of the two.
type SessionRequest struct {
	Code string `json:"code,omitempty"`
	Key  string `json:"key,omitempty"`
}

// Session answers GET and POST /api/auth/session.
type Session struct {
	Authenticated bool   `json:"authenticated"`
	Kind          string `json:"kind"` // owner, portal, agent, admin, visitor, anonymous
	UserID        string `json:"userId,omitempty"`
	AgentID       string `json:"agentId,omitempty"` // of a credential bound to one
	DataID        string `json:"dataId"`
}

// Boot is /boot.json: how the page reaches the platform. Token is there in the
// window only.
type Boot struct {
	Mode    string `json:"mode"` // window, browser
	API     string `json:"api"`
	Token   string `json:"token,omitempty"`
	Version string `json:"version"`
	DataID  string `json:"dataId"`
}
