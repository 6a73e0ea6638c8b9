// Package remote runs functions on other machines. Server is the far side: it
// serves /invoke, /validate, /healthz and /metrics over an executor of its own
// (contract.md 4.2, 4.3). Executor is the near side: an invocation.Executor that
// gives each invocation to one of several servers and takes its host calls over
// the host bridge's network door (decisions.md 24).
//
// One rule decides what may be tried again. An invocation that no server has
// read goes to the next one. An invocation that a server may have read is never
// sent twice: when that server is lost, the invocation ends as interrupted.
package remote
