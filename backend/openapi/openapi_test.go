package openapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/manifest"
	"benchtop/backend/openapi"
)

type noStore struct{}

func (noStore) ListConsumers(context.Context) ([]consumers.Stored, error)          { return nil, nil }
func (noStore) ReplaceConsumers(context.Context, string, []consumers.Stored) error { return nil }

// input is an agent with everything that a document can have.
func input(t *testing.T) openapi.Input {
	t.Helper()
	fn := func(name, parameters string) *functions.Function {
		f := &functions.Function{AgentID: "a1", Name: name, Manifest: manifest.Manifest{Runtime: manifest.RuntimeJS, Description: "Does " + name}}
		if parameters != "" {
			f.Manifest.Parameters = json.RawMessage(parameters)
		}
		return f
	}
	raws := []consumers.Raw{}
	for _, e := range []struct{ skill, text string }{
		{contract.SkillTools, `{"id":"q","name":"quote","use":"quote"}`},
		{contract.SkillTools, `{"id":"t2","name":"tree_tool","use":"tree","description":"Own words","parameters":{"type":"object","properties":{"x":{"$ref":"#/$defs/x"}},"$defs":{"x":{"const":1}}}}`},
		{contract.SkillTools, `{"id":"off","name":"off","use":"free","enabled":false}`},
		{contract.SkillHTTP, `{"id":"list","method":"GET","path":"/orders","auth":"public","use":"free","description":"All of them"}`},
		{contract.SkillHTTP, `{"id":"one","method":"GET","path":"/orders/:id","auth":"session","use":"free"}`},
		{contract.SkillHTTP, `{"id":"change","method":"PUT","path":"/orders/:order","auth":"portal_token","use":"free"}`},
		{contract.SkillHTTP, `{"id":"new.item","method":"POST","path":"/orders/:id/items/:item","auth":"visitor_session","use":"free"}`},
		{contract.SkillHTTP, `{"id":"brace","method":"DELETE","path":"/a{b}","auth":"signature","use":"free"}`},
		{contract.SkillHTTP, `{"id":"shadow","method":"POST","path":"/functions/quote/invoke","auth":"public","use":"free"}`},
		{contract.SkillHTTP, `{"id":"paid","method":"GET","path":"/paid","auth":"public","use":"free","price":0.02}`},
		{contract.SkillHTTP, `{"id":"root","method":"GET","path":"/","auth":"public","use":"free"}`},
		{contract.SkillHTTP, `{"id":"hidden","method":"GET","path":"/hidden","auth":"public","use":"free","enabled":false}`},
		{contract.SkillCron, `{"id":"n","cron":"0 3 * * *","use":"free"}`},
	} {
		raws = append(raws, consumers.Raw{Skill: e.skill, JSON: json.RawMessage(e.text)})
	}
	entries, errs, _ := consumers.Check(raws, func(string) bool { return true })
	if len(errs) > 0 {
		t.Fatalf("%+v", errs)
	}
	cs, err := consumers.New(t.Context(), consumers.Config{Store: noStore{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cs.Replace(t.Context(), "a1", entries); err != nil {
		t.Fatal(err)
	}
	return openapi.Input{
		Agent: agents.Agent{ID: "a1", Username: "mia", Name: "Mia"}, Entries: cs.Of("a1"),
		Functions: []*functions.Function{
			fn("free", ""), fn("quote", `{"type":"object","properties":{"hours":{"type":"number","minimum":2},"kind":{"enum":["a","b"]},"at":{"type":"string","format":"date"}},"required":["hours"],"additionalProperties":false}`),
			fn("tree", `{"type":"object","properties":{"root":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"},"top":{"$ref":"#"}}}}}`),
		},
		URL: "http://127.0.0.1:4780", Version: "1.2.3", SessionCookie: "benchtop_session_x", VisitorCookie: "benchtop_visitor_x",
	}
}

func document(t *testing.T, in openapi.Input) json.RawMessage {
	t.Helper()
	doc, err := openapi.Document(in)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func at(t *testing.T, doc json.RawMessage, path ...string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(doc, &v); err != nil {
		t.Fatal(err)
	}
	for _, key := range path {
		o, ok := v.(map[string]any)
		if !ok || o[key] == nil {
			return nil
		}
		v = o[key]
	}
	return v
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func TestDocument(t *testing.T) {
	doc := document(t, input(t))
	var paths []string
	for path := range at(t, doc, "paths").(map[string]any) {
		paths = append(paths, path)
	}
	if len(paths) != 9 {
		t.Errorf("paths %v", paths)
	}
	for _, c := range []struct {
		path []string
		want string
	}{
		{[]string{"paths", "/orders/{id}", "put", "security"}, `[{"portalToken":[]}]`},
		{[]string{"paths", "/orders/{id}", "get", "operationId"}, `"http_one"`},
		{[]string{"paths", "/orders/{id}/items/{item}", "post", "operationId"}, `"http_new_item"`},
		{[]string{"paths", "/orders", "get", "security"}, `[]`},
		{[]string{"paths", "/orders", "get", "summary"}, `"All of them"`},
		{[]string{"paths", "/hidden"}, `null`},
		{[]string{"paths", "/paid", "get", "x-price", "amount"}, `"0.02"`},
		{[]string{"paths", "/paid", "get", "responses", "402", "content", "application/json", "schema"}, `{"$ref":"#/components/schemas/PaymentRequired"}`},
		{[]string{"paths", "/orders", "get", "responses", "402"}, `null`},
		{[]string{"paths", "/functions/quote/invoke", "post", "operationId"}, `"invoke_quote"`},
		{[]string{"paths", "/functions/quote/invoke", "post", "x-custom-tools"}, `[{"description":"Does quote","entryId":"q","name":"quote","parameters":{"$ref":"#/components/schemas/Args_quote"}}]`},
		{[]string{"paths", "/functions/quote/invoke", "post", "requestBody", "content", "application/json", "examples", "tool", "value"}, `{"args":{"at":"2026-01-31","hours":2,"kind":"a"}}`},
		{[]string{"paths", "/functions/free/invoke", "post", "x-custom-tools"}, `null`},
		// References lead to where the schema lies now.
		{[]string{"components", "schemas", "Args_tree", "properties", "root"}, `{"$ref":"#/components/schemas/Args_tree/$defs/node"}`},
		{[]string{"components", "schemas", "Args_tree", "$defs", "node", "properties", "top"}, `{"$ref":"#/components/schemas/Args_tree"}`},
		{[]string{"components", "schemas", "Tool_tree_tool", "properties", "x"}, `{"$ref":"#/components/schemas/Tool_tree_tool/$defs/x"}`},
		{[]string{"components", "securitySchemes", "ownerSession", "name"}, `"benchtop_session_x"`},
	} {
		if got := text(at(t, doc, c.path...)); got != c.want {
			t.Errorf("%s: %s, want %s", strings.Join(c.path, " "), got, c.want)
		}
	}
	if again := document(t, input(t)); !bytes.Equal(doc, again) {
		t.Error("the same agent gives another document")
	}
}

// What only looks like a reference stays as it is.
func TestValuesAreNoReferences(t *testing.T) {
	in := input(t)
	in.Functions[1].Manifest.Parameters = json.RawMessage(`{"type":"object","properties":{"$ref":{"type":"string"},"a":{"default":{"$ref":"#/x"},"enum":[{"$ref":"#"}]},"b":{"$ref":"#odd"}}}`)
	want := `{"$ref":{"type":"string"},"a":{"default":{"$ref":"#/x"},"enum":[{"$ref":"#"}]},"b":{"$ref":"#odd"}}`
	if got := text(at(t, document(t, in), "components", "schemas", "Args_quote", "properties")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestSamples(t *testing.T) {
	in := input(t)
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"n":{"type":"integer","minimum":3},"s":{"type":"string"},"l":{"type":"array","items":{"type":"boolean"}},"o":{"type":["object","null"],"properties":{"d":{"default":[1]}}}}}`: `{"l":[true],"n":3,"o":{"d":[1]},"s":"text"}`,
		`{"type":"object","examples":[{"a":1}]}`:                               `{"a":1}`,
		`{"type":"object","properties":{"s":{"type":"string","minLength":9}}}`: `null`,
	} {
		in.Functions[1].Manifest.Parameters = json.RawMessage(schema)
		got := text(at(t, document(t, in), "paths", "/functions/quote/invoke", "post", "requestBody", "content", "application/json", "examples", "tool", "value", "args"))
		if got != want {
			t.Errorf("%s: sample %s, want %s", schema, got, want)
		}
	}
}
