package livereload

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/project"
)

// watched is one open folder. Its goroutine is the only one that reads it.
type watched struct {
	p        *Projects
	agentID  string
	path     string
	openedAt time.Time
	ctx      context.Context
	cancel   context.CancelFunc
	done     chan struct{}

	calls *string // what the saved calls looked like; nil before the first look

	mu       sync.Mutex
	problems []contract.Problem // of the last reading
	trouble  *contract.Problem  // with watching or reaching the folder
}

func newWatched(p *Projects, ag agents.Agent, openedAt time.Time) *watched {
	w := &watched{p: p, agentID: ag.ID, path: ag.Folder, openedAt: openedAt, done: make(chan struct{})}
	w.ctx, w.cancel = context.WithCancel(p.ctx)
	return w
}

func (w *watched) stop() {
	w.cancel()
	<-w.done
}

// project describes the folder as it is now known.
func (w *watched) project() contract.Project {
	pr := contract.Project{AgentID: w.agentID, Path: w.path, Name: filepath.Base(w.path), OpenedAt: w.openedAt}
	if ag, ok := w.p.cfg.Agents.Resolve(w.agentID); ok {
		pr.Name, pr.Username = ag.Name, ag.Username
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	pr.Problems = append([]contract.Problem{}, w.problems...)
	if w.trouble != nil {
		pr.Problems = append(pr.Problems, *w.trouble)
	}
	return pr
}

// start watches first and reads then, so that no change falls between.
func (w *watched) start(ctx context.Context) {
	eyes := w.look(nil)
	again := w.reload(ctx)
	go w.run(eyes, again)
}

// run waits for changes until the project is closed.
func (w *watched) run(eyes *fsnotify.Watcher, again time.Duration) {
	defer close(w.done)
	defer func() {
		if eyes != nil {
			_ = eyes.Close() // nothing is lost: it only watches
		}
	}()
	var first time.Time // of the changes not read yet
	timer := time.NewTimer(again)
	if again == 0 {
		timer.Stop()
	}
	pulse := time.NewTicker(w.p.cfg.Poll)
	defer pulse.Stop()
	defer timer.Stop()
	changed := func() {
		now := time.Now()
		if first.IsZero() {
			first = now
		}
		timer.Reset(min(w.p.cfg.Debounce, max(0, w.p.cfg.MaxWait-now.Sub(first))))
	}
	for {
		var events chan fsnotify.Event
		var failures chan error
		var blind <-chan time.Time
		if eyes != nil {
			events, failures = eyes.Events, eyes.Errors
		} else {
			blind = pulse.C
		}
		select {
		case <-w.ctx.Done():
			return
		case ev, ok := <-events:
			if !ok {
				eyes = nil
			} else if w.matters(ev) {
				changed()
			}
		case _, ok := <-failures:
			// Events were lost, or a folder went away: reading tells.
			if !ok {
				eyes = nil
			}
			changed()
		case <-timer.C:
			first = time.Time{}
			eyes = w.look(eyes)
			if again := w.reload(w.ctx); again > 0 {
				timer.Reset(again)
			}
		case <-blind:
			eyes = w.look(nil)
			w.reload(w.ctx)
		}
	}
}

// matters leaves out what cannot change what serves, changed times and
// permissions among it.
func (w *watched) matters(ev fsnotify.Event) bool {
	return ev.Op != fsnotify.Chmod && project.Matters(w.path, ev.Name)
}

// look makes sure that every folder of the unit is watched. nil: this folder
// cannot be watched now, and is read every so often instead.
func (w *watched) look(eyes *fsnotify.Watcher) *fsnotify.Watcher {
	var err error
	fresh := eyes == nil
	if fresh {
		if eyes, err = fsnotify.NewWatcher(); err != nil {
			w.blinded(err)
			return nil
		}
	}
	for _, dir := range project.Dirs(w.path) {
		if err = w.p.cfg.Watch(eyes, dir); err != nil && !gone(dir) {
			break
		}
		if err != nil && dir == w.path {
			break // the project itself is gone
		}
		err = nil
	}
	if err != nil {
		_ = eyes.Close()
		w.blinded(err)
		return nil
	}
	if fresh {
		w.setTrouble(nil, contract.WatchLimited)
	}
	return eyes
}

// blinded says why a folder cannot be watched. A folder that is not there is
// reload's to tell.
func (w *watched) blinded(err error) {
	if gone(w.path) {
		return
	}
	w.setTrouble(&contract.Problem{Code: contract.WatchLimited, Message: "changes in this folder are looked for every second, because the system watches no more: " +
		err.Error() + " (on Linux, raise fs.inotify.max_user_watches or max_user_instances)"}, "")
}

// setTrouble replaces the present trouble; when clear is given, only one of that
// code is taken away. It reports whether anything changed.
func (w *watched) setTrouble(p *contract.Problem, clear contract.Code) bool {
	w.mu.Lock()
	was := w.trouble
	switch {
	case p != nil:
		w.trouble = p
	case was != nil && was.Code == clear:
		w.trouble = nil
	}
	now := w.trouble
	w.mu.Unlock()
	if (was == nil) == (now == nil) && (was == nil || was.Message == now.Message) {
		return false
	}
	if now != nil {
		w.p.cfg.Log.Warn("project folder", "folder", w.path, "code", string(now.Code), "problem", now.Message)
	}
	return true
}

// tell writes to the log what is wrong with the folder and was not before, and
// that nothing is any more.
func (w *watched) tell(before, now []contract.Problem) {
	key := func(p contract.Problem) string { return string(p.Code) + p.File + p.Message }
	known := map[string]bool{}
	for _, p := range before {
		known[key(p)] = true
	}
	for _, p := range now {
		if known[key(p)] {
			continue
		}
		at := p.File
		if p.Line > 0 {
			at = fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
		}
		w.p.cfg.Log.Warn("project problem", "folder", w.path, "at", at, "code", string(p.Code), "problem", p.Message)
	}
	if len(before) > 0 && len(now) == 0 {
		w.p.cfg.Log.Info("project has no problems", "folder", w.path)
	}
}

// reload reads the folder and publishes what changed. The answer is when to read
// it again by itself; 0 is not at all.
func (w *watched) reload(ctx context.Context) (again time.Duration) {
	start := time.Now()
	report, err := w.p.cfg.Loader.Reload(ctx, w.agentID)
	took := time.Since(start)
	changed := report.Changed
	e := contract.AsError(err)
	switch {
	case err == nil:
		w.mu.Lock()
		was := w.problems
		w.problems = report.Problems
		w.mu.Unlock()
		w.tell(was, report.Problems)
		changed = w.setTrouble(nil, contract.ProjectUnreachable) || changed
	case w.ctx.Err() != nil:
		return 0
	case errors.Is(err, project.ErrUnsettled): // files are being written
		again = w.p.cfg.Debounce
	case e != nil && e.Code == contract.ProjectUnreachable:
		changed = w.setTrouble(&contract.Problem{Code: e.Code, Message: e.Message + "; what was loaded keeps serving"}, "")
	default:
		// The platform could not check or store: the folder is fine, so it is
		// read again a little later.
		w.p.cfg.Log.Error("project folder is not loaded", "folder", w.path, "error", err)
		again = w.p.cfg.Poll
	}
	if changed {
		w.p.cfg.Publish(contract.EvProjectChanged, w.project())
	}
	w.lookAtCalls()
	w.p.cfg.Reloaded(Reading{AgentID: w.agentID, Report: report, Err: err, Took: took})
	return again
}
