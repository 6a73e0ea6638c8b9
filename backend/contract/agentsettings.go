package contract

// AgentSettings is how an agent is served beyond its functions: what AGENT.md
// says under model, visibility, transports, commission_percent and toolPricing
// (decisions.md 10). It is part of Agent.
type AgentSettings struct {
	Model             ModelSpec            `json:"model"`
	Visibility        string               `json:"visibility"` // public, owner: who may use the transports
	Transports        []string             `json:"transports"` // never null
	CommissionPercent string               `json:"commissionPercent,omitempty"`
	ToolPricing       map[string]ToolPrice `json:"toolPricing,omitempty"` // by "fn:<function>"
}

// ModelSpec says which model answers for an agent. The last three are of kind
// openai, anything that speaks the OpenAI protocol; KeySecret is the name of a
// secret, never its value.
type ModelSpec struct {
	Kind      string `json:"kind"` // scripted, echo, openai
	BaseURL   string `json:"base_url,omitempty"`
	Model     string `json:"model,omitempty"`
	KeySecret string `json:"key_secret,omitempty"`
}

// ToolPrice is what a call of a function costs beyond its compute, in nanocents
// (contract.md 2.7): PerCall, and each unit that was measured.
type ToolPrice struct {
	PerCall int64     `json:"perCall"`
	PerUnit UnitPrice `json:"perUnit"`
}

// UnitPrice is nanocents for a millisecond of CPU and for a byte.
type UnitPrice struct {
	CPUMs        int64 `json:"cpu_ms,omitempty"`
	IngressBytes int64 `json:"ingress_bytes,omitempty"`
	EgressBytes  int64 `json:"egress_bytes,omitempty"`
}

// TransportsResponse answers PUT and DELETE
// /api/local/agents/<agent>/transports/<transport>. Warnings are of addresses of
// the agent's own that a transport has taken.
type TransportsResponse struct {
	Transports []string  `json:"transports"` // never null
	Warnings   []Problem `json:"warnings,omitempty"`
}
