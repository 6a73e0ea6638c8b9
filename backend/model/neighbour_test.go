package model

import (
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

const here = "http://127.0.0.1:4321"

func behind(name, address string) agents.Agent {
	return agents.Agent{Username: name, Settings: agents.Settings{Visibility: agents.VisibilityPublic,
		Model: agents.ModelSpec{Kind: agents.ModelOpenAI, BaseURL: address, Model: "x"}}}
}

func TestOurOwnAddresses(t *testing.T) {
	w := newWorld(t)
	for address, want := range map[string]string{
		here + "/leo/v1":                     "leo",
		here + "/leo":                        "leo",
		here + "/agents/leo/v1":              "leo",
		here + "/api/agents/leo":             "leo",
		"http://localhost:4321/leo/v1":       "leo",
		"http://LOCALHOST.:4321/leo/v1":      "leo",
		"http://[::1]:4321/leo/v1":           "leo",
		"http://127.1.2.3:4321/leo/v1":       "leo",
		"http://leo.localhost:4321/v1":       "leo",
		"http://127.0.0.1:11434/v1":          "no",
		"https://127.0.0.1:4321/leo/v1":      "no",
		"http://example.com:4321/leo/v1":     "no",
		"http://leo.localhost.com:4321/v1":   "no",
		"http://127.0.0.1.nip.io:4321/leo/1": "no",
	} {
		ref, ours := w.ourOwn(address)
		if !ours {
			ref = "no"
		}
		if ref != want {
			t.Errorf("%s: %s, want %s", address, ref, want)
		}
	}
}

// Another agent as a model: it has its own tools and hands on those of the first.
func TestNeighbour(t *testing.T) {
	leo := agents.Agent{Username: "leo", Settings: agents.Settings{Model: agents.ModelSpec{Kind: agents.ModelScripted}}} // its owner's alone
	w := newWorld(t, behind("mia", here+"/leo/v1"), leo)
	req := w.ask(t, "mia", `/tool look {"q": "x"}`)
	req.Tools = client("look")
	r, chunks, err := w.listen(t.Context(), req)
	if err != nil || r.Finish != FinishToolCalls || told(chunks) != `calls look {"q": "x"} client:true` {
		t.Errorf("%v\n%s", err, told(chunks))
	}
	r, chunks, err = w.listen(t.Context(), w.ask(t, "mia", "hello"))
	if err != nil || !strings.HasPrefix(told(chunks), "says Leo here. You said: hello") || r.Usage.TotalTokens == 0 {
		t.Errorf("%v\n%s", err, told(chunks))
	}
	if len(w.given) != 0 {
		t.Errorf("delegated %v", w.given)
	}
	req = w.ask(t, "mia", `/tool add {"a": 1, "b": 2}`)
	req.Caller = auth.Caller{Kind: auth.KindVisitor, UserID: "ada"}
	r, _, err = w.listen(t.Context(), req)
	if err != nil || r.Message.Text() != `{"sum":3,"list":[{"n":1}]}` || len(w.calls) != 1 || w.calls[0].AgentID != "id-leo" || w.calls[0].Caller.AgentID != "id-mia" {
		t.Errorf("%+v %v %+v", r, err, w.calls)
	}
}

// What the other agent costs is paid for out of the caller's money.
func TestNeighbourIsPaid(t *testing.T) {
	w := newWorld(t, behind("mia", here+"/leo/v1"), agents.Agent{Username: "leo"})
	w.price["leo"] = true
	req := w.ask(t, "mia", `/tool add {"a": 1, "b": 2}`)
	if _, _, err := w.listen(t.Context(), req); codeOf(err) != contract.PaymentTokenRequired {
		t.Errorf("without a token: %v", err)
	}
	req.Tokens = []string{"tok"}
	if _, _, err := w.listen(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if len(w.calls) != 1 || w.calls[0].Tokens[0] != "tok for leo" || strings.Join(w.given, ",") != "tok for leo,back" {
		t.Errorf("%+v %v", w.calls, w.given)
	}
}

func TestCirclesAreRefused(t *testing.T) {
	w := newWorld(t, behind("mia", here+"/leo/v1"), behind("leo", here+"/ada/v1"), behind("ada", "http://mia.localhost:4321"),
		behind("self", here+"/self"), behind("lost", here+"/nobody"),
		behind("a", here+"/b"), behind("b", here+"/c"), behind("c", here+"/d"), behind("d", here+"/e"), behind("e", here+"/f"), agents.Agent{Username: "f"})
	for name, want := range map[string]string{
		"mia": "AGENT_LOOP: the agents are each other's models: mia -> leo -> ada -> mia", "self": "AGENT_LOOP: the agents are each other's models: self -> self",
		"lost": "MODEL_NOT_READY", "a": "AGENT_LOOP: agents are each other's models more than 4 deep: a -> b -> c -> d -> e -> f",
	} {
		_, chunks, err := w.listen(t.Context(), w.ask(t, name, "hello"))
		if err == nil || !strings.HasPrefix(err.Error(), want) || len(chunks) != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := w.listen(t.Context(), w.ask(t, "b", "hello")); err != nil {
		t.Errorf("four deep: %v", err)
	}
	for name := range w.agents {
		if n := w.Running("id-" + name); n != 0 {
			t.Errorf("%d turns of %s are still counted", n, name)
		}
	}
}
