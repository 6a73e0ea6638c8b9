package worker

import (
	"container/list"
	"sync"

	"benchtop/backend/worker/compile"
)

// maxPrograms is how many compiled scripts a worker keeps.
const maxPrograms = 64

// programs keeps compiled scripts by the hash of their source, the last used
// ones longest.
type programs struct {
	mu     sync.Mutex // lanes share them
	byHash map[string]*list.Element
	order  *list.List // of kept, the most recent first
}

type kept struct {
	hash   string
	script program
}

// program is a compiled script and what is known of its text.
type program struct {
	compile.Script
	bodyMembers bool // it reads members of ctx.request.body
}

func newPrograms() *programs {
	return &programs{byHash: map[string]*list.Element{}, order: list.New()}
}

func (p *programs) get(hash string) (program, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.byHash[hash]
	if !ok {
		return program{}, false
	}
	p.order.MoveToFront(e)
	return e.Value.(kept).script, true
}

func (p *programs) put(hash string, script program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, ok := p.byHash[hash]; ok {
		e.Value = kept{hash, script}
		p.order.MoveToFront(e)
		return
	}
	p.byHash[hash] = p.order.PushFront(kept{hash, script})
	for p.order.Len() > maxPrograms {
		last := p.order.Back()
		delete(p.byHash, last.Value.(kept).hash)
		p.order.Remove(last)
	}
}
