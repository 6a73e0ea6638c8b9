package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"benchtop/backend/contract"
)

// bridgeTries is how often a host call is sent when the network fails; the
// bridge gives a repeated one its first reply.
const bridgeTries = 3

// bridgeClient is what a server calls host bridges with: connections are kept,
// redirects are not followed.
func bridgeClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	t.MaxIdleConnsPerHost = 64
	return &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// host is the invocation.Host of a run on a server: host calls go over the
// network to the platform that sent the invocation.
type host struct {
	answer     *answer
	client     *http.Client
	bridge     *HostBridge
	invocation string
}

func (h *host) Log(atUs int64, l contract.LogLine)       { h.answer.log(atUs, l) }
func (h *host) Emit(atUs int64, e contract.EmittedEvent) { h.answer.emit(atUs, e) }
func (h *host) Fetch(e contract.TraceEntry)              { h.answer.fetch(e) }

// HostCall sends a host call over the network door.
func (h *host) HostCall(ctx context.Context, n int, method string, args contract.RawJSON) contract.HostReply {
	if h.bridge == nil {
		return bridgeError("HOST_BRIDGE_DISABLED: this invocation came without a host bridge, so ctx has no stateful members")
	}
	body, err := json.Marshal(contract.HostRequest{Method: method, Args: args})
	if err != nil {
		return bridgeError("the call cannot be sent: %v", err)
	}
	for try := 1; ; try++ {
		reply, err := h.send(ctx, n, body)
		if err == nil {
			return reply
		}
		if ctx.Err() != nil || try == bridgeTries || !errors.Is(err, errNetwork) {
			return bridgeError("%v", err)
		}
		wait := time.NewTimer(time.Duration(try) * 100 * time.Millisecond)
		select {
		case <-ctx.Done():
			wait.Stop()
		case <-wait.C:
		}
	}
}

var errNetwork = errors.New("the host bridge cannot be reached")

func (h *host) send(ctx context.Context, n int, body []byte) (reply contract.HostReply, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(h.bridge.BaseURL, "/")+"/api/internal/fn-host", bytes.NewReader(body))
	if err != nil {
		return reply, errors.New("hostBridge.baseUrl is no address")
	}
	req.Header.Set("Authorization", "Bearer "+h.bridge.Token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", fmt.Sprintf("%s:%d", h.invocation, n))
	res, err := h.client.Do(req)
	if err != nil {
		return reply, fmt.Errorf("%w: %w", errNetwork, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxReply+1))
	switch {
	case err != nil:
		return reply, fmt.Errorf("%w: %w", errNetwork, err)
	case len(text) > maxReply:
		return reply, fmt.Errorf("the host bridge's reply is larger than %d bytes", maxReply)
	case json.Unmarshal(text, &reply) != nil || !reply.OK && reply.Error == nil:
		return reply, fmt.Errorf("HOST_BRIDGE_NON_JSON: the host bridge answered %d with something else than a reply", res.StatusCode)
	case reply.Error != nil && !reply.Error.Code.Known():
		reply.Error.Code = contract.HostBridgeError
	}
	return reply, nil
}

func bridgeError(format string, args ...any) contract.HostReply {
	return contract.HostReply{Error: &contract.HostFailed{Code: contract.HostBridgeError, Message: fmt.Sprintf(format, args...)}}
}
