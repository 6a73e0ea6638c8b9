package a2a

import (
	"encoding/json"
	"net/http"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/model"
)

// JSON of the card of 1.0.
type (
	agentCard struct {
		Name                 string                  `json:"name"`
		Description          string                  `json:"description"`
		SupportedInterfaces  []agentInterface        `json:"supportedInterfaces"`
		Version              string                  `json:"version"`
		Capabilities         capabilities            `json:"capabilities"`
		SecuritySchemes      map[string]any          `json:"securitySchemes"`
		SecurityRequirements []map[string]schemeList `json:"securityRequirements,omitempty"`
		DefaultInputModes    []string                `json:"defaultInputModes"`
		DefaultOutputModes   []string                `json:"defaultOutputModes"`
		Skills               []skill                 `json:"skills"`
	}
	schemeList     map[string]map[string][]string
	agentInterface struct {
		URL             string `json:"url"`
		ProtocolBinding string `json:"protocolBinding"`
		ProtocolVersion string `json:"protocolVersion"`
	}
	capabilities struct {
		Streaming         bool  `json:"streaming"`
		PushNotifications bool  `json:"pushNotifications"`
		ExtendedAgentCard *bool `json:"extendedAgentCard,omitempty"`      // 1.0
		StateHistory      *bool `json:"stateTransitionHistory,omitempty"` // earlier
	}
	skill struct {
		ID          string           `json:"id"`
		Name        string           `json:"name"`
		Description string           `json:"description"`
		Tags        []string         `json:"tags"`
		InputSchema contract.RawJSON `json:"inputSchema,omitempty"` // earlier
	}
)

var (
	inputModes  = []string{"text/plain", "application/json", "image/png", "image/jpeg", "audio/wav", "audio/mpeg"}
	outputModes = []string{"text/plain"}
)

// card serves the card of 1.0.
func (t *Transport) card(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	serveCard(w, a, t.newCard(r, a))
}

// legacyCard serves the card of 0.3 and of what came before, or that of 1.0 when
// only this is spoken.
func (t *Transport) legacyCard(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	if t.cfg.Legacy() {
		serveCard(w, a, t.oldCard(r, a))
		return
	}
	t.card(w, r, a)
}

func serveCard(w http.ResponseWriter, a agents.Agent, card any) {
	reach := "private"
	if a.Settings.Visibility == agents.VisibilityPublic {
		reach = "public"
	}
	w.Header().Set("Cache-Control", reach+", max-age=300")
	w.Header().Set("Vary", "Authorization, Cookie")
	write(w, "application/json", http.StatusOK, card)
}

func (t *Transport) newCard(r *http.Request, a agents.Agent) agentCard {
	url := t.url(a)
	no := false
	card := agentCard{
		Name: nameOf(a), Version: t.cfg.Version,
		SupportedInterfaces: []agentInterface{
			{URL: url, ProtocolBinding: "JSONRPC", ProtocolVersion: "1.0"},
			{URL: url, ProtocolBinding: "HTTP+JSON", ProtocolVersion: "1.0"},
		},
		Capabilities: capabilities{Streaming: true, ExtendedAgentCard: &no},
		SecuritySchemes: map[string]any{"bearer": map[string]any{"httpAuthSecurityScheme": map[string]string{
			"scheme": "Bearer", "description": "A portal token, or an API key of the agent",
		}}},
		DefaultInputModes: inputModes, DefaultOutputModes: outputModes,
	}
	card.Description, card.Skills = t.about(r, a)
	for i := range card.Skills {
		card.Skills[i].InputSchema = nil
	}
	if a.Settings.Visibility != agents.VisibilityPublic {
		card.SecurityRequirements = []map[string]schemeList{{"schemes": {"bearer": {"list": {}}}}}
	}
	return card
}

// oldCard is the card of 0.3, with what the first versions read in it.
type oldCard struct {
	Name               string                `json:"name"`
	Description        string                `json:"description"`
	URL                string                `json:"url"`
	Version            string                `json:"version"`
	ProtocolVersion    string                `json:"protocolVersion"`
	PreferredTransport string                `json:"preferredTransport"`
	Capabilities       capabilities          `json:"capabilities"`
	SecuritySchemes    map[string]any        `json:"securitySchemes"`
	Security           []map[string][]string `json:"security,omitempty"`
	Authentication     struct {
		Schemes []string `json:"schemes"`
	} `json:"authentication"`
	DefaultInputModes  []string `json:"defaultInputModes"`
	DefaultOutputModes []string `json:"defaultOutputModes"`
	Skills             []skill  `json:"skills"`
}

func (t *Transport) oldCard(r *http.Request, a agents.Agent) oldCard {
	yes := true
	card := oldCard{
		Name: nameOf(a), URL: t.url(a), Version: t.cfg.Version, ProtocolVersion: "0.3.0", PreferredTransport: "JSONRPC",
		Capabilities:      capabilities{Streaming: true, StateHistory: &yes},
		SecuritySchemes:   map[string]any{"bearer": map[string]string{"type": "http", "scheme": "bearer"}},
		DefaultInputModes: inputModes, DefaultOutputModes: outputModes,
	}
	card.Authentication.Schemes = []string{"Bearer"}
	card.Description, card.Skills = t.about(r, a)
	if a.Settings.Visibility != agents.VisibilityPublic {
		card.Security = []map[string][]string{{"bearer": {}}}
	}
	return card
}

func nameOf(a agents.Agent) string {
	if a.Name != "" {
		return a.Name
	}
	return a.Username
}

func (t *Transport) url(a agents.Agent) string { return t.cfg.BaseURL() + "/" + a.Username + "/a2a" }

// about is what a card says of what the agent does. Who may not talk to it learns
// how to ask for that and no more.
func (t *Transport) about(r *http.Request, a agents.Agent) (description string, skills []skill) {
	description = "An agent"
	if model.Admit(a, auth.CallerOf(r.Context())) != nil {
		return description, []skill{{ID: "chat", Name: "Chat", Description: "Talks to those who may", Tags: []string{"chat"}}}
	}
	if a.Description != "" {
		description = a.Description
	}
	skills = []skill{{ID: "chat", Name: "Chat", Description: description, Tags: []string{"chat"}}}
	if t.cfg.Tools == nil {
		return description, skills
	}
	for _, tool := range t.cfg.Tools(a.ID) {
		s := skill{ID: tool.Function.Name, Name: tool.Function.Name, Description: tool.Function.Description, Tags: []string{"tool"}}
		if s.Description == "" {
			s.Description = s.Name
		}
		if json.Valid(tool.Function.Parameters) {
			s.InputSchema = tool.Function.Parameters
		}
		skills = append(skills, s)
	}
	return description, skills
}
