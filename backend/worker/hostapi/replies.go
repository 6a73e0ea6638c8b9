package hostapi

import (
	"encoding/json"

	"benchtop/backend/contract"
	"benchtop/backend/worker/sandbox"
	"benchtop/backend/worker/wire"
)

var callOps = []sandbox.Op{
	// bindings gives the aliases of ctx.folders.
	{Name: "bindings", Do: func(c *sandbox.Call) (any, error) {
		aliases := []string{}
		for _, f := range of(c).run.Permissions.Folders {
			aliases = append(aliases, f.Alias)
		}
		return aliases, nil
	}},
}

// reads are the host calls whose answers have a body, by the wire name.
var reads = map[string]bool{"content.read": true, "folders.read": true}

// sent notes a host call whose answer will count as ingress.
func (s *Session) sent(n int, method string) {
	if !reads[method] {
		return
	}
	if s.reads == nil {
		s.reads = map[int]string{}
	}
	s.reads[n] = method
}

// received counts the body of an answer against the ingress quota. Fetch,
// content and folders share one.
func (s *Session) received(r wire.Reply) error {
	method, ok := s.reads[r.N]
	if !ok || !r.OK {
		return nil
	}
	delete(s.reads, r.N)
	if len(r.Result) == 0 {
		return nil
	}
	var found *struct {
		Size int64 `json:"size"`
	}
	if err := json.Unmarshal(r.Result, &found); err != nil || found != nil && found.Size < 0 {
		return contract.Errorf(contract.HostBridgeError, "the answer of %s is not what it should be", method)
	}
	if found == nil {
		return nil
	}
	return s.net.ingress.spend(found.Size)
}
