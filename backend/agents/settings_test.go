package agents_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

func parse(key, value string) (agents.Settings, []agents.Fault) {
	before := agents.Settings{
		Model: agents.ModelSpec{Kind: agents.ModelEcho}, Visibility: agents.VisibilityPublic, Transports: []string{"uamp"},
		CommissionPercent: "7", ToolPricing: map[string]agents.ToolPrice{"fn:old": {PerCall: 1}},
	}
	return agents.ParseSettings([]agents.Setting{{Key: key, JSON: json.RawMessage(value)}}, before)
}

// A setting is read, or it keeps what it was and says where it is wrong.
func TestParseSettings(t *testing.T) {
	openAI := agents.ModelSpec{Kind: agents.ModelOpenAI, BaseURL: "http://127.0.0.1:11434/v1", Model: "m"}
	keyed := openAI
	keyed.KeySecret = "OPENAI_KEY"
	kept := agents.ModelSpec{Kind: agents.ModelEcho} // what parse has before
	quote := func(p agents.ToolPrice) map[string]agents.ToolPrice {
		return map[string]agents.ToolPrice{"fn:quote": p}
	}
	old := map[string]agents.ToolPrice{"fn:old": {PerCall: 1}}
	tests := []struct {
		key, value string
		want       agents.Settings // the other keys have their defaults
		faults     string
	}{
		{"model", `"echo"`, agents.Settings{Model: agents.ModelSpec{Kind: agents.ModelEcho}}, ""},
		{"model", `"scripted"`, agents.Settings{}, ""},
		{"model", `null`, agents.Settings{}, ""},
		{"model", `"gpt-9"`, agents.Settings{}, "UNKNOWN_KEY model"},
		{"model", `{"base_url":"http://127.0.0.1:11434/v1","model":"m"}`, agents.Settings{Model: openAI}, ""},
		{"model", `{"base_url":"http://127.0.0.1:11434/v1","model":"m","key_secret":"OPENAI_KEY","temperature":1}`, agents.Settings{Model: keyed}, "UNKNOWN_KEY model.temperature"},
		{"model", `{"model":"m"}`, agents.Settings{Model: kept}, "AGENT_FILE_INVALID model.base_url"},
		{"model", `{"base_url":"ftp://x","model":"m"}`, agents.Settings{Model: kept}, "AGENT_FILE_INVALID model.base_url"},
		{"model", `{"base_url":"http://me:pw@x","model":"m"}`, agents.Settings{Model: kept}, "AGENT_FILE_INVALID model.base_url"},
		{"model", `{"base_url":"http://x","model":""}`, agents.Settings{Model: kept}, "AGENT_FILE_INVALID model.model"},
		{"model", `{"base_url":"http://x","model":"m","key_secret":"sk 1"}`, agents.Settings{Model: kept}, "AGENT_FILE_INVALID model.key_secret"},
		{"model", `[1]`, agents.Settings{Model: kept}, "AGENT_FILE_INVALID model"},
		{"visibility", `"owner"`, agents.Settings{}, ""},
		{"visibility", `"public"`, agents.Settings{Visibility: "public"}, ""},
		{"visibility", `"everybody"`, agents.Settings{Visibility: "public"}, "AGENT_FILE_INVALID visibility"},
		{"transports", `["a2a","completions"]`, agents.Settings{Transports: []string{"a2a", "completions"}}, ""},
		{"transports", `["a2a","a2a"]`, agents.Settings{Transports: []string{"a2a"}}, "UNKNOWN_KEY transports[1]"},
		{"transports", `["a2a","smtp",3]`, agents.Settings{Transports: []string{"uamp"}}, "AGENT_FILE_INVALID transports[1], AGENT_FILE_INVALID transports[2]"},
		{"transports", `"a2a"`, agents.Settings{Transports: []string{"uamp"}}, "AGENT_FILE_INVALID transports"},
		{"commission_percent", `10`, agents.Settings{CommissionPercent: "10"}, ""},
		{"commission_percent", `0.1234567`, agents.Settings{CommissionPercent: "7"}, "AGENT_FILE_INVALID commission_percent"},
		{"commission_percent", `00.50`, agents.Settings{CommissionPercent: "0.5"}, ""},
		{"commission_percent", `"100"`, agents.Settings{CommissionPercent: "100"}, ""},
		{"commission_percent", `0`, agents.Settings{CommissionPercent: "0"}, ""},
		{"commission_percent", `100.1`, agents.Settings{CommissionPercent: "7"}, "AGENT_FILE_INVALID commission_percent"},
		{"commission_percent", `-1`, agents.Settings{CommissionPercent: "7"}, "AGENT_FILE_INVALID commission_percent"},
		{"commission_percent", `1e1`, agents.Settings{CommissionPercent: "7"}, "AGENT_FILE_INVALID commission_percent"},
		{"toolPricing", `{"tools":{"fn:quote":{"perCall":100}}}`, agents.Settings{ToolPricing: quote(agents.ToolPrice{PerCall: 100})}, ""},
		{"toolPricing", `{"tools":{"fn:quote":{"perUnit":{"cpu_ms":1,"ingress_bytes":2,"egress_bytes":3,"gpu":1},"tax":1}},"x":1}`,
			agents.Settings{ToolPricing: quote(agents.ToolPrice{PerUnit: contract.UnitPrice{CPUMs: 1, IngressBytes: 2, EgressBytes: 3}})},
			"UNKNOWN_KEY toolPricing.x, UNKNOWN_KEY toolPricing.tools.fn:quote.perUnit.gpu, UNKNOWN_KEY toolPricing.tools.fn:quote.tax"},
		{"toolPricing", `{"tools":{"quote":{"perCall":100}}}`, agents.Settings{}, "UNKNOWN_KEY toolPricing.tools.quote"},
		{"toolPricing", `{"tools":{"fn:quote":{"perCall":0.5}}}`, agents.Settings{ToolPricing: old}, "AGENT_FILE_INVALID toolPricing.tools.fn:quote.perCall"},
		{"toolPricing", `{"tools":{"fn:quote":{"perCall":-1}}}`, agents.Settings{ToolPricing: old}, "AGENT_FILE_INVALID toolPricing.tools.fn:quote.perCall"},
		{"toolPricing", `{"tools":{"fn:quote":{"perCall":1000000000001}}}`, agents.Settings{ToolPricing: old}, "AGENT_FILE_INVALID toolPricing.tools.fn:quote.perCall"},
		{"toolPricing", `{"tools":{"fn:quote":5}}`, agents.Settings{ToolPricing: old}, "AGENT_FILE_INVALID toolPricing.tools.fn:quote"},
		{"toolPricing", `{"tools":null}`, agents.Settings{}, ""},
		{"toolPricing", `[]`, agents.Settings{ToolPricing: old}, "AGENT_FILE_INVALID toolPricing"},
	}
	for _, tt := range tests {
		t.Run(tt.key+" "+tt.value, func(t *testing.T) {
			got, faults := parse(tt.key, tt.value)
			want := agents.DefaultSettings()
			if tt.want.Model.Kind != "" {
				want.Model = tt.want.Model
			}
			if tt.want.Visibility != "" {
				want.Visibility = tt.want.Visibility
			}
			if tt.want.Transports != nil {
				want.Transports = tt.want.Transports
			}
			want.CommissionPercent, want.ToolPricing = tt.want.CommissionPercent, tt.want.ToolPricing
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			var where []string
			for _, f := range faults {
				if f.Warning != (f.Code == contract.UnknownKey) {
					t.Errorf("%+v", f)
				}
				if strings.Contains(f.Message, "sk 1") || strings.Contains(f.Message, "me:pw") {
					t.Errorf("a secret is repeated: %s", f.Message)
				}
				where = append(where, string(f.Code)+" "+f.Path())
			}
			if got := strings.Join(where, ", "); got != tt.faults {
				t.Errorf("faults %q, want %q", got, tt.faults)
			}
		})
	}
}

func TestRequestedSettings(t *testing.T) {
	got, err := agents.RequestedSettings(contract.CreateAgentRequest{Model: `{"base_url":"https://m/v1","model":"x"}`,
		Visibility: "public", Transports: contract.RawJSON(`["a2a"]`), CommissionPercent: contract.RawJSON(`2.50`)})
	want := agents.Settings{Model: agents.ModelSpec{Kind: agents.ModelOpenAI, BaseURL: "https://m/v1", Model: "x"}, Visibility: "public",
		Transports: []string{"a2a"}, CommissionPercent: "2.5"}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = agents.RequestedSettings(contract.CreateAgentRequest{Visibility: "all"})
	if e := contract.AsError(err); e == nil || e.Code != contract.InvalidRequest {
		t.Errorf("%v", err)
	}
}

// A change names what it changes; null gives the default back.
func TestChanged(t *testing.T) {
	name, model := "Mia Two", "echo"
	before := agents.Agent{ID: "a", Name: "Mia", Username: "mia", Description: "d", Settings: agents.Settings{
		Model: agents.ModelSpec{Kind: agents.ModelScripted}, Visibility: "public", Transports: []string{"a2a"}, CommissionPercent: "5",
		ToolPricing: map[string]agents.ToolPrice{"fn:a": {PerCall: 1}},
	}}
	got, err := before.Changed(contract.ChangeAgentRequest{Name: &name, Model: &model, Transports: contract.RawJSON(`["uamp"]`), Visibility: contract.RawJSON(`null`)})
	want := before
	want.Name, want.Model = name, model
	want.Settings.Model, want.Settings.Visibility, want.Settings.Transports = agents.ModelSpec{Kind: agents.ModelEcho}, "owner", []string{"uamp"}
	if err != nil || !got.Equal(want) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := before.Changed(contract.ChangeAgentRequest{}); err != nil || !got.Equal(before) {
		t.Errorf("nothing asked: %+v, %v", got, err)
	}
	for _, bad := range []contract.ChangeAgentRequest{{Visibility: contract.RawJSON(`"all"`)}, {CommissionPercent: contract.RawJSON(`101`)},
		{ToolPricing: contract.RawJSON(`{"tools":{"fn:a":{"perCall":-1}}}`)}, {Transports: contract.RawJSON(`["smtp"]`)}} {
		if _, err := before.Changed(bad); contract.AsError(err) == nil || contract.AsError(err).Code != contract.InvalidRequest {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func FuzzParseSettings(f *testing.F) {
	for _, seed := range []string{`{"tools":{"fn:a":{"perCall":1}}}`, `["a2a"]`, `10.5`, `{"base_url":"http://x"}`, `"public"`, `null`} {
		f.Add("toolPricing", seed)
		f.Add("model", seed)
		f.Add("commission_percent", seed)
	}
	f.Fuzz(func(t *testing.T, key, value string) {
		if !json.Valid([]byte(value)) {
			return
		}
		s, faults := agents.ParseSettings([]agents.Setting{{Key: key, JSON: json.RawMessage(value)}}, agents.Settings{})
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var again agents.Settings
		if err := json.Unmarshal(b, &again); err != nil {
			t.Fatal(err)
		}
		if x := (agents.Agent{Settings: s}); !x.Equal(agents.Agent{Settings: again}) || s.Visibility == "" || s.Model.Kind == "" || s.Transports == nil {
			t.Errorf("%s: %+v, stored %+v, faults %+v", value, s, again, faults)
		}
	})
}
