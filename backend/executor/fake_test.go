//go:build unix

package executor

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wire"
)

// fakeArg makes the test binary be a worker that does what a worker must not.
const fakeArg = "be-a-fake-worker"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == fakeArg {
		os.Exit(fakeWorker(os.Stdin, os.Stdout))
	}
	if len(os.Args) > 1 && os.Args[1] == platformArg {
		os.Exit(fakePlatform(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// fakeWorker compiles every source to itself and runs it as a list of steps,
// one on each line.
func fakeWorker(in io.Reader, out io.Writer) int {
	f := &fake{in: wire.NewReader(in), out: out}
	f.send(wire.KindReady, nil)
	scripts := map[string]string{}
	for {
		kind, body, err := f.in.Next()
		if err != nil {
			return 0
		}
		switch kind {
		case wire.KindCompile:
			var c wire.Compile
			f.must(json.Unmarshal(body, &c))
			if step, ok := strings.CutPrefix(c.Source, "compiler: "); ok {
				f.run(step)
			}
			f.send(wire.KindCompiled, wire.Compiled{Code: c.Source})
		case wire.KindRun, wire.KindCheck:
			var r wire.Run
			f.must(json.Unmarshal(body, &r))
			code, ok := scripts[r.Hash]
			if !ok {
				f.send(wire.KindNeed, wire.Need{Hash: r.Hash})
				_, b, err := f.in.Next()
				f.must(err)
				code = string(b[wire.HashLen:])
				scripts[r.Hash] = code
			}
			f.calls = 0
			value := f.run(code)
			final := wire.KindResult
			if kind == wire.KindCheck {
				final = wire.KindChecked
			}
			f.send(final, wire.Result{Value: value, DurationUs: 1})
		}
	}
}

type fake struct {
	in    *wire.Reader
	out   io.Writer
	calls int
}

func (f *fake) run(code string) contract.RawJSON {
	value := contract.RawJSON(`"done"`)
	for step := range strings.Lines(code) {
		verb, arg, _ := strings.Cut(strings.TrimSpace(step), " ")
		n, _ := strconv.Atoi(arg)
		switch verb {
		case "return":
			value = contract.RawJSON(arg)
		case "pid":
			value = contract.RawJSON(strconv.Itoa(os.Getpid()))
		case "env":
			value, _ = json.Marshal(os.Environ())
		case "dir":
			value, _ = json.Marshal(f.look())
		case "exit":
			os.Exit(n)
		case "die":
			f.must(syscall.Kill(os.Getpid(), syscall.SIGKILL))
		case "say":
			fmt.Fprintln(os.Stderr, arg)
		case "hang":
			select {}
		case "spin":
			for n := 0; ; n++ { //nolint:revive // it is what a function in an endless loop does
			}
		case "eat":
			f.eat(n)
		case "log":
			f.send(wire.KindLog, wire.Log{LogLine: contract.LogLine{Level: "info", Message: arg}})
		case "flood":
			for {
				f.send(wire.KindLog, wire.Log{LogLine: contract.LogLine{Message: strings.Repeat("x", 1000)}})
			}
		case "frame": // a kind with an empty object
			f.send(wire.Kind(n), struct{}{})
		case "announce": // a length, and nothing behind it
			_, err := f.out.Write([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24), byte(wire.KindResult)})
			f.must(err)
			select {}
		case "junk":
			frame, err := wire.AppendRaw(nil, wire.KindResult, []byte("{"))
			f.must(err)
			_, _ = f.out.Write(frame)
		case "call": // and wait for its answer, idle meanwhile
			f.call(arg)
			f.send(wire.KindIdle, nil)
			f.await(wire.KindReply)
		case "ask": // without waiting
			f.call(arg)
		case "skip": // a number in the order of host calls
			f.calls++
		case "yield":
			f.send(wire.KindIdle, nil)
			f.send(wire.KindWake, nil)
			f.await(wire.KindGo)
		case "until-cancel":
			f.await(wire.KindCancel)
		}
	}
	return value
}

func (f *fake) call(method string) {
	f.calls++
	f.send(wire.KindHost, wire.Host{N: f.calls, Method: method, Args: contract.RawJSON(`{}`)})
}

func (f *fake) await(want wire.Kind) {
	for {
		kind, _, err := f.in.Next()
		if err != nil {
			os.Exit(0)
		}
		if kind == want {
			return
		}
	}
}

func (f *fake) look() map[string]any {
	dir, err := os.Getwd()
	f.must(err)
	entries, err := os.ReadDir(dir)
	f.must(err)
	return map[string]any{"dir": dir, "entries": len(entries), "group": syscall.Getpgrp() == os.Getpid()}
}

// eat touches n MB.
func (f *fake) eat(n int) {
	var eaten [][]byte
	for range n {
		b := make([]byte, 1<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		eaten = append(eaten, b)
	}
	fmt.Fprintln(io.Discard, len(eaten))
}

func (f *fake) send(kind wire.Kind, body any) {
	frame, err := wire.Append(nil, kind, body)
	f.must(err)
	if _, err := f.out.Write(frame); err != nil {
		os.Exit(0)
	}
}

func (f *fake) must(err error) {
	if err != nil {
		panic(err)
	}
}
