package storetest

import (
	"reflect"
	"testing"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/content"
	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/kv"
)

func testAgents(t *testing.T, s Stores) {
	mia := agents.Agent{
		ID: "id-mia", Username: "mia", Name: "Mia", Description: "Quotes\nand bookings", Instructions: "You are Mia. ☕",
		Model: "echo", Folder: "/home/u/mia", CreatedAt: epoch,
		Settings: agents.Settings{
			Model:      agents.ModelSpec{Kind: agents.ModelOpenAI, BaseURL: "http://127.0.0.1:9/v1", Model: "m", KeySecret: "KEY"},
			Visibility: agents.VisibilityPublic, Transports: []string{"completions", "a2a"}, CommissionPercent: "12.5",
			ToolPricing: map[string]agents.ToolPrice{"fn:quote": {PerCall: 100, PerUnit: contract.UnitPrice{CPUMs: 1, IngressBytes: 2, EgressBytes: 3}}},
		},
	}
	leo := agents.Agent{ID: "id-leo", Username: "leo", Name: "Leo", CreatedAt: epoch.Add(time.Microsecond)}
	must(t, s.Agents.InsertAgent(ctx, leo))
	must(t, s.Agents.InsertAgent(ctx, mia))
	wantCode(t, s.Agents.InsertAgent(ctx, agents.Agent{ID: "other", Username: "mia"}), contract.UsernameTaken)

	clash := leo
	clash.Username = "mia"
	wantCode(t, s.Agents.UpdateAgent(ctx, clash), contract.UsernameTaken)
	leo.Username, leo.Name = "leonard", "Leonard"
	leo.Settings.Visibility, leo.Settings.Transports = agents.VisibilityOwner, []string{}
	must(t, s.Agents.UpdateAgent(ctx, leo))
	wantCode(t, s.Agents.UpdateAgent(ctx, agents.Agent{ID: "nobody", Username: "nobody"}), contract.AgentNotFound)

	s = s.Reopen(t)
	got, err := s.Agents.ListAgents(ctx)
	must(t, err)
	if want := []agents.Agent{mia, leo}; !reflect.DeepEqual(got, want) {
		t.Fatalf("agents after a restart\n got %+v\nwant %+v", got, want)
	}
}

// An agent takes what it owned with it, but not the record of what happened.
func testAgentDeleted(t *testing.T, s Stores) {
	space := kv.Namespace{AgentID: "a", Function: "f", Scope: "fn"}
	must(t, s.Agents.InsertAgent(ctx, agents.Agent{ID: "a", Username: "ann", CreatedAt: epoch}))
	must(t, s.Functions.PutFunction(ctx, aFunction("a", "f", 1)))
	must(t, s.KV.PutKV(ctx, space, kv.Item{Key: "k", Value: []byte("1")}))
	must(t, s.Content.PutContent(ctx, content.Item{AgentID: "a", ID: "i", CreatedAt: epoch}))
	must(t, s.Content.PutFolderFile(ctx, "a", "d", content.File{Name: "n", Modified: epoch}))
	putSecret(t, s, "a", "f", "KEY")
	row := aRow("a", "f", 1)
	must(t, s.History.FinishRow(ctx, row, nil))
	claim := invocation.Claim{AgentID: "a", Function: "f", Key: "once", InvocationID: "i", ClaimedAt: epoch}
	_, err := s.Claims.ClaimKey(ctx, claim, epoch.Add(-time.Hour))
	must(t, err)

	must(t, s.Sessions.PutKey(ctx, auth.KeyRow{ID: "k", Kind: auth.KeyAgent, Hash: "h", SubjectID: "a", CreatedAt: epoch}))
	must(t, s.Sessions.PutToken(ctx, auth.TokenRow{ID: "t", Subject: "owner", AgentID: "a", IssuedAt: epoch, ExpiresAt: epoch}))

	must(t, s.Agents.DeleteAgent(ctx, "a"))
	must(t, s.Agents.DeleteAgent(ctx, "a")) // again is no error

	if left, err := s.Agents.ListAgents(ctx); len(left) > 0 || err != nil {
		t.Errorf("agents left: %v, %v", left, err)
	}
	if left, err := s.Functions.CurrentFunctions(ctx); len(left) > 0 || err != nil {
		t.Errorf("functions left: %v, %v", left, err)
	}
	if it, err := s.KV.GetKV(ctx, space, "k", epoch); it != nil || err != nil {
		t.Errorf("kv left: %v, %v", it, err)
	}
	if it, err := s.Content.Content(ctx, "a", "i"); it != nil || err != nil {
		t.Errorf("content left: %v, %v", it, err)
	}
	if f, err := s.Content.FolderFile(ctx, "a", "d", "n"); f != nil || err != nil {
		t.Errorf("folder file left: %v, %v", f, err)
	}
	if n, err := s.Secrets.CountSecrets(ctx); n != 0 || err != nil {
		t.Errorf("secrets left: %d, %v", n, err)
	}
	if old, err := s.Claims.ClaimKey(ctx, claim, epoch.Add(-time.Hour)); old != nil || err != nil {
		t.Errorf("claim left: %v, %v", old, err)
	}
	if left, err := s.Sessions.ListKeys(ctx); len(left) > 0 || err != nil {
		t.Errorf("API keys left: %v, %v", left, err)
	}
	if left, err := s.Sessions.ListTokens(ctx); len(left) > 0 || err != nil {
		t.Errorf("tokens left: %v, %v", left, err)
	}
	if kept, _, err := s.History.Row(ctx, row.ID); kept == nil || err != nil {
		t.Errorf("the history row is gone: %v, %v", kept, err)
	}
}
