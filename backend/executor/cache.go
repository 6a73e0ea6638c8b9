package executor

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/worker/wire"
)

// Compiling has limits of its own: 250,000 opening parentheses overflow the
// compiler's stack, 64,000 take 400 MB.
const (
	compileWall   = 5 * time.Second
	compileMemory = 256 // MB

	cacheBytes   = 64 << 20
	cacheEntries = 2048
)

// cache keeps compiled scripts. A source is compiled once, whoever asks for it
// at the same time; failures that would come again are kept too.
type cache struct {
	l *Local

	mu    sync.Mutex
	byKey map[sourceKey]*list.Element // of *script
	used  *list.List                  // the last used one in front
	bytes int

	hits, misses uint64
}

// sourceKey: the name is part of a script, in its source map.
type sourceKey struct{ name, sha256 string }

// script is a compiled source. Its fields are final when ready is closed.
type script struct {
	key   sourceKey
	ready chan struct{}
	size  int // counted in cache.bytes; guarded by cache.mu

	hash     string // what the worker calls it
	frame    []byte // hash and code, as a frame; nil when it did not compile
	errors   []contract.Problem
	warnings []contract.Problem
	fault    *fault // the compiler gave no answer
}

func newCache(l *Local) *cache {
	return &cache{l: l, byKey: map[sourceKey]*list.Element{}, used: list.New()}
}

// get gives the script of a source. It fails only when ctx ends first or the
// platform is stopping; everything else is in the script.
func (c *cache) get(ctx context.Context, src invocation.Source) (*script, *fault) {
	if src.SHA256 == "" {
		sum := sha256.Sum256([]byte(src.Text))
		src.SHA256 = hex.EncodeToString(sum[:])
	}
	key := sourceKey{src.Name, src.SHA256}
	c.mu.Lock()
	e, ok := c.byKey[key]
	if ok {
		c.hits++
		c.used.MoveToFront(e)
	} else {
		c.misses++
		if !c.l.enter(levelCompile) {
			c.mu.Unlock()
			return nil, faultOf(errStopping)
		}
		e = c.used.PushFront(&script{key: key, ready: make(chan struct{})})
		c.byKey[key] = e
		// Others may wait for the same script, so it does not end with the
		// one who asked first.
		go c.compile(context.WithoutCancel(ctx), e, src)
	}
	s := e.Value.(*script)
	c.mu.Unlock()
	select {
	case <-s.ready:
		return s, nil
	case <-ctx.Done():
		return nil, faultOf(errCancelled)
	}
}

func (c *cache) compile(ctx context.Context, e *list.Element, src invocation.Source) {
	defer c.l.exit()
	s := e.Value.(*script)
	again := c.fill(ctx, s, src)
	c.mu.Lock()
	if c.byKey[s.key] == e {
		s.size = len(s.frame)
		c.bytes += s.size
		if again {
			c.drop(e)
		}
	}
	for c.bytes > cacheBytes || c.used.Len() > cacheEntries {
		last := c.used.Back()
		if last == nil || last == e {
			break
		}
		c.drop(last)
	}
	c.mu.Unlock()
	close(s.ready)
}

// drop forgets a script. c.mu is held. One that is being compiled has no size
// yet, and gives its answer to those who wait nevertheless.
func (c *cache) drop(e *list.Element) {
	s := e.Value.(*script)
	if c.byKey[s.key] != e {
		return
	}
	delete(c.byKey, s.key)
	c.used.Remove(e)
	c.bytes -= s.size
}

// fill compiles. again means that another try may end differently.
func (c *cache) fill(ctx context.Context, s *script, src invocation.Source) (again bool) {
	problem := func(code contract.Code, format string, args ...any) {
		s.errors = []contract.Problem{contract.Problem{Code: code, Message: fmt.Sprintf(format, args...)}.At(src.Name, 0, 0)}
	}
	if len(src.Text) > contract.MaxStoredSource {
		problem(contract.CodeTooLarge, "the source has %d bytes; at most %d are allowed", len(src.Text), contract.MaxStoredSource)
		return false
	}
	first, err := wire.Append(nil, wire.KindCompile, wire.Compile{Name: src.Name, Source: src.Text})
	if err != nil {
		problem(contract.JSCompileError, "the source cannot be sent to the compiler: %v", err)
		return false
	}
	var compiled wire.Compiled
	end := c.l.do(ctx, order{
		level: levelCompile, first: first, final: wire.KindCompiled, into: &compiled,
		wall: compileWall, memory: compileMemory<<20 + memoryMargin,
	}, limits{wallMs: int(compileWall / time.Millisecond), memoryMb: compileMemory})
	if end.fault != nil {
		switch end.fault.code {
		case contract.MemoryLimitExceeded:
			problem(contract.JSCompileError, "the compiler ran out of memory (%d MB) or stack on this source: "+
				"it nests too deeply; split the expression up", compileMemory)
			return false
		case contract.WallTimeout:
			problem(contract.JSCompileError, "compiling took longer than %v and was stopped: the source is too deeply nested or too large", compileWall)
			return true
		}
		s.fault = end.fault
		return true
	}
	s.errors, s.warnings = compiled.Errors, compiled.Warnings
	if len(s.errors) > 0 {
		return false
	}
	sum := sha256.Sum256([]byte(src.Name + "\x00" + src.Text))
	s.hash = hex.EncodeToString(sum[:])
	frame, err := wire.AppendRaw(nil, wire.KindCode, append([]byte(s.hash), compiled.Code...))
	if err != nil {
		problem(contract.CodeTooLarge, "the compiled script is too large: %v", err)
		return false
	}
	s.frame = frame
	return false
}
