//go:build unix

package executor

import (
	"context"
	"fmt"
	"os"

	"benchtop/backend/contract"
)

// platformArg makes the test binary be a platform with busy and idle workers.
const platformArg = "be-a-platform"

// fakePlatform prints the ids of its worker processes, two of them busy for
// ever, and waits to be killed.
func fakePlatform(worker []string) int {
	l, err := New(Config{Worker: worker, Slots: 4, Warm: 4})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, source := range []string{handler("for (;;) {}"), handler("await ctx.kv.get('k')")} {
		running := make(chan struct{})
		h := upHost{&host{call: func(ctx context.Context, _ int, _ string, _ contract.RawJSON) contract.HostReply {
			<-ctx.Done()
			return contract.HostReply{}
		}}, running}
		go func() { l.Run(context.Background(), benchJob("console.log('up'); "+source), h) }()
		<-running
	}
	l.pool.mu.Lock()
	for _, w := range l.pool.all {
		fmt.Println(w.cmd.Process.Pid)
	}
	l.pool.mu.Unlock()
	fmt.Println("ready")
	select {}
}

// upHost tells when the function has logged something.
type upHost struct {
	*host
	up chan struct{}
}

func (h upHost) Log(int64, contract.LogLine) { close(h.up) }
