import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import type { Catalogue } from './language';
import { slots } from './message';
import { messagesOf, untranslated } from './scan';

const src = join(import.meta.dirname, '..');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.(test|gen|d)\.tsx?$|^i18n\//.test(name))
  .sort()
  .map((name) => ({ name, file: ts.createSourceFile(name, readFileSync(join(src, name), 'utf8'), ts.ScriptTarget.ES2022, true) }));
const calls = files.flatMap(({ name, file }) => messagesOf(file).map((call) => ({ name, ...call })));
const languages = Object.values(import.meta.glob<Catalogue>('./languages/*.json', { import: 'default', eager: true }));

test('what people read comes out of the catalogue', () => {
  const found = files.flatMap(({ name, file }) => untranslated(file).map(({ line, text }) => `${name}:${line} ${text}`));
  expect(found, 'wrap these in t() or rich() of i18n/t').toEqual([]);
});

test('a message is written out, and gets the values and elements that it names', () => {
  const wrong = calls.filter((c) => c.message === undefined || (c.given && [...slots(c.message)].sort().join() !== [...c.given].sort().join()));
  expect(wrong.map((c) => `${c.name}:${c.line} ${c.message ?? 'no literal'}`)).toEqual([]);
});

test('messages.en.json has every message (npm run messages)', async () => {
  const messages = [...new Set(calls.map((c) => c.message!))].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : a < b ? -1 : 1));
  const english = { language: 'en', messages: Object.fromEntries(messages.map((m) => [m, m.split('##')[0]])) };
  await expect(`${JSON.stringify(english, null, 2)}\n`).toMatchFileSnapshot('./messages.en.json');
});

test('a translation has the slots of its message', () => {
  const wrong = languages.flatMap(({ language, messages }) => Object.entries(messages).filter(([from, to]) => ![...slots(to)].every((slot) => slots(from).has(slot))).map(([from]) => `${language}: ${from}`));
  expect(wrong).toEqual([]);
});

test('the scan tells what people read from what programs read', () => {
  const texts = (source: string) => untranslated(ts.createSourceFile('x.tsx', source, ts.ScriptTarget.ES2022, true)).map((u) => u.text);
  expect(texts('<p>Nothing yet</p>')).toEqual(['Nothing yet']);
  expect(texts('<code>await now</code>')).toEqual([]);
  expect(texts('<Button aria-label="Close" className="wide" type="button">{busy ? "waiting" : t("Go")}</Button>')).toEqual(['Close', 'waiting']);
  expect(texts('<i title={`Remove ${name}`} data-kind="bad one" />')).toEqual(['Remove \u25cc']);
  expect(texts('notifications.show({ message: "Saved" })')).toEqual(['Saved']);
  expect(texts("<b>{`${n} ${n === 1 ? 'call' : 'calls'}`}</b>")).toContain('\u25cc \u25cc');
  expect(texts('throw new Error(`${n} requests are under way`)')).toEqual(['\u25cc requests are under way']);
  expect(texts('call("DELETE /api/local/client/:id"); go(`/docs/${page}`); const key = `run:${id}`')).toEqual([]);
  expect(texts('if (x === "running" || name === "Idempotency key") y = "running"')).toEqual(['Idempotency key']);
  expect(texts('t("Save"); rich("Open <1>AGENT.md</1> again", [<code />])')).toEqual([]);
  expect(texts('t("for {who}", { who: known ? name : "any agent" })')).toEqual(['any agent']);
});
