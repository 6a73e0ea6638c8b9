package worker

import (
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/worker/compile"
	"benchtop/backend/worker/hostapi"
	"benchtop/backend/worker/sandbox"
	"benchtop/backend/worker/wall"
	"benchtop/backend/worker/wire"
)

// BenchmarkIntl is a function that uses one part of Intl: first is with all that
// a worker does once (unpacking and compiling), next what every later
// invocation pays.
func BenchmarkIntl(b *testing.B) {
	for _, part := range []struct{ name, body string }{
		{"none", `1`},
		{"toLocaleString", `(1234.5).toLocaleString('de')`},
		{"date", `new Intl.DateTimeFormat('de', { dateStyle: 'full', timeZone: 'Europe/Berlin' }).format(0)`},
		{"plural", `new Intl.PluralRules('pl').select(3)`},
		{"relative", `new Intl.RelativeTimeFormat('fr').format(-1, 'day')`},
		{"list", `new Intl.ListFormat('es').format(['a', 'b'])`},
		{"names", `new Intl.DisplayNames('ja', { type: 'region' }).of('DE')`},
		{"locale", `new Intl.Locale('zh-Hant-TW').language`},
		{"collator", `['b', 'a'].sort(new Intl.Collator('de').compare)`},
		{"six languages", `['en', 'de', 'fr', 'ja', 'zh', 'ru'].map(l => new Date(0).toLocaleString(l) + (1).toLocaleString(l))`},
	} {
		once := runs(b, part.body)
		b.Run(part.name+"/first", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				f, err := newFactory()
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				once(b, f)
			}
		})
		b.Run(part.name+"/next", func(b *testing.B) {
			f, err := newFactory()
			if err != nil {
				b.Fatal(err)
			}
			once(b, f)
			b.ReportAllocs()
			for b.Loop() {
				once(b, f)
			}
		})
	}
}

// BenchmarkNeeds is what a script pays for text that names a feature the engine
// lacks.
func BenchmarkNeeds(b *testing.B) {
	for _, need := range []struct{ name, body string }{
		{"none", `1`},
		{"JSON.parse", `JSON.parse('{"a":[1,2,3],"b":"text"}').a`},
		{"statics", `Object.groupBy([1, 2], n => n % 2)`},
		{"strings", `'a'.isWellFormed()`},
		{"iterators", `new Map([[1, 2]]).values().map(n => n).toArray()`},
		{"RegExp", `new RegExp('a').test('a')`},
		{"made name", `[1, 2].map((_, i, all) => all[i])`},
		{"property", `/\p{L}/u.test('a')`},
		{"property made", `new RegExp('\\p{L}', 'u').test('a')`},
		{"locale", `'a'.localeCompare('b')`},
	} {
		once := runs(b, need.body)
		b.Run(need.name, func(b *testing.B) {
			f, err := newFactory()
			if err != nil {
				b.Fatal(err)
			}
			once(b, f)
			b.ReportAllocs()
			for b.Loop() {
				once(b, f)
			}
		})
	}
}

// runs gives what runs a function with this body once, in a runtime of its own.
func runs(b *testing.B, body string) func(*testing.B, *sandbox.Factory) {
	code, problems, _ := compile.Source("functions/f/index.js", "export default async () => "+body+";")
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	program, err := compile.Program(code)
	if err != nil {
		b.Fatal(err)
	}
	return func(b *testing.B, f *sandbox.Factory) {
		sb, err := f.New()
		if err != nil {
			b.Fatal(err)
		}
		s := hostapi.New(wire.Run{Context: contract.RawJSON(helloContext)}, silent{}, time.Now(), wall.Open())
		if err := sb.Start(sandbox.Run{Script: program, Members: s.Members(), Host: s, Now: s.Now,
			Random: func() float64 { return 0.5 }}); err != nil {
			b.Fatal(err)
		}
		if o := sb.Outcome(); o == nil || o.Error != nil {
			b.Fatalf("%+v", o)
		}
	}
}
