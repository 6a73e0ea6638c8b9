package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
	"time"
)

const (
	defaultAddr = "127.0.0.1:4780"
	// nextPorts is how many ports behind the default one are tried.
	nextPorts = 20
)

// listen opens the port. A port that was asked for and is taken is an error;
// the default one gives way to the next free one.
func (p *Program) listen(ctx context.Context, o options) (net.Listener, error) {
	addr := o.addr
	ln, err := net.Listen("tcp", addr)
	if err == nil || !taken(err) {
		return ln, err
	}
	held := "port " + portOf(addr) + " is taken" + byHolder(ctx, addr)
	if o.addrGiven {
		return nil, fmt.Errorf("%s; choose another one, or port 0 for any free one", held)
	}
	host, port, _ := net.SplitHostPort(addr)
	first, _ := strconv.Atoi(port)
	for n := first + 1; n <= first+nextPorts; n++ {
		if ln, err = net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(n))); err == nil {
			fmt.Fprintf(p.Stderr, "benchtop: %s; using %d\n", held, n)
			return ln, nil
		}
	}
	return nil, fmt.Errorf("%s, and so are the %d after it: %w", held, nextPorts, err)
}

// loopback checks an address to listen on. Names and addresses beside these
// three are refused, because requests are only answered under these.
func loopback(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", usageError{fmt.Errorf("--addr %q is no address; write it as %s", addr, defaultAddr)}
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return "", usageError{fmt.Errorf("--addr %q: the port is a number from 0 to 65535", addr)}
	}
	switch host {
	case "localhost":
		host = "127.0.0.1"
	case "127.0.0.1", "::1":
	default:
		return "", usageError{fmt.Errorf("--addr %q: only this machine may reach the platform; use 127.0.0.1, localhost or [::1]", addr)}
	}
	return net.JoinHostPort(host, port), nil
}

func portOf(addr string) string {
	_, port, _ := net.SplitHostPort(addr)
	return port
}

func taken(err error) bool {
	const wsaEADDRINUSE = syscall.Errno(10048) // what Windows calls it
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, wsaEADDRINUSE)
}

// byHolder says who holds an address, as far as that can be known: another
// benchtop by what it answers, anybody else by what the system tells.
func byHolder(ctx context.Context, addr string) string {
	ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	if b, err := askBoot(ctx, "http://"+addr); err == nil && b.DataID != "" {
		return " by another benchtop (version " + b.Version + ")"
	}
	if name, pid := holder(addr); pid > 0 {
		return fmt.Sprintf(" by %s (process %d)", name, pid)
	}
	return " by another program"
}
