package hostapi

import (
	"benchtop/backend/contract"
	"benchtop/backend/worker/sandbox"
	"benchtop/backend/worker/wire"
)

// peerOps are what endpoint.js talks to the run's peer with.
var peerOps = []sandbox.Op{
	// peerCall is hostCall to the other end of the run. It is not charged: each
	// waits for the peer, so a handler cannot flood anybody with them.
	{Name: "peerCall", Do: func(c *sandbox.Call) (any, error) {
		s := of(c)
		if s.run.Endpoint == "" {
			return nil, contract.Errorf(contract.PermissionDenied, "only a handler of a custom endpoint has a peer")
		}
		if s.peers == nil {
			s.peers = map[int]struct{}{}
		}
		s.calls++
		s.waiting++
		s.peers[s.calls] = struct{}{}
		s.port.Send(wire.KindHost, wire.Host{N: s.calls, Method: c.String(0), Args: contract.RawJSON(c.String(1))})
		return s.calls, nil
	}},
}

// WaitsForPeer reports whether the handler waits for its peer and for nothing
// else: its clock stands still then.
func (s *Session) WaitsForPeer() bool { return len(s.peers) > 0 && s.waiting == len(s.peers) }

// OfPeer reports whether n is an open call to the peer.
func (s *Session) OfPeer(n int) bool {
	_, ok := s.peers[n]
	return ok
}
