package compile

import (
	"regexp"
	"strings"
)

// Absent are names that other places where JavaScript runs have and js-v1 does
// not, each with what to do instead, in turn. typeof says "undefined" of them;
// any other use is a ReferenceError with that advice.
func Absent() []string { return absent }

var absent = []string{
	"setTimeout", "There are no timers: await what you wait for, and use a schedule to run later.",
	"setInterval", "There are no timers: use a schedule (the consumer cron) to run again and again.",
	"setImmediate", "There are no timers: await a promise instead.",
	"clearTimeout", "There are no timers, so nothing is to be cleared.",
	"clearInterval", "There are no timers, so nothing is to be cleared.",
	"clearImmediate", "There are no timers, so nothing is to be cleared.",
	"queueMicrotask", "Use Promise.resolve().then(...) instead.",
	"performance", "Use Date.now() instead.",
	"WebAssembly", "Write it in JavaScript, or call a service with ctx.fetch.",
	"SharedArrayBuffer", "Use ArrayBuffer: nothing runs beside a function.",
	"Atomics", "Nothing runs beside a function, so plain reads and writes do.",
	"Buffer", "Use Uint8Array, TextEncoder, TextDecoder, atob and btoa instead.",
	"process", "Use ctx.secrets for settings, and return or throw to end.",
	"require", "Packages and other files cannot be loaded: put the code into this file, or call another function with ctx.fn.invoke.",
	"global", "Use globalThis instead.",
	"window", "Use globalThis instead.",
	"self", "Use globalThis instead.",
	"document", "There is no page here: return HTML as a text.",
	"fs", "There are no files: use ctx.kv, ctx.content or ctx.folders instead.",
	"__dirname", "There are no files: use ctx.kv, ctx.content or ctx.folders instead.",
	"__filename", "There are no files: use ctx.kv, ctx.content or ctx.folders instead.",
	"FormData", "Use URLSearchParams for forms, or write the multipart body yourself.",
	"Blob", "Use Uint8Array or ArrayBuffer instead.",
	"File", "Use Uint8Array or ArrayBuffer instead.",
	"FileReader", "Use response.arrayBuffer() and TextDecoder instead.",
	"ReadableStream", "Bodies are whole: use response.text(), json() or arrayBuffer().",
	"WritableStream", "Bodies are whole: pass a text or bytes.",
	"TransformStream", "Bodies are whole: use text or bytes.",
	"CompressionStream", "Send the data as it is.",
	"DecompressionStream", "fetch unpacks answers by itself.",
	"TextEncoderStream", "Use TextEncoder instead.",
	"TextDecoderStream", "Use TextDecoder with {stream: true} instead.",
	"URLPattern", "Use URL and a regular expression, or the consumer's path with :names.",
	"Event", "Use plain functions, or ctx.emit for events that leave the function.",
	"EventTarget", "Use plain functions, or ctx.emit for events that leave the function.",
	"CustomEvent", "Use plain functions, or ctx.emit for events that leave the function.",
	"MessageChannel", "Nothing runs beside a function: call another one with ctx.fn.invoke.",
	"MessagePort", "Nothing runs beside a function: call another one with ctx.fn.invoke.",
	"BroadcastChannel", "Nothing runs beside a function: call another one with ctx.fn.invoke.",
	"Worker", "Nothing runs beside a function: call another one with ctx.fn.invoke.",
	"XMLHttpRequest", "Use fetch instead.",
	"WebSocket", "Use fetch instead.",
	"EventSource", "Use fetch instead: it gives the whole answer.",
	"localStorage", "Use ctx.kv instead.",
	"sessionStorage", "Use ctx.kv instead.",
	"indexedDB", "Use ctx.kv instead.",
	"caches", "Use ctx.kv instead.",
	"navigator", "It describes a browser, and there is none here.",
	"location", "Use ctx.request.url instead.",
	"DOMException", "Look at an error's name instead of its class.",
	"CryptoKey", "Look at a key's type and algorithm instead of its class.",
	"Crypto", "Use the global crypto.",
	"SubtleCrypto", "Use crypto.subtle.",
	"reportError", "Use ctx.log.error, or throw.",
	"alert", "Use ctx.log.info instead.",
}

var mentionsAbsent = func() *regexp.Regexp {
	var names []string
	for i := 0; i < len(absent); i += 2 {
		names = append(names, absent[i])
	}
	return regexp.MustCompile(`(?:^|[^.\w$])(` + strings.Join(names, "|") + `)\b`)
}()

// defines are the absent names that a source mentions, for esbuild, which knows
// where one is the author's own: what is not becomes a member of the frame's
// $import.
func defines(text string) map[string]string {
	var out map[string]string
	for _, m := range mentionsAbsent.FindAllStringSubmatch(text, -1) {
		if out == nil {
			out = map[string]string{}
		}
		out[m[1]] = absentPrefix + m[1]
	}
	return out
}

const absentPrefix = "$import."

var typeofAbsent = regexp.MustCompile(`\btypeof \$import\.`)

// leaveTypeof gives typeof its plain name back, which asks nobody and says
// "undefined". Places stay where they are.
func leaveTypeof(code string) string {
	return typeofAbsent.ReplaceAllString(code, "typeof "+strings.Repeat(" ", len(absentPrefix)))
}
