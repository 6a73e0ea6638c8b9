package platform_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/samples"
)

// Every function of every sample is called by what it is for: pages and hooks
// over HTTP, tools as tools, the rest by its schedule.

func TestSampleWebsite(t *testing.T) {
	openSample(t, "website").each(t, map[string]func(*sample){
		"page": minimalPage, "docs": docsPages, "profile": profilePage, "signin": signIn, "logout": logOut, "office": ownerPage,
	})
}

func TestSampleVisitors(t *testing.T) {
	openSample(t, "visitors").each(t, map[string]func(*sample){"preferences": preferences, "contact": contactForm, "scores": scoreList})
}

func TestSampleRestAPI(t *testing.T) {
	openSample(t, "rest-api").each(t, map[string]func(*sample){"items": restItems, "partner": partners, "relay": relays})
}

func TestSampleWebhooks(t *testing.T) {
	openSample(t, "webhook-hmac").each(t, map[string]func(*sample){
		"stripe": stripeHook, "github": githubHook, "slack": slackHook, "twilio": twilioHook,
	})
}

func TestSampleNightlyCron(t *testing.T) {
	openSample(t, "nightly-cron", "refresh_wrong").each(t, map[string]func(*sample){
		"report": dailyReport, "poller": pollMessages, "news": newsDigest, "refresh": tokenRefresh, "sweep": lease,
	})
}

func TestSampleTools(t *testing.T) {
	openSample(t, "tools", "calculate_quick", "circle", "circle_back", "deep").each(t, map[string]func(*sample){
		"calculate": calculator, "rate": cachedLookup, "ticket": signedTicket, "weather": weatherTool, "countdown": countDown, "chain": chains,
	})
}

// asking calls an endpoint without following where it leads.
func (s *sample) asking(method, path string, header ...string) *http.Response {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+"/"+s.name+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	res.Body.Close()
	return res
}

func docsPages(s *sample) {
	s.want(200, "~<h1>Start</h1>", "GET", "/docs", "") // the client follows to docs/start
	s.want(200, "~Trying costs nothing", "GET", "/docs/prices", "")
	s.want(404, "~There is no such page", "GET", "/docs/constructor", "")
	if res := s.asking("GET", "/docs"); res.StatusCode != 302 || res.Header.Get("Location") != "docs/start" {
		s.t.Errorf("%d %v", res.StatusCode, res.Header)
	}
}

func profilePage(s *sample) {
	_, cookie := s.visitor("<ada>")
	s.want(200, "~Hello, stranger", "GET", "/me", "")
	s.want(200, "~Hello, &#60;ada&#62;</h1><a href=\"logout\">", "GET", "/me", "", "Cookie", cookie)
	s.want(200, `{"authenticated":false,"user":null}`, "GET", "/session.json", "")
	s.want(200, `~"authenticated":true`, "GET", "/session.json", "", "Cookie", cookie)
	if d := s.rows("website", "profile"); len(d) == 0 {
		s.t.Error("the page left no history")
	}
}

func signIn(s *sample) {
	for target, want := range map[string]string{
		"/me": "/me", "/docs/start?a=b": "/docs/start?a=b", "": "/", "https://evil.example/": "/", "//evil.example": "/",
		`/\evil.example`: "/", "me": "/", "/a b": "/",
	} {
		res := s.asking("GET", "/signin?return_to="+url.QueryEscape(target))
		if got := res.Header.Get("Location"); res.StatusCode != 302 || got != "/login?return_to="+strings.ReplaceAll(url.QueryEscape(want), "+", "%20") {
			s.t.Errorf("%q leads to %d %s", target, res.StatusCode, got)
		}
	}
}

func logOut(s *sample) {
	_, cookie := s.visitor("eve")
	res := s.asking("GET", "/logout", "Cookie", cookie)
	if got := res.Header.Get("Set-Cookie"); res.StatusCode != 302 || !strings.HasPrefix(got, "agt_"+s.id+"_theme=;") {
		s.t.Errorf("%d %s", res.StatusCode, got)
	}
}

func contactForm(s *sample) {
	_, cookie := s.visitor("ada")
	_, other := s.visitor("bob")
	const form = "application/x-www-form-urlencoded"
	s.want(401, "~sign in first", "GET", "/contact", "")
	load := func() string {
		s.t.Helper()
		_, page := s.ask("GET", "/contact", "", "Cookie", cookie)
		m := regexp.MustCompile(`name="token" value="([0-9a-f]{32})"`).FindStringSubmatch(page)
		if m == nil {
			s.t.Fatalf("a page without a token: %s", page)
		}
		return m[1]
	}
	first := load()
	token := load()
	if first == token {
		s.t.Error("the token is the same twice")
	}
	s.want(403, "~load it again", "POST", "/contact", "token="+token+"&text=hi", "Cookie", other, "Content-Type", form)
	s.want(200, `{"sent":true}`, "POST", "/contact", "token="+token+"&text=Good+morning", "Cookie", cookie, "Content-Type", form)
	s.want(403, "~load it again", "POST", "/contact", "token="+token+"&text=again", "Cookie", cookie, "Content-Type", form)
	s.want(403, "~load it again", "POST", "/contact", "token="+first+"&text=old", "Cookie", cookie, "Content-Type", form)
	s.want(400, "~text is missing", "POST", "/contact", "token="+load()+"&text=+", "Cookie", cookie, "Content-Type", form)
	if told := s.inbox(); len(told) != 1 || told[0].Body != "Good morning" {
		s.t.Errorf("the owner was told %+v", told)
	}
}

func scoreList(s *sample) {
	ada, adaCookie := s.visitor("ada")
	bob, bobCookie := s.visitor("bob")
	const jsonBody = "application/json"
	s.want(401, "~sign in first", "POST", "/scores", `{"points":1}`, "Content-Type", jsonBody)
	s.want(400, "~whole number", "POST", "/scores", `{"points":1.5}`, "Content-Type", jsonBody, "Cookie", adaCookie)
	s.want(201, `{"points":9}`, "POST", "/scores", `{"points":9}`, "Content-Type", jsonBody, "Cookie", adaCookie)
	s.want(201, `{"points":700}`, "POST", "/scores", `{"points":700}`, "Content-Type", jsonBody, "Cookie", bobCookie)
	s.want(201, `{"points":80}`, "POST", "/scores", `{"points":80}`, "Content-Type", jsonBody, "Cookie", adaCookie)
	s.want(200, `{"scores":[{"points":700,"by":"`+bob+`"},{"points":80,"by":"`+ada+`"},{"points":9,"by":"`+ada+`"}]}`, "GET", "/scores", "")
}

func partners(s *sample) {
	token := func(name string) string {
		var a contract.Agent
		s.must("POST", "/api/agents", map[string]string{"name": name}, &a)
		var t contract.PortalTokenResponse
		s.must("POST", "/api/local/tokens", map[string]any{"agent": name, "scopes": []string{"invoke"}}, &t)
		return "Bearer " + t.Token
	}
	const jsonBody = "application/json"
	s.want(200, `{"hello":"mia","heard":{"a":1}}`, "POST", "/partner", `{"a":1}`, "Content-Type", jsonBody, "Authorization", token("mia"))
	s.want(403, "~noah may not ask this", "POST", "/partner", `{}`, "Content-Type", jsonBody, "Authorization", token("noah"))
	s.want(401, "~unauthorized", "POST", "/partner", `{}`, "Content-Type", jsonBody)
}

func relays(s *sample) {
	const jsonBody = "application/json"
	s.want(202, `{"passed":true,"answered":200}`, "POST", "/relay", `{"text":"hi"}`, "Content-Type", jsonBody, "Idempotency-Key", "k-1")
	s.want(500, "~FETCH_FORBIDDEN", "POST", "/relay", `{"text":"hi","to":"https://evil.example/"}`, "Content-Type", jsonBody)
	rows := s.rows("rest-api", "relay")
	if d := s.detail(rows[len(rows)-1].ID); d.EgressBytes == 0 && s.detail(rows[0].ID).EgressBytes == 0 {
		s.t.Error("what was sent is not counted")
	}
}

func TestSampleOAuth(t *testing.T) {
	s := openSample(t, "oauth")
	_, cookie := s.visitor("ada")
	if res := s.asking("GET", "/oauth/start", "Cookie", cookie); res.StatusCode != 503 {
		t.Errorf("without a client: %d", res.StatusCode)
	}
	s.secret("start", "CLIENT_ID", "client-1")
	s.secret("callback", "CLIENT_ID", "client-1")
	s.secret("callback", "CLIENT_SECRET", "secret-of-the-client")
	start := func() string {
		t.Helper()
		to, err := url.Parse(s.asking("GET", "/oauth/start", "Cookie", cookie).Header.Get("Location"))
		if err != nil || to.Path != "/authorize" || to.Query().Get("client_id") != "client-1" || !strings.HasSuffix(to.Query().Get("redirect_uri"), "/oauth/oauth/callback") {
			t.Fatalf("leads to %v, %v", to, err)
		}
		return to.Query().Get("state")
	}
	state := start()
	back := func(query string) *http.Response { return s.asking("GET", "/oauth/callback?"+query, "Cookie", cookie) }
	for query, want := range map[string]int{
		"state=made-up&code=good": 400, "code=good": 400, "error=access_denied": 400, "state=" + start(): 400, "state=" + start() + "&code=bad": 502,
	} {
		if res := back(query); res.StatusCode != want {
			t.Errorf("%s: %d, want %d", query, res.StatusCode, want)
		}
	}
	if res := back("state=" + state + "&code=good"); res.StatusCode != 302 || res.Header.Get("Location") != "/" {
		t.Errorf("%d %v", res.StatusCode, res.Header)
	}
	if res := back("state=" + state + "&code=good"); res.StatusCode != 400 {
		t.Errorf("the same state twice: %d", res.StatusCode)
	}
	for _, row := range s.rows("oauth", "callback") {
		if text, _ := json.Marshal(s.detail(row.ID)); strings.Contains(string(text), "secret-of-the-client") {
			t.Errorf("the client's secret is in the record: %s", text)
		}
	}
}

func twilioHook(s *sample) {
	const key, form = "twilio-token", "application/x-www-form-urlencoded"
	body := "From=%2B491&Body=Hi+%3Cb%3E"
	sign := func(key string) string {
		h := hmac.New(sha1.New, []byte(key))
		h.Write([]byte(s.url + "/" + s.name + "/hooks/twilio" + "BodyHi <b>" + "From+491"))
		return base64.StdEncoding.EncodeToString(h.Sum(nil))
	}
	s.want(403, "bad signature", "POST", "/hooks/twilio", body, "Content-Type", form, "X-Twilio-Signature", sign(key))
	s.secret("twilio", "TWILIO_TOKEN", key)
	res := s.want(200, "~<Message>You said: Hi &#60;b&#62;</Message>", "POST", "/hooks/twilio", body, "Content-Type", form, "X-Twilio-Signature", sign(key))
	if got := res.Header.Get("Content-Type"); got != "text/xml" {
		s.t.Errorf("of type %s", got)
	}
	for _, bad := range []string{"", "%%%", sign("another key")} {
		s.want(403, "bad signature", "POST", "/hooks/twilio", body, "Content-Type", form, "X-Twilio-Signature", bad)
	}
}

func pollMessages(s *sample) {
	if d := s.run("poller"); d.ErrorCode != contract.JSRuntimeError || !strings.Contains(d.ErrorMessage, "401") {
		s.t.Errorf("without a key: %s %s", d.ErrorCode, d.ErrorMessage)
	}
	s.secret("poller", "API_KEY", "key-of-the-poller")
	for _, step := range []struct {
		news []int
		want string
	}{{nil, `{"idle":true}`}, {[]int{1, 2}, `{"messages":2}`}, {[]int{1, 2}, `{"idle":true}`}, {[]int{1, 2, 5}, `{"messages":1}`}} {
		s.outside.mu.Lock()
		s.outside.news = step.news
		s.outside.mu.Unlock()
		if d := s.run("poller"); string(d.Result) != step.want || strings.Contains(string(d.Result), "message") != (len(d.Events) > 0) {
			s.t.Errorf("%v: %s, %d events, %s", step.news, d.Result, len(d.Events), d.ErrorMessage)
		}
	}
}

func weatherTool(s *sample) {
	if got := s.tool("weather", `{"city":"Porto"}`); string(got.Value) != `{"city":"Porto","celsius":21,"fahrenheit":70,"sky":"clear"}` {
		s.t.Errorf("%+v %s", got, got.Value)
	}
	if got := s.tool("weather", `{"city":"Atlantis"}`); got.ErrorCode != contract.JSRuntimeError || !strings.Contains(got.ErrorMessage, "404") {
		s.t.Errorf("%+v", got)
	}
}

func countDown(s *sample) {
	if got := s.tool("countdown", `{"from":2}`); string(got.Value) != `{"counted":2}` {
		s.t.Errorf("%+v %s", got, got.Value)
	}
	rows := s.rows("tools", "countdown")
	d := s.detail(rows[0].ID)
	if len(d.Events) != 3 || string(d.Events[0].Payload) != `{"left":2,"percent":0}` || string(d.Events[2].Payload) != `{"left":0,"percent":100}` || len(d.Logs) != 2 {
		s.t.Errorf("%+v %+v", d.Events, d.Logs)
	}
	if got := s.tool("countdown", `{"from":21}`); got.ErrorCode != contract.ParametersInvalid {
		s.t.Errorf("%+v", got)
	}
}

func TestSampleFiles(t *testing.T) {
	s := openSample(t, "files")
	s.declare("files", "upload", `{"runtime":"js-v1","permissions":{"content":{"write":true}}}`,
		`export default async (ctx) => (await ctx.content.put({ data: "name,price\nlamp,12\nshade,4\n".concat("bulb,1\n".repeat(98)), mimeType: "text/csv", displayName: "prices.csv" })).id;`)
	var id string
	if err := json.Unmarshal(s.invoke("files", "upload", map[string]any{}).Result, &id); err != nil {
		t.Fatal(err)
	}
	if got := s.tool("import_table", `{"contentId":"`+id+`"}`); string(got.Value) != `{"file":"prices.csv","rows":100,"columns":["name","price"]}` {
		t.Errorf("%+v %s", got, got.Value)
	}
	if d := s.detail(s.rows("files", "import_table")[0].ID); d.HostCalls != 3 || d.KVPutBytes < 2000 {
		t.Errorf("%d host calls, %d bytes", d.HostCalls, d.KVPutBytes)
	}
	if got := s.tool("import_table", `{"contentId":"none"}`); got.OK || !strings.Contains(got.ErrorMessage, "no file") {
		t.Errorf("%+v", got)
	}
	_, page := s.ask("GET", "/gallery", "")
	next := regexp.MustCompile(`href="(\?cursor=[^"]+)"`).FindStringSubmatch(page)
	if !strings.Contains(page, "<li>boat.svg") || !strings.Contains(page, "<li>house.svg") || strings.Contains(page, "tree") || next == nil {
		t.Fatalf("the first page: %s", page)
	}
	s.want(200, "~<ul><li>tree.svg", "GET", "/gallery"+next[1], "")
}

// TestSamplesAreWired: a function of a sample is there for one of its consumers.
func TestSamplesAreWired(t *testing.T) {
	functions := 0
	for _, sample := range samples.List() {
		dir := filepath.Join(t.TempDir(), sample.Name)
		if err := samples.Copy(sample.Name, dir); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(filepath.Join(dir, "functions"))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			functions++
			agent, err := os.ReadFile(filepath.Join(dir, "AGENT.md"))
			if err != nil {
				t.Fatal(err)
			}
			if used := regexp.MustCompile(`\buse: ` + e.Name() + `\b`).Match(agent); !used && sample.Name != "hello" && e.Name() != "chain" {
				t.Errorf("%s: AGENT.md has no use for %s", sample.Name, e.Name())
			}
		}
	}
	if functions < 24 {
		t.Errorf("the samples have %d functions", functions)
	}
}
