//go:build desktop || dev || bindings

package app

var runWorker func() int
