// Writes ../intl.zip: FormatJS as modules of the prelude (js/…) and its locale
// data as JSON (data/…), so that a function pays for the parts and the languages
// it uses, and for nothing before it uses them.
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zip } from './zip.mjs';
import { patches } from './patches.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const formatjs = join(here, 'node_modules/@formatjs');
const require = createRequire(import.meta.url);

const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ja', 'zh', 'ru'];
const regions = ['en-GB', 'en-AU', 'en-CA', 'de-AT', 'de-CH', 'fr-CA', 'fr-CH', 'es-MX', 'pt-PT', 'zh-Hant'];
const kinds = {
  datetime: ['intl-datetimeformat', 'DateTimeFormat'],
  number: ['intl-numberformat', 'NumberFormat'],
  relative: ['intl-relativetimeformat', 'RelativeTimeFormat'],
  list: ['intl-listformat', 'ListFormat'],
  display: ['intl-displaynames', 'DisplayNames'],
};

// read runs a file of locale data and gives what it would register. Dates have
// plain spaces where CLDR has narrow ones, as in V8.
const read = (folder, name, locale, method = '__addLocaleData') => {
  let got;
  new Function('Intl', readFileSync(join(formatjs, folder, locale), 'utf8'))({ [name]: { [method](d) { got = d; } } });
  if (folder === 'intl-datetimeformat') got = JSON.parse(JSON.stringify(got).replaceAll('\u202f', ' '));
  return got;
};

const files = new Map();

// shrink takes the formats of dates out of a language's data, as FormatJS has
// read them: Go chooses among them.
const fields = ['weekday', 'era', 'year', 'month', 'day', 'dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits', 'timeZoneName'];
const shrink = (locale, data, read) => {
  files.set(`formats/${locale}.json`, JSON.stringify(read.formats.gregory.map(f => ({
    fields: [...fields.map(name => f[name] ?? ''), f.hour12 ? '1' : ''],
    answer: [f.skeleton, f.rawPattern, f.rangePatterns, f.rangePatterns12],
  }))));
  const styles = of => Object.fromEntries(Object.entries(of).map(([style, f]) => [style, [f.rawPattern, f.rangePatterns, f.rangePatterns12]]));
  data.dateFormat = styles(read.dateFormat);
  data.timeFormat = styles(read.timeFormat);
  data.dateTimeFormat = read.dateTimeFormat;
  data.intervalFormats = { intervalFormatFallback: data.intervalFormats.intervalFormatFallback, styles: true };
  data.formats = { gregory: {} };
  data.calendarData = undefined;
  data.ca = ['gregory', 'iso8601'];
  files.set(`zones/${locale}.json`, JSON.stringify(data.timeZoneName));
  data.timeZoneName = undefined;
};
const tags = {};
for (const [kind, [folder, name]] of Object.entries(kinds)) {
  const module = await import(`@formatjs/${folder}`);
  const Of = module[name] ?? module.default;
  const byData = new Map();
  for (const locale of [...languages, ...regions]) {
    const entry = read(folder, name, `locale-data/${locale}.js`);
    Of.__addLocaleData(entry);
    if (kind === 'datetime') shrink(locale, entry.data, Of.localeData[locale]);
    files.set(`data/${kind}/${locale}.json`, JSON.stringify(entry.data));
    byData.set(Of.localeData[locale], locale);
  }
  tags[kind] = Object.fromEntries(Object.keys(Of.localeData).sort().map(tag => [tag, byData.get(Of.localeData[tag])]));
}

// Time zones: names alone, the offsets come from Go.
const { zones, links = [] } = read('intl-datetimeformat', 'DateTimeFormat', 'add-all-tz.js', '__addTZData');
files.set('data/zones.json', JSON.stringify([...new Set(['UTC', ...zones.map(z => z.split('|')[0]), ...links.flatMap(l => l.split('|'))])].sort()));
files.set('data/tags.json', JSON.stringify(tags));
const english = JSON.parse(files.get('data/number/en.json'));
files.set('data/supported.json', JSON.stringify({
  calendar: ['gregory', 'iso8601'],
  collation: ['default', 'emoji', 'eor'],
  currency: Object.keys(english.currencies).filter(c => /^[A-Z]{3}$/.test(c)).sort(),
  numberingSystem: [...english.nu].sort(),
  unit: Intl.supportedValuesOf('unit'),
}));

// Tables of languages, taken from where they are declared.
const canonical = readFileSync(join(formatjs, 'intl-getcanonicallocales/index.js'), 'utf8');
const { likelySubtags, languageAliasRules } = new Function(`${canonical.replace(/^export .*$/gm, '')}\nreturn { likelySubtags, languageAliasRules };`)();
files.set('tables/likely.json', JSON.stringify(likelySubtags));
files.set('tables/aliases.json', JSON.stringify(languageAliasRules));

// Plural rules are code.
const plural = [...languages, 'pt-PT'].map(locale => {
  const text = readFileSync(join(formatjs, `intl-pluralrules/locale-data/${locale}.js`), 'utf8');
  return `${JSON.stringify(locale)}: (() => { let got; const Intl = { PluralRules: { __addLocaleData(d) { got = d; } } };\n${text}\nreturn got; })`;
});

const times = (text, find) => (typeof find === 'string' ? text.split(find).length - 1 : [...text.matchAll(new RegExp(find, 'gm'))].length);
const virtual = { name: 'virtual', setup(b) {
  b.onResolve({ filter: /^plural-data$/ }, () => ({ path: 'plural-data', namespace: 'virtual' }));
  b.onResolve({ filter: /^@formatjs\/intl-supportedvaluesof$/ }, () => ({ path: join(here, 'entries/supported.js') }));
  // One matcher for all: a package brings an older one of its own.
  b.onResolve({ filter: /^@formatjs\/intl-localematcher$/ }, () => ({ path: join(formatjs, 'intl-localematcher/index.js') }));
  b.onLoad({ filter: /.*/, namespace: 'virtual' }, () => ({ contents: `export default {${plural.join(',\n')}};` }));
  const left = new Set(patches);
  b.onLoad({ filter: /@formatjs\/.*\.js$/ }, ({ path }) => {
    let contents = readFileSync(path, 'utf8');
    for (const p of patches) {
      if (!path.includes(`@formatjs/${p.in}/`)) continue;
      if (times(contents, p.find) !== 1) throw new Error(`${p.in}: the text to patch is not there exactly once:\n${p.find}`);
      contents = contents.replace(p.find, () => p.put);
      left.delete(p);
    }
    return { contents, loader: 'js' };
  });
  b.onEnd(() => { if (left.size) throw new Error(`${left.size} patches had nothing to patch`); });
} };

const entries = ['canonical', 'collator', 'datetime', 'display', 'list', 'locale', 'number', 'plural', 'relative', 'segmenter'];
const bundled = await build({
  entryPoints: entries.map(name => join(here, `entries/${name}.js`)),
  bundle: true, splitting: true, format: 'esm', target: 'esnext', platform: 'neutral', mainFields: ['module', 'main'],
  minifySyntax: true, minifyWhitespace: true, minifyIdentifiers: true, keepNames: false, charset: 'utf8',
  outdir: 'out', write: false, chunkNames: 'chunk-[hash]', plugins: [virtual], legalComments: 'none',
  supported: { 'async-generator': false, 'for-await': false, using: false, decorators: false },
});

// A chunk becomes a module of the prelude: imports are $module, exports what it
// returns.
const { transform } = await import('esbuild');
for (const file of bundled.outputFiles) {
  const name = file.path.split(/[\\/]/).pop().replace(/\.js$/, '');
  const { code } = await transform(file.text, { format: 'cjs', target: 'esnext', charset: 'utf8', minify: true });
  files.set(`js/${name}.js`,
    `(function($op,$module,$lazy){'use strict';const{Intl,made:$made}=$module('intl');const module={exports:{}};`
    + `const require=n=>$module('intl/'+n.slice(2,-3));\n${code}\nreturn module.exports})`);
}

const licence = readFileSync(join(formatjs, 'intl-datetimeformat/LICENSE.md'), 'utf8');
const versions = ['intl-getcanonicallocales', 'intl-localematcher', 'intl-locale', 'intl-pluralrules', ...Object.values(kinds).map(([folder]) => folder)]
  .map(p => `@formatjs/${p} ${JSON.parse(readFileSync(join(formatjs, p, 'package.json'), 'utf8')).version}`);
files.set('LICENSE', `${versions.sort().join('\n')}\n\n${licence}\nThe locale data is Unicode CLDR's: https://www.unicode.org/license.txt\n`);
const bytes = zip([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(join(here, '../intl.zip'), bytes);
const sizes = [...files].filter(([n]) => n.startsWith('js/')).map(([n, t]) => `${n} ${t.length}`);
console.log(`intl.zip: ${bytes.length} bytes, ${files.size} files\n${sizes.join('\n')}`);
