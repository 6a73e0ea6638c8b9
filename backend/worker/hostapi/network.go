package hostapi

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wall"
)

// Bounds of fetching in one run, beside the ingress and egress quotas.
const (
	maxFetches     = 1000 // in all
	maxInFlight    = 16   // at one time; the others wait
	maxRedirects   = 5
	maxHeaderBytes = 64 << 10
	dialTimeout    = 10 * time.Second
)

// budget is one direction's quota of bytes; fetches that run at the same time
// share it.
type budget struct {
	used atomic.Int64
	name string
	max  int64
}

// spend takes n bytes, or says that they are not left.
func (b *budget) spend(n int64) error {
	if b.used.Add(n) > b.max {
		b.used.Add(-n)
		return contract.Errorf(contract.HostQuotaExceeded, "more than %d bytes of %s in one invocation (limits.%sBytes in the manifest)", b.max, b.name, b.name)
	}
	return nil
}

// network is the fetching side of a session. It is made at the first fetch, and
// nothing of it outlives the run: a connection that one function was allowed to
// open is never there for another.
type network struct {
	ingress, egress budget
	started         int
	outside         wall.Outside

	once      sync.Once
	ctx       context.Context
	stop      context.CancelFunc
	transport *http.Transport
	slots     chan struct{}

	mu     sync.Mutex
	aborts map[int]context.CancelFunc
	had    map[int]bool // answers of an offline run that were given
}

func (n *network) open() {
	n.once.Do(func() {
		n.ctx, n.stop = context.WithCancel(context.Background())
		n.slots = make(chan struct{}, maxInFlight)
		n.aborts = map[int]context.CancelFunc{}
		n.transport = &http.Transport{
			Proxy:                  nil, // an environment variable must not redirect what was checked
			DialContext:            dialChecked,
			DialTLSContext:         n.dialTLS,
			DisableCompression:     true, // decoding is ours, see body.go
			MaxResponseHeaderBytes: maxHeaderBytes,
			MaxConnsPerHost:        maxInFlight,
		}
	})
}

// dialTLS connects like dialChecked and makes sure of the other side. The
// trusted certificates are only parsed once somebody gets this far.
func (n *network) dialTLS(ctx context.Context, network, addr string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	plain, err := dialChecked(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	c := tls.Client(plain, &tls.Config{RootCAs: n.outside.Roots(), ServerName: host, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}})
	if err := c.HandshakeContext(ctx); err != nil {
		_ = plain.Close()
		return nil, err
	}
	return c, nil
}

// Close ends every request that is still open.
func (s *Session) Close() {
	if s.net.stop != nil {
		s.net.stop()
		s.net.transport.CloseIdleConnections()
	}
}

type addressesKey struct{}

// dialChecked connects to the addresses that the check of this request has
// found, and to no other: the name is not looked up a second time.
func dialChecked(ctx context.Context, network, _ string) (net.Conn, error) {
	to, _ := ctx.Value(addressesKey{}).([]string)
	d := net.Dialer{Timeout: dialTimeout}
	err := error(&net.OpError{Op: "dial", Net: network, Err: context.Canceled})
	for _, addr := range to {
		var c net.Conn
		if c, err = d.DialContext(ctx, network, addr); err == nil {
			return c, nil
		}
	}
	return nil, err
}
