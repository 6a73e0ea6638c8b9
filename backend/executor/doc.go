// Package executor runs functions in worker processes of this machine. Local
// keeps a pool of warm workers, hands out CPU slots (places.go), carries frames
// between a worker and the host (task.go), watches wall time and memory from
// outside (watchdog.go) and says how an invocation ended when its worker did
// not live to tell (verdict.go).
//
// A worker is never trusted: the function inside may have broken out of its
// sandbox. Whatever a worker sends is bounded, checked and, when it breaks the
// rules of the wire, the end of that worker.
package executor
