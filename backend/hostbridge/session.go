package hostbridge

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"benchtop/backend/contract"
)

// Usage is what an invocation has used of its host-bridge quotas.
type Usage struct {
	HostCalls     int
	KVPutBytes    int64
	ContentWrites int
	IngressBytes  int64 // of content and folders; fetch is the worker's
}

// Session is the state of one invocation's host calls: pinned claims, meters,
// the replies already given and the secret values to keep out of records.
type Session struct {
	bridge  *Bridge
	claims  Claims
	expires time.Time // of the token; zero for the near door

	mu       sync.Mutex
	usage    Usage
	replies  map[int]*answer // network door only: a retried call gets its first reply
	notes    []string        // for the log of the run
	redactor *redactor
}

// callNumberKey is under which the ctx of a handler has the number of its call.
type callNumberKey struct{}

type answer struct {
	done  chan struct{}
	reply contract.HostReply
}

// newSession makes a session. All invocations of a chain share one redactor: what
// a nested one read comes back in its result, and what its caller read goes out
// in its arguments. b.mu is held.
func (b *Bridge) newSession(c Claims) *Session {
	c.Permissions.Folders = c.Folders
	s := &Session{bridge: b, claims: c}
	if parent := b.sessions[c.Parent]; parent != nil && parent.claims.AgentID == c.AgentID {
		s.redactor = parent.redactor
	} else {
		s.redactor = &redactor{}
	}
	return s
}

// Call answers host call n. Over the network door the same n gives the reply it
// gave before, and is charged once.
func (s *Session) Call(ctx context.Context, n int, method string, args json.RawMessage) contract.HostReply {
	ctx = context.WithValue(ctx, callNumberKey{}, n)
	if s.expires.IsZero() {
		return s.answer(ctx, method, args)
	}
	s.mu.Lock()
	if s.replies == nil {
		s.replies = make(map[int]*answer)
	}
	a, again := s.replies[n]
	if !again {
		// Every call is charged, so only the first few beyond the quota can
		// be new: the map cannot grow with what a hostile executor sends.
		if len(s.replies) > 2*contract.MaxHostCalls {
			s.mu.Unlock()
			return failed(contract.Errorf(contract.HostQuotaExceeded, "callsTotal: more than %d host calls in one invocation", contract.MaxHostCalls))
		}
		a = &answer{done: make(chan struct{})}
		s.replies[n] = a
	}
	s.mu.Unlock()
	if again {
		select {
		case <-a.done:
			return a.reply
		case <-ctx.Done():
			return failed(contract.Errorf(contract.HostBridgeError, "the call was given up before its first reply was there"))
		}
	}
	// The first call goes on even if its client hangs up: the retry wants it.
	a.reply = s.answer(context.WithoutCancel(ctx), method, args)
	close(a.done)
	return a.reply
}

// answer dispatches a call. A panic ends the call and not the platform: what is in
// a call is up to the function, and no request handler stands behind this goroutine.
func (s *Session) answer(ctx context.Context, method string, args json.RawMessage) (reply contract.HostReply) {
	defer func() {
		if v := recover(); v != nil {
			// The value may hold anything, a secret too; a stack has addresses only.
			s.bridge.cfg.Log.Error("a host call panicked", "agent", s.claims.AgentID, "function", s.claims.Function,
				"invocation", s.claims.InvocationID, "panic", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
			reply = failed(fmt.Errorf("a panic of type %T", v))
		}
	}()
	result, err := s.bridge.dispatch(ctx, s, method, args)
	if err != nil {
		return failed(err)
	}
	return contract.HostReply{OK: true, Result: result}
}

// Usage gives the meters as they stand.
func (s *Session) Usage() Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.usage
}

// note leaves a line for the log of the run.
func (s *Session) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, text)
}

// Notes gives the lines that the calls so far have left for the log of the run,
// each once.
func (s *Session) Notes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	notes := s.notes
	s.notes = nil
	return notes
}

// Close forgets the session.
func (s *Session) Close() { s.bridge.close(s) }

// chargeCall counts a call, refused ones included (contract.md 4.4).
func (s *Session) chargeCall() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.usage.HostCalls++
	if s.usage.HostCalls > contract.MaxHostCalls {
		return contract.Errorf(contract.HostQuotaExceeded, "callsTotal: this is host call %d of at most %d in one invocation", s.usage.HostCalls, contract.MaxHostCalls)
	}
	return nil
}

// charge counts what a call costs beside itself, before it is carried out: a
// lost write is paid for too.
func (s *Session) charge(row *contract.HostCall, a arguments) error {
	switch row.Charge {
	case contract.ChargeKVPut:
		return s.chargeKVPut(a)
	case contract.ChargeContent:
		return s.chargeContent()
	}
	return nil
}

// chargeKVPut counts the UTF-8 of key and JSON value (spec 2.5, decisions.md 18).
func (s *Session) chargeKVPut(a arguments) error {
	key, err := a.text("key")
	if err != nil {
		return err
	}
	n := int64(len(key) + len(a["value"]))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.usage.KVPutBytes+n > contract.MaxKVPutBytes {
		return contract.Errorf(contract.HostQuotaExceeded, "kvPutBytes: %d bytes written and %d more asked for, at most %d in one invocation",
			s.usage.KVPutBytes, n, contract.MaxKVPutBytes)
	}
	s.usage.KVPutBytes += n
	return nil
}

// chargeContent counts a write of content or a folder.
func (s *Session) chargeContent() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.usage.ContentWrites >= contract.MaxContentWrites {
		return contract.Errorf(contract.HostQuotaExceeded, "contentWrites: %d writes are done and one more asked for, at most %d in one invocation",
			s.usage.ContentWrites, contract.MaxContentWrites)
	}
	s.usage.ContentWrites++
	return nil
}

// chargeIngress counts the bytes of a body against the ingress quota. There is
// one quota for fetch, content and folders. The worker keeps it: it adds these
// bytes to those it fetched and refuses what is beyond. The bridge cannot see
// fetches; it holds its own part to the same figure, so that an executor that
// does not count gets no more than the quota out of the platform.
func (s *Session) chargeIngress(what string, n int64) error {
	quota := s.claims.IngressBytes
	if quota <= 0 {
		quota = contract.DefaultIngressBytes
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.usage.IngressBytes+n > quota {
		return contract.Errorf(contract.HostQuotaExceeded, "%s: %d bytes received and %d more asked for, at most %d bytes of ingress in one invocation (limits.ingressBytes in the manifest)",
			what, s.usage.IngressBytes, n, quota)
	}
	s.usage.IngressBytes += n
	return nil
}

// callNumber reads "<invocation id>:<n>".
func callNumber(key, invocationID string) (int, bool) {
	rest, ok := strings.CutPrefix(key, invocationID+":")
	if !ok || rest == "" || rest[0] == '0' || rest[0] == '+' {
		return 0, false
	}
	n, err := strconv.Atoi(rest)
	return n, err == nil && n > 0
}
