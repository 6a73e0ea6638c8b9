package window

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

func TestOpenProjectSpeaksAsTheOwner(t *testing.T) {
	var asked contract.OpenProjectRequest
	platform := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "POST" || r.URL.Path != "/api/local/projects" || r.Header.Get("Authorization") != "Bearer key" {
			t.Errorf("request: %s %s, Authorization %q", r.Method, r.URL, r.Header.Get("Authorization"))
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusCreated)
	}))
	defer platform.Close()
	if err := openProject(t.Context(), Served{URL: platform.URL, Token: "key"}, "/home/ann/mine"); err != nil {
		t.Fatal(err)
	}
	if asked.Path != "/home/ann/mine" || asked.Sample != "" {
		t.Fatalf("asked for %+v", asked)
	}
}

func TestOpenProjectSaysWhyNot(t *testing.T) {
	for name, test := range map[string]struct{ body, want string }{
		"refused":  {`{"error":{"code":"AGENT_FILE_INVALID","message":"AGENT.md line 3: 100% wrong"}}`, "AGENT.md line 3: 100% wrong"},
		"no body":  {"", "422"},
		"not ours": {"<html>", "422"},
	} {
		t.Run(name, func(t *testing.T) {
			platform := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusUnprocessableEntity)
				io.WriteString(w, test.body) //nolint:errcheck // the test sees it
			}))
			defer platform.Close()
			err := openProject(t.Context(), Served{URL: platform.URL}, "/p")
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "/p") {
				t.Fatalf("error = %v, want it to name /p and %q", err, test.want)
			}
		})
	}
}
