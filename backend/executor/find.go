package executor

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// WorkerEnv is the environment variable that names the worker program.
const WorkerEnv = "BENCHTOP_WORKER"

// workerName is the worker program's file name without an extension.
const workerName = "benchtop-worker"

// Search says where a worker program may be found (decisions.md 13).
type Search struct {
	Override   string // a path that wins over everything, the value of BENCHTOP_WORKER
	Executable string // the running program
	// SelfServes says that the running program can be the worker itself, with
	// the argument "worker". The desktop build cannot: it links a browser
	// engine, and starting it costs 40 ms and 60 MB for each worker.
	SelfServes bool
}

// Find gives the command line of the worker. The error says what to do.
func (s Search) Find() ([]string, error) {
	if s.Override != "" {
		if err := runnable(s.Override); err != nil {
			return nil, fmt.Errorf("%s names no program that can be started: %w", WorkerEnv, err)
		}
		return []string{s.Override}, nil
	}
	name := workerName
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	beside := filepath.Join(filepath.Dir(s.Executable), name)
	err := runnable(beside)
	if err == nil {
		return []string{beside}, nil
	}
	if s.SelfServes {
		return []string{s.Executable, "worker"}, nil
	}
	return nil, fmt.Errorf("the worker program that runs functions is missing: put %s beside %s, or name it in %s: %w",
		name, s.Executable, WorkerEnv, err)
}

// FindWorker gives the command line of the worker for the running program.
func FindWorker() ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the running program: %w", err)
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	return Search{Override: os.Getenv(WorkerEnv), Executable: self, SelfServes: !desktopBuild()}.Find()
}

// desktopBuild reports whether the running program was built with the tag of
// the window.
func desktopBuild() bool {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return true // nothing known: do not take the risk
	}
	for _, s := range info.Settings {
		if s.Key == "-tags" {
			for _, tag := range strings.Split(s.Value, ",") {
				if tag == "desktop" {
					return true
				}
			}
		}
	}
	return false
}

func runnable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is not an executable file", path)
	}
	return nil
}
