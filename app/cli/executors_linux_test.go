package cli_test

import (
	"bytes"
	"encoding/json"
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

	"benchtop/backend/contract"
	"benchtop/backend/executor/exectest"
)

// startExecutor runs `benchtop executor` until the test ends, with more in its
// environment and more arguments.
func startExecutor(t *testing.T, env []string, args ...string) (url string, cmd *exec.Cmd) {
	t.Helper()
	ready := filepath.Join(t.TempDir(), "ready")
	var log bytes.Buffer
	cmd = exec.Command("benchtop", append([]string{"executor", "--addr", "127.0.0.1:0", "--ready-file", ready}, args...)...)
	cmd.Env = append(append(os.Environ(), "BENCHTOP_WORKER="+exectest.Worker(t)[0]), env...)
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
			t.Logf("log of executor %d:\n%s", cmd.Process.Pid, log.String())
		}
	})
	wait(t, "an executor", func() bool {
		select {
		case <-exited:
			t.Fatalf("the executor did not start:\n%s", log.String())
		default:
		}
		b, err := os.ReadFile(ready)
		var here place
		if err != nil || json.Unmarshal(b, &here) != nil {
			return false
		}
		url = here.URL
		return true
	})
	return url, cmd
}

// fetches counts what functions ask of a server that holds them until release.
type fetches struct {
	mu      sync.Mutex
	of      map[string]int
	held    chan struct{}
	release chan struct{}
}

func (f *fetches) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.of[r.URL.Path]++
	f.mu.Unlock()
	f.held <- struct{}{}
	<-f.release
}

// TestExecutorLost kills one of three executors with 45 functions inside a
// fetch. Every caller is told what became of its call, nothing runs twice, and
// the other two take what comes after.
func TestExecutorLost(t *testing.T) {
	const callers = 45
	outside := &fetches{of: map[string]int{}, held: make(chan struct{}, 2*callers), release: make(chan struct{})}
	stub := httptest.NewServer(outside)
	defer stub.Close()

	const secret = "SERVICE_EXECUTOR_SECRET=between these three"
	var urls []string
	var victim *exec.Cmd
	for range 3 {
		url, cmd := startExecutor(t, []string{secret})
		urls, victim = append(urls, url), cmd
	}
	p := startProcess(t, filepath.Join(t.TempDir(), "data"), crashProject(t, stub.URL), secret, "SERVICE_EXECUTOR_URL="+strings.Join(urls, ", "))

	replies := make([]reply, callers)
	var all sync.WaitGroup
	address := func(i int) string { return stub.URL + "/" + strconv.Itoa(i) }
	for i := range replies {
		all.Go(func() { replies[i] = p.invoke(keyOf(i), address(i)) })
	}
	for range callers {
		select {
		case <-outside.held:
		case <-time.After(60 * time.Second):
			t.Fatal("the invokes do not reach their fetch")
		}
	}
	if err := victim.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	// What comes now goes to the two that are left.
	after := make([]reply, callers)
	for i := range after {
		all.Go(func() { after[i] = p.invoke(keyOf(callers+i), "") })
	}
	close(outside.release)
	all.Wait()

	lost := 0
	for i, r := range replies {
		switch {
		case r.err != nil || r.status != 200:
			t.Errorf("invoke %d was not answered: %+v", i, r)
		case strings.Contains(r.body, `"won":true`):
		case strings.Contains(r.body, string(contract.InvocationInterrupted)):
			lost++
		default:
			t.Errorf("invoke %d: %s", i, r.body)
		}
		if again := p.invoke(keyOf(i), address(i)); !again.replayed || again.body != r.body {
			t.Errorf("invoke %d said %s and then %s", i, r.body, again.body)
		}
		if n := outside.of["/"+strconv.Itoa(i)]; n != 1 {
			t.Errorf("function %d fetched %d times", i, n)
		}
	}
	for i, r := range after {
		well := strings.Contains(r.body, `"won":true`)
		if strings.Contains(r.body, string(contract.InvocationInterrupted)) { // it was sent in the very moment
			again := p.invoke(keyOf(callers+i), "")
			well = again.replayed && again.body == r.body
		}
		if r.status != 200 || !well {
			t.Errorf("invoke %d, after the loss: %+v", callers+i, r)
		}
	}
	if r := p.invoke("much-later", ""); !strings.Contains(r.body, `"won":true`) {
		t.Errorf("once it is known to be gone: %+v", r)
	}
	if lost == 0 || lost > callers*2/3 {
		t.Errorf("%d of %d were lost with one of three executors", lost, callers)
	}
	t.Logf("%d of %d invocations were lost with their executor", lost, callers)
	p.noneRunning()
	p.stop()
}
