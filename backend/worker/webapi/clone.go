package webapi

import "benchtop/backend/worker/sandbox"

var cloneOps = []sandbox.Op{
	// kindOf(value) is the class that the engine knows an object by.
	{Name: "kindOf", Do: func(c *sandbox.Call) (any, error) { return c.Kind(0), nil }},
	{Name: "isDetached", Do: func(c *sandbox.Call) (any, error) { return c.Detached(0), nil }},
	// take(buffer) leaves an ArrayBuffer without its bytes.
	{Name: "take", Do: func(c *sandbox.Call) (any, error) {
		c.Detach(0)
		return nil, nil
	}},
}
