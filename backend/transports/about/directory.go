package about

import (
	"net/http"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/transports/answer"
)

// Listed is an agent in the answer to GET /agents. URL is its address,
// MountPath the part of it after the platform's.
type Listed struct {
	ID           string       `json:"id"`
	Name         string       `json:"name"`
	Username     string       `json:"username"`
	Description  string       `json:"description"`
	URL          string       `json:"url"`
	MountPath    string       `json:"mountPath"`
	Capabilities Capabilities `json:"capabilities"`
}

// List answers GET /agents.
type List struct {
	Agents []Listed `json:"agents"`
}

// directoryMethods is the value of Allow at GET /agents.
const directoryMethods = "GET, HEAD, OPTIONS"

// Directory answers GET /agents (contract.md 6.5) with the agents that the
// caller may talk to: whoever would be refused at GET /<agent> does not learn
// that the agent is there. The caller is in the request's context.
func (cfg Config) Directory(all func() []agents.Agent) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		switch r.Method {
		case http.MethodGet, http.MethodHead:
		case http.MethodOptions:
			h.Set("Allow", directoryMethods)
			h.Set("Access-Control-Allow-Methods", directoryMethods)
			h.Set("Access-Control-Allow-Headers", "*, Authorization")
			h.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
			return
		default:
			h.Set("Allow", directoryMethods)
			answer.Fail(w, contract.Errorf(contract.MethodNotAllowed, "%.32s is not possible here, only %s", r.Method, directoryMethods))
			return
		}
		caller := auth.CallerOf(r.Context())
		out := List{Agents: []Listed{}}
		for _, a := range all() {
			if cfg.Admit(a, caller) != nil {
				continue
			}
			path := "/" + a.Username
			out.Agents = append(out.Agents, Listed{
				ID: a.ID, Name: a.Name, Username: a.Username, Description: a.Description,
				URL: cfg.BaseURL() + path, MountPath: path, Capabilities: cfg.can(a),
			})
		}
		h.Set("Vary", "Authorization, Cookie, X-API-Key")
		answer.JSON(w, http.StatusOK, out)
	})
}
