package platform_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

const portalPermissions = `{"runtime":"js-v1","permissions":{"portal":["callTool","getOwner","lookupAgent","notifyOwner","signContentUrl","verifyHmac"],"secrets":["KEY"],"content":{"write":true}}}`

// ctx.portal through the worker, the bridge and the parts behind it.
func TestPortal(t *testing.T) {
	c := start(t, t.TempDir())
	for _, name := range []string{"Mia", "Leo"} {
		c.must("POST", "/api/agents", map[string]string{"name": name}, nil)
	}
	c.declare("leo", "quote", `{"runtime":"js-v1","parameters":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}`,
		`export default (ctx) => ({ sum: ctx.toolCall.params.n + 1, from: ctx.auth.agentId, skill: ctx.source.skill })`)
	c.must("POST", "/api/agents/leo/skills/custom_tools/use", map[string]any{"entry": map[string]any{"id": "quote", "name": "price"}, "use": "quote"}, nil)
	c.declare("mia", "all", portalPermissions, `export default async (ctx) => {
  const leo = await ctx.portal.lookupAgent("leo");
  const { id } = await ctx.content.put({ data: "<b>hi</b>", mimeType: "text/html", displayName: "page.html" });
  await ctx.portal.notifyOwner({ title: "Done", body: "all of it", severity: "warning" });
  const wrong = await ctx.portal.callTool(leo.id, "price", {}).catch((e) => e.code);
  const denied = await ctx.portal.verifyToken("x").catch((e) => e.message);
  const hmac = await ctx.portal.verifyHmac({ secretBinding: "KEY", payload: new TextEncoder().encode("body"), expected: "sha256=dcc5e020cb26cae459436ba77e3bd30227029a57a1d28936d7a671492a9f4e5a" });
  const tool = await ctx.portal.callTool("leo", "price", { n: 2 });
  return { tool, mine: tool.from === ctx.metadata.agentId, wrong, denied, hmac, owner: (await ctx.portal.getOwner()).planName, url: await ctx.portal.signContentUrl(id, { expiresInSeconds: 60 }) };
}`)
	c.must("POST", "/api/agents/mia/functions/all/secret", map[string]string{"binding": "KEY", "value": "key-of-mia"}, nil)
	r := c.invoke("mia", "all", map[string]any{})
	var got struct {
		Tool          struct{ Sum int }
		Mine, Hmac    bool
		Wrong, Denied string
		Owner, URL    string
	}
	if err := json.Unmarshal(r.Result, &got); err != nil {
		t.Fatalf("%s %s", r.ErrorCode, r.ErrorMessage)
	}
	if got.Tool.Sum != 3 || !got.Mine || !got.Hmac || got.Wrong != "PARAMETERS_INVALID" || got.Owner != "local" ||
		!strings.HasPrefix(got.Denied, "PERMISSION_DENIED") || !strings.Contains(got.Denied, "PORTAL_PERMISSION_DENIED") {
		t.Errorf("%s", r.Result)
	}
	detail := c.detail(r.InvocationID)
	var noted, child bool
	for _, e := range detail.Trace {
		child = child || e.Name == "portal.callTool" && e.InvocationID != ""
	}
	for _, l := range detail.Logs {
		noted = noted || strings.HasPrefix(l.Message, "portal.verifyHmac: ")
	}
	if !noted || !child {
		t.Errorf("the record does not say which rule matched (%v), or what was called (%v)", noted, child)
	}
	_, query, _ := strings.Cut(got.URL, "signature=")
	if whole, _ := json.Marshal(detail); query == "" || strings.Contains(string(whole), query) {
		t.Errorf("the signature of %s is in the record", got.URL)
	}

	resp, err := http.Get(got.URL) // without any credential
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 || string(body) != "<b>hi</b>" || resp.Header.Get("Content-Disposition") != `attachment; filename=page.html` ||
		!strings.HasPrefix(resp.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("%d %s %v", resp.StatusCode, body, resp.Header)
	}
	var page contract.InboxPage
	c.must("GET", "/api/local/inbox", nil, &page)
	if len(page.Messages) != 1 || page.Messages[0].Title != "Done" || page.Messages[0].InvocationID != r.InvocationID || page.Unread != 1 {
		t.Errorf("inbox %+v", page)
	}
}

// Two agents that call each other's tools end at the depth of every chain.
func TestToolsCallingEachOther(t *testing.T) {
	c := start(t, t.TempDir())
	for name, other := range map[string]string{"Mia": "leo", "Leo": "mia"} {
		c.must("POST", "/api/agents", map[string]string{"name": name}, nil)
		agent := strings.ToLower(name)
		c.declare(agent, "ping", `{"runtime":"js-v1","permissions":{"portal":["callTool"],"selfRecursion":true}}`,
			`export default async (ctx) => { try { return 1 + await ctx.portal.callTool("`+other+`", "ping", {}) } catch (e) { return e.code === "FN_CHAIN_TOO_DEEP" ? 0 : e.message } }`)
		c.must("POST", "/api/agents/"+agent+"/skills/custom_tools/use", map[string]any{"entry": map[string]any{"id": "ping", "name": "ping"}, "use": "ping"}, nil)
	}
	if r := c.invoke("mia", "ping", map[string]any{}); string(r.Result) != "4" {
		t.Errorf("gave %s %s", r.Result, r.ErrorMessage)
	}
}
