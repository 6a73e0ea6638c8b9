package platform

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"benchtop/backend/contract"
)

const (
	// memoryLook is how often the memory is looked at.
	memoryLook = 15 * time.Second
	// memoryIdle is how much may be held for nothing.
	memoryIdle = 48 * contract.MB
)

// memory gives back to the system what the program holds and does not use. The
// runtime aims at the size of its busiest moment and collects an idle program
// every two minutes only, so that after a burst it would hold hundreds of
// megabytes for as long as nothing else happens.
type memory struct {
	read func() (held, collections uint64)
	free func()

	once          sync.Once
	stopped, done chan struct{}
	collections   uint64
	least         uint64 // held when it was given back last
}

// watchMemory looks now and then until stop.
func watchMemory() *memory {
	m, ticker := newMemory(), time.NewTicker(memoryLook)
	go func() {
		defer ticker.Stop()
		m.run(ticker.C)
	}()
	return m
}

func newMemory() *memory {
	return &memory{read: readMemory, free: debug.FreeOSMemory, stopped: make(chan struct{}), done: make(chan struct{})}
}

// run looks at each tick until stop.
func (m *memory) run(ticks <-chan time.Time) {
	defer close(m.done)
	for {
		select {
		case <-m.stopped:
			return
		case <-ticks:
			m.look()
		}
	}
}

// stop ends it, once or again.
func (m *memory) stop() {
	m.once.Do(func() { close(m.stopped) })
	<-m.done
}

// look gives memory back when nothing was collected since the last look, which
// says that the program has next to nothing to do, and much has come since the
// last time: a large heap that is in use is collected once and then left alone.
func (m *memory) look() {
	held, collections := m.read()
	busy := collections != m.collections
	m.collections = collections
	m.least = min(m.least, held)
	if busy || held < m.least+memoryIdle {
		return
	}
	m.free()
	m.least, m.collections = m.read()
}

// readMemory gives the bytes that the program holds of the system's memory, and
// how often it has collected.
func readMemory() (held, collections uint64) {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64(), s[2].Value.Uint64()
}
