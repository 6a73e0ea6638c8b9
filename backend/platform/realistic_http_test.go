package platform_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"benchtop/backend/contract"
)

func minimalPage(s *sample) {
	resp := s.want(200, "<!doctype html><title>Hello</title><h1>Hello, &#60;b&#62;&#38;&#34;</h1>", "GET", "/?name=%3Cb%3E%26%22", "")
	for name, want := range map[string]string{
		"Content-Type": "text/html", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		"Referrer-Policy": "strict-origin-when-cross-origin", "Content-Security-Policy": "base-uri 'none'",
	} {
		if got := resp.Header.Get(name); !strings.Contains(got, want) {
			s.t.Errorf("%s is %q, want %q in it", name, got, want)
		}
	}
}

func preferences(s *sample) {
	ada, adaCookie := s.visitor("ada")
	_, bobCookie := s.visitor("bob")
	const at, jsonBody = "/preferences", "application/json"
	s.want(401, `{"error":"sign in first"}`, "GET", at, "")
	s.want(200, `{"theme":"light","language":"en"}`, "GET", at, "", "Cookie", adaCookie)
	s.want(400, `{"error":"theme is light or dark"}`, "PUT", at, `{"theme":"pink"}`, "Cookie", adaCookie, "Content-Type", jsonBody)
	s.want(200, `{"theme":"dark","language":"en"}`, "PUT", at, `{"theme":"dark"}`, "Cookie", adaCookie, "Content-Type", jsonBody)
	s.want(200, `{"theme":"dark","language":"en"}`, "GET", at, "", "Cookie", adaCookie)
	s.want(200, `{"theme":"light","language":"en"}`, "GET", at, "", "Cookie", bobCookie)
	s.want(500, "~PERMISSION_DENIED", "GET", at+"?of="+ada, "", "Cookie", bobCookie)
	s.want(500, "~PERMISSION_DENIED", "PUT", at+"?of="+ada, `{"theme":"light"}`, "Cookie", bobCookie, "Content-Type", jsonBody)
	s.want(200, `{"theme":"dark","language":"en"}`, "GET", at, "", "Cookie", adaCookie)
}

func restItems(s *sample) {
	const jsonBody = "application/json"
	s.want(200, `{"items":[]}`, "GET", "/items", "")
	s.want(400, `{"error":"title is missing"}`, "POST", "/items", `{}`, "Content-Type", jsonBody)
	resp, body := s.ask("POST", "/items", `{"title":"Lamp"}`, "Content-Type", jsonBody)
	var item struct{ ID, Title string }
	if err := json.Unmarshal([]byte(body), &item); err != nil || resp.StatusCode != 201 || item.Title != "Lamp" || resp.Header.Get("Location") != "items/"+item.ID {
		s.t.Fatalf("created: %d %s %v", resp.StatusCode, body, resp.Header)
	}
	s.want(200, body, "GET", "/items/"+item.ID, "")
	s.want(200, `{"items":[`+body+`]}`, "GET", "/items", "")
	if resp := s.want(204, "", "DELETE", "/items/"+item.ID, ""); resp.Header.Get("Content-Type") != "" {
		s.t.Errorf("no content of type %s", resp.Header.Get("Content-Type"))
	}
	s.want(404, "~no item", "GET", "/items/"+item.ID, "")
	if resp := s.want(405, `{"error":"PUT is not for items"}`, "PUT", "/items", `{}`, "Content-Type", jsonBody); resp.Header.Get("Allow") != "GET, POST, DELETE" {
		s.t.Errorf("allow %q", resp.Header.Get("Allow"))
	}
	// That route has no PATCH at all: the platform says so, and nothing runs.
	before := s.runs("items")
	if resp, _ := s.ask("PATCH", "/items", `{}`, "Content-Type", jsonBody); resp.StatusCode != 405 || s.runs("items") != before {
		s.t.Errorf("PATCH: %d, %d runs, %d before", resp.StatusCode, s.runs("items"), before)
	}
}

func stripeHook(s *sample) {
	const key = "whsec_of_the_shop"
	pay := func(id string, at time.Time, key string) []string {
		body := `{"id":"evt_` + id + `","type":"payment_intent.succeeded", "data":{"object":{"id":"pi_` + id + `","amount":1250,"currency":"eur"}}}`
		stamp := fmt.Sprint(at.Unix())
		return []string{body, "t=" + stamp + ",v1=" + signed(key, stamp+"."+body)}
	}
	send := func(status int, want string, event []string) {
		s.t.Helper()
		s.want(status, want, "POST", "/hooks/stripe", event[0], "Content-Type", "application/json", "Stripe-Signature", event[1])
	}
	one := pay("1", time.Now(), key)
	s.secret("stripe", "STRIPE_SECRET", key)
	refused := `{"error":"bad signature"}`
	send(400, refused, pay("1", time.Now(), "another key"))
	send(400, refused, pay("1", time.Now().Add(-time.Hour), key))
	send(400, refused, []string{one[0] + " ", one[1]})
	s.want(400, refused, "POST", "/hooks/stripe", one[0], "Content-Type", "application/json")
	if len(s.inbox()) != 0 {
		s.t.Errorf("a refused event told the owner: %+v", s.inbox())
	}
	send(200, `{"received":true}`, one)
	send(200, `{"received":true,"duplicate":true}`, one)
	if told := s.inbox(); len(told) != 1 || told[0].Title != "Payment received" || told[0].Body != "12.50 EUR" || told[0].Function != "stripe" {
		s.t.Errorf("the owner was told %+v", told)
	}
}

func githubHook(s *sample) {
	const key = "github-key"
	s.secret("github", "GITHUB_SECRET", key)
	send := func(status int, want, event, body, key string) {
		s.t.Helper()
		s.want(status, want, "POST", "/hooks/github", body, "Content-Type", "application/json",
			"X-GitHub-Event", event, "X-Hub-Signature-256", "sha256="+signed(key, body))
	}
	push := `{"ref":"refs/heads/main","after":"c0ffee","commits":[{"id":"c0ffee","message":"☕"}]}`
	send(200, `{"pong":"Keep it logically awesome."}`, "ping", `{"zen":"Keep it logically awesome."}`, key)
	send(200, `{"branch":"main","commits":1}`, "push", push, key)
	send(202, `{"ignored":"star"}`, "star", `{"action":"created"}`, key)
	send(401, `{"error":"bad signature"}`, "push", push, "another key")
	s.want(401, `{"error":"bad signature"}`, "POST", "/hooks/github", push, "Content-Type", "application/json", "X-GitHub-Event", "push")
}

func slackHook(s *sample) {
	const key = "slack-key"
	s.secret("slack", "SLACK_SECRET", key)
	send := func(status int, want, kind, body string, at time.Time, key string) {
		s.t.Helper()
		stamp := fmt.Sprint(at.Unix())
		s.want(status, want, "POST", "/hooks/slack", body, "Content-Type", kind,
			"X-Slack-Request-Timestamp", stamp, "X-Slack-Signature", "v0="+signed(key, "v0:"+stamp+":"+body))
	}
	const form, events = "application/x-www-form-urlencoded", "application/json"
	command := "command=%2Fstock&text=lamp+%26+shade&user_name=ada"
	send(200, `{"response_type":"ephemeral","text":"/stock for ada: lamp & shade"}`, form, command, time.Now(), key)
	send(200, "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P", events, `{"type":"url_verification","challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}`, time.Now(), key)
	send(202, "", events, `{"type":"event_callback"}`, time.Now(), key)
	send(401, "bad signature", form, command, time.Now().Add(-10*time.Minute), key)
	send(401, "bad signature", form, command, time.Now().Add(10*time.Minute), key)
	send(401, "bad signature", form, command, time.Now(), "another key")
}

func ownerPage(s *sample) {
	owner := "Bearer " + s.p.Auth().OwnerKey()
	s.want(200, "<p>Signed in as owner</p>", "GET", "/office", "", "Authorization", owner)
	runs := s.runs("office")
	var token contract.PortalTokenResponse
	s.must("POST", "/api/local/tokens", map[string]any{}, &token)
	for _, credential := range []string{"", "Bearer " + token.Token, "Bearer nonsense", "Basic b3duZXI6"} {
		s.want(401, "~unauthorized", "GET", "/office", "", "Authorization", credential)
	}
	if s.runs("office") != runs {
		s.t.Error("the page ran for somebody else")
	}
}
