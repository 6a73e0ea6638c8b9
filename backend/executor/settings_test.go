//go:build unix

package executor

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// Workers that have read old settings of the network are replaced when the next
// function comes, and only then.
func TestOldSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "resolv.conf")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("nameserver 127.0.0.1\n")
	var ahead atomic.Int64
	l := newLocal(t, Config{Slots: 1, Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }})
	l.pool.settings.mu.Lock()
	l.pool.settings.files = []string{file}
	l.pool.settings.mu.Unlock()
	run := func() int {
		t.Helper()
		ahead.Add(int64(settingsFor))
		if o := l.Run(t.Context(), job("return 1"), nil); o.Code != "" {
			t.Fatal(o)
		}
		l.pool.mu.Lock()
		defer l.pool.mu.Unlock()
		if len(l.pool.idle) == 0 {
			t.Fatal("no worker is idle")
		}
		return l.pool.idle[len(l.pool.idle)-1].cmd.Process.Pid
	}
	first := run()
	if again := run(); again != first {
		t.Errorf("worker %d came after %d, and nothing had changed", again, first)
	}
	write("nameserver 127.0.0.1\nnameserver 127.0.0.2\n")
	if next := run(); next == first {
		t.Error("a worker with old settings goes on")
	}
}
