package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/httpapi"
	"benchtop/backend/platform"
)

const (
	// finishWithin is how long running invocations may take to end by
	// themselves when the program stops; stopWithin bounds the whole stop.
	finishWithin = 3 * time.Second
	stopWithin   = 5 * time.Second

	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 * contract.KB
)

// Server is a platform that answers on a loopback port.
type Server struct {
	platform   *platform.Platform
	http       *http.Server
	bridge     *http.Server // nil without --bridge-addr
	fresh      freshConns
	dir        *dataDir
	url        string
	files      []string // that say where we are; removed at the end
	failed     chan error
	endStreams context.CancelFunc
	version    string

	once    sync.Once
	stopErr error
}

// start opens the data directory, the port and the platform, in this order, and
// undoes what it did when one of them fails. The error is a *Running when
// another process serves the data directory.
func (p *Program) start(ctx context.Context, o options, focus func()) (_ *Server, err error) {
	log := p.logger(o.log)
	dir, err := p.openDataDir(ctx, o)
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, failed: make(chan error, 1), version: p.Version, endStreams: func() {}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close(context.WithoutCancel(ctx)))
		}
	}()
	ln, err := p.listen(ctx, o)
	if err != nil {
		return nil, err
	}
	s.url = "http://" + ln.Addr().String()
	defer func() {
		if s.http == nil {
			ln.Close()
		}
	}()
	worker, err := p.FindWorker()
	if err != nil {
		return nil, err
	}
	home, err := samplesDir(o, dir)
	if err != nil {
		return nil, err
	}
	s.platform, err = platform.Open(ctx, platform.Config{
		DataDir: dir.path, Version: p.Version, Ephemeral: o.ephemeral, Projects: o.projects,
		Worker: worker, Assets: p.Assets, Home: home, Focus: focus, Log: log,
		ValidationsPerMinute: o.validations, Executors: o.remote.executors,
	})
	if err != nil {
		return nil, err
	}
	s.platform.SetURL(s.url)
	s.serve(ln, log)
	if err := s.serveBridge(o.remote); err != nil {
		return nil, err
	}
	return s, s.leaveWord(o.readyFile)
}

// samplesDir is where samples are created: in sight, or with an ephemeral
// platform where they go when it goes.
func samplesDir(o options, dir *dataDir) (string, error) {
	if o.ephemeral {
		return filepath.Join(dir.path, "Benchtop"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, "Benchtop"), err
}

// serve answers on ln in the background. There is no WriteTimeout because
// streams last; each frame of a stream and each body have their own.
func (s *Server) serve(ln net.Listener, log *slog.Logger) {
	base, cancel := context.WithCancel(context.Background())
	s.endStreams = cancel
	s.http = &http.Server{
		Handler:           s.platform.Handler(),
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return base },
		ConnContext:       boundBuffer,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	s.fresh.follow(s.http)
	go func() {
		if err := s.http.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- err
		}
	}()
}

// maxUnread is how much the system keeps for a reader that takes nothing; it keeps
// about twice of what it is told.
const maxUnread = 128 << 10

// boundBuffer bounds what waits in the system for a slow reader. Left to itself it
// keeps 4 MB for each, which no limit of ours sees, and the one who writes learns
// late that nobody reads.
func boundBuffer(ctx context.Context, c net.Conn) context.Context {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(maxUnread) // without it, it is as large as the system likes
	}
	return ctx
}

// leaveWord writes where the platform is: for the command line and, when asked
// for, for whoever started us.
func (s *Server) leaveWord(readyFile string) error {
	here := Running{URL: s.url, PID: os.Getpid(), Data: s.dir.path}
	for _, file := range []string{s.dir.runFile(), readyFile} {
		if file == "" {
			continue
		}
		if err := here.write(file); err != nil {
			return fmt.Errorf("write %s: %w", file, err)
		}
		s.files = append(s.files, file)
	}
	return nil
}

// URL is the platform's address, without a slash at its end.
func (s *Server) URL() string { return s.url }

// LoginURL is a new one-time address of the console.
func (s *Server) LoginURL() string {
	return httpapi.LoginURL(s.url, s.platform.Auth().NewLoginCode())
}

// Token is the owner token of this run, for the page in the window.
func (s *Server) Token() string { return s.platform.Auth().WindowToken() }

// Boot is what the window tells its page beside address and token.
func (s *Server) Boot() contract.Boot {
	return contract.Boot{Version: s.version, DataID: s.platform.Auth().DataID()}
}

// run waits until the program is told to stop, and stops.
func (s *Server) run(ctx context.Context) error {
	var failed error
	select {
	case <-ctx.Done():
	case failed = <-s.failed:
	}
	return errors.Join(failed, s.Close(context.WithoutCancel(ctx)))
}

// Close stops: no new requests; running invocations finish or, after three
// seconds, are cancelled; their answers leave; no process stays behind.
func (s *Server) Close(ctx context.Context) error {
	s.once.Do(func() { s.stopErr = s.stop(ctx) })
	return s.stopErr
}

func (s *Server) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopWithin)
	defer cancel()
	finish, cancelFinish := context.WithTimeout(ctx, finishWithin)
	defer cancelFinish()

	s.endStreams()
	idle := make(chan error, 1)
	if s.http == nil {
		idle <- nil
	} else {
		go func() { idle <- s.http.Shutdown(ctx) }()
		s.fresh.close()
	}
	var errs []error
	answered := false
	select {
	case err := <-idle:
		answered = true
		errs = append(errs, err)
	case <-finish.Done():
	}
	if s.platform != nil {
		errs = append(errs, s.platform.Close(finish))
	}
	errs = append(errs, s.closeBridge(ctx))
	if !answered {
		errs = append(errs, <-idle) // the cancelled ones answer too
	}
	if s.http != nil {
		errs = append(errs, s.http.Close())
	}
	for _, f := range s.files {
		errs = append(errs, removeFile(f))
	}
	errs = append(errs, s.dir.close())
	return errors.Join(errs...)
}
