package wall

import (
	"fmt"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"

	"benchtop/backend/worker/wire"
)

// restrict uses as much of Landlock as the kernel has. Nothing of the file
// system is left, nor running a program, nor listening for plain TCP
// connections, nor signals to processes outside; connecting out stays.
func restrict() (wire.Ready, error) {
	var ready wire.Ready
	if err := limit(append(limits, rlimit{unix.RLIMIT_DATA, maxData})); err != nil {
		return ready, err
	}
	version, err := ll.LandlockGetABIVersion()
	if err != nil || version <= 0 {
		// No Landlock in this kernel, or it is switched off.
		if err := ll.AllThreadsPrctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return ready, fmt.Errorf("no new privileges: %w", err)
		}
		return ready, nil
	}
	most := landlock.V10
	only, err := landlock.NewConfig(most.HandledAccessFS, landlock.AccessNetSet(ll.AccessNetBindTCP), most.Scoped)
	if err != nil {
		return ready, err
	}
	if err := only.BestEffort().Restrict(); err != nil {
		return ready, err
	}
	ready.Landlock = version
	return ready, nil
}

// maxData is the far backstop behind both watchdogs: writable memory of the
// process, touched or not. Nearer to a function's own limit it would end the
// process at odd places: at 1 GB every third allocation of 1 GB was a SIGSEGV
// in the Go runtime instead of a watchdog's clear word.
const maxData = 4 << 30
