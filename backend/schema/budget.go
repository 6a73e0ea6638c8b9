package schema

import (
	"errors"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxSteps bounds one validation. A step is one schema looked at for one value;
// a hostile schema can double its work with every reference.
const maxSteps = 200_000

var errBudget = errors.New("checking these arguments against the schema takes too many steps")

// budget counts the steps of one validation. The library has no such bound, but
// calls a vocabulary of ours for every schema object it looks at.
type budget struct {
	mu   sync.Mutex
	left int
}

func (b *budget) within(validate func() error) (err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			if p != any(errBudget) {
				panic(p)
			}
			err = errBudget
		}
	}()
	b.left = maxSteps
	return validate()
}

func (b *budget) meter(_ *jsonschema.CompilerContext, obj map[string]any) (jsonschema.SchemaExt, error) {
	cost := 1
	for _, v := range obj {
		switch v := v.(type) {
		case []any:
			cost += len(v)
		case map[string]any:
			cost += len(v)
		}
	}
	return step{b, cost}, nil
}

type step struct {
	budget *budget
	cost   int
}

// Validate takes the step's cost off: more for longer texts and lists.
func (s step) Validate(_ *jsonschema.ValidatorContext, v any) {
	cost := s.cost
	switch v := v.(type) {
	case string:
		cost += len(v) / 64
	case []any:
		cost += len(v) / 4
	case map[string]any:
		cost += len(v) / 4
	}
	if s.budget.left -= cost; s.budget.left < 0 {
		panic(errBudget)
	}
}
