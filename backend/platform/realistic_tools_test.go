package platform_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"benchtop/backend/contract"
)

// toolRows: arguments, then the value or the code of the failure.
var toolRows = []struct {
	tool, args, want string
	code             contract.Code
}{
	{"calculate", `{"expr":"1 + 2*(3 - -4) / 2"}`, `{"value":8}`, ""},
	{"calculate", `{"expr":"0.5*4"}`, `{"value":2}`, ""},
	{"calculate", `{"expr":"2**3"}`, "", contract.JSRuntimeError},
	{"calculate", `{"expr":"(1"}`, "", contract.JSRuntimeError},
	{"calculate", `{"expr":"constructor"}`, "", contract.JSRuntimeError},
	{"calculate", `{}`, "", contract.ParametersInvalid},
	{"calculate", `{"expr":7}`, "", contract.ParametersInvalid},
	{"calculate", `{"expr":"1","extra":true}`, "", contract.ParametersInvalid},
	{"calculate_quick", `{"expr":"1+1"}`, "", contract.FunctionDenied},
	{"calculate_quick", `{}`, "", contract.ParametersInvalid},
}

func calculator(s *sample) {
	s.must("POST", "/api/agents/tools/skills/custom_tools/use", map[string]any{"entry": map[string]string{"id": "quick", "name": "calculate_quick", "description": "The forbidden way", "use": "calculate_quick"}}, nil)
	for _, row := range toolRows {
		runs := s.runs("calculate") + s.runs("calculate_quick")
		got := s.tool(row.tool, row.args)
		if got.ErrorCode != row.code || got.OK != (row.code == "") || row.want != "" && string(got.Value) != row.want {
			s.t.Errorf("%s %s: %+v %s, want %s %s", row.tool, row.args, got, got.Value, row.want, row.code)
		}
		ran := s.runs("calculate") + s.runs("calculate_quick") - runs
		if want := 1; row.code == contract.ParametersInvalid && ran != 0 || row.code != contract.ParametersInvalid && ran != want {
			s.t.Errorf("%s %s: %d runs", row.tool, row.args, ran)
		}
	}
}

func cachedLookup(s *sample) {
	want := func(args, value string) {
		s.t.Helper()
		if got := s.tool("exchange_rate", args); string(got.Value) != value {
			s.t.Errorf("%s: %s, want %s", args, got.Value, value)
		}
	}
	want(`{"currency":"EUR"}`, `{"currency":"EUR","rate":1.1,"cached":false}`)
	want(`{"currency":"EUR"}`, `{"currency":"EUR","rate":1.1,"cached":true}`)
	if n := s.outside.count("/rates/EUR"); n != 1 {
		s.t.Errorf("%d fetches", n)
	}
	want(`{"currency":"USD","ttlSeconds":1}`, `{"currency":"USD","rate":1.1,"cached":false}`)
	for deadline := time.Now().Add(30 * time.Second); s.outside.count("/rates/USD") < 2; {
		if time.Now().After(deadline) {
			s.t.Fatal("what lives for a second never expires")
		}
		s.tool("exchange_rate", `{"currency":"USD"}`)
	}
	want(`{"currency":"USD"}`, `{"currency":"USD","rate":1.2,"cached":true}`)
	if got := s.tool("exchange_rate", `{"currency":"XXX"}`); got.ErrorCode != contract.JSRuntimeError || !strings.Contains(got.ErrorMessage, "404") {
		s.t.Errorf("a currency that there is not: %+v", got)
	}
	if got := s.tool("exchange_rate", `{"currency":"../token"}`); got.ErrorCode != contract.ParametersInvalid {
		s.t.Errorf("another path: %+v", got)
	}
}

func signedTicket(s *sample) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		s.t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		s.t.Fatal(err)
	}
	if got := s.tool("sign_ticket", `{"subject":"ada"}`); got.OK {
		s.t.Errorf("signed with no key: %s", got.Value)
	}
	s.secret("ticket", "SIGNING_KEY", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
	got := s.tool("sign_ticket", `{"subject":"ada"}`)
	var value struct{ JWT string }
	if err := json.Unmarshal(got.Value, &value); err != nil || !got.OK {
		s.t.Fatalf("%+v", got)
	}
	claims := jwt.MapClaims{}
	_, err = jwt.ParseWithClaims(value.JWT, claims, func(*jwt.Token) (any, error) { return &key.PublicKey, nil },
		jwt.WithValidMethods([]string{"RS256"}), jwt.WithIssuer("tools"), jwt.WithSubject("ada"), jwt.WithExpirationRequired())
	if err != nil {
		s.t.Errorf("%s: %v", value.JWT, err)
	}
}

func chains(s *sample) {
	r := s.invoke(s.name, "chain", map[string]any{})
	var got struct {
		Functions []string
		Sum       struct{ Value int }
	}
	if err := json.Unmarshal(r.Result, &got); err != nil || got.Sum.Value != 6 || !strings.Contains(strings.Join(got.Functions, " "), "calculate calculate_quick chain") {
		s.t.Errorf("chain: %s %s", r.Result, r.ErrorMessage)
	}
	// The first has depth 0; four more may follow.
	if r := s.invoke(s.name, "deep", map[string]any{"args": map[string]int{"levels": 4}}); string(r.Result) != "5" {
		s.t.Errorf("four levels: %s %s %s", r.Result, r.ErrorCode, r.ErrorMessage)
	}
	if r := s.invoke(s.name, "deep", map[string]any{"args": map[string]int{"levels": 5}}); r.ErrorCode != contract.FnChainTooDeep {
		s.t.Errorf("five levels: %s %s", r.Result, r.ErrorCode)
	}
	if r := s.invoke(s.name, "circle", map[string]any{}); r.ErrorCode != contract.FnCycleDetected {
		s.t.Errorf("a circle: %s %s", r.Result, r.ErrorCode)
	}
}

// Callers by hand and the schedule at once: the lease has one holder for each.
func lease(s *sample) {
	const callers = 12
	var wg sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for range callers {
		wg.Go(func() {
			r := s.invoke(s.name, "sweep", map[string]any{"args": map[string]string{"slot": "scheduled"}})
			mu.Lock()
			defer mu.Unlock()
			switch string(r.Result) {
			case `{"won":true}`:
				won++
			case `{"won":false}`:
			default:
				s.t.Errorf("%s %s", r.Result, r.ErrorMessage)
			}
		})
	}
	if d := s.run("sweep"); string(d.Result) == `{"won":true}` {
		mu.Lock()
		won++
		mu.Unlock()
	}
	wg.Wait()
	if won != 1 {
		s.t.Errorf("%d of %d have the lease", won, callers+1)
	}
}

func dailyReport(s *sample) {
	s.declare(s.name, "sell", `{"runtime":"js-v1","permissions":{"kv":{"self":"rw","agent_scope":true}}}`,
		`export default async (ctx) => { for (const [id, amount] of [["pi_0", 1250], ["pi_1", 499]]) await ctx.kv.at("agent").put("paid:" + id, { amount, currency: "eur" }); };`)
	s.invoke(s.name, "sell", map[string]any{})
	type report struct {
		Payments, Total int
		By, URL         string
	}
	check := func(result []byte, by string) (url string) {
		s.t.Helper()
		var r report
		if err := json.Unmarshal(result, &r); err != nil || r.Payments != 2 || r.Total != 1749 || r.By != by {
			s.t.Fatalf("report %s: %v", result, err)
		}
		return r.URL
	}
	if url := check(s.run("report").Result, contract.SkillCron); !strings.HasSuffix(url, "signature=[secret signature]") {
		s.t.Errorf("the history shows the address %s", url)
	}
	resp, err := http.Get(check(s.invoke(s.name, "report", map[string]any{}).Result, contract.SkillManual)) // the replay by hand
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || string(text) != "payment,amount\npi_0,1250\npi_1,499\ntotal,1749" {
		s.t.Errorf("the file is %d %q, %v", resp.StatusCode, text, err)
	}
	if told := s.inbox(); len(told) != 2 || told[0].Title != "Daily report" || told[0].Body != "2 payments, 1749 cents" {
		s.t.Errorf("the owner was told %+v", told)
	}
}

func newsDigest(s *sample) {
	fresh := func() []string {
		s.t.Helper()
		d := s.run("news")
		var got struct {
			Fresh []string
			Idle  bool
		}
		if err := json.Unmarshal(d.Result, &got); err != nil || got.Idle != (len(got.Fresh) == 0) {
			s.t.Fatalf("%s %s %v", d.Result, d.ErrorMessage, err)
		}
		return got.Fresh
	}
	for _, run := range []struct{ feed, want string }{
		{"", "[]"}, {"a b", "[News a News b]"}, {"a b", "[]"}, {"c b a", "[News c]"}, {"c", "[]"},
	} {
		s.outside.publish(strings.Fields(run.feed)...)
		if got := fmt.Sprint(fresh()); got != run.want {
			s.t.Errorf("after the feed %q: %s, want %s", run.feed, got, run.want)
		}
	}
}

func tokenRefresh(s *sample) {
	s.outside.token = "refresh-of-the-shop"
	s.must("POST", "/api/agents/nightly-cron/skills/cron/use", map[string]any{"entry": map[string]any{"id": "refresh_wrong", "cron": "*/30 * * * *", "enabled": false, "use": "refresh_wrong"}}, nil)
	s.secret("refresh", "REFRESH_TOKEN", s.outside.token)
	s.secret("refresh_wrong", "REFRESH_TOKEN", s.outside.token)
	var all []contract.InvocationDetail
	for range 2 {
		d := s.run("refresh")
		if string(d.Result) != `{"expires_in":3600,"kept":true}` {
			s.t.Errorf("refresh: %s %s", d.Result, d.ErrorMessage)
		}
		all = append(all, d)
	}
	d := s.run("refresh_wrong")
	if d.ErrorCode != contract.PermissionDenied || !strings.Contains(d.ErrorMessage, "write") {
		s.t.Errorf("put without write: %s %s %s", d.Result, d.ErrorCode, d.ErrorMessage)
	}
	text, err := json.Marshal(append(all, d))
	if err != nil || !strings.Contains(string(text), "fresh token") || strings.Contains(string(text), s.outside.token) {
		s.t.Errorf("the refresh token is in the record, or no line: %s", text)
	}
	if strings.Contains(string(text), "access-0") {
		s.t.Errorf("an access token is in the record: %s", text)
	}
}
