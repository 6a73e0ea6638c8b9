//go:build unix

package executor

import (
	"os"
	"runtime"
	"testing"

	"benchtop/backend/executor/exectest"
)

// TestProbe wants a real worker to say which walls are around it, and one that
// says nothing to be told about.
func TestProbe(t *testing.T) {
	real, err := Probe(exectest.Worker(t))
	if err != nil || real.Ready <= 0 {
		t.Fatalf("%+v, %v", real, err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	silent, err := Probe([]string{self, fakeArg})
	if err != nil || silent.Landlock != 0 || silent.Missing() == "" {
		t.Errorf("%+v %q, %v", silent, silent.Missing(), err)
	}
	if _, err := Probe([]string{"/nowhere"}); err == nil {
		t.Error("a program that is not there was started")
	}

	l := newLocal(t, Config{})
	if o := l.Run(t.Context(), job("return 1"), nil); o.Code != "" {
		t.Fatal(o)
	}
	if n := l.Notices(); len(n) != 1 || n[0].Code != "worker_walls" || n[0].Message != silent.Missing() {
		t.Errorf("%+v", n)
	}
	behind := newLocal(t, Config{Worker: exectest.Worker(t)})
	if o := behind.Run(t.Context(), benchJob(helloSource), &host{}); o.Code != "" {
		t.Fatal(o)
	}
	if n := behind.Notices(); runtime.GOOS == "linux" && (len(n) > 0) != (real.Landlock == 0) {
		t.Errorf("behind Landlock %d: %+v", real.Landlock, n)
	}
}
