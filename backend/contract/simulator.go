package contract

// Moments at which the simulator lets the platform die.
const (
	DieBeforeSettle = "before"
	DieAfterSettle  = "after"
)

// Simulator is GET and PUT /api/local/agents/<a>/simulator: faults of payments
// that are about this agent. All are off by default.
type Simulator struct {
	// InsufficientBalance: no token has enough.
	InsufficientBalance bool `json:"insufficientBalance,omitempty"`
	// ExpiredToken: every token has expired.
	ExpiredToken bool `json:"expiredToken,omitempty"`
	// LockLifetimeMs: locks end after so many milliseconds, whatever was asked for.
	LockLifetimeMs int64 `json:"lockLifetimeMs,omitempty"`
	// PartialSettlePercent: a settle charges this part of what it should.
	PartialSettlePercent int `json:"partialSettlePercent,omitempty"`
	// SettleFails: a settle answers 503 and moves nothing.
	SettleFails bool `json:"settleFails,omitempty"`
	// Dies: the platform ends before a settle, or after it and before its answer.
	// Unless the program was started with BENCHTOP_SIMULATED_DEATH=on it stays
	// alive and only cuts the connection, which is what a client sees of it.
	Dies string `json:"dies,omitempty"`
	// DuplicateSettle: every settle arrives twice.
	DuplicateSettle bool `json:"duplicateSettle,omitempty"`
	// SettleDelayMs: a settle is held back for so many milliseconds.
	SettleDelayMs int64 `json:"settleDelayMs,omitempty"`
	// LatencyMs: every call takes so many milliseconds longer.
	LatencyMs int64 `json:"latencyMs,omitempty"`
}

// MaxSimulatedMs bounds the times of the simulator.
const MaxSimulatedMs = 60_000

// SimulatorChange says that the simulator of an agent was changed.
type SimulatorChange struct {
	AgentID   string    `json:"agentId"`
	Simulator Simulator `json:"simulator"`
}
