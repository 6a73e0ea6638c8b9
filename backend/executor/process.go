package executor

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// process is a child process and the platform's ends of its pipes.
type process struct {
	cmd    *exec.Cmd
	in     *os.File // its standard input
	out    *os.File // its standard output
	stderr *tail
	gauge  gauge
	done   chan struct{} // closed when it has ended and was waited for
	state  *os.ProcessState
}

// startProcess starts argv with nothing of ours but its three pipes: no
// environment, the empty folder dir, a process group of its own.
func startProcess(argv []string, dir string) (*process, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a pipe: %w", err), childIn.Close(), in.Close())
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	p := &process{cmd: cmd, in: in, out: out, stderr: &tail{}, done: make(chan struct{})}
	cmd.Dir, cmd.Env = dir, []string{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = childIn, childOut, p.stderr
	cmd.SysProcAttr = childAttr()
	cmd.WaitDelay = time.Second // nothing may hold the error pipe open for longer

	started := make(chan error)
	go p.live(started)
	err = <-started
	_, _ = childIn.Close(), childOut.Close()
	if err != nil {
		_, _ = in.Close(), out.Close()
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	return p, nil
}

// live starts the process and waits for it. On Linux the child gets SIGKILL
// when the thread that started it ends, so that it never outlives the platform;
// therefore this goroutine keeps its thread for the child's whole life.
func (p *process) live(started chan<- error) {
	defer holdThread()()
	err := p.cmd.Start()
	if err == nil {
		err = p.gauge.open(p.cmd.Process)
		if err != nil {
			_ = p.cmd.Process.Kill()
			_ = p.cmd.Wait()
		}
	}
	started <- err
	if err != nil {
		return
	}
	_ = p.cmd.Wait() // how it ended is in ProcessState
	p.state = p.cmd.ProcessState
	p.gauge.close()
	close(p.done)
}

// kill ends the process at once. A process that has ended is left alone.
func (p *process) kill() { _ = p.cmd.Process.Kill() }

// ended reports whether the process is gone.
func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// release closes the platform's ends of the pipes. The process, which reads
// its input, takes that as the order to leave.
func (p *process) release() { _, _ = p.in.Close(), p.out.Close() }
