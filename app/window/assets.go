package window

import (
	"encoding/json"
	"html/template"
	"log/slog"
	"net/http"
	"strings"
)

// middleware stands in front of the page's files on the window's private
// origin (wails://wails). It answers /boot.json, which makes the page an owner
// of the platform, and gives every answer the page's security headers.
// Everything waits for the platform: the policy names its port.
func middleware(s *session, log *slog.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			served, err := s.wait(r.Context())
			h := w.Header()
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("Referrer-Policy", "no-referrer")
			if err != nil {
				writeFailure(w, err, log)
				return
			}
			h.Set("Content-Security-Policy", policy(served.URL))
			if r.URL.Path == "/boot.json" {
				writeBoot(w, r, served, log)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// policy is the page's Content-Security-Policy: its own files, one platform
// on loopback to talk to, no frames at all (a frame could call the bound
// methods), no eval.
func policy(api string) string {
	return strings.Join([]string{
		"default-src 'self'",
		"style-src 'self' 'unsafe-inline'",
		"img-src 'self' data: blob:",
		"font-src 'self' data:",
		"worker-src 'self'",
		"frame-src 'none'",
		"object-src 'none'",
		"base-uri 'none'",
		"form-action 'none'",
		"connect-src 'self' " + api + " " + strings.Replace(api, "http", "ws", 1),
	}, "; ")
}

func writeBoot(w http.ResponseWriter, r *http.Request, served Served, log *slog.Logger) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, "/boot.json answers GET only", http.StatusMethodNotAllowed)
		return
	}
	boot := served.Boot
	boot.Mode, boot.API, boot.Token = "window", served.URL, served.Token
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if err := json.NewEncoder(w).Encode(boot); err != nil {
		log.Error("window: write boot.json", "err", err)
	}
}

// writeFailure is all the window shows when the platform could not start: the
// page would have nobody to talk to. It is answered with 200 because the web
// view draws an empty window for anything else.
func writeFailure(w http.ResponseWriter, err error, log *slog.Logger) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'")
	w.Header().Set("Cache-Control", "no-store")
	if err := failurePage.Execute(w, err.Error()); err != nil {
		log.Error("window: write the failure page", "err", err)
	}
}

var failurePage = template.Must(template.New("failure").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Benchtop could not start</title>
<meta name="color-scheme" content="light dark">
<style>body{font:15px/1.5 system-ui,sans-serif;margin:12vh auto;max-width:40rem;padding:0 2rem}
pre{white-space:pre-wrap;font:13px/1.5 monospace;border-left:3px solid #d64545;padding:.5rem 1rem}</style></head>
<body><h1>Benchtop could not start</h1><pre role="alert">{{.}}</pre>
<p>Close this window, put it right, and start Benchtop again.</p></body></html>
`))
