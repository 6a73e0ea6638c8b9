//go:build unix

package executor

import (
	"strings"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/executor/exectest"
	"benchtop/backend/manifest"
)

// calls are what a function can call of ours; $ is an argument.
var calls = []string{
	"fetch($)", "fetch('https://a.test', $)", "fetch('https://a.test', { method: $ })", "fetch('https://a.test', { headers: $ })",
	"fetch('https://a.test', { body: $, method: 'POST' })", "fetch('https://a.test', { signal: $ })", "fetch('https://a.test', { timeoutMs: $ })",
	"fetch('https://a.test', { maxBytes: $ })", "fetch('https://a.test', { redirect: $ })", "ctx.fetch.call($, $)",
	"new URL($)", "new URL($, $)", "new URL('http://a').searchParams.append($, $)", "new URLSearchParams($)", "new Headers($)", "new Headers().set($, $)",
	"new Request($)", "new Request('http://a', $)", "new Response($)", "new Response('x', $)", "new Response('x', { status: $ })", "Response.json($)",
	"Response.redirect($, $)", "new TextDecoder($)", "new TextDecoder('utf-8', $)", "new TextDecoder().decode($)", "new TextEncoder().encode($)",
	"new TextEncoder().encodeInto($, $)", "atob($)", "btoa($)", "console.log($, $)", "ctx.log.info($)", "ctx.log.error($, $)", "ctx.emit($)", "ctx.emit($, $)",
	"ctx.kv.get($)", "ctx.kv.put($, $)", "ctx.kv.put('k', $, $)", "ctx.kv.list($)", "ctx.kv[$]", "ctx[$]", "ctx.secrets.get($)", "ctx.fn.invoke($, $)",
	"ctx.content.get($)", "ctx.folders[$]", "ctx.fn.list($)", "new AbortController().abort($)", "AbortSignal.any($)", "AbortSignal.abort($).throwIfAborted()",
	"eval($)", "structuredClone($)", "structuredClone($, $)", "crypto.getRandomValues($)", "crypto.subtle.digest($, $)", "crypto.subtle.importKey($, $, $, $, $)",
	"crypto.subtle.sign($, $, $)", "crypto.subtle.encrypt($, $, $)", "Object.setPrototypeOf(ctx, $)", "Object.defineProperty(ctx, 'kv', $)",
	"Object.defineProperty(ctx, $, { value: 1 })", "ctx.kv = $", "delete ctx[$]", "Reflect.ownKeys(ctx)", "Reflect.set(ctx, $, $, $)", "Object.freeze(ctx)",
	"Object.assign(ctx, $)", "new Intl.DateTimeFormat($, $).format($)", "new Intl.NumberFormat($, $).format($)", "(1).toLocaleString($, $)",
	"new RegExp($, $)", "'x'.replace($, $)", "Object.groupBy($, $)", "Promise.withResolvers.call($)", "Array.fromAsync($)", "throw $",
}

// arguments are values that a native side could stumble over.
var arguments = []string{
	"undefined", "null", "Symbol('s')", "Symbol.iterator", "NaN", "Infinity", "-1", "2 ** 53", "10n", "''", "'\\ud800'", "'\\0'", "{}", "[]", "[[]]", "[1, 2]", "[['a']]", "() => {}",
	"new Proxy({}, { get() { throw 1 }, has() { throw 2 }, ownKeys() { throw 3 }, getPrototypeOf() { throw 4 } })",
	"new Proxy(function () {}, { apply() { throw new Proxy({}, {}) }, get: (t, k) => t })",
	"{ toString() { throw new Error('mine') }, valueOf: 1 }", "{ toString: null, valueOf: null, [Symbol.toPrimitive]: 5 }", "{ get length() { return -1 } }", "{ length: 3 }",
	"{ [Symbol.iterator]: 5 }", "{ [Symbol.iterator]: () => ({ next: () => 7 }) }", "Object.create(null)", "Object.freeze({ a: 1 })", "new Uint8Array(3)", "new DataView(new ArrayBuffer(2), 1)",
	"new Date(NaN)", "new Map([[{}, {}]])", "Promise.reject(1)", "ctx", "globalThis", "ctx.kv", "fetch", "/x/g", "new Error('e')", "Function.prototype", "class {}",
	"(() => { const a = {}; a.a = a; return a })()", "Object.defineProperty({}, 'a', { get() { throw 5 }, enumerable: true })", "new String('s')", "Object(10n)", "Object(Symbol())",
}

// TestStrangeArguments gives everything that a function can call everything it
// may not expect. It may refuse; it may neither end the worker nor make the
// engine give up.
func TestStrangeArguments(t *testing.T) {
	l := newLocal(t, Config{Worker: exectest.Worker(t)})
	for _, call := range calls {
		var b strings.Builder
		b.WriteString("const tried = [];\nexport default async (ctx) => {\n")
		for _, a := range arguments {
			b.WriteString("try { await (async () => { const a = (" + a + "); " + strings.ReplaceAll(call, "$", "a") + " })() } catch (e) { tried.push(1) }\n")
		}
		b.WriteString("return 'whole' }")
		j := benchJob(b.String())
		j.Limits = manifest.Limits{WallMs: contract.MaxWallMs, MemoryMb: 256}
		o := l.Run(t.Context(), j, &host{})
		if string(o.Value) != `"whole"` {
			t.Errorf("%s: %s %s %v", call, o.Code, o.Message, o.At)
		}
	}
}
