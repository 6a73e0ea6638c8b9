package platform

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"benchtop/backend/contract"
)

// said waits for an event of a name.
func (st *stage) said(name contract.EventName) contract.PaymentEvent {
	st.t.Helper()
	limit := time.After(60 * time.Second)
	for {
		select {
		case ev := <-st.sub.C:
			if ev.Name == name {
				return ev.Data.(contract.PaymentEvent)
			}
		case <-limit:
			st.t.Fatalf("no event %s", name)
		}
	}
}

// ask sends a call as the owner and wants a status.
func (st *stage) ask(call string, body any, status int) any {
	st.t.Helper()
	got, answer, _ := st.send(scenario{Call: call, As: "owner", Body: body})
	if got != status {
		st.t.Fatalf("%s: status %d, want %d: %v", call, got, status, answer)
	}
	return answer
}

func (st *stage) mint(audience string) string {
	st.t.Helper()
	token, _ := at(st.ask("POST /api/local/payments/mint", map[string]any{"amount": 5, "audience": audience}, 201), "token").(string)
	return token
}

func (st *stage) lock(token string, expires int) string {
	st.t.Helper()
	id, _ := at(st.ask("POST /api/payments/lock", map[string]any{"token": token, "amount": 1, "expiresIn": expires}, 200), "lockId").(string)
	return id
}

// TestLocksEndByThemselves waits for locks that nobody touches any more, a short
// one behind a long one.
func TestLocksEndByThemselves(t *testing.T) {
	st := openStage(t)
	token := st.mint("mia")
	st.lock(token, 600)
	brief := st.lock(token, 1)
	briefer := st.lock(token, 1)
	for range 2 {
		ev := st.said(contract.EvPaymentExpired)
		if ev.LockID != brief && ev.LockID != briefer || ev.Status != contract.LockExpired || ev.Amount != contract.Credit {
			t.Errorf("ended: %+v", ev)
		}
	}
	if left := at(st.ask("POST /api/payments/verify", map[string]any{"token": token}, 200), "balance"); left != 4.0 {
		t.Errorf("the token has %v", left)
	}
}

// TestSimulatorOfAProject keeps the switches in the project, where they may be
// edited by hand, and says so while any is on.
func TestSimulatorOfAProject(t *testing.T) {
	st := openStage(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "AGENT.md"), []byte("---\nname: sim\n---\nPays.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := st.p.projects.Open(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	notices := func() (codes []string) {
		for _, n := range st.p.Status().Notices {
			if strings.HasPrefix(n.Code, "payments_") {
				codes = append(codes, n.Code)
			}
		}
		return codes
	}
	file := filepath.Join(dir, ".benchtop", "simulator.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := notices(); got != nil {
		t.Errorf("notices before: %q", got)
	}
	const call = "PUT /api/local/agents/sim/simulator"
	st.ask(call, map[string]any{"insufficientBalance": true, "latencyMs": 1}, 200)
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), `"insufficientBalance": true`) {
		t.Errorf("%s: %s, %v", file, text, err)
	}
	if got := notices(); len(got) != 1 || got[0] != "payments_simulator" {
		t.Errorf("notices: %q", got)
	}
	token := st.mint("sim")
	st.ask("POST /api/payments/lock", map[string]any{"token": token, "amount": 1}, 400)
	write(`{"partialSettlePercent": 25}`)
	lock := st.lock(token, 60)
	if s := st.ask("POST /api/payments/settle", map[string]any{"lockId": lock, "amount": 1}, 200); at(s, "settled") != 0.25 || at(s, "partial") != true {
		t.Errorf("edited by hand: %v", s)
	}
	for _, broken := range []string{"{", `{"latencyMs": 1e9}`, `{"dies": "often"}`, `[]`} {
		write(broken)
		if got := notices(); len(got) != 1 || got[0] != "payments_simulator_broken" {
			t.Errorf("%s: notices %q", broken, got)
		}
		st.lock(token, 60)
	}
	for _, body := range []map[string]any{{"latencyMs": -1}, {"partialSettlePercent": 100}, {"dies": "often"}, {"lockLifetimeMs": 60_001}} {
		st.ask(call, body, 400)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if got := notices(); got != nil {
		t.Errorf("notices of a file that is gone: %q", got)
	}
	// An agent without a folder has them in memory.
	st.ask("PUT /api/local/agents/mia/simulator", map[string]any{"settleFails": true}, 200)
	lock = st.lock(st.mint("mia"), 60)
	st.ask("POST /api/payments/settle", map[string]any{"lockId": lock, "amount": 1}, 503)
	st.ask("PUT /api/local/agents/mia/simulator", map[string]any{}, 200)
	st.ask("POST /api/payments/settle", map[string]any{"lockId": lock, "amount": 1}, 200)
}

// TestSimulatedDeath cuts the connection of whoever settles.
func TestSimulatedDeath(t *testing.T) {
	st := openStage(t)
	lock := st.lock(st.mint("mia"), 60)
	settle := map[string]any{"lockId": lock, "amount": 0.4, "chargeType": "agent_fee", "idempotencyKey": "once"}
	for _, moment := range []string{contract.DieBeforeSettle, contract.DieAfterSettle} {
		st.ask("PUT /api/local/agents/mia/simulator", map[string]any{"dies": moment}, 200)
		if answer, err := st.cut("/api/payments/settle", settle); err == nil {
			t.Errorf("%s: answered with %d", moment, answer)
		}
	}
	st.ask("PUT /api/local/agents/mia/simulator", map[string]any{}, 200)
	if s := st.ask("POST /api/payments/settle", settle, 200); at(s, "replayed") != true || at(s, "remaining") != 0.6 {
		t.Errorf("afterwards: %v", s)
	}
}

// cut sends a call whose answer may never come.
func (st *stage) cut(path string, body any) (status int, err error) {
	st.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		st.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(st.t.Context(), "POST", st.url+path, bytes.NewReader(text))
	if err != nil {
		st.t.Fatal(err)
	}
	req.Header.Set("Authorization", st.callers["owner"]["Authorization"])
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

// TestUnsoundLedger is told to the owner.
func TestUnsoundLedger(t *testing.T) {
	l := &ledger{simulators: newSimulators(nil, nil, nil)}
	l.checked.Store(&contract.PaymentCheck{Problems: []string{"account owner holds too much"}})
	if n := l.unsound(); len(n) != 1 || n[0].Code != "ledger_unsound" || !strings.Contains(n[0].Message, "holds too much") {
		t.Errorf("notices %+v", n)
	}
	l.checked.Store(&contract.PaymentCheck{OK: true})
	if n := l.unsound(); n != nil {
		t.Errorf("notices %+v", n)
	}
}
