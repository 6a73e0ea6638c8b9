// Package storetest is what every store must pass: each noun's Store, alone and
// under its noun, with the promises the rest of the platform relies on.
package storetest

import (
	"context"
	"testing"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/consumers"
	"benchtop/backend/content"
	"benchtop/backend/contract"
	"benchtop/backend/drafts"
	"benchtop/backend/functions"
	"benchtop/backend/history"
	"benchtop/backend/inbox"
	"benchtop/backend/invocation"
	"benchtop/backend/kv"
	"benchtop/backend/payments"
	"benchtop/backend/project"
	"benchtop/backend/scheduler"
	"benchtop/backend/secrets"
	"benchtop/backend/settings"
	"benchtop/backend/tasks"
)

// Stores are all stores of one database. They may be one value.
type Stores struct {
	Agents    agents.Store
	Functions functions.Store
	Secrets   secrets.Store
	KV        kv.Store
	Content   content.Store
	History   history.Store
	Claims    invocation.ClaimStore
	Sessions  auth.Store
	Settings  settings.Store
	Projects  project.Store
	Consumers consumers.Store
	Schedules scheduler.Store
	Inbox     inbox.Store
	Payments  payments.Store
	Tasks     tasks.Store
	Drafts    drafts.Store
	// Reopen closes the database and opens it again, as a restart would.
	Reopen func(t *testing.T) Stores
}

// Run runs the suite. open gives the stores of a new, empty database; they are
// closed when the test they were opened for ends.
func Run(t *testing.T, open func(t *testing.T) Stores) {
	for _, part := range []struct {
		name string
		test func(t *testing.T, s Stores)
	}{
		{"agents", testAgents},
		{"agents deleted", testAgentDeleted},
		{"functions", testFunctions},
		{"functions noun", testFunctionsNoun},
		{"secrets", testSecrets},
		{"kv", testKV},
		{"kv namespaces", testKVNamespaces},
		{"kv against a map", testKVModel},
		{"kv claimed by many", testKVClaim},
		{"content items", testContent},
		{"folder files", testFolderFiles},
		{"folders noun", testFoldersNoun},
		{"schedules", testSchedules},
		{"inbox", testInbox},
		{"payments", testPayments},
		{"payments end", testPaymentsEnd},
		{"payments by key", testPaymentsKeys},
		{"payments against a book", testPaymentsModel},
		{"payments by many", testPaymentsClients},
		{"tasks", testTasks},
		{"drafts", testDrafts},
		{"drafts refused", testDraftsRefused},
		{"history", testHistory},
		{"history running", testHistoryRunning},
		{"history interrupted", testHistoryInterrupted},
		{"history pages", testHistoryPages},
		{"history pages while written", testHistoryPagesWhileWritten},
		{"history searched", testHistorySearch},
		{"history swept", testHistorySweep},
		{"history figures", testHistoryStats},
		{"settings", testSettings},
		{"versions", testVersions},
		{"claims", testClaims},
		{"claims against a map", testClaimsModel},
		{"claims by many", testClaimsByMany},
		{"sessions", testSessions},
		{"keys and tokens", testKeys},
		{"visitors", testVisitors},
		{"projects", testProjects},
		{"consumers", testConsumers},
	} {
		t.Run(part.name, func(t *testing.T) { part.test(t, open(t)) })
	}
}

// epoch is a moment with a part that microseconds hold and milliseconds do not.
var epoch = time.Date(2026, 11, 20, 10, 0, 0, 123_456_000, time.UTC)

// failer is what a test and a property test have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func must(t failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t failer, err error, code contract.Code) {
	t.Helper()
	if e := contract.AsError(err); e == nil || e.Code != code {
		t.Fatalf("error %v, want the code %s", err, code)
	}
}

var ctx = context.Background()
