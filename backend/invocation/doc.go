// Package invocation is the pipeline: one run of a function, from request to
// history row. invoke.go reads as the list of its steps.
package invocation
