package contract

// EventName names an event of GET /api/local/events.
type EventName string

// Events. The payload type of each is in the EventTypes table.
const (
	EvInvocationStarted  EventName = "invocation.started"
	EvInvocationFinished EventName = "invocation.finished"
	EvInvocationEvent    EventName = "invocation.event"
	EvInvocationLog      EventName = "invocation.log"
	EvFunctionDeclared   EventName = "function.declared"
	EvFunctionRemoved    EventName = "function.removed"
	EvFunctionFailed     EventName = "function.failed"
	EvSecretSet          EventName = "secret.set"
	EvSecretDeleted      EventName = "secret.deleted"
	EvProjectOpened      EventName = "project.opened"
	EvProjectChanged     EventName = "project.changed"
	EvProjectClosed      EventName = "project.closed"
	EvAgentCreated       EventName = "agent.created"
	EvAgentChanged       EventName = "agent.changed"
	EvAgentRemoved       EventName = "agent.removed"
	EvConsumersChanged   EventName = "consumers.changed"
	EvCallsChanged       EventName = "calls.changed"
	EvScheduleFired      EventName = "schedule.fired"
	EvScheduleSkipped    EventName = "schedule.skipped"
	EvScheduleMissed     EventName = "schedule.missed"
	EvInboxMessage       EventName = "inbox.message"
	EvPaymentDeposited   EventName = "payment.deposited"
	EvPaymentMinted      EventName = "payment.minted"
	EvPaymentToppedUp    EventName = "payment.topped_up"
	EvPaymentDelegated   EventName = "payment.delegated"
	EvPaymentLocked      EventName = "payment.locked"
	EvPaymentExtended    EventName = "payment.extended"
	EvPaymentSettled     EventName = "payment.settled"
	EvPaymentReleased    EventName = "payment.released"
	EvPaymentExpired     EventName = "payment.expired"
	EvPaymentRevoked     EventName = "payment.revoked"
	EvSimulatorChanged   EventName = "payment.simulator"
	// EvGap is sent when a reader resumed from further back than the buffer
	// reaches, or was too slow: it should read everything again.
	EvGap EventName = "stream.gap"
)

// Event is one message of the live stream: SSE id, event and data.
type Event struct {
	ID   uint64    `json:"id"`
	Name EventName `json:"event"`
	Data any       `json:"data"`
}

// EventTypes ties each event to its payload.
var EventTypes = []struct {
	Name    EventName
	Payload any
}{
	{EvInvocationStarted, InvocationRow{}},
	{EvInvocationFinished, InvocationRow{}},
	{EvInvocationEvent, InvocationEvent{}},
	{EvInvocationLog, InvocationLog{}},
	{EvFunctionDeclared, FunctionChange{}},
	{EvFunctionRemoved, FunctionChange{}},
	{EvFunctionFailed, FunctionFailure{}},
	{EvSecretSet, SecretChange{}},
	{EvSecretDeleted, SecretChange{}},
	{EvProjectOpened, Project{}},
	{EvProjectChanged, Project{}},
	{EvProjectClosed, Project{}},
	{EvAgentCreated, Agent{}},
	{EvAgentChanged, Agent{}},
	{EvAgentRemoved, Agent{}},
	{EvConsumersChanged, ConsumersChange{}},
	{EvCallsChanged, CallsChange{}},
	{EvScheduleFired, ScheduleEvent{}},
	{EvScheduleSkipped, ScheduleEvent{}},
	{EvScheduleMissed, ScheduleMissedEvent{}},
	{EvInboxMessage, InboxMessage{}},
	{EvPaymentDeposited, PaymentEvent{}},
	{EvPaymentMinted, PaymentEvent{}},
	{EvPaymentToppedUp, PaymentEvent{}},
	{EvPaymentDelegated, PaymentEvent{}},
	{EvPaymentLocked, PaymentEvent{}},
	{EvPaymentExtended, PaymentEvent{}},
	{EvPaymentSettled, PaymentEvent{}},
	{EvPaymentReleased, PaymentEvent{}},
	{EvPaymentExpired, PaymentEvent{}},
	{EvPaymentRevoked, PaymentEvent{}},
	{EvSimulatorChanged, SimulatorChange{}},
	{EvGap, Gap{}},
}

// InvocationEvent is an event a function emitted.
type InvocationEvent struct {
	AgentID      string `json:"agentId"`
	Function     string `json:"function"`
	InvocationID string `json:"invocationId"`
	EmittedEvent
}

// InvocationLog is a line a function logged.
type InvocationLog struct {
	AgentID      string `json:"agentId"`
	Function     string `json:"function"`
	InvocationID string `json:"invocationId"`
	LogLine
}

// FunctionChange says that a function has a new version, or is gone.
type FunctionChange struct {
	AgentID  string    `json:"agentId"`
	Name     string    `json:"name"`
	Version  int       `json:"version,omitempty"`
	Surface  string    `json:"surface,omitempty"` // ui, cli, host, factory, or "disk"
	Warnings []Problem `json:"warnings,omitempty"`
}

// FunctionFailure says that what is saved does not load; Version still serves.
type FunctionFailure struct {
	AgentID string    `json:"agentId"`
	Name    string    `json:"name"`
	Version int       `json:"version,omitempty"`
	Errors  []Problem `json:"errors"`
}

// SecretChange says that a secret was set or deleted. It never has a value.
type SecretChange struct {
	AgentID  string `json:"agentId"`
	Function string `json:"function"`
	Binding  string `json:"binding"`
}

// ConsumersChange says that the skill entries of an agent are others now.
type ConsumersChange struct {
	AgentID string `json:"agentId"`
}

// Gap says that events were lost between two ids.
type Gap struct {
	Reason string `json:"reason"` // expired, slow
}
