package contract

import "time"

// SkillLists says under which key the entries of each skill that consumes
// functions stand, in AGENT.md and elsewhere (contract.md 2.5), in the order of
// listings.
var SkillLists = []struct{ Skill, Key string }{
	{SkillTools, "tools"},
	{SkillHTTP, "endpoints"},
	{SkillCron, "schedules"},
}

// SkillList gives the key of a skill's entries; empty for what is none of them.
func SkillList(skill string) string {
	for _, s := range SkillLists {
		if s.Skill == skill {
			return s.Key
		}
	}
	return ""
}

// UseRequest is the body of POST .../skills/<skill>/use: an entry of the skill
// and the function it uses, which may stand in the entry instead. An entry
// without an id gets one.
type UseRequest struct {
	Entry RawJSON `json:"entry"`
	Use   string  `json:"use,omitempty"`
}

// UseResponse answers what attaches or changes an entry.
type UseResponse struct {
	OK       bool      `json:"ok"`
	EntryID  string    `json:"entryId"`
	Warnings []Problem `json:"warnings,omitempty"`
}

// DetachResponse answers DELETE .../skills/<skill>/use/<entryId>.
type DetachResponse struct {
	OK      bool   `json:"ok"`
	EntryID string `json:"entryId"`
}

// ConsumerList answers GET .../skills and GET .../skills/<skill>/use.
type ConsumerList struct {
	Entries []Consumer `json:"entries"`
}

// Consumer is one entry of a skill. Entry is as its author wrote it. Next are
// the next runs of an enabled schedule.
type Consumer struct {
	Skill       string      `json:"skill"`
	EntryID     string      `json:"entryId"`
	Use         string      `json:"use"`
	Enabled     bool        `json:"enabled"`
	Description string      `json:"description"`
	Entry       RawJSON     `json:"entry"`
	Next        []time.Time `json:"next,omitempty"`
}

// EndpointList answers GET .../http-endpoints.
type EndpointList struct {
	Endpoints []HTTPEndpoint `json:"endpoints"`
}

// HTTPEndpoint is an entry of custom_http with the addresses that reach it. The
// limits are those that hold.
type HTTPEndpoint struct {
	ID                     string   `json:"id"`
	Method                 string   `json:"method"`
	Path                   string   `json:"path"`
	Auth                   string   `json:"auth"`
	Use                    string   `json:"use"`
	Enabled                bool     `json:"enabled"`
	Description            string   `json:"description,omitempty"`
	TimeoutMs              int      `json:"timeoutMs"`
	BodyLimitBytes         int64    `json:"bodyLimitBytes"`
	ResponseSizeLimitBytes int64    `json:"responseSizeLimitBytes"`
	URLs                   []string `json:"urls"`
}

// ToolDefinition is a tool in the form in which models are told of functions.
type ToolDefinition struct {
	Type     string       `json:"type"` // function
	Function ToolFunction `json:"function"`
}

// ToolFunction is the part of a ToolDefinition that says how to call it.
type ToolFunction struct {
	Name        string  `json:"name"`
	Description string  `json:"description,omitempty"`
	Parameters  RawJSON `json:"parameters"`
}

// ToolFailure is what a model gets in place of a result, contract.md 2.6.
type ToolFailure struct {
	OK    bool      `json:"ok"` // false
	Error ToolError `json:"error"`
}

// ToolError says what went wrong. Detail has what the arguments did not fit.
type ToolError struct {
	Code    Code      `json:"code"`
	Message string    `json:"message"`
	Detail  []Problem `json:"detail,omitempty"`
}

// ToolList answers GET /api/local/agents/<a>/tools.
type ToolList struct {
	Tools []ToolDefinition `json:"tools"`
}

// ToolCallRequest is the body of POST /api/local/agents/<a>/tools/<name>. CallID
// is what ctx.toolCall.callId shall be; the invocation's id when empty.
type ToolCallRequest struct {
	Args   RawJSON `json:"args,omitempty"`
	CallID string  `json:"callId,omitempty"`
}

// ToolCallResponse answers a tool call: Value is what a model would get.
type ToolCallResponse struct {
	OK           bool    `json:"ok"`
	Value        RawJSON `json:"value"`
	ErrorCode    Code    `json:"errorCode,omitempty"`
	ErrorMessage string  `json:"errorMessage,omitempty"`
	InvocationID string  `json:"invocationId,omitempty"`
	DurationMs   float64 `json:"durationMs"`
}
