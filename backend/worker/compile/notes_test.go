package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestNotes wants each difference found at its place, and nothing else.
func TestNotes(t *testing.T) {
	head := "export default async function handler(ctx) {\n"
	for _, tt := range []struct {
		name, source string
		want         []string // "line:column part of the message"
	}{
		{"nothing to say", head + "return { message: `Hello, ${ctx.toolCall.params.name}` };\n}", nil},
		{"user_id", head + "return ctx.auth.user_id;\n}", []string{"2:8 userId"}},
		{"user_id in brackets", head + "return ctx.auth?.['user_id'];\n}", []string{"2:8 userId"}},
		{"agent_id", head + "return ctx.auth.agent_id;\n}", []string{"2:8 agentId"}},
		{"ctx.payment", head + "const { lockId } = await ctx.payment.lock('t', 1n); return lockId;\n}", []string{"2:26 ctx.portal.payment.lock"}},
		{"ctx.portal.payment", head + "return ctx.portal.payment.lock('t', 1n);\n}", nil},
		{"kv.put", head + "await ctx.kv.put({ key: 'a' }, 1);\n}", []string{"2:7 takes the value in it"}},
		{"kv.put right", head + "await ctx.kv.put({ key: 'a', value: 1 }); await ctx.kv.put('a', {});\n}", nil},
		{"default by name", "async function f(ctx) {}\n  export default f;\n", []string{"2:3 by name alone"}},
		{"default by name behind a comment", "const f = async (ctx) => {};\n/* x */ export default f // y", []string{"2:9 by name alone"}},
		{"list", "async function handler() {}\nexport { handler };", []string{"2:1 export list"}},
		{"bare arrow", "export default ctx => 1;", []string{"1:1 parentheses"}},
		{"forms in comments and strings", "/*\nexport default f;\n*/\n// export { f }\nconst a = `\nexport default g;\n${`\nexport { x }\n`}`, b = /`/, c = '\\\nexport default h;\\\n';\n" + head + "}", nil},
		{"division is no pattern", "const a = 4 / 2 / 1, s = '/';\nconst f = () => a;\nexport default f;", []string{"3:1 by name alone"}},
		{"timers", head + "setTimeout(() => {}, 1);\nsetInterval(() => {}, 1)\n}", []string{"2:1 setTimeout is not part", "3:1 setInterval"}},
		{"others that are absent", head + "queueMicrotask(f); performance.now(); new SharedArrayBuffer(1); Buffer.from('x'); process.env.A; require('fs')\nfunction f() {}\n}",
			[]string{"2:1 queueMicrotask", "2:20 performance", "2:43 SharedArrayBuffer", "2:65 Buffer", "2:83 process", "2:98 require"}},
		{"own names", "const process = (x) => x;\n" + head + "const performance = { now: () => 1 }; function setTimeout(f) { f() }\nsetTimeout(() => process(performance.now()));\n}", nil},
		{"asked for first", head + "return typeof Buffer === 'undefined' ? 1 : Buffer.from('x');\n}", nil},
		{"a property of that name", head + "const o = { setTimeout: 1, process: 2 }; return o.setTimeout + o.process;\n}", nil},
		{"code of a caught error", head + "try { await ctx.kv.get('a'); } catch (e) {\n  if (e.code === 'X') return 1;\n}\n}", []string{"3:7 e.message.startsWith"}},
		{"code in catch()", head + "return fetch('https://a.example').catch(err => err.code);\n}", []string{"2:48 err.message"}},
		{"code of one's own error", head + "try { JSON.parse('x'); } catch (e) { return e.code; }\nconst e = { code: 1 }; return e.code;\n}", nil},
		{"counter", "let n = 0;\n" + head + "n++;\nn += 2;\nreturn n;\n}", []string{"3:1 n belongs to the module"}},
		{"cache", "const cache = new Map();\n" + head + "cache['a'] = 1;\n}", []string{"3:1 cache belongs"}},
		{"filled cache", "const cache = new Map();\n" + head + "if (!cache.has('a')) cache.set('a', 1);\n}", []string{"3:22 cache belongs"}},
		{"list of the module", "const seen = [];\n" + head + "seen.push(1);\n}", []string{"3:1 seen belongs"}},
		{"constants", "const table = { a: 1 }, list = [1];\nlet total = 0;\nfor (const x of list) total += x;\nlist.push(2);\n" + head + "const n = table.a; let m = 0; m++; return n + m + list.map(x => x).length + total;\n}", nil},
		{"shadowed", "let n = 0;\n" + head + "let n = 1; n++; return n;\n}", nil},
		{"request.json", head + "return (await ctx.request.json()).a;\n}", []string{"2:15 may not have ctx.request.json()"}},
		{"body of 204", head + "return { status: 204, body: 'x' };\n}", []string{"2:18 204 has no body"}},
		{"no body of 204", head + "return { status: 204, headers: {}, body: null };\n}", nil},
		{"status of text", head + "return { status: 'ok', body: 'x' };\n}", []string{"2:18 whole number"}},
		{"status out of range", head + "return { status: 100.5, headers: {} };\n}", []string{"2:18 whole number"}},
		{"status of a tool", head + "return { status: 'ok', n: 1 };\n}", nil},
		{"arrow response", "export default async (ctx) => ({ status: 304, body: 'x' });", []string{"1:42 304 has no body"}},
		{"BigInt", head + "return 10n;\n}", []string{"2:8 BigInt"}},
		{"BigInt inside", head + "return { n: 10n };\n}", []string{"2:10 BigInt"}},
		{"BigInt on the way", head + "return String(10n * 2n);\n}", nil},
		{"email", head + "return ctx.auth.profile?.email;\n}", []string{"2:8 visitor_profile"}},
		{"secret in the log", head + "const key = await ctx.secrets.get('A');\nctx.log.info('key', key);\n}", []string{"3:1 A secret goes into the log"}},
		{"secret in a template", head + "console.log(`key ${await ctx.secrets.get('A')}`);\n}", []string{"2:1 A secret"}},
		{"secret in an object", head + "const { log } = ctx, key = await ctx.secrets.get('A');\nctx.log.warn('a', { key });\n}", []string{"3:1 A secret"}},
		{"about a secret", head + "const key = await ctx.secrets.get('A');\nctx.log.info('length', key.length, Boolean(key));\n}", nil},
		{"text in a loop", head + "let s = '';\nfor (const x of [1]) {\n  s += x;\n}\nreturn s;\n}", []string{"4:3 join them (s)"}},
		{"text in forEach", head + "let s = '';\n[1].forEach((x) => { s = s + ',' + x; });\nreturn s;\n}", []string{"3:22 join them"}},
		{"text of one round", head + "for (const x of [1]) { let s = ''; s += x; ctx.log.info(s); }\n}", nil},
		{"number in a loop", head + "let n = 0; for (const x of [1]) n += x; return n;\n}", nil},
		{"all in strings", head + "return ['ctx.auth.user_id', `ctx.request.json() setTimeout(1) ${1}`, /ctx.auth.user_id/, \"10n\"]; // ctx.auth.user_id, process.env\n}", nil},
		{"TypeScript", "let n: number = 0;\ninterface A { process: string }\nexport default async function handler(ctx: any): Promise<number> {\n  n++;\n  return ctx.auth.user_id as number;\n}", []string{"4:3 n belongs", "5:10 userId"}},
	} {
		name := "functions/f/index.js"
		if tt.name == "TypeScript" {
			name = "functions/f/index.ts"
		}
		_, errs, warns := Source(name, tt.source)
		if len(errs) > 0 {
			t.Errorf("%s: %+v", tt.name, errs)
		}
		var got []string
		for _, w := range warns {
			got = append(got, fmt.Sprintf("%d:%d %s", w.Line, w.Column, w.Message))
		}
		if !slices.EqualFunc(got, tt.want, func(g, w string) bool {
			at, part, _ := strings.Cut(w, " ")
			return strings.HasPrefix(g, at+" ") && strings.Contains(g, part)
		}) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, strings.Join(got, "\n     "), strings.Join(tt.want, "\n     "))
		}
	}
}
