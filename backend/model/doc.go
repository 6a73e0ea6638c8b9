// Package model is what answers when somebody talks to an agent: the scripted
// model, which needs no network, an echo, or whatever speaks the OpenAI protocol
// at an address that AGENT.md names. A turn is the whole way from a conversation
// to an answer, with the agent's own tools run in between through the pipeline
// that all invocations go through. Transports translate turns into their
// protocol and know nothing of models (contract.md 6.6 to 6.9, decisions.md 10,
// 12 and 23).
package model
