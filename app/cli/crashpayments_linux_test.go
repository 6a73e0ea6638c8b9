package cli_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"benchtop/backend/contract"
)

// operation is what a client asked for under a key, and what it was told.
type operation struct {
	path, key string
	body      []byte
	got       reply
}

// payer is a client that locks, settles and delegates, one after the other,
// each under a key of its own.
type payer struct {
	token string
	done  []operation // the last one may have got no answer
}

func (y *payer) ask(p *process, path, key string, body map[string]any) (answer map[string]any, ok bool) {
	text, _ := json.Marshal(body)
	op := operation{path: path, key: key, body: text}
	op.got = p.do("POST", path, text, "Idempotency-Key", key)
	y.done = append(y.done, op)
	return answer, op.got.err == nil && op.got.status == 200 && json.Unmarshal([]byte(op.got.body), &answer) == nil
}

// work asks until the platform is gone. acked is told of each answer.
func (y *payer) work(p *process, name string, acked chan<- struct{}) {
	for n := 0; ; n++ {
		key := fmt.Sprintf("%s-%d", name, n)
		lock, ok := y.ask(p, "/api/payments/lock", key+"-lock", map[string]any{"token": y.token, "amount": 0.003})
		if !ok {
			return
		}
		acked <- struct{}{}
		settle := map[string]any{"lockId": lock["lockId"], "amount": 0.001}
		if n%2 == 0 {
			settle["chargeType"] = "agent_fee"
		}
		if _, ok = y.ask(p, "/api/payments/settle", key+"-settle", settle); !ok {
			return
		}
		acked <- struct{}{}
		if _, ok = y.ask(p, "/api/payments/delegate", key+"-delegate", map[string]any{"parentToken": y.token, "delegateTo": "crash", "amount": 0.002}); !ok {
			return
		}
		acked <- struct{}{}
	}
}

// killPayments kills the platform in the middle of payments, again and again,
// and looks each time at what is left of them.
func killPayments(t *testing.T, rounds int) {
	const clients = 8
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	dir, project := filepath.Join(t.TempDir(), "data"), crashProject(t, "http://127.0.0.1:1")
	p := startProcess(t, dir, project)
	acknowledged, unanswered, locks := 0, 0, 0
	for round := range rounds {
		payers := make([]payer, clients)
		for i := range payers {
			minted := p.do("POST", "/api/local/payments/mint", []byte(`{"amount":1}`))
			var m contract.PaymentMintResponse
			if minted.status != 201 || json.Unmarshal([]byte(minted.body), &m) != nil {
				t.Fatalf("mint: %+v", minted)
			}
			payers[i].token = m.Token
		}
		acked, stop := make(chan struct{}), make(chan struct{})
		var all sync.WaitGroup
		for i := range payers {
			all.Go(func() { payers[i].work(p, fmt.Sprintf("r%d-c%d", round, i), acked) })
		}
		go func() {
			all.Wait()
			close(stop)
		}()
		for range 1 + random.IntN(120) {
			select {
			case <-acked:
			case <-stop:
				t.Fatal("the clients stopped before the platform did")
			}
		}
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for gone := false; !gone; { // those that were answered just before
			select {
			case <-acked:
			case <-stop:
				gone = true
			}
		}
		<-p.exited
		p = startProcess(t, dir, project)
		for i := range payers {
			for _, op := range payers[i].done {
				again := p.do("POST", op.path, op.body, "Idempotency-Key", op.key)
				if again.err != nil || again.status != 200 {
					t.Fatalf("round %d: %s %s once more: %+v", round, op.path, op.key, again)
				}
				if strings.HasSuffix(op.key, "-lock") {
					locks++
				}
				if op.got.err != nil {
					unanswered++
					continue
				}
				acknowledged++
				if !again.replayed || sameAnswer(t, op.got.body) != sameAnswer(t, again.body) {
					t.Errorf("round %d: %s %s was acknowledged with %s and is %s now", round, op.path, op.key, op.got.body, again.body)
				}
			}
		}
		checkLedger(t, p, round, locks)
	}
	t.Logf("%d kills: %d operations were acknowledged and are there, %d had no answer and were asked again", rounds, acknowledged, unanswered)
	if acknowledged == 0 {
		t.Error("nothing was acknowledged")
	}
}

// sameAnswer is an answer without what says that it is one of before, and
// without the issuer in a token's text: each start has an address of its own.
func sameAnswer(t *testing.T, body string) string {
	var m map[string]any
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		t.Fatalf("%q: %v", body, err)
	}
	delete(m, "replayed")
	delete(m, "token")
	b, _ := json.Marshal(m)
	return string(b)
}

// checkLedger holds the ledger to itself, to what was put in, and to the locks
// that were asked for: none is missing and none is there twice.
func checkLedger(t *testing.T, p *process, round, locks int) {
	t.Helper()
	var check contract.PaymentCheck
	var balances contract.PaymentBalances
	for path, to := range map[string]any{"/api/local/payments/check": &check, "/api/local/payments/balances": &balances} {
		if r := p.do("GET", path, nil); r.status != 200 || json.Unmarshal([]byte(r.body), to) != nil {
			t.Fatalf("%s: %+v", path, r)
		}
	}
	if !check.OK {
		t.Errorf("round %d: %s", round, strings.Join(check.Problems, "; "))
	}
	sum := balances.Owner + balances.Fee + balances.Escrow + balances.Tokens
	for _, a := range balances.Agents {
		sum += a.Balance
	}
	if sum != contract.StartingCredit {
		t.Errorf("round %d: there are %s, and %s were put in", round, sum, contract.StartingCredit)
	}
	found := 0
	for cursor := ""; ; {
		var page contract.PaymentLockPage
		if r := p.do("GET", "/api/local/payments/locks?limit=200&cursor="+cursor, nil); r.status != 200 || json.Unmarshal([]byte(r.body), &page) != nil {
			t.Fatalf("locks: %+v", r)
		}
		found += len(page.Locks)
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	if found != locks {
		t.Errorf("round %d: %d locks, and %d were asked for", round, found, locks)
	}
}

// TestPaymentsKilled is five of those rounds.
func TestPaymentsKilled(t *testing.T) { killPayments(t, 5) }

// TestSimulatedDeath lets the simulator really end the platform, after a settle
// and before its answer, as a program that was started for it does.
func TestSimulatedDeath(t *testing.T) {
	dir, project := filepath.Join(t.TempDir(), "data"), crashProject(t, "http://127.0.0.1:1")
	p := startProcess(t, dir, project, "BENCHTOP_SIMULATED_DEATH=on")
	var m contract.PaymentMintResponse
	if r := p.do("POST", "/api/local/payments/mint", []byte(`{"amount":1,"audience":"crash"}`)); json.Unmarshal([]byte(r.body), &m) != nil || r.status != 201 {
		t.Fatalf("mint: %+v", r)
	}
	y := payer{token: m.Token}
	lock, ok := y.ask(p, "/api/payments/lock", "lock", map[string]any{"token": m.Token, "amount": 0.5})
	if !ok {
		t.Fatalf("lock: %+v", y.done)
	}
	if r := p.do("PUT", "/api/local/agents/crash/simulator", []byte(`{"dies":"after"}`)); r.status != 200 {
		t.Fatalf("simulator: %+v", r)
	}
	settle := map[string]any{"lockId": lock["lockId"], "amount": 0.2}
	if answer, ok := y.ask(p, "/api/payments/settle", "settle", settle); ok {
		t.Fatalf("it was to die, and answers %v", answer)
	}
	<-p.exited
	p = startProcess(t, dir, project) // which only pretends
	if r := p.do("PUT", "/api/local/agents/crash/simulator", []byte(`{}`)); r.status != 200 {
		t.Fatalf("simulator: %+v", r)
	}
	answer, ok := y.ask(p, "/api/payments/settle", "settle", settle)
	if !ok || answer["replayed"] != true || answer["released"] != 0.3 {
		t.Errorf("after the death %v", answer)
	}
	checkLedger(t, p, 0, 1)
}
