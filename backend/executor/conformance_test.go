//go:build unix

package executor

import (
	"testing"

	"benchtop/backend/executor/exectest"
	"benchtop/backend/worker/conformance"
)

// TestConformance runs what a function may rely on through the whole executor.
func TestConformance(t *testing.T) {
	scripts, err := conformance.Load("../worker/testdata/conformance")
	if err != nil {
		t.Fatal(err)
	}
	l := newLocal(t, Config{Worker: exectest.Worker(t)})
	for _, s := range scripts {
		t.Run(s.Name, func(t *testing.T) { exectest.Conform(t, l, s) })
	}
}
