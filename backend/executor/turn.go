package executor

import "time"

// This file is a task's turns on the CPU. A worker that sends KindIdle gives
// its slot back. It goes on when it reads a Reply or, after KindWake, a Go; so
// neither is sent before a slot is held again.
//
// An Idle and a Reply may cross in the pipes: then the worker computes without
// a slot until it is idle again. That is one task too many for a moment, and
// the accounts stay right.

// holdFor is how long an idle worker keeps its slot when others wait for one
// and a host call is open. Most answers come sooner. Giving the slot away for
// that long would only put one more process to work on the same cores: with 32
// callers of a function that uses kv it costs a fifth of the throughput.
const holdFor = 300 * time.Microsecond

// pause takes the slot of a worker with nothing to do.
func (t *task) pause() {
	t.w.mu.Lock()
	t.idle = true
	if t.slot && t.open > 0 && t.l.places.crowded() {
		if t.hold == nil {
			t.hold = time.AfterFunc(holdFor, t.letGo)
		} else {
			t.hold.Reset(holdFor)
		}
		t.w.mu.Unlock()
		return
	}
	had := t.slot
	t.slot = false
	t.w.mu.Unlock()
	if had {
		t.l.places.pause()
	}
}

// letGo gives back the slot that an idle worker keeps. A nested call does it at
// once: it needs a slot itself, and its caller waits for it.
func (t *task) letGo() {
	t.w.mu.Lock()
	had := t.w.task == t && t.idle && t.slot
	if had {
		t.slot = false
	}
	t.w.mu.Unlock()
	if had {
		t.l.places.pause()
	}
}

// deliver sends a frame that lets the worker go on: now when it holds a slot,
// else as soon as it has one. answer says that the frame ends a host call.
func (t *task) deliver(frame []byte, answer bool) {
	t.w.mu.Lock()
	if t.idle && !t.ended.Load() {
		if t.slot {
			t.resumed()
		} else if t.waiter == nil {
			now, waiter := t.l.places.resume(t.granted)
			if !now {
				t.waiter = waiter
			} else {
				t.resumed()
			}
		}
		if t.waiter != nil {
			t.pending = append(t.pending, frame...)
			if answer {
				t.answers++
			}
			t.w.mu.Unlock()
			return
		}
	}
	t.w.mu.Unlock()
	_ = t.w.write(t, frame) // a worker that is gone is noticed by the reader
	if answer {
		t.answered(1)
	}
}

// resumed notes a slot. w.mu is held.
func (t *task) resumed() {
	if t.hold != nil {
		t.hold.Stop()
	}
	t.waiter, t.idle = nil, false
	t.slot, t.slotAt = true, t.l.now()
}

// granted is called when a queued task gets its slot.
func (t *task) granted() {
	t.w.mu.Lock()
	if t.w.task != t {
		t.w.mu.Unlock()
		t.l.places.pause()
		return
	}
	t.resumed()
	frames, answers := t.pending, t.answers
	t.pending, t.answers = nil, 0
	t.w.mu.Unlock()
	_ = t.w.write(t, frames)
	t.answered(answers)
}

// leave ends the task's claim on its worker and on a slot; it reports whether
// the task still held one. Nothing is sent for it afterwards.
func (t *task) leave() (slot bool) {
	t.ended.Store(true)
	t.w.wmu.Lock() // a frame on its way is through
	t.w.mu.Lock()
	defer t.w.wmu.Unlock()
	defer t.w.mu.Unlock()
	t.w.task = nil
	if t.hold != nil {
		t.hold.Stop()
	}
	if t.waiter != nil {
		t.l.places.forget(t.waiter) // if it was granted just now, granted gives it back
		t.waiter = nil
	}
	t.calls.Add(-t.answers)
	t.pending, t.answers = nil, 0
	slot, t.slot = t.slot, false
	return slot
}
