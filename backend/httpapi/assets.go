package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

// The console's page loads and speaks to nothing but its own origin.
const pagePolicyText = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
	"font-src 'self' data:; worker-src 'self'; connect-src 'self'; frame-src 'none'; object-src 'none'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

var (
	immutable  = []string{"public, max-age=31536000, immutable"}
	pagePolicy = []string{pagePolicyText}
)

// assets serves the built page.
type assets struct{ files fs.FS }

func newAssets(files fs.FS) *assets { return &assets{files} }

// notBuilt is what a browser sees when the page was not built in.
const notBuilt = "The console's page is not part of this build.\n\n" +
	"Run `make build` in the repository (it needs Node 20) and start the program again.\n" +
	"The API works without it.\n"

// serve answers with a file of the page; false when there is none of that name.
func (as *assets) serve(c *call) bool {
	name := strings.TrimPrefix(c.r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	data, ok := as.read(name)
	if !ok && name != "index.html" {
		return false
	}
	h := c.w.Header()
	h["Content-Security-Policy"] = pagePolicy
	if c.r.Method != http.MethodGet && c.r.Method != http.MethodHead {
		h["Allow"] = []string{"GET, HEAD"}
		h["Content-Type"] = textType
		c.w.WriteHeader(http.StatusMethodNotAllowed)
		return true
	}
	c.wrote = true
	if !ok {
		h["Content-Type"] = textType
		h["Cache-Control"] = noStore
		c.w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = c.w.Write([]byte(notBuilt))
		return true
	}
	if strings.HasPrefix(name, "assets/") {
		h["Cache-Control"] = immutable // the name has a hash of the content
	} else {
		h["Cache-Control"] = noCache
		sum := sha256.Sum256(data)
		h["Etag"] = []string{`"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
	}
	h["Content-Type"] = []string{contentType(name)}
	http.ServeContent(c.w, c.r, name, time.Time{}, bytes.NewReader(data))
	return true
}

// read gives a regular file. Names with a dot in front are not part of the page.
func (as *assets) read(name string) ([]byte, bool) {
	if as.files == nil || !fs.ValidPath(name) || strings.HasPrefix(path.Base(name), ".") {
		return nil, false
	}
	if st, err := fs.Stat(as.files, name); err != nil || !st.Mode().IsRegular() {
		return nil, false
	}
	data, err := fs.ReadFile(as.files, name)
	return data, err == nil
}

// contentType does not ask the operating system, whose answers differ.
func contentType(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".json", ".map", ".webmanifest":
		return "application/json; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".ico":
		return "image/x-icon"
	case ".woff2":
		return "font/woff2"
	case ".ttf":
		return "font/ttf"
	case ".wasm":
		return "application/wasm"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}
