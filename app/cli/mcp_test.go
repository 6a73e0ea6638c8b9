package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"benchtop/backend/executor/exectest"
)

// A coding agent's client, the protocol's own, lists, reads, checks and runs
// functions over stdio, reads the history, and sees no value of a secret.
func TestCodingAgent(t *testing.T) {
	worker := exectest.Worker(t)[0]
	dir := t.TempDir()
	for name, text := range map[string]string{
		"AGENT.md":                      "---\nname: shop\n---\n",
		"functions/price/manifest.json": `{"runtime":"js-v1","permissions":{"secrets":["KEY"]},"parameters":{"type":"object","properties":{"n":{"type":"integer"}}}}`,
		"functions/price/index.js":      "export default async (ctx) => {\n  ctx.log.info('priced', (await ctx.secrets.get('KEY')) ?? 'none');\n  if (ctx.toolCall.params.n < 0) throw new Error('negative');\n  return { n: ctx.toolCall.params.n };\n};\n",
		"functions/hook/manifest.json":  `{"runtime":"js-v1"}`,
		"functions/hook/index.js":       "export default async (ctx) => ({ status: 200, body: { method: ctx.request.method, got: ctx.request.body } });\n",
		"functions/headed.js":           "/** @robutler-function\n * @runtime js-v1\n */\nexport default async () => 1;\n",
	} {
		path := filepath.Join(dir, "shop", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	environ := append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "BENCHTOP_") }),
		"BENCHTOP_WORKER="+worker, "BENCHTOP_KEYCHAIN=off", "HOME="+dir)
	set := exec.CommandContext(t.Context(), "benchtop", "secret", "set", "price", "KEY", "--data", filepath.Join(dir, "data"), "--project", filepath.Join(dir, "shop"))
	set.Env, set.Stdin = environ, strings.NewReader("hush-hush")
	if out, err := set.CombinedOutput(); err != nil {
		t.Fatalf("%s %v", out, err)
	}
	cmd := exec.CommandContext(t.Context(), "benchtop", "mcp", "--data", filepath.Join(dir, "data"), "--project", filepath.Join(dir, "shop"))
	cmd.Env, cmd.Stderr = environ, os.Stderr
	s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error("the end of the conversation:", err)
		}
	}()

	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Description == "" || tool.InputSchema == nil {
			t.Errorf("%s has no description or no schema", tool.Name)
		}
	}
	slices.Sort(names)
	if want := "history invocation invoke_function list_agents list_functions secret_names show_function validate_function"; strings.Join(names, " ") != want {
		t.Errorf("tools %v, want %s", names, want)
	}

	call := func(tool, args string, wantError bool, parts ...string) string {
		t.Helper()
		res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
		if err != nil {
			t.Fatalf("%s %s: %v", tool, args, err)
		}
		text := ""
		for _, c := range res.Content {
			if one, ok := c.(*sdk.TextContent); ok {
				text += one.Text
			}
		}
		if res.IsError != wantError {
			t.Errorf("%s %s: error %v\n%s", tool, args, res.IsError, text)
		}
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%s %s has no %q:\n%s", tool, args, part, text)
			}
		}
		if strings.Contains(text, "hush-hush") {
			t.Errorf("%s %s gives the secret away:\n%s", tool, args, text)
		}
		return text
	}
	call("list_agents", `{}`, false, `"username": "shop"`)
	call("list_functions", `{"agent":"shop"}`, false, `"name": "hook"`, `"name": "price"`)
	call("list_functions", `{"agent":"nobody"}`, true, "no agent has the id or username")
	call("show_function", `{"name":"price"}`, false, `"source": "export default`, `"file": "functions/price/index.js"`)
	call("show_function", `{"name":"nope"}`, true, "no function")
	call("secret_names", `{}`, false, `"binding": "KEY"`, `"set": true`)

	call("validate_function", `{"name":"price"}`, false, `"ok": true`)
	call("validate_function", `{"name":"headed"}`, false, `"ok": true`)
	call("validate_function", `{"name":"headed","source":"export default async () => 2"}`, true, "send manifest and source both")
	call("validate_function", `{"name":"price","source":"export default async () => {"}`, true, `"ok": false`, "JS_COMPILE_ERROR")
	call("validate_function", `{"name":"fresh","manifest":{"runtime":"js-v9"},"source":"export default async () => 1"}`, true, "RUNTIME")
	call("validate_function", `{"name":"fresh","manifest":{"runtime":"js-v1"},"source":"export default async () => 1"}`, false, `"ok": true`)

	var run struct {
		InvocationID string `json:"invocationId"`
	}
	text := call("invoke_function", `{"name":"price","args":{"n":9007199254740993}}`, false, `"ok": true`, "priced")
	if err := json.Unmarshal([]byte(text), &run); err != nil {
		t.Fatal(err)
	}
	call("invoke_function", `{"name":"price","args":{"n":-1}}`, true, `"errorMessage": "negative"`, `"line": 3`)
	call("invoke_function", `{"name":"price","args":{"n":"x"}}`, true, "do not fit the parameters")
	call("invoke_function", `{"name":"hook","request":{"method":"POST","path":"/x","body":{"a":1}}}`, false, `"method": "POST"`, `"a": 1`)
	call("invoke_function", `{"name":"hook","args":{},"request":{"method":"GET"}}`, true, "send one of them")
	call("history", `{"function":"price","status":"error"}`, false, `"error_message": "negative"`)
	call("history", `{"limit":1}`, false, `"function_name": "hook"`, `"nextCursor": "2`)
	call("history", `{"status":"sad"}`, true, "status must be one of")
	call("invocation", `{"id":"`+run.InvocationID+`"}`, false, `"name": "secrets.get"`, `9007199254740993`)
	call("invocation", `{"id":"none"}`, true, "no invocation")
}
