//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// The Client place in the window. Its streams come from the platform's port to a
// page of another scheme, and WebSockets go through the relay.

const (
	chatCard = `//button[contains(., 'Chat agent')]`
	say      = `//textarea[@aria-label='What you say']`
	message  = `//textarea[@aria-label='Message']`
	answered = `(//*[@data-testid='chat-message'])[last()]`
)

func tab(name string) string { return `//*[@role='tab' and normalize-space(.)='` + name + `']` }

func TestJourneyClient(t *testing.T) {
	a := start(t, t.TempDir())
	a.click(chatCard)
	a.has(editor, "async")
	dir := filepath.Join(a.home, "Benchtop", "chat-agent")
	a.must(os.MkdirAll(filepath.Join(dir, "endpoints"), 0o755))
	live := "export default async (ctx) => {\n  await ctx.socket.accept();\n  for await (const message of ctx.socket) await ctx.socket.send({ echo: message });\n};\n"
	a.must(os.WriteFile(filepath.Join(dir, "endpoints", "live.js"), []byte(live), 0o644))
	edit(t, filepath.Join(dir, "AGENT.md"), "name: chat-agent\n", `name: chat-agent
endpoints:
  - { path: "/live", websocket: true, scope: all, handler: endpoints/live.js }
`)

	// A turn in which the model calls a tool, and what went over the wire.
	a.press(control, "3")
	a.click(tab("Chat"))
	a.click(`//button[starts-with(normalize-space(.), 'Events')]`)
	a.fill(say, "3 hours")
	a.press(enter)
	a.has(answered, "quote", `"total":240`, "3 hours cost 240 EUR. Which day suits you?", "tokens in")
	a.has(`//*[@data-testid='wire']`, "response.done")
	a.picture("window-client-chat")
	a.click(answered + `//button[normalize-space(.)='Its run']`)
	a.has(dialog, "quote")
	a.press(escape)
	a.gone(dialog)

	// Messages both ways in a WebSocket.
	a.click(`//nav[@aria-label='What the agent serves']//button[contains(., '/live')]`)
	a.click(`//button[normalize-space(.)='Connect']`)
	a.has(`//section[@aria-label='Answer']`, "101", "open")
	for _, text := range []string{`{"n": 1}`, `{"n": 2}`} {
		a.fill(message, text)
		a.press(enter)
	}
	a.must(a.until(a.ctx, `document.querySelectorAll('[data-testid=live]').length === 4`))
	a.has(`(//*[@data-testid='live'])[4]`, `{"echo":{"n":2}}`)
	a.picture("window-client-websocket")
	a.click(`//button[normalize-space(.)='End']`)
	a.has(`//section[@aria-label='Answer']`, "closed 1000")

	// The conversation is still there.
	a.click(tab("Chat"))
	a.has(answered, "3 hours cost 240 EUR")
	a.terminate()
}
