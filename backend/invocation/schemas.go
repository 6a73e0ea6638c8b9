package invocation

import (
	"encoding/json"
	"sync"

	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/schema"
)

// schemas keeps compiled parameter schemas: one per function, of its newest
// version that was called.
type schemas struct {
	mu sync.RWMutex
	of map[schemaKey]compiled
}

type schemaKey struct{ agentID, function string }

type compiled struct {
	version int
	schema  *schema.Schema
}

func (s *schemas) check(fn *functions.Function, args json.RawMessage) ([]contract.Problem, error) {
	key := schemaKey{fn.AgentID, fn.Name}
	s.mu.RLock()
	c, ok := s.of[key]
	s.mu.RUnlock()
	if !ok || c.version != fn.Version {
		usable, err := schema.Compile(fn.Manifest.Parameters)
		if err != nil {
			return nil, contract.Errorf(contract.InvalidParametersSchema, "the parameters of %s are no usable schema: %v", fn.Name, err)
		}
		c = compiled{fn.Version, usable}
		s.mu.Lock()
		if s.of == nil {
			s.of = make(map[schemaKey]compiled)
		}
		s.of[key] = c
		s.mu.Unlock()
	}
	return c.schema.Validate(args), nil
}
