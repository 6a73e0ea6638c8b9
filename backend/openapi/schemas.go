package openapi

import (
	"encoding/json"
	"strings"

	"benchtop/backend/schema"
)

// parameters puts an author's schema among the components and gives a reference
// to it; nil for none. References inside of it are led to where it lies now.
func (d *document) parameters(name string, text json.RawMessage) (any, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var s any
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if top, ok := s.(object); ok && top["$id"] == nil {
		moved(top, "#/components/schemas/"+name)
	}
	d.schemas[name] = s
	return ref(name), nil
}

// moved changes the references of a schema that begin at its own top. It goes
// where schemas are and leaves values alone, which may look like one.
func moved(s any, to string) {
	switch s := s.(type) {
	case []any:
		for _, v := range s {
			moved(v, to)
		}
	case object:
		for key, v := range s {
			switch key {
			case "const", "enum", "default", "examples", "example", "required", "dependentRequired":
			case "$ref", "$dynamicRef":
				if r, ok := v.(string); ok && (r == "#" || strings.HasPrefix(r, "#/")) {
					s[key] = to + strings.TrimPrefix(r, "#")
				}
			case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
				if named, ok := v.(object); ok {
					for _, sub := range named {
						moved(sub, to)
					}
				}
			default:
				moved(v, to)
			}
		}
	}
}

// sampleOf makes arguments that fit a schema, where that is easy.
func sampleOf(text json.RawMessage) (any, bool) {
	var s any
	compiled, err := schema.Compile(text)
	if err != nil || json.Unmarshal(text, &s) != nil {
		return nil, false
	}
	sample := sampled(s, 0)
	b, err := json.Marshal(sample)
	return sample, err == nil && len(compiled.Validate(b)) == 0
}

// formats are texts of the formats that authors name.
var formats = map[string]string{
	"date": "2026-01-31", "date-time": "2026-01-31T09:30:00Z", "time": "09:30:00Z", "email": "ada@example.com", "uri": "https://example.com/",
	"uuid": "0193f1d2-7a61-7c0e-9d53-3f2f6f6f6f6f",
}

func sampled(s any, depth int) any {
	o, _ := s.(object)
	for _, key := range []string{"examples", "enum"} {
		if list, ok := o[key].([]any); ok && len(list) > 0 {
			return list[0]
		}
	}
	for _, key := range []string{"example", "default", "const"} {
		if v, ok := o[key]; ok {
			return v
		}
	}
	kind, _ := o["type"].(string)
	if list, ok := o["type"].([]any); ok && len(list) > 0 {
		kind, _ = list[0].(string)
	}
	switch kind {
	case "string":
		format, _ := o["format"].(string)
		return described(formats[format], "text")
	case "integer", "number":
		if low, ok := o["minimum"].(float64); ok {
			return low
		}
		return 1
	case "boolean":
		return true
	case "array":
		if items, ok := o["items"]; ok && depth < 8 {
			return []any{sampled(items, depth+1)}
		}
		return []any{}
	case "object":
		out := object{}
		if props, ok := o["properties"].(object); ok && depth < 8 {
			for name, p := range props {
				out[name] = sampled(p, depth+1)
			}
		}
		return out
	}
	return nil
}

// sharedSchemas are those that every document has.
func sharedSchemas() object {
	text := object{"type": "string"}
	number := object{"type": "number"}
	codeAndMessage := object{"type": "object", "required": []any{"code", "message"}, "properties": object{"code": text, "message": text, "details": object{}}}
	return object{
		"InvokeResult": object{
			"type": "object", "required": []any{"invocationId", "ok", "durationMs", "cpuMs", "ingressBytes", "egressBytes"},
			"properties": object{
				"invocationId": text, "ok": object{"type": "boolean"}, "result": object{"description": "What the function returned; absent for undefined"},
				"errorCode": text, "errorMessage": text, "retryAfterSec": number, "durationMs": number, "cpuMs": number,
				"ingressBytes": number, "egressBytes": number, "costNanocents": text, "version": object{"type": "integer"},
				"logs": object{"type": "array", "items": object{"type": "object", "properties": object{"level": text, "message": text, "data": object{}, "ts": number}}},
			},
		},
		"HTTPCall": object{
			"type": "object", "required": []any{"method"}, "description": "A request as an endpoint of custom_http gets it",
			"properties": object{
				"method": text, "path": text, "query": object{"type": "object"}, "body": object{},
				"headers": object{"type": "object", "additionalProperties": text},
			},
		},
		"ScheduleCall": object{"type": "object", "maxProperties": 0, "description": "{} replays a schedule"},
		"Error": object{
			"type": "object", "required": []any{"error", "code", "message"},
			"properties": object{
				"error": codeAndMessage, "code": text, "message": text,
				"errors": object{"type": "array", "items": object{"type": "object", "required": []any{"code", "message"},
					"properties": object{"code": text, "message": text, "path": text, "line": number, "column": number}}},
			},
		},
		"EndpointError": object{"type": "object", "required": []any{"error"}, "properties": object{"error": codeAndMessage}},
	}
}

// sharedResponses are the failures of a manual invoke, contract.md 3.3 and 3.4.
func sharedResponses() object {
	out := object{}
	for _, f := range []struct{ name, what, code, message string }{
		{"BadRequest", "The body is malformed, or the arguments do not fit", "PARAMETERS_INVALID", "the arguments do not fit the parameters of greet: missing property 'name'"},
		{"Unauthorized", "No credential, or one that is not valid", "unauthorized", "sign in first: an owner session (cookie) or a bearer token is needed here"},
		{"Forbidden", "The credential does not allow this", "forbidden", "this credential belongs to another agent"},
		{"NotFound", "There is no such agent or function", "FN_NOT_FOUND", "agent mia has no function \"greet\""},
		{"Conflict", "The run with this idempotency key was interrupted", "INVOCATION_INTERRUPTED", "use a new key"},
		{"Mismatch", "The idempotency key was used with another body", "IDEMPOTENCY_MISMATCH", "use a new key for a new request"},
		{"TooMany", "Too much at once; Retry-After says when", "POOL_SATURATED", "too many invocations are waiting"},
		{"Unavailable", "Nothing can run now", "EXECUTOR_UNAVAILABLE", "no worker could be started"},
	} {
		out[f.name] = object{"description": f.what, "content": object{"application/json": object{
			"schema":  ref("Error"),
			"example": object{"error": object{"code": f.code, "message": f.message}, "code": f.code, "message": f.message},
		}}}
	}
	return out
}
