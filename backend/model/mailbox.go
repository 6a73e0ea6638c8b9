package model

import "sync"

// mailbox collects things of one goroutine for another, so that a slow reader
// never holds up a run.
type mailbox[T any] struct {
	mu    sync.Mutex
	queue []T
	ready chan struct{} // holds a token when queue may have something
}

func newMailbox[T any]() *mailbox[T] { return &mailbox[T]{ready: make(chan struct{}, 1)} }

func (b *mailbox[T]) put(v T) {
	b.mu.Lock()
	b.queue = append(b.queue, v)
	b.mu.Unlock()
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

func (b *mailbox[T]) take() []T {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.queue
	b.queue = nil
	return q
}
