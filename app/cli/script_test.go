package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"benchtop/app/cli"
	"benchtop/backend/executor"
	"benchtop/backend/executor/exectest"
)

// TestMain makes the test program one that can be benchtop, and a browser that
// writes down what it was asked to open.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"benchtop": func() {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			os.Exit(cli.Run(ctx, &cli.Program{
				Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
				Version: "1.2.3-test", Assets: fstest.MapFS{"index.html": {Data: []byte("page")}},
				FindWorker: executor.FindWorker, // BENCHTOP_WORKER: this program is none
			}))
		},
		"browser": func() {
			f, err := os.Create(os.Getenv("OPENED") + ".part")
			if err == nil {
				_, err = fmt.Fprintln(f, strings.Join(os.Args[1:], " "))
				f.Close()
			}
			if err == nil {
				err = os.Rename(f.Name(), os.Getenv("OPENED"))
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		},
	})
}

func TestScripts(t *testing.T) {
	worker := exectest.Worker(t)[0]
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir+"/home")
			e.Setenv("XDG_DATA_HOME", "")
			e.Setenv("BENCHTOP_WORKER", worker)
			e.Setenv("BENCHTOP_KEYCHAIN", "off")
			e.Setenv("DISPLAY", "")
			e.Setenv("WAYLAND_DISPLAY", "")
			e.Setenv("BROWSER", "")
			e.Setenv("OPENED", e.WorkDir+"/opened")
			return os.Mkdir(e.WorkDir+"/home", 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await": await, "ask": ask, "mode": mode, "takeport": takePort, "gone": gone, "remember": remember, "ownerkey": ownerKey,
			"bearer": bearer, "field": field, "status": status, "follow": follow,
		},
	})
}

type place struct {
	URL  string
	PID  int
	Data string
}

// await FILE waits until the file is there and, when it is a ready file, sets
// URL, PID and DATA from it.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await FILE")
	}
	path := ts.MkAbs(args[0])
	var b []byte
	until(ts, path, func() (err error) { b, err = os.ReadFile(path); return err })
	var p place
	if json.Unmarshal(b, &p) == nil {
		ts.Setenv("URL", p.URL)
		ts.Setenv("PID", strconv.Itoa(p.PID))
		ts.Setenv("DATA", p.Data)
		u := strings.TrimPrefix(p.URL, "http://")
		_, port, _ := net.SplitHostPort(u)
		ts.Setenv("PORT", port)
	}
}

// patience is when waiting for another process is given up: a machine that is
// busy with other tests takes its time, and only a process that hangs takes
// longer than this.
const patience = 4 * time.Minute

// until looks again and again; what is waited for is another process.
func until(ts *testscript.TestScript, what string, try func() error) {
	limit := time.After(patience)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := try()
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-limit:
			ts.Fatalf("waited too long for %s: %v", what, err)
		}
	}
}

// ask [-owner DIR] METHOD URL BODY prints status and body of a request to
// stdout; with ! the status must not be 2xx.
func ask(ts *testscript.TestScript, neg bool, args []string) {
	key := ""
	if len(args) > 1 && args[0] == "-owner" {
		key = strings.TrimSpace(ts.ReadFile(args[1] + "/owner.key"))
		args = args[2:]
	}
	if len(args) < 2 {
		ts.Fatalf("usage: ask [-owner DIR] METHOD URL [BODY]")
	}
	req, err := http.NewRequest(args[0], args[1], strings.NewReader(strings.Join(args[2:], " ")))
	ts.Check(err)
	if len(args) > 2 {
		req.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	ts.Check(err)
	defer res.Body.Close()
	var body strings.Builder
	_, err = fmt.Fprintln(&body, res.StatusCode)
	ts.Check(err)
	buf := make([]byte, 1<<16)
	for {
		n, err := res.Body.Read(buf)
		body.Write(buf[:n])
		if err != nil {
			break
		}
	}
	fmt.Fprintln(ts.Stdout(), body.String())
	if ok := res.StatusCode < 300; ok == neg {
		ts.Fatalf("%s %s: %s", args[0], args[1], body.String())
	}
}

// mode FILE OCTAL checks the permissions of a file.
func mode(ts *testscript.TestScript, _ bool, args []string) {
	st, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if want, _ := strconv.ParseUint(args[1], 8, 32); st.Mode().Perm() != fs.FileMode(want) {
		ts.Fatalf("%s has mode %o, want %s", args[0], st.Mode().Perm(), args[1])
	}
}

// takeport listens on a free port for the rest of the script and sets TAKEN.
func takePort(ts *testscript.TestScript, _ bool, _ []string) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { ln.Close() })
	ts.Setenv("TAKEN", ln.Addr().String())
}

// gone PID waits until neither the process nor a child of it is left.
func gone(ts *testscript.TestScript, _ bool, args []string) {
	until(ts, "the end of process "+args[0], func() error {
		// ps fails when it finds none.
		out, _ := exec.Command("ps", "-o", "pid=,stat=,args=", "-p", args[0], "--ppid", args[0]).Output()
		for line := range strings.Lines(string(out)) {
			if f := strings.Fields(line); len(f) > 1 && !strings.HasPrefix(f[1], "Z") {
				return fmt.Errorf("still there: %s", line)
			}
		}
		return nil
	})
}

// remember NAME FILE sets a variable to what is behind "login=" in a file.
func remember(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[1])
	if _, err := os.Stat(filepath.Clean(path)); err != nil {
		ts.Check(err)
	}
	_, code, found := strings.Cut(ts.ReadFile(args[1]), "#login=")
	if !found {
		ts.Fatalf("no login code in %s", args[1])
	}
	ts.Setenv(args[0], strings.TrimSpace(code))
}

// ownerkey DIR sets BENCHTOP_KEY to the owner key of a data directory.
func ownerKey(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv("BENCHTOP_KEY", strings.TrimSpace(ts.ReadFile(args[0]+"/owner.key")))
}

// bearer DIR sets BENCHTOP_TOKEN to the owner key of a data directory.
func bearer(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv("BENCHTOP_TOKEN", strings.TrimSpace(ts.ReadFile(args[0]+"/owner.key")))
}

// field NAME KEY FILE sets a variable to a text at the top of a JSON object.
func field(ts *testscript.TestScript, _ bool, args []string) {
	var all map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[2])), &all))
	text, ok := all[args[1]].(string)
	if !ok {
		ts.Fatalf("%s has no text %s", args[2], args[1])
	}
	ts.Setenv(args[0], text)
}

// status CODE COMMAND... wants an exit code.
func status(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	var ended *exec.ExitError
	code := 0
	if errors.As(err, &ended) {
		code = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("%s ended with %d, want %s", strings.Join(args[1:], " "), code, args[0])
	}
}

// follow FUNCTION starts following the log of a function, calls it until the
// call is seen there, and ends the following as a person does.
func follow(ts *testscript.TestScript, _ bool, args []string) {
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command("benchtop", args...)
		cmd.Dir = ts.MkAbs(".")
		for _, name := range []string{"HOME", "BENCHTOP_WORKER", "BENCHTOP_KEYCHAIN", "PATH"} {
			cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
		}
		return cmd
	}
	tail := command("fn", "logs", args[0], "--follow", "-n", "0")
	out, err := tail.StdoutPipe()
	ts.Check(err)
	ts.Check(tail.Start())
	ts.Defer(func() { _ = tail.Process.Kill() })
	seen := make(chan string)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if strings.Contains(lines.Text(), "[info] called") {
				close(seen)
				break
			}
		}
		_, _ = io.Copy(io.Discard, out)
	}()
	until(ts, "a call in the log", func() error {
		text, err := command("fn", "invoke", args[0], "name=Ada").CombinedOutput()
		if err != nil {
			ts.Fatalf("%s", text)
		}
		select {
		case <-seen:
			return nil
		default:
			return errors.New("not there yet")
		}
	})
	if err := tail.Process.Signal(os.Interrupt); err != nil {
		ts.Check(tail.Process.Kill()) // where there are no signals
	}
	if err := tail.Wait(); err != nil && runtime.GOOS != "windows" {
		ts.Fatalf("the end of following: %v", err)
	}
}
