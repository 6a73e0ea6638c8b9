package contract

import "time"

// Stats answers GET /api/local/stats: how the functions did from From until To,
// by function, those with the most calls first. Buckets cut that time into equal
// pieces of BucketMs. Partial says that there were more invocations than were
// looked at; the oldest are missing then.
type Stats struct {
	From      time.Time       `json:"from"`
	To        time.Time       `json:"to"`
	BucketMs  int64           `json:"bucketMs"`
	Partial   bool            `json:"partial,omitempty"`
	Functions []FunctionStats `json:"functions"`
}

// FunctionStats are the figures of one function. Durations are in ms and of
// those invocations that have ended. LastAt is the started_at of the newest.
type FunctionStats struct {
	AgentID   string        `json:"agentId"`
	Function  string        `json:"function"`
	Calls     int           `json:"calls"`
	Errors    int           `json:"errors"`
	Cancelled int           `json:"cancelled"`
	Running   int           `json:"running"`
	P50Ms     float64       `json:"p50Ms"`
	P95Ms     float64       `json:"p95Ms"`
	MaxMs     float64       `json:"maxMs"`
	LastAt    string        `json:"lastAt"`
	Buckets   []StatsBucket `json:"buckets"`
}

// StatsBucket is one piece of the time.
type StatsBucket struct {
	Calls  int     `json:"calls"`
	Errors int     `json:"errors"`
	P95Ms  float64 `json:"p95Ms"`
}
