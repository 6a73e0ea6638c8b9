package httpapi

import (
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

const bridgePath = "/api/internal/fn-host"

// BridgeDoor is the host bridge's network door and nothing else, for a listener
// of its own that executors on other machines reach (decisions.md 24). Whatever
// else is asked for there does not exist.
func BridgeDoor(bridge Bridge, log *slog.Logger) http.Handler {
	a := &api{deps: Deps{Bridge: bridge, Log: log, Now: time.Now}, runID: "bridge-"}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h["X-Content-Type-Options"] = nosniff
		h["Cache-Control"] = noStore
		h["X-Request-Id"] = []string{a.runID + strconv.FormatUint(a.requests.Add(1), 36)}
		switch {
		case r.URL.Path != bridgePath || r.URL.RawQuery != "":
			w.WriteHeader(http.StatusNotFound)
			return
		case r.Method != http.MethodPost:
			h["Allow"] = []string{http.MethodPost}
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
		c := &call{api: a, w: w, r: r}
		defer a.recover(c)
		c.caller.Kind = auth.KindAnonymous
		r.Body = http.MaxBytesReader(w, r.Body, hostRequest)
		if err := a.hostCall(c); err != nil {
			e, status := c.describe(err)
			_ = c.json(status, contract.HostReply{Error: &contract.HostFailed{Code: e.Code, Message: e.Message}})
		}
	})
}
