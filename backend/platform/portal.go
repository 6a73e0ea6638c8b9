package platform

import (
	"cmp"
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/content"
	"benchtop/backend/contract"
	"benchtop/backend/hostbridge"
	"benchtop/backend/inbox"
	"benchtop/backend/invocation"
	"benchtop/backend/model"
)

// ownerEmail names, in the environment, the address that ctx.portal.getOwner
// gives: a local platform asks its owner for none.
const ownerEmail = "BENCHTOP_OWNER_EMAIL"

// portal joins ctx.portal to the parts that answer it.
type portal struct {
	p      *Platform
	agents *agents.Agents
	items  *content.Content
	links  content.Links
	inbox  *inbox.Inbox
}

// openPortal makes the inbox and the key of signed addresses. The key comes out
// of the owner key, so that a new one ends all addresses, too.
func (p *Platform) openPortal(ag *agents.Agents, items *content.Content) (*portal, error) {
	key, err := hkdf.Key(sha256.New, []byte(p.auth.OwnerKey()), nil, "benchtop signed content addresses", 32)
	if err != nil {
		return nil, err
	}
	return &portal{
		p: p, agents: ag, items: items, links: content.Links{Key: key, Now: time.Now},
		inbox: inbox.New(inbox.Config{Store: p.db, Publish: p.bus.Publish, Now: time.Now, NewID: uuid.NewString}),
	}, nil
}

// VerifyPortal implements hostbridge.Portal.
func (o *portal) VerifyPortal(token string, audiences ...string) (*auth.PortalClaims, error) {
	return o.p.auth.VerifyPortal(token, audiences...)
}

// Agent implements hostbridge.Portal.
func (o *portal) Agent(ref string) (agents.Agent, bool) { return o.agents.Resolve(ref) }

// Owner implements hostbridge.Portal.
func (o *portal) Owner() hostbridge.Owner {
	return hostbridge.Owner{ID: auth.OwnerUserID, Email: cmp.Or(os.Getenv(ownerEmail), "owner@localhost"), PlanName: "local"}
}

// CallTool implements hostbridge.Portal.
func (o *portal) CallTool(ctx context.Context, c hostbridge.ToolCall) (json.RawMessage, error) {
	return o.p.invoker.CallToolNested(ctx, invocation.NestedTool(c))
}

// Notify implements hostbridge.Portal.
func (o *portal) Notify(ctx context.Context, m contract.InboxMessage) error {
	return o.inbox.Add(ctx, m)
}

// BackgroundRun implements hostbridge.Portal.
func (o *portal) BackgroundRun(ctx context.Context, r hostbridge.BackgroundRun) (json.RawMessage, error) {
	a, ok := o.agents.Resolve(r.AgentID)
	if !ok {
		return nil, contract.Errorf(contract.AgentNotFound, "the agent is gone")
	}
	answer, err := o.p.model.Background(ctx, model.BackgroundRun{Agent: a, Prompt: r.Prompt, Function: r.Function, InvocationID: r.InvocationID})
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

// ranInBackground tells the owner what came of it.
func (o *portal) ranInBackground(b model.BackgroundRun, chatID string, r model.TurnResult, err error) {
	m := contract.InboxMessage{
		AgentID: b.Agent.ID, Function: b.Function, InvocationID: b.InvocationID,
		Title: b.Agent.Username + " ran in the background", Body: r.Message.Text(),
	}
	if err != nil {
		m.Title, m.Body, m.Severity = b.Agent.Username+" failed in the background", err.Error(), contract.SeverityError
	}
	if len(m.Body) > inbox.MaxBody {
		m.Body = strings.ToValidUTF8(m.Body[:inbox.MaxBody], "")
	}
	if err := o.inbox.Add(context.Background(), m); err != nil {
		o.p.cfg.Log.Error("what a run in the background gave could not be kept", "agent", b.Agent.Username, "chat", chatID, "error", err)
	}
}

// SignContent implements hostbridge.Portal.
func (o *portal) SignContent(agentID, contentID string, seconds int) (address, signature string) {
	expires, signature := o.links.Sign(agentID, contentID, time.Duration(seconds)*time.Second)
	q := url.Values{"expires": {expires}, "signature": {signature}}
	return o.p.URL() + "/api/content/" + agentID + "/" + contentID + "?" + q.Encode(), signature
}

// Open implements httpapi.ContentLinks.
func (o *portal) Open(ctx context.Context, agentID, id, expires, signature string) (*content.Item, time.Duration, error) {
	left, err := o.links.Check(agentID, id, expires, signature)
	if err != nil {
		return nil, 0, err
	}
	it, err := o.items.Get(ctx, agentID, id)
	if err == nil && it == nil {
		err = contract.Errorf(contract.NotFound, "the content item is gone")
	}
	return it, left, err
}
