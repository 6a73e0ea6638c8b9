// Package completions lets clients of the OpenAI protocol talk to an agent: chat
// completions, whole and streamed, and the list of models, which has the agent
// alone (spec 4.6, contract.md 6.6).
package completions

import (
	"context"
	"log/slog"
	"mime"
	"net/http"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/model"
	"benchtop/backend/payments"
	"benchtop/backend/transports/answer"
)

// maxBody bounds a request: a long conversation, or a picture in it.
const maxBody = 8 << 20

// Model is what answers.
type Model interface {
	Turn(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error)
	Chunks(name string, usage bool) *model.Chunks
}

// Config is what the transport needs.
type Config struct {
	Model Model
	Log   *slog.Logger
}

// New makes the transport.
func New(cfg Config) agenthttp.Transport {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return agenthttp.Transport{Name: "completions", Routes: []agenthttp.Route{
		{Method: http.MethodPost, Path: "/v1/chat/completions", Serve: cfg.complete},
		{Method: http.MethodPost, Path: "/chat/completions", Serve: cfg.complete},
		{Method: http.MethodGet, Path: "/v1/models", Serve: cfg.models},
		{Method: http.MethodGet, Path: "/v1/models/{model}", Serve: cfg.oneModel},
	}}
}

func (cfg Config) complete(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	req, err := cfg.read(w, r, a)
	if err != nil {
		cfg.fail(w, a, err)
		return
	}
	turn := model.TurnRequest{
		Agent: a, Messages: req.Messages, Tools: req.Tools, Choice: req.choice, Options: req.options,
		Caller: auth.CallerOf(r.Context()), Tokens: payments.TokensOf(r.Header),
	}
	chunks := cfg.Model.Chunks(req.Model, req.StreamOptions.IncludeUsage)
	if req.Stream {
		cfg.stream(w, r, turn, chunks)
		return
	}
	result, err := cfg.Model.Turn(r.Context(), turn, nil)
	if err != nil {
		cfg.fail(w, a, err)
		return
	}
	answer.JSON(w, http.StatusOK, chunks.Completion(result))
}

// read holds a request to the agent's rules, then to the protocol's.
func (cfg Config) read(w http.ResponseWriter, r *http.Request, a agents.Agent) (*request, error) {
	if err := model.Admit(a, auth.CallerOf(r.Context())); err != nil {
		return nil, err
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, contract.Errorf(contract.UnsupportedMedia, "send the request as JSON, with Content-Type: application/json")
	}
	body, err := agenthttp.ReadBody(w, r, maxBody)
	if err != nil {
		return nil, err
	}
	return parse(body)
}

func (cfg Config) fail(w http.ResponseWriter, a agents.Agent, err error) {
	if contract.AsError(err) == nil {
		cfg.Log.Error("a completion failed", "agent", a.Username, "error", err)
	}
	answer.Fail(w, err)
}

// modelInfo is one model of GET /v1/models.
type modelInfo struct {
	ID      string `json:"id"`
	Object  string `json:"object"` // model
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

func infoOf(a agents.Agent) modelInfo {
	return modelInfo{ID: a.Username, Object: "model", Created: a.CreatedAt.Unix(), OwnedBy: "benchtop"}
}

func (cfg Config) models(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	if err := model.Admit(a, auth.CallerOf(r.Context())); err != nil {
		cfg.fail(w, a, err)
		return
	}
	answer.JSON(w, http.StatusOK, struct {
		Object string      `json:"object"` // list
		Data   []modelInfo `json:"data"`
	}{"list", []modelInfo{infoOf(a)}})
}

func (cfg Config) oneModel(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	err := model.Admit(a, auth.CallerOf(r.Context()))
	if name := r.PathValue("model"); err == nil && name != a.Username {
		err = contract.Errorf(contract.NotFound, "agent %s has one model, %s, and not %.64q", a.Username, a.Username, name)
	}
	if err != nil {
		cfg.fail(w, a, err)
		return
	}
	answer.JSON(w, http.StatusOK, infoOf(a))
}
