package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"benchtop/backend/contract"
	"benchtop/backend/executor"
	"benchtop/backend/executor/remote"
)

const executorAddr = "127.0.0.1:7070"

type executorOptions struct {
	addr, readyFile        string
	cert, key, clientCA    string
	log                    string
	slots, most, maxQueued int
}

// executorCommand runs functions for platforms on other machines.
func executorCommand(p *Program) *cobra.Command {
	var o executorOptions
	cmd := &cobra.Command{
		Use:   "executor",
		Short: "Run functions for a platform on another machine",
		Long: "Runs functions for platforms that name this address in " + envExecutorURL + ", until SIGINT or SIGTERM.\n" +
			"Serves /invoke, /validate, /healthz and /metrics. It keeps nothing: source, permissions and a token for\n" +
			"host calls come with each invocation.\n\n" +
			"Beyond loopback it asks for a secret that both sides have in " + envExecutorSecret + ", or for client\n" +
			"certificates (--client-ca).",
		Example: "  benchtop executor\n" +
			"  " + envExecutorURL + "=http://127.0.0.1:7070 benchtop serve\n\n" +
			"  " + envExecutorSecret + "=... benchtop executor --addr 10.0.0.5:7070 --tls-cert cert.pem --tls-key key.pem",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.execute(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.addr, "addr", executorAddr, "address to listen on; port 0 takes any free one")
	f.StringVar(&o.readyFile, "ready-file", "", "file to write {url, pid} to as soon as it answers")
	f.StringVar(&o.cert, "tls-cert", "", "certificate in PEM form, to serve https")
	f.StringVar(&o.key, "tls-key", "", "its key")
	f.StringVar(&o.clientCA, "client-ca", "", "take only clients with a certificate of this authority")
	f.IntVar(&o.slots, "slots", 0, "functions that may compute at a time (default: the number of cores)")
	f.IntVar(&o.most, "max-workers", 0, "worker processes at most (default 64)")
	f.IntVar(&o.maxQueued, "max-queued", 0, "invocations that may wait before others are turned away (default 512)")
	f.StringVar(&o.log, "log", "text", "format of the log on stderr: text or json")
	return cmd
}

// serverTLS is nil for plain HTTP.
func (o *executorOptions) serverTLS() (*tls.Config, error) {
	if o.cert == "" && o.key == "" {
		if o.clientCA != "" {
			return nil, usageError{errors.New("--client-ca needs --tls-cert and --tls-key")}
		}
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(o.cert, o.key)
	if err != nil {
		return nil, usageError{fmt.Errorf("--tls-cert and --tls-key: %w", err)}
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}
	if o.clientCA != "" {
		if c.ClientCAs, err = certPool(o.clientCA); err != nil {
			return nil, usageError{fmt.Errorf("--client-ca: %w", err)}
		}
		c.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return c, nil
}

func (p *Program) execute(ctx context.Context, o executorOptions) error {
	if o.log != "text" && o.log != "json" {
		return usageError{fmt.Errorf("--log is text or json, not %q", o.log)}
	}
	host, _, err := net.SplitHostPort(o.addr)
	if err != nil {
		return usageError{fmt.Errorf("--addr %q is no address; write it as %s", o.addr, executorAddr)}
	}
	secret := os.Getenv(envExecutorSecret)
	secure, err := o.serverTLS()
	if err != nil {
		return err
	}
	if !loopbackHost(host) && secret == "" && o.clientCA == "" {
		return usageError{fmt.Errorf("--addr %s can be reached from other machines: set %s here and on the platform, or give --client-ca", o.addr, envExecutorSecret)}
	}
	worker, err := p.FindWorker()
	if err != nil {
		return err
	}
	log := p.logger(o.log)
	local, err := executor.New(executor.Config{Worker: worker, Slots: o.slots, MaxWorkers: o.most, MaxQueued: o.maxQueued, Log: log})
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
		defer cancel()
		if err := local.Close(ctx); err != nil {
			log.Error("the workers did not end", "error", err)
		}
	}()
	ln, err := net.Listen("tcp", o.addr)
	if err != nil {
		return err
	}
	scheme := "http"
	if secure != nil {
		scheme, ln = "https", tls.NewListener(ln, secure)
	}
	s := remote.NewServer(remote.ServerConfig{Executor: local, Stats: local.Stats, Load: local.Load, Secret: secret, Log: log})
	defer s.Close()
	return p.serveExecutor(ctx, ln, scheme, s, o)
}

// serveExecutor answers until ctx ends; then invocations under way may finish.
func (p *Program) serveExecutor(ctx context.Context, ln net.Listener, scheme string, h http.Handler, o executorOptions) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader}
	var fresh freshConns
	fresh.follow(server)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(ln) }()
	url := scheme + "://" + ln.Addr().String()
	fmt.Fprintf(p.Stdout, "benchtop: executor on %s\n", url)
	if o.readyFile != "" {
		file, err := filepath.Abs(o.readyFile)
		if err == nil {
			here := Running{URL: url, PID: os.Getpid()}
			err = here.write(file)
		}
		if err != nil {
			return errors.Join(fmt.Errorf("write %s: %w", o.readyFile, err), server.Close())
		}
		defer os.Remove(file)
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	const longest = contract.MaxWallMs*time.Millisecond + stopWithin
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), longest)
	defer cancel()
	fresh.close()
	if err := server.Shutdown(end); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}
