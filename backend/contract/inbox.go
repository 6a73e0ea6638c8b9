package contract

import "time"

// Severities of an InboxMessage.
const (
	SeverityInfo    = "info"
	SeverityWarning = "warning"
	SeverityError   = "error"
)

// InboxMessage is what a function told the owner with ctx.portal.notifyOwner. It
// comes from a function that may be hostile: it is text, never markup. DeepLink
// is empty, a path of this console or an http(s) address.
type InboxMessage struct {
	ID           string     `json:"id"`
	AgentID      string     `json:"agentId"`
	Function     string     `json:"function"`
	InvocationID string     `json:"invocationId"`
	Title        string     `json:"title"`
	Body         string     `json:"body"`
	Severity     string     `json:"severity"` // info, warning, error
	DeepLink     string     `json:"deepLink,omitempty"`
	CreatedAt    time.Time  `json:"createdAt"`
	ReadAt       *time.Time `json:"readAt,omitempty"`
}

// InboxPage answers GET /api/local/inbox, the newest first. Unread counts all
// messages, not only those of the page.
type InboxPage struct {
	Messages   []InboxMessage `json:"messages"`
	Unread     int            `json:"unread"`
	NextCursor *string        `json:"nextCursor"`
}

// InboxReadResponse answers what marks messages as read.
type InboxReadResponse struct {
	OK     bool `json:"ok"`
	Unread int  `json:"unread"`
}
