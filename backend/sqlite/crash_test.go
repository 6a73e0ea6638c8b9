package sqlite_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/history"
	"benchtop/backend/invocation"
	"benchtop/backend/kv"
	"benchtop/backend/sqlite"
)

// crashPath in the environment turns this test binary into the program that is
// killed: it writes to the database there and names each acknowledged write.
const (
	crashPath  = "BENCHTOP_TEST_CRASH_DB"
	crashRound = "BENCHTOP_TEST_CRASH_ROUND" // keeps the ids of the rounds apart
)

func TestMain(m *testing.M) {
	if path := os.Getenv(crashPath); path != "" {
		writeUntilKilled(path)
		return
	}
	os.Exit(m.Run())
}

func writeUntilKilled(path string) {
	db, err := sqlite.Open(context.Background(), sqlite.Config{Path: path})
	if err != nil {
		fmt.Println("error", err)
		return
	}
	var out sync.Mutex
	acknowledge := func(kind, id string, err error) {
		out.Lock()
		defer out.Unlock()
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println(kind, id) // unbuffered: it is out before the next write
	}
	for w := range 12 {
		go func() {
			for i := 0; ; i++ {
				id := fmt.Sprintf("%s-%d-%d", os.Getenv(crashRound), w, i)
				switch w % 3 {
				case 0:
					acknowledge("kv", id, db.PutKV(context.Background(), benchSpace, kv.Item{Key: id, Value: json.RawMessage(`"` + id + `"`)}))
				case 1:
					c := invocation.Claim{AgentID: benchAgent, Function: "f", Key: id, InvocationID: id, ClaimedAt: time.Now()}
					_, err := db.ClaimKey(context.Background(), c, time.Time{})
					if err == nil {
						c.Done, c.Status, c.Answer = true, 200, []byte(id)
						err = db.CompleteKey(context.Background(), c)
					}
					acknowledge("claim", id, err)
				case 2:
					row, d := helloRow(benchAgent, int64(w*1_000_000+i))
					row.ID = id
					db.StartRow(row)
					acknowledge("row", id, db.FinishRow(context.Background(), row, d))
				}
			}
		}()
	}
	select {}
}

// A platform that is killed loses nothing it had acknowledged, and the database
// is sound.
func TestKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "benchtop.db")
	acknowledged := map[string][]string{}
	for round := range 3 { // again and again on the database that was left
		child := exec.Command(self)
		child.Env = append(os.Environ(), crashPath+"="+path, crashRound+"="+fmt.Sprint(round))
		killAfter(t, child, 400, acknowledged)
		checkKept(t, path, acknowledged)
	}
}

func killAfter(t *testing.T, child *exec.Cmd, lines int, acknowledged map[string][]string) {
	t.Helper()
	child.Stderr = os.Stderr
	pipe, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	scan := bufio.NewScanner(pipe)
	for n := 0; scan.Scan(); n++ {
		kind, id, _ := strings.Cut(scan.Text(), " ")
		if kind == "error" {
			t.Errorf("the child could not write: %s", id)
		}
		acknowledged[kind] = append(acknowledged[kind], id)
		if n == lines {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); err == nil {
		t.Fatal("the child ended by itself")
	}
}

func checkKept(t *testing.T, path string, acknowledged map[string][]string) {
	t.Helper()
	db, err := sqlite.Open(context.Background(), sqlite.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	if damage, err := db.Check(context.Background()); err != nil || len(damage) > 0 {
		t.Fatalf("the database is damaged: %v, %v", damage, err)
	}
	for _, kind := range []string{"kv", "claim", "row"} {
		if len(acknowledged[kind]) == 0 {
			t.Errorf("no %s was acknowledged", kind)
		}
	}
	for _, id := range acknowledged["kv"] {
		if it, err := db.GetKV(context.Background(), benchSpace, id, time.Now()); it == nil || err != nil || string(it.Value) != `"`+id+`"` {
			t.Errorf("kv %s: %+v, %v", id, it, err)
		}
	}
	for _, id := range acknowledged["claim"] {
		c := invocation.Claim{AgentID: benchAgent, Function: "f", Key: id, InvocationID: "second", ClaimedAt: time.Now()}
		old, err := db.ClaimKey(context.Background(), c, time.Now().Add(-time.Hour))
		if err != nil || old == nil || !old.Done || string(old.Answer) != id {
			t.Errorf("claim %s: %+v, %v", id, old, err)
		}
	}
	for _, id := range acknowledged["row"] {
		row, d, err := db.Row(context.Background(), id)
		if err != nil || row == nil || row.Status != contract.StatusOK || d == nil {
			t.Errorf("row %s: %+v, %+v, %v", id, row, d, err)
		}
	}
	if _, err := history.New(context.Background(), history.Config{Store: db}); err != nil {
		t.Error(err)
	}
}
