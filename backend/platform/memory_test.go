package platform

import (
	"testing"
	"time"

	"benchtop/backend/contract"
)

// What is held for nothing is given back once, when nothing happens; what is in
// use is left alone.
func TestMemoryIsGivenBack(t *testing.T) {
	var held, collections uint64
	freed, used := 0, uint64(30*contract.MB)
	m := newMemory()
	m.read = func() (uint64, uint64) { return held, collections }
	m.free = func() { freed++; collections++; held = used }
	look := func(now, cycles uint64, want int, why string) {
		t.Helper()
		held, collections = now, cycles
		if m.look(); freed != want {
			t.Errorf("%s: given back %d times, not %d", why, freed, want)
		}
	}
	look(20*contract.MB, 5, 0, "at the start")
	look(900*contract.MB, 90, 0, "in a burst")
	look(900*contract.MB, 95, 0, "in a burst")
	look(900*contract.MB, 95, 1, "behind it")
	look(held, collections, 1, "with little")
	used = 400 * contract.MB
	look(500*contract.MB, 100, 1, "with much in use")
	look(500*contract.MB, 100, 2, "with much in use, quiet")
	for range 10 {
		look(held, collections, 2, "with much in use, still")
	}
	look(500*contract.MB, collections, 3, "with more")
	look(20*contract.MB, collections, 3, "with less")
	look(90*contract.MB, collections, 4, "with more than that")
}

// The program's own memory, as the system counts it.
func TestMemoryOfTheProgram(t *testing.T) {
	m := newMemory()
	ticks := make(chan time.Time)
	go m.run(ticks)
	block := make([]byte, 256*contract.MB)
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	before, _ := m.read()
	if block[4096] != 1 {
		t.Fatal("it is not in use")
	}
	// From here on nobody has the block.
	for range 3 {
		ticks <- time.Time{}
	}
	m.stop()
	m.stop() // a platform may be closed twice
	if after, _ := m.read(); after+200*contract.MB > before {
		t.Errorf("%d MB are held, %d before", after/contract.MB, before/contract.MB)
	}
}
