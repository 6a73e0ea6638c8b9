// Package contract holds what Benchtop promises to the outside: the wire types
// of its HTTP API and the four tables everything else reads (limits, error
// codes, host calls, events). It has no behaviour beyond looking rows up and
// imports nothing of ours, so both sides of the sandbox wall can share it. The
// page's TypeScript types are generated from it.
package contract
