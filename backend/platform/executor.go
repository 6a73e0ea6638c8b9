package platform

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"net/http"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/executor/remote"
	"benchtop/backend/httpapi"
	"benchtop/backend/invocation"
)

// RemoteExecutors names the executors on other machines that run the platform's
// functions; without URLs this machine's own workers do. BridgeURL is the host
// bridge's address as they see it; empty is the platform's own.
type RemoteExecutors struct {
	URLs      []string
	Secret    string
	TLS       *tls.Config
	BridgeURL string
}

// openRemote makes the executor that functions run on. Streams of endpoints stay
// on this machine, because their frames have no place in the hosted protocol.
func (p *Platform) openRemote() (invocation.Executor, error) {
	c := p.cfg.Executors
	if len(c.URLs) == 0 {
		return p.executor, nil
	}
	e, err := remote.New(remote.Config{
		URLs: c.URLs, Secret: c.Secret, TLS: c.TLS, Local: p.executor,
		Bridge: func() string {
			if u := p.bridgeURL.Load(); u != nil {
				return *u
			}
			return p.URL()
		},
		Mint: func(id string) (string, error) { return p.bridge.MintOpen(id) },
		Log:  p.cfg.Log,
	})
	if err != nil {
		return nil, err
	}
	p.remote = e
	if c.BridgeURL != "" {
		p.SetBridgeURL(c.BridgeURL)
	}
	return e, nil
}

// SetBridgeURL says where executors reach BridgeDoor.
func (p *Platform) SetBridgeURL(url string) {
	url = strings.TrimSuffix(url, "/")
	p.bridgeURL.Store(&url)
}

// remoteCall gives the bridge the host calls of what runs elsewhere.
func (p *Platform) remoteCall(ctx context.Context, id string, n int, method string, args json.RawMessage) (contract.HostReply, bool) {
	if p.remote == nil {
		return contract.HostReply{}, false
	}
	return p.remote.HostCall(ctx, id, n, method, args)
}

// BridgeDoor serves POST /api/internal/fn-host and nothing else, for executors
// that cannot reach the platform's own address.
func (p *Platform) BridgeDoor() http.Handler { return httpapi.BridgeDoor(p.bridge, p.cfg.Log) }

// remoteNotices says which executors do not answer.
func (p *Platform) remoteNotices() []contract.Notice {
	if p.remote == nil {
		return nil
	}
	var out []contract.Notice
	for _, url := range p.remote.Unreachable() {
		out = append(out, contract.Notice{Kind: "warning", Code: "executor_unreachable", Message: "The executor at " + url + " does not answer. The others take its work; with none, functions do not run."})
	}
	return out
}
