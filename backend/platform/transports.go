package platform

import (
	"benchtop/backend/agenthttp"
	"benchtop/backend/model"
	"benchtop/backend/transports/about"
	"benchtop/backend/transports/completions"
	"benchtop/backend/transports/hello"
)

// transports is the table of protocols that agents speak below their own
// address. Each is a folder of backend/transports whose New makes it and whose
// Routes are its addresses; nothing else has to be registered.
func (p *Platform) transports() []agenthttp.Transport {
	return []agenthttp.Transport{
		about.New(p.about()),
		hello.New(hello.Config{Admit: model.Admit}),
		completions.New(completions.Config{Model: p.model, Log: p.cfg.Log}),
		p.a2a.Mount(),
		p.uamp.Mount(),
	}
}

// about is what agents say of themselves, each of its own and all in a list.
func (p *Platform) about() about.Config {
	return about.Config{Admit: model.Admit, Tools: p.invoker.Tools, Provides: p.provides, BaseURL: p.URL}
}
