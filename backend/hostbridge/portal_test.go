package hostbridge_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/hostbridge"
	"benchtop/backend/manifest"
)

// portal is the rest of the platform, in memory.
type portal struct {
	tools    []hostbridge.ToolCall
	messages []contract.InboxMessage
}

func (p *portal) VerifyPortal(token string, audiences ...string) (*auth.PortalClaims, error) {
	if token != "good.token.x" || len(audiences) > 0 && audiences[0] != "me" {
		return nil, errors.New("the token is meant for somebody else")
	}
	return &auth.PortalClaims{RegisteredClaims: jwt.RegisteredClaims{Subject: "owner"}, Scopes: []string{"read"}, Scope: "read"}, nil
}

func (p *portal) Agent(ref string) (agents.Agent, bool) {
	return agents.Agent{ID: "a2", Username: "leo"}, ref == "leo" || ref == "a2"
}

func (p *portal) Owner() hostbridge.Owner {
	return hostbridge.Owner{ID: "owner", Email: "o@x", PlanName: "local"}
}

func (p *portal) CallTool(_ context.Context, c hostbridge.ToolCall) (json.RawMessage, error) {
	p.tools = append(p.tools, c)
	if c.Tool != "quote" {
		return nil, contract.Errorf(contract.ToolNotFound, "no tool")
	}
	return json.RawMessage(`{"price":3}`), nil
}

func (p *portal) Notify(_ context.Context, m contract.InboxMessage) error {
	p.messages = append(p.messages, m)
	return nil
}

func (p *portal) BackgroundRun(_ context.Context, r hostbridge.BackgroundRun) (json.RawMessage, error) {
	return json.RawMessage(fmt.Sprintf(`{"ok":true,"chatId":"%s %s %s"}`, r.AgentID, r.Function, r.Prompt)), nil
}

func (p *portal) SignContent(agentID, id string, seconds int) (string, string) {
	return fmt.Sprintf("http://x/%s/%s?%d&s=sig-12345", agentID, id, seconds), "sig-12345"
}

func envelope(method, args string) string {
	return fmt.Sprintf(`{"method":%q,"args":%s}`, method, args)
}

func TestPortalCalls(t *testing.T) {
	b := newBench(t)
	everything := manifest.Permissions{Portal: []string{"verifyToken", "verifyHmac", "lookupAgent", "callTool", "getOwner", "notifyOwner", "signContentUrl", "backgroundRun"}}
	for door, open := range b.doors(t) {
		for _, tt := range []struct {
			method, args string
			perms        manifest.Permissions
			result       string
			code         contract.Code
			says         string
		}{
			{"verifyToken", `{"token":"good.token.x"}`, everything, `{"valid":true,"claims":{"sub":"owner","scopes":["read"],"scope":"read"}}`, "", ""},
			{"verifyToken", `{"token":"good.token.x","opts":{"expectAudience":"you"}}`, everything, `{"valid":false,"reason":"the token is meant for somebody else"}`, "", ""},
			{"verifyToken", `{"token":"good.token.x","opts":{"expectBalance":5}}`, everything, `{"valid":false,"reason":"this is a portal token: it has no balance"}`, "", ""},
			{"verifyToken", `{"token":7}`, everything, "", contract.InvalidRequest, ""},
			{"verifyToken", `{"token":"good.token.x"}`, all, "", contract.PermissionDenied, "PORTAL_PERMISSION_DENIED"},
			{"lookupAgent", `{"idOrUsername":"leo"}`, everything, `{"id":"a2","username":"leo","ownerId":"owner"}`, "", ""},
			{"lookupAgent", `{"idOrUsername":"ada"}`, everything, `null`, "", ""},
			{"getOwner", `{}`, everything, `{"id":"owner","email":"o@x","planName":"local"}`, "", ""},
			{"getOwner", `{}`, manifest.Permissions{Portal: []string{"callTool"}}, "", contract.PermissionDenied, "PORTAL_PERMISSION_DENIED"},
			{"callTool", `{"agentRef":"leo","toolName":"quote","params":{"n":1},"opts":{"timeoutMs":500}}`, everything, `{"price":3}`, "", ""},
			{"callTool", `{"agentRef":"leo","toolName":"none"}`, everything, "", contract.ToolNotFound, ""},
			{"callTool", `{"agentRef":"ada","toolName":"quote"}`, everything, "", contract.AgentNotFound, ""},
			{"callTool", `{"agentRef":"leo","toolName":"quote","opts":{"timeoutMs":0}}`, everything, "", contract.InvalidRequest, ""},
			{"notifyOwner", `{"title":"T","body":"B"}`, everything, ``, "", ""},
			{"signContentUrl", `{"contentId":"i1"}`, everything, `"http://x/a1/i1?3600\u0026s=sig-12345"`, "", ""},
			{"signContentUrl", `{"contentId":"i1","opts":{"expiresInSeconds":60}}`, everything, `"http://x/a1/i1?60\u0026s=sig-12345"`, "", ""},
			{"signContentUrl", `{"contentId":"i1","opts":{"expiresInSeconds":604801}}`, everything, "", contract.InvalidRequest, "604800"},
			{"signContentUrl", `{"contentId":"gone"}`, everything, "", contract.NotFound, ""},
			{"backgroundRun", `{"prompt":"p"}`, everything, `{"ok":true,"chatId":"a1 greet p"}`, "", ""},
			{"backgroundRun", `{"prompt":" "}`, everything, "", contract.InvalidRequest, "65536"},
			{"backgroundRun", `{"prompt":1}`, everything, "", contract.InvalidRequest, ""},
			{"backgroundRun", `{"prompt":"p"}`, noPermissions, "", contract.PermissionDenied, "PORTAL_PERMISSION_DENIED"},
			{"signRequest", `{}`, noPermissions, "", contract.PortalUnsupported, "callTool"},
			{"sendMail", `[1]`, everything, "", contract.UnknownHostCall, ""},
			{"dispatch", `{}`, everything, "", contract.UnknownHostCall, ""},
		} {
			r := open(tt.perms)("portal.dispatch", envelope(tt.method, tt.args))
			switch {
			case tt.code != "":
				if r.OK || r.Error.Code != tt.code || !strings.Contains(r.Error.Message, tt.says) {
					t.Errorf("%s %s %s: %+v, want %s", door, tt.method, tt.args, r.Error, tt.code)
				}
			case !r.OK || string(r.Result) != tt.result:
				t.Errorf("%s %s %s: %+v %s, want %s", door, tt.method, tt.args, r.Error, r.Result, tt.result)
			}
		}
		if r := open(everything)("portal.getOwner", `{}`); r.OK || r.Error.Code != contract.UnknownHostCall {
			t.Errorf("%s without its envelope: %+v", door, r)
		}
	}
	if c := b.portal.tools[0]; c.AgentID != "a2" || c.TimeoutMs != 500 || string(c.Args) != `{"n":1}` || c.Parent == "" {
		t.Errorf("tool call %+v", c)
	}
}

var noPermissions = manifest.Permissions{}

// What goes to the inbox, and what is recorded of a token or an address, has no
// secrets.
func TestPortalKeepsSecrets(t *testing.T) {
	b := newBench(t)
	s := b.Open(b.claims(manifest.Permissions{Secrets: []string{"API_KEY"}, Portal: []string{"notifyOwner", "verifyToken", "signContentUrl"}}))
	for i, call := range [][2]string{
		{"secrets.get", `{"name":"API_KEY"}`},
		{"portal.dispatch", envelope("notifyOwner", `{"title":"it is k-12345","body":"k-12345"}`)},
		{"portal.dispatch", envelope("verifyToken", `{"token":"bad.token.y"}`)},
		{"portal.dispatch", envelope("signContentUrl", `{"contentId":"i1"}`)},
	} {
		if r := s.Call(t.Context(), i+1, call[0], json.RawMessage(call[1])); !r.OK {
			t.Fatalf("%v: %+v", call, r.Error)
		}
	}
	if m := b.portal.messages[0]; strings.Contains(m.Title+m.Body, "k-12345") || m.Function != "greet" || m.AgentID != "a1" {
		t.Errorf("message %+v", m)
	}
	if got := s.Redact("bad.token.y sig-12345"); got != "[secret token] [secret signature]" {
		t.Errorf("recorded as %s", got)
	}
}

func mac(algo func() hash.Hash, text string) []byte {
	h := hmac.New(algo, []byte("k-12345"))
	h.Write([]byte(text))
	return h.Sum(nil)
}

func TestVerifyHmac(t *testing.T) {
	b := newBench(t)
	hex256, hex1 := hex.EncodeToString(mac(sha256.New, "body")), hex.EncodeToString(mac(sha1.New, "body"))
	at := func(ago time.Duration) string { return strconv.FormatInt(b.now.Add(-ago).Unix(), 10) }
	stripe := func(ago time.Duration) string {
		return "t=" + at(ago) + ",v1=" + hex.EncodeToString(mac(sha256.New, at(ago)+".body"))
	}
	slack := func(ago time.Duration) (string, string) {
		payload := "v0:" + at(ago) + ":body"
		return payload, "v0=" + hex.EncodeToString(mac(sha256.New, payload))
	}
	fresh, freshSig := slack(time.Minute)
	stale, staleSig := slack(time.Hour)
	perms := manifest.Permissions{Secrets: []string{"API_KEY", "UNSET"}, Portal: []string{"verifyHmac"}}
	for _, tt := range []struct {
		name    string
		options map[string]any
		want    string // true, false or a code
		rule    string
	}{
		{"hex", map[string]any{"expected": hex256}, "true", "plain signature, sha256, hex"},
		{"capitals", map[string]any{"expected": strings.ToUpper(hex256)}, "true", "hex"},
		{"base64", map[string]any{"expected": base64.StdEncoding.EncodeToString(mac(sha256.New, "body"))}, "true", "base64"},
		{"base64 of URLs", map[string]any{"expected": base64.RawURLEncoding.EncodeToString(mac(sha256.New, "body"))}, "true", "base64"},
		{"sha1", map[string]any{"expected": hex1, "algo": "sha1"}, "true", "sha1"},
		{"sha1 for sha256", map[string]any{"expected": hex1}, "false", "no match"},
		{"GitHub", map[string]any{"expected": "sha256=" + hex256}, "true", "GitHub"},
		{"GitHub, sha1", map[string]any{"expected": "sha1=" + hex1, "algo": "SHA-1"}, "true", "GitHub"},
		{"GitHub, another algorithm", map[string]any{"expected": "sha1=" + hex1}, "false", "says sha1"},
		{"another payload", map[string]any{"expected": hex256, "payload": "body2"}, "false", "another payload"},
		{"a prefix of it", map[string]any{"expected": hex256[:32]}, "false", "no match"},
		{"nothing", map[string]any{"expected": ""}, "false", "empty"},
		{"Stripe", map[string]any{"expected": stripe(time.Minute)}, "true", "Stripe"},
		{"Stripe, two signatures", map[string]any{"expected": strings.Replace(stripe(0), ",v1=", ",v1=00,v0=zz,v1=", 1)}, "true", "Stripe"},
		{"Stripe, stale", map[string]any{"expected": stripe(time.Hour)}, "false", "tolerance"},
		{"Stripe, of tomorrow", map[string]any{"expected": stripe(-time.Hour)}, "false", "tolerance"},
		{"Stripe, any age", map[string]any{"expected": stripe(time.Hour), "toleranceSeconds": 0}, "true", "Stripe"},
		{"Stripe, another time", map[string]any{"expected": strings.Replace(stripe(0), "t="+at(0), "t="+at(time.Second), 1)}, "false", "no signature"},
		{"Stripe, two times", map[string]any{"expected": stripe(0) + ",t=" + at(0)}, "false", "two times"},
		{"Stripe, no time", map[string]any{"expected": "t=,v1=" + hex256}, "false", "no time"},
		{"Slack", map[string]any{"payload": fresh, "expected": freshSig}, "true", "Slack"},
		{"Slack, time beside", map[string]any{"expected": freshSig, "timestamp": at(time.Minute)}, "true", "Slack"},
		{"Slack, stale", map[string]any{"payload": stale, "expected": staleSig}, "false", "tolerance"},
		{"Slack, no time", map[string]any{"expected": "v0=" + hex256}, "false", "v0:<timestamp>"},
		{"bytes", map[string]any{"expected": hex256, "payload": map[string]string{"kind": "base64", "data": "Ym9keQ=="}}, "true", ""},
		{"bytes by index", map[string]any{"expected": hex256, "payload": map[string]int{"0": 'b', "1": 'o', "2": 'd', "3": 'y'}}, "true", ""},
		{"bytes that are none", map[string]any{"expected": hex256, "payload": map[string]int{"0": 256}}, string(contract.InvalidRequest), ""},
		{"bytes with a hole", map[string]any{"expected": hex256, "payload": map[string]int{"1": 1}}, string(contract.InvalidRequest), ""},
		{"no payload", map[string]any{"expected": hex256, "payload": nil}, string(contract.InvalidRequest), ""},
		{"md5", map[string]any{"expected": hex256, "algo": "md5"}, string(contract.InvalidRequest), ""},
		{"a secret that is not declared", map[string]any{"expected": hex256, "secretBinding": "OTHER"}, string(contract.PermissionDenied), ""},
		{"a secret that is not set", map[string]any{"expected": hex256, "secretBinding": "UNSET"}, string(contract.InvalidRequest), ""},
		{"a tolerance below 0", map[string]any{"expected": hex256, "toleranceSeconds": -1}, string(contract.InvalidRequest), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			options := map[string]any{"secretBinding": "API_KEY", "payload": "body"}
			for k, v := range tt.options {
				options[k] = v
			}
			args, err := json.Marshal(options)
			if err != nil {
				t.Fatal(err)
			}
			s := b.Open(b.claims(perms))
			r := s.Call(t.Context(), 1, "portal.dispatch", json.RawMessage(envelope("verifyHmac", string(args))))
			got := string(r.Result)
			if !r.OK {
				got = string(r.Error.Code)
			}
			notes := strings.Join(s.Notes(), "\n")
			if got != tt.want || !strings.Contains(notes, tt.rule) || strings.Contains(notes, "k-12345") {
				t.Errorf("%s (%v), %s; want %s, %s", got, r.Error, notes, tt.want, tt.rule)
			}
		})
	}
}
