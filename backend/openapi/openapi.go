// Package openapi describes what can be called of an agent as an OpenAPI 3.1
// document: manual invokes, the tools of custom_tools and the endpoints of
// custom_http, with the parameter schemas of the functions (spec 4.1 row 9).
package openapi

import (
	"encoding/json"
	"fmt"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
)

// Input is what a document is made of. URL is the platform's address; the two
// cookies are the names of the owner's and of a visitor's.
type Input struct {
	Agent         agents.Agent
	Functions     []*functions.Function
	Entries       *consumers.Set
	URL           string
	Version       string
	SessionCookie string
	VisitorCookie string
}

type object = map[string]any

// Document gives the document as JSON. The same input gives the same bytes.
func Document(in Input) (json.RawMessage, error) {
	d := &document{in: in, paths: object{}, schemas: sharedSchemas(), tools: map[string][]*consumers.Entry{}}
	for _, e := range in.Entries.Tools() {
		d.tools[e.Use] = append(d.tools[e.Use], e)
	}
	for _, fn := range in.Functions {
		if err := d.function(fn); err != nil {
			return nil, fmt.Errorf("describe %s: %w", fn.Name, err)
		}
	}
	d.endpoints()
	return json.Marshal(object{
		"openapi": "3.1.0",
		"info": object{
			"title":       in.Agent.Name,
			"description": described(in.Agent.Description, "What can be called of the agent "+in.Agent.Username+"."),
			"version":     described(in.Version, "0"),
		},
		"jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
		"servers":           []any{object{"url": in.URL + "/api/agents/" + in.Agent.ID, "description": "The agent by its id"}},
		"tags": []any{
			object{"name": "functions", "description": "Functions, invoked by hand"},
			object{"name": contract.SkillHTTP, "description": "Endpoints of custom_http"},
		},
		"security": []any{object{"ownerKey": []any{}}, object{"ownerSession": []any{}}, object{"portalToken": []any{}}, object{"apiKey": []any{}}},
		"paths":    d.paths,
		"components": object{
			"schemas":         d.schemas,
			"responses":       sharedResponses(),
			"securitySchemes": d.securitySchemes(),
		},
	})
}

type document struct {
	in      Input
	paths   object
	schemas object
	tools   map[string][]*consumers.Entry // by function
}

func described(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func (d *document) securitySchemes() object {
	return object{
		"ownerKey":      object{"type": "http", "scheme": "bearer", "description": "The owner key of this platform"},
		"ownerSession":  object{"type": "apiKey", "in": "cookie", "name": d.in.SessionCookie, "description": "The owner's session in a browser"},
		"portalToken":   object{"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "A portal token, RS256"},
		"apiKey":        object{"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "An API key of the agent"},
		"visitorCookie": object{"type": "apiKey", "in": "cookie", "name": d.in.VisitorCookie, "description": "The session of a visitor"},
	}
}

// function describes its manual invoke, and the tools that it serves as.
func (d *document) function(fn *functions.Function) error {
	var forms []any
	example := object{}
	args, err := d.parameters("Args_"+fn.Name, fn.Manifest.Parameters)
	if err != nil {
		return err
	}
	if args != nil {
		forms = append(forms, toolBody(args))
		if sample, ok := sampleOf(fn.Manifest.Parameters); ok {
			example["tool"] = object{"summary": "A tool call", "value": object{"args": sample}}
		}
	}
	var tools []any
	for _, e := range d.tools[fn.Name] {
		t := object{"name": e.Tool.Name, "entryId": e.ID, "description": described(e.Description, fn.Manifest.Description)}
		switch own, err := d.parameters("Tool_"+e.Tool.Name, e.Tool.Parameters); {
		case err != nil:
			return err
		case own != nil:
			t["parameters"] = own
			forms = append(forms, toolBody(own))
		case args != nil:
			t["parameters"] = args
		}
		tools = append(tools, t)
	}
	if args == nil {
		// Without a schema any arguments fit, and {} is the replay of a schedule.
		forms = append(forms, toolBody(object{}), ref("ScheduleCall"))
		example["schedule"] = object{"summary": "A replay of a schedule", "value": object{}}
	}
	forms = append(forms, ref("HTTPCall"))
	example["http"] = object{"summary": "A request of custom_http", "value": object{"method": "GET", "path": "/"}}
	op := object{
		"operationId": "invoke_" + fn.Name,
		"tags":        []any{"functions"},
		"summary":     described(fn.Manifest.Description, "Invoke "+fn.Name),
		"parameters": []any{object{
			"name": "Idempotency-Key", "in": "header", "required": false,
			"description": "The same key within 24 hours gives the first answer again and runs nothing",
			"schema":      object{"type": "string", "minLength": 1, "maxLength": 255},
		}},
		"requestBody": object{"required": true, "content": object{"application/json": object{
			"schema": object{"anyOf": forms}, "examples": example,
		}}},
		"responses": object{
			"200": object{
				"description": "The function ran; ok says whether it went well",
				"headers":     object{"Idempotent-Replayed": object{"description": "true for the stored answer of an earlier call", "schema": object{"type": "string"}}},
				"content": object{"application/json": object{"schema": ref("InvokeResult"), "examples": object{
					"ok":     object{"value": object{"invocationId": "0193", "ok": true, "result": object{"greeting": "hello"}, "durationMs": 1.5, "cpuMs": 1, "ingressBytes": 0, "egressBytes": 0}},
					"failed": object{"value": object{"invocationId": "0194", "ok": false, "errorCode": "JS_RUNTIME_ERROR", "errorMessage": "x is not defined", "durationMs": 1.5, "cpuMs": 1, "ingressBytes": 0, "egressBytes": 0}},
				}}},
			},
			"400": response("BadRequest"), "401": response("Unauthorized"), "403": response("Forbidden"), "404": response("NotFound"),
			"409": response("Conflict"), "422": response("Mismatch"), "429": response("TooMany"), "503": response("Unavailable"),
		},
	}
	if tools != nil {
		op["x-custom-tools"] = tools
	}
	d.paths["/functions/"+fn.Name+"/invoke"] = object{"post": op}
	return nil
}

func toolBody(args any) object {
	return object{"type": "object", "required": []any{"args"}, "properties": object{"args": args}}
}

func ref(schema string) object    { return object{"$ref": "#/components/schemas/" + schema} }
func response(name string) object { return object{"$ref": "#/components/responses/" + name} }
func endpointFailure(t string) object {
	return object{"description": t, "content": object{"application/json": object{"schema": ref("EndpointError")}}}
}

// endpoints describes custom_http. Templates that differ in the names of their
// parameters only are one path there, with the names of the first.
func (d *document) endpoints() {
	names := map[string]string{} // shape: path
	for _, e := range d.in.Entries.Endpoints() {
		shape, path, params := pathOf(e.Endpoint.Path)
		if known, ok := names[shape]; ok {
			path, params = known, paramsOf(known)
		}
		if strings.HasPrefix(path, "/functions/") && d.paths[path] != nil {
			continue // the management API answers there
		}
		names[shape] = path
		item, _ := d.paths[path].(object)
		if item == nil {
			var servers []any
			for _, prefix := range []string{"/" + d.in.Agent.Username, "/agents/" + d.in.Agent.ID, "/api/agents/" + d.in.Agent.ID} {
				servers = append(servers, object{"url": d.in.URL + prefix})
			}
			item = object{"servers": servers}
			if len(params) > 0 {
				item["parameters"] = params
			}
			d.paths[path] = item
		}
		item[strings.ToLower(e.Endpoint.Method)] = d.endpoint(e)
	}
}

func (d *document) endpoint(e *consumers.Entry) object {
	op := object{
		"operationId": "http_" + strings.Map(operationRune, e.ID),
		"tags":        []any{contract.SkillHTTP},
		"summary":     described(e.Description, e.Endpoint.Method+" "+e.Endpoint.Path),
		"security":    securityOf(e.Endpoint.Auth),
		"responses": object{
			"200": object{"description": "What " + e.Use + " answers", "content": object{
				"application/json": object{"schema": object{}}, "text/plain": object{"schema": object{"type": "string"}}, "text/html": object{"schema": object{"type": "string"}},
				"text/event-stream": object{"schema": object{"type": "string", "description": "With Accept: text/event-stream the events that the function emits, and at last \"event: result\""}},
			}},
			"404": endpointFailure("The function is not declared"), "413": endpointFailure("The body is larger than the endpoint allows"),
			"429": endpointFailure("Too much at once; Retry-After says when"), "500": endpointFailure("The function failed"),
			"502": endpointFailure("The function answered with what it may not"), "504": endpointFailure("The function took too long"),
		},
		"x-auth-mode": e.Endpoint.Auth,
	}
	responses := op["responses"].(object)
	if e.Endpoint.Auth != consumers.AuthPublic && e.Endpoint.Auth != consumers.AuthSignature {
		responses["401"] = endpointFailure("The caller is not who the endpoint is for")
	}
	if e.Endpoint.Price > 0 {
		priced(op, e.Endpoint.Price)
		d.schemas["PaymentRequired"] = paymentRequired()
	}
	switch e.Endpoint.Method {
	case "POST", "PUT", "PATCH", "DELETE":
		op["requestBody"] = object{"required": false, "content": object{
			"application/json": object{"schema": object{}}, "application/x-www-form-urlencoded": object{"schema": object{"type": "object"}}, "text/plain": object{"schema": object{"type": "string"}},
			"application/octet-stream": object{"schema": object{}},
		}}
	}
	return op
}

func operationRune(r rune) rune {
	if r == '.' || r == '-' {
		return '_'
	}
	return r
}

func securityOf(mode string) []any {
	switch mode {
	case consumers.AuthSession:
		return []any{object{"ownerKey": []any{}}, object{"ownerSession": []any{}}}
	case consumers.AuthVisitor:
		return []any{object{}, object{"visitorCookie": []any{}}, object{"apiKey": []any{}}, object{"ownerSession": []any{}}}
	case consumers.AuthPortal:
		return []any{object{"portalToken": []any{}}}
	}
	return []any{}
}

// pathOf turns /x/:id into /x/{id}, with what is the same for all names.
func pathOf(template string) (shape, path string, params []any) {
	parts := strings.Split(strings.TrimSuffix(template, "/"), "/")
	same := append([]string{}, parts...)
	for i, p := range parts {
		if name, ok := strings.CutPrefix(p, ":"); ok {
			parts[i], same[i] = "{"+name+"}", ":"
		} else {
			parts[i] = strings.NewReplacer("{", "%7B", "}", "%7D").Replace(p)
		}
	}
	path = described(strings.Join(parts, "/"), "/")
	return strings.Join(same, "/"), path, paramsOf(path)
}

func paramsOf(path string) (params []any) {
	for p := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(p, "{") {
			params = append(params, object{"name": strings.Trim(p, "{}"), "in": "path", "required": true, "schema": object{"type": "string"}})
		}
	}
	return params
}
