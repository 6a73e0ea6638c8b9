//go:build unix

package main

import (
	"os"
	"syscall"
)

// pipes gives stdin and stdout in non-blocking mode, so that a waiting read
// costs no thread and wakes its goroutine without a detour. The numbers 0 and 1
// are closed afterwards: nothing else may reach the pipes.
func pipes() (in, out *os.File) {
	return own(0, "frames in", os.Stdin), own(1, "frames out", os.Stdout)
}

func own(fd int, name string, fallback *os.File) *os.File {
	mine, err := syscall.Dup(fd)
	if err != nil {
		return fallback
	}
	syscall.CloseOnExec(mine)
	if err := syscall.SetNonblock(mine, true); err != nil {
		return fallback
	}
	_ = syscall.Close(fd)
	return os.NewFile(uintptr(mine), name)
}
