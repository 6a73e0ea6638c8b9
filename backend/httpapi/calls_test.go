package httpapi

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

func TestCallsAs(t *testing.T) {
	owner := auth.Caller{Kind: auth.KindOwner, UserID: auth.OwnerUserID}
	for name, tc := range map[string]struct {
		from   auth.Caller
		header []string
		want   auth.Caller
		code   contract.Code
	}{
		"none":                  {from: owner, want: owner},
		"the owner":             {from: owner, header: []string{"owner"}, want: owner},
		"anonymous":             {from: owner, header: []string{"anonymous"}, want: auth.Caller{Kind: auth.KindAnonymous}},
		"somebody with a token": {from: owner, header: []string{"portal"}, want: auth.Caller{Kind: auth.KindPortal, UserID: contract.PortalTestUser}},
		"an unknown word":       {from: owner, header: []string{"root"}, code: contract.InvalidRequest},
		"two":                   {from: owner, header: []string{"owner", "owner"}, code: contract.InvalidRequest},
		"a token cannot":        {from: auth.Caller{Kind: auth.KindPortal, UserID: "u"}, header: []string{"owner"}, code: contract.Forbidden},
		"an agent's key cannot": {from: auth.Caller{Kind: auth.KindAgent}, header: []string{"anonymous"}, code: contract.Forbidden},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/", nil)
			if tc.header != nil {
				r.Header[callerHeader] = tc.header
			}
			got, err := callsAs(&call{r: r, caller: tc.from})
			if e := contract.AsError(err); tc.code != "" {
				if e == nil || e.Code != tc.code {
					t.Fatalf("the error is %v, want %s", err, tc.code)
				}
				return
			}
			if err != nil || got.Kind != tc.want.Kind || got.UserID != tc.want.UserID {
				t.Fatalf("%+v, %v; want %+v", got, err, tc.want)
			}
		})
	}
}

func TestClockOf(t *testing.T) {
	owner, token := auth.Caller{Kind: auth.KindOwner}, auth.Caller{Kind: auth.KindPortal, UserID: "u"}
	const berlin = "2026-12-31T23:59:50+01:00[Europe/Berlin]"
	for name, tc := range map[string]struct {
		from   auth.Caller
		header []string
		want   string
		code   contract.Code
	}{
		"none":                      {from: owner},
		"none of a token":           {from: token},
		"a moment":                  {from: owner, header: []string{berlin}, want: berlin},
		"no moment":                 {from: owner, header: []string{"live"}, code: contract.InvalidRequest},
		"before all time":           {from: owner, header: []string{"0001-01-01T00:00:00Z"}, code: contract.InvalidRequest},
		"empty":                     {from: owner, header: []string{""}, code: contract.InvalidRequest},
		"two":                       {from: owner, header: []string{berlin, berlin}, code: contract.InvalidRequest},
		"a token cannot":            {from: token, header: []string{berlin}, code: contract.Forbidden},
		"an agent's key cannot":     {from: auth.Caller{Kind: auth.KindAgent}, header: []string{berlin}, code: contract.Forbidden},
		"nobody can":                {from: auth.Caller{Kind: auth.KindAnonymous}, header: []string{berlin}, code: contract.Forbidden},
		"a token cannot try either": {from: token, header: []string{"live"}, code: contract.Forbidden},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/", nil)
			if tc.header != nil {
				r.Header[contract.ClockHeader] = tc.header
			}
			got, err := clockOf(&call{r: r, caller: tc.from})
			if e := contract.AsError(err); (e == nil) != (tc.code == "") || e != nil && e.Code != tc.code || got.String() != tc.want {
				t.Errorf("%v, %v; want %q %s", got, err, tc.want, tc.code)
			}
		})
	}
}

// A run is looked at together with the manifest of the version that ran.
func TestInvocationHasItsManifest(t *testing.T) {
	w := newWorld(t)
	rec := w.do(w.owner(request{method: "GET", path: "/api/local/invocations/of%20a%20version"}))
	var got contract.InvocationDetail
	if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(w.fn.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Code != 200 || string(got.Manifest) != string(want) {
		t.Fatalf("status %d, manifest %s; want %s", rec.Code, got.Manifest, want)
	}
}
