package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/executor/exectest"
	"benchtop/backend/sqlite"
)

// process is a benchtop of its own.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	exited chan struct{}
	url    string
	key    string
	http   *http.Client
}

// startProcess serves a data directory and a project until the test ends, with
// more in its environment.
func startProcess(t *testing.T, dir, project string, env ...string) *process {
	t.Helper()
	ready := filepath.Join(t.TempDir(), "ready")
	var log bytes.Buffer
	cmd := exec.Command("benchtop", "serve", "--addr", "127.0.0.1:0", "--data", dir, "--project", project, "--ready-file", ready)
	cmd.Env = append(os.Environ(), "BENCHTOP_WORKER="+exectest.Worker(t)[0], "BENCHTOP_KEYCHAIN=off", "HOME="+t.TempDir())
	cmd.Env = append(cmd.Env, env...)
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended is in ProcessState
		close(exited)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-exited
		if t.Failed() {
			t.Logf("log of process %d:\n%s", cmd.Process.Pid, log.String())
		}
	})
	p := &process{t: t, cmd: cmd, exited: exited, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	wait(t, "the ready file", func() bool {
		select {
		case <-exited:
			t.Fatalf("benchtop did not start:\n%s", log.String())
		default:
		}
		b, err := os.ReadFile(ready)
		var here place
		if err != nil || json.Unmarshal(b, &here) != nil {
			return false
		}
		p.url = here.URL
		return true
	})
	var err error
	if p.key, err = auth.OwnerKey(dir); err != nil {
		t.Fatal(err)
	}
	return p
}

// wait looks until what another process does can be seen.
func wait(t *testing.T, what string, seen func() bool) {
	t.Helper()
	limit := time.After(60 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !seen() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("waited too long for %s", what)
		}
	}
}

// answer is what a caller keeps of an invoke; err when none came.
type reply struct {
	status   int
	body     string
	replayed bool
	err      error
}

// invoke calls the function once under a key.
func (p *process) invoke(key, url string) reply {
	body, _ := json.Marshal(map[string]any{"args": map[string]string{"key": key, "url": url}})
	return p.do("POST", "/api/agents/crash/functions/work/invoke", body, "Idempotency-Key", key)
}

func (p *process) do(method, path string, body []byte, header ...string) reply {
	req, err := http.NewRequest(method, p.url+path, bytes.NewReader(body))
	if err != nil {
		return reply{err: err}
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := p.http.Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return reply{res.StatusCode, string(b), res.Header.Get("Idempotent-Replayed") == "true", err}
}

// children gives the living children of a process.
func children(pid int) []int {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if len(b) == 0 {
		b, _ = exec.Command("ps", "-o", "pid=", "--ppid", strconv.Itoa(pid)).Output()
	}
	var pids []int
	for _, f := range strings.Fields(string(b)) {
		if n, err := strconv.Atoi(f); err == nil {
			pids = append(pids, n)
		}
	}
	return pids
}

// alive reports whether a process runs; a zombie does not.
func alive(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return !strings.HasPrefix(rest, "Z")
}

func crashProject(t *testing.T, origin string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"AGENT.md":                     "---\nname: crash\n---\nRuns until it is stopped.\n",
		"functions/work/manifest.json": `{"runtime":"js-v1","permissions":{"kv":"rw","fetch":["` + origin + `"]},"limits":{"wallMs":30000}}`,
		// won is false when the same key ran before: it must never be.
		"functions/work/index.js": "export default async (ctx) => {\n" +
			"  const { key, url } = ctx.toolCall.params;\n" +
			"  const { won } = await ctx.kv.putIfAbsent(key, true);\n" +
			"  if (url) await ctx.fetch(url);\n" +
			"  return { key, won };\n};\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestKilledInTheMiddle kills the platform with 50 invokes under way, half of
// them held inside the function, and looks at what the next start makes of it.
func TestKilledInTheMiddle(t *testing.T) {
	const callers = 50
	held := make(chan struct{}, callers)
	release := make(chan struct{})
	stub := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		held <- struct{}{}
		<-release
	}))
	defer stub.Close()
	defer close(release)

	dir := filepath.Join(t.TempDir(), "data")
	project := crashProject(t, stub.URL)
	first := startProcess(t, dir, project)

	replies := make([]reply, callers)
	var all sync.WaitGroup
	for i := range replies {
		url := ""
		if i%2 == 0 {
			url = stub.URL + "/" + strconv.Itoa(i)
		}
		all.Go(func() { replies[i] = first.invoke(keyOf(i), url) })
	}
	for range callers / 2 { // these are inside their fetch now
		select {
		case <-held:
		case <-time.After(60 * time.Second):
			t.Fatal("the invokes do not reach their fetch")
		}
	}
	// A burst of quick ones is cut off wherever it happens to be.
	burst := make([]reply, callers)
	acked := make(chan struct{}, callers)
	for i := range burst {
		all.Go(func() {
			burst[i] = first.invoke(keyOf(callers+i), "")
			acked <- struct{}{}
		})
	}
	for range callers / 4 {
		<-acked
	}
	workers := children(first.cmd.Process.Pid)
	if len(workers) == 0 {
		t.Fatal("the platform has no worker processes")
	}
	if err := first.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	for _, pid := range workers {
		wait(t, fmt.Sprintf("the end of worker %d", pid), func() bool { return !alive(pid) })
	}

	second := startProcess(t, dir, project)
	acknowledged, interrupted := 0, 0
	for i, before := range append(replies, burst...) {
		url := ""
		if i < callers && i%2 == 0 {
			url = stub.URL + "/" + strconv.Itoa(i)
		}
		after := second.invoke(keyOf(i), url)
		name := fmt.Sprintf("invoke %d (before: %d %s %v)", i, before.status, before.body, before.err)
		switch {
		case before.err == nil:
			acknowledged++
			if before.status != 200 || !strings.Contains(before.body, `"won":true`) {
				t.Errorf("%s was not answered well", name)
			}
			if after.status != 200 || !after.replayed || after.body != before.body {
				t.Errorf("%s is not replayed: %+v", name, after)
			}
		case after.status == contract.InvocationInterrupted.Status():
			interrupted++
			if !strings.Contains(after.body, string(contract.InvocationInterrupted)) {
				t.Errorf("%s: %+v", name, after)
			}
			if again := second.invoke(keyOf(i), url); again.status != after.status {
				t.Errorf("%s ran after all: %+v", name, again)
			}
		case url != "":
			t.Errorf("%s was inside the function and now gives %+v", name, after)
		case after.status != 200 || !strings.Contains(after.body, `"won":true`):
			// Either it never began and ran now, or its answer was stored and
			// did not get out. In no case did it run twice.
			t.Errorf("%s: %+v", name, after)
		}
	}
	if acknowledged < callers/4 || interrupted < callers/2 {
		t.Errorf("%d acknowledged, %d interrupted: the test did not happen", acknowledged, interrupted)
	}
	second.noneRunning()
	second.stop()

	db, err := sqlite.Open(t.Context(), sqlite.Config{Path: filepath.Join(dir, "benchtop.db"), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	if damage, err := db.Check(context.Background()); err != nil || len(damage) > 0 {
		t.Errorf("the database is damaged: %q, %v", damage, err)
	}
}

func keyOf(i int) string { return "key-" + strconv.Itoa(i) }

// noneRunning pages through the history: every row has ended.
func (p *process) noneRunning() {
	rows, cursor := 0, ""
	for {
		r := p.do("GET", "/api/agents/crash/functions/work/invocations?limit=200&cursor="+cursor, nil)
		var page contract.InvocationPage
		if err := json.Unmarshal([]byte(r.body), &page); err != nil || r.status != 200 {
			p.t.Fatalf("history: %+v, %v", r, err)
		}
		for _, row := range page.Items {
			rows++
			if row.Status == contract.StatusRunning || row.Status == contract.StatusError && row.ErrorCode != contract.InvocationInterrupted {
				p.t.Errorf("row %s is %s %s", row.ID, row.Status, row.ErrorCode)
			}
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	if rows < 50 {
		p.t.Errorf("the history has %d rows", rows)
	}
}

// stop ends the process in order and expects exit code 0.
func (p *process) stop() {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	select {
	case <-p.exited:
	case <-time.After(30 * time.Second):
		p.t.Fatal("the process does not end")
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		p.t.Errorf("exit code %d", code)
	}
}

// TestStopWhileRunning: a run that does not end is cancelled, its caller gets an
// answer, and everything is over within the promised time.
func TestStopWhileRunning(t *testing.T) {
	held := make(chan struct{}, 1)
	release := make(chan struct{})
	stub := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		held <- struct{}{}
		<-release
	}))
	defer stub.Close()
	defer close(release)
	p := startProcess(t, filepath.Join(t.TempDir(), "data"), crashProject(t, stub.URL))
	got := make(chan reply, 1)
	go func() { got <- p.invoke("k", stub.URL+"/x") }()
	<-held
	workers := children(p.cmd.Process.Pid)
	p.stop()
	r := <-got
	if r.err != nil || r.status != 200 || !strings.Contains(r.body, string(contract.InvocationCancelled)) {
		t.Errorf("the caller got %+v", r)
	}
	for _, pid := range workers {
		wait(t, fmt.Sprintf("the end of worker %d", pid), func() bool { return !alive(pid) })
	}
}
