package hostbridge

import (
	"context"
	"encoding/json"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// Portal is what ctx.portal reaches of the rest of the platform.
type Portal interface {
	// VerifyPortal checks a portal token; without audiences it has to be meant
	// for this platform. The error never repeats the token.
	VerifyPortal(token string, audiences ...string) (*auth.PortalClaims, error)
	// Agent finds an agent by id or username.
	Agent(idOrUsername string) (agents.Agent, bool)
	Owner() Owner
	// CallTool calls a tool for a running function and gives its result, nil for
	// undefined.
	CallTool(ctx context.Context, c ToolCall) (json.RawMessage, error)
	// Notify puts a message into the owner's inbox.
	Notify(ctx context.Context, m contract.InboxMessage) error
	// BackgroundRun starts a run of an agent's model and gives the JSON of what
	// came of that.
	BackgroundRun(ctx context.Context, r BackgroundRun) (json.RawMessage, error)
	// SignContent gives an address of a content item for so many seconds, and
	// the part of it that makes it count.
	SignContent(agentID, contentID string, seconds int) (url, signature string)
}

// Owner is what a function learns of its agent's owner.
type Owner struct {
	ID       string `json:"id"`
	Email    string `json:"email"`
	PlanName string `json:"planName"`
}

// ToolCall is what a function asks of ctx.portal.callTool. Parent is its own
// invocation; TimeoutMs 0 is as long as there is time.
type ToolCall struct {
	Parent    string
	AgentID   string
	Tool      string
	Args      json.RawMessage
	TimeoutMs int
	// PaymentToken pays for a tool with a price; empty leaves it to who pays for
	// the caller.
	PaymentToken string
}

// unwrap takes a portal call out of its envelope {method, args}; other calls are
// none of ctx.portal's.
func unwrap(method string, args json.RawMessage) (string, json.RawMessage, error) {
	if method != contract.PortalDispatch {
		return method, args, nil
	}
	a, err := parseArgs(method, args)
	if err != nil {
		return "", nil, err
	}
	name, err := a.text("method")
	if err != nil || name == "" {
		return "", nil, contract.Errorf(contract.InvalidRequest, "%s: the arguments are {method, args}", method)
	}
	return contract.PortalSpace + name, a["args"], nil
}

// options reads an argument that is an object, or not there.
func (a arguments) options(method, key string) (arguments, error) {
	if !a.set(key) {
		return nil, nil
	}
	return parseArgs(method+": "+key, a[key])
}
