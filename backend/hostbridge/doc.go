// Package hostbridge answers what running functions ask of the platform (spec
// 4.3, contract.md 4.4). It has one dispatcher and two doors: the near one for
// the embedded executor, whose calls come over a worker's pipe with the claims
// pinned in memory, and the network one, where an invocation token carries
// them. Each ctx namespace has its file; what a call needs and costs is its row
// in contract.HostCalls.
package hostbridge
