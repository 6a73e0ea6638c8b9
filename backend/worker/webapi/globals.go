package webapi

// Globals are the names of js-v1 beside ECMAScript's own, each with the script
// that exports it: spec 2.6's list and what fetch needs, nothing else. fetch
// and console lead to modules of hostapi.
func Globals() map[string]string {
	return map[string]string{
		"URL": "url", "URLSearchParams": "url",
		"TextEncoder": "encoding", "TextDecoder": "encoding",
		"atob": "base64", "btoa": "base64",
		"Headers": "headers", "Request": "body", "Response": "body",
		"AbortController": "abort", "AbortSignal": "abort",
		"crypto": "crypto", "structuredClone": "clone",
		"console": "console", "fetch": "fetch",
	}
}
