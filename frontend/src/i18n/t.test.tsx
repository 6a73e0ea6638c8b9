import { render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chooseLanguage, keepFile, language, languages, loadLanguage, locale, match, ProblemOfFile, readCatalogue } from './language';
import { slots } from './message';
import { pseudo } from './pseudo';
import { rich, t } from './t';

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB', 'de']);
});
afterEach(async () => {
  localStorage.clear();
  await loadLanguage('en');
});

const polish = {
  language: 'pl',
  messages: {
    Save: 'Zapisz',
    'Open##the state of a lock': 'Otwarta',
    '{n, plural, one {# call} other {# calls}}': '{n, plural, one {# wywołanie} few {# wywołania} many {# wywołań} other {# wywołania}}',
    'Open <1>{file}</1> again, {name}': '{name}, otwórz ponownie <1>{file}</1>',
    constructor: '',
  },
};

test('English needs no catalogue', () => {
  expect(t('Save')).toBe('Save');
  expect(t('{n, plural, one {# call} other {# calls}}', { n: 1 })).toBe('1 call');
  expect(t('{n, plural, one {# call} other {# calls}}', { n: 12345 })).toBe('12345 calls');
  expect(t('{n, plural, =0 {nothing} one {one <1>thing</1> of {of}} other {# of {of}}}', { n: 1, of: 3 })).toBe('one thing of 3');
  expect(t('Open##the state of a lock')).toBe('Open');
  expect(t('Saved, version {version}{more}', { version: 3, more: undefined })).toBe('Saved, version 3');
});

test('what is no slot is text', () => {
  expect(t('Give {"key": value}, { a }, <b> or a # < 3')).toBe('Give {"key": value}, { a }, <b> or a # < 3');
  expect(t('{name} and {other}', { name: '{other} <1>' })).toBe('{other} <1> and {other}');
  expect(t('{toString}', {})).toBe('{toString}');
});

test('a translation has the plurals and the order of its language, and English where it says nothing', async () => {
  keepFile(polish);
  await loadLanguage('pl');
  expect(language()).toBe('pl');
  expect(document.documentElement.lang).toBe('pl');
  expect(t('Save')).toBe('Zapisz');
  expect(t('Cancel')).toBe('Cancel');
  expect(t('valueOf')).toBe('valueOf');
  expect(t('Open##the state of a lock')).toBe('Otwarta');
  expect([1, 2, 5].map((n) => t('{n, plural, one {# call} other {# calls}}', { n }))).toEqual(['1 wywołanie', '2 wywołania', '5 wywołań']);
  expect(t('{n, plural, one {# row} other {# rows}}', { n: 5 })).toBe('5 rows');
});

test('elements stay elements, wherever a translation puts them', async () => {
  const text = () => render(<p>{rich('Open <1>{file}</1> again, {name}', [<code className="c" />], { file: 'AGENT.md', name: <b>Ada</b> })}</p>).container.innerHTML;
  expect(text()).toBe('<p>Open <code class="c">AGENT.md</code> again, <b>Ada</b></p>');
  keepFile(polish);
  await loadLanguage('pl');
  expect(text()).toBe('<p><b>Ada</b>, otwórz ponownie <code class="c">AGENT.md</code></p>');
  expect(render(<p>{rich('a <1/> <2>b</2>', [<i>x</i>])}</p>).container.innerHTML).toBe('<p>a <i>x</i> b</p>');
});

test('a translation is text and nothing else', async () => {
  keepFile({ language: 'pl', messages: { Save: '<img src=x onerror=alert(1)>' } });
  await loadLanguage('pl');
  expect(render(<p>{rich('Save', [])}</p>).container.querySelector('img')).toBeNull();
});

test('the language is that of the address, the chosen one or the browser’s', async () => {
  keepFile(polish);
  await loadLanguage('');
  expect([language(), locale()]).toEqual(['en', 'en-GB']);
  chooseLanguage('pl');
  await loadLanguage('');
  expect([language(), locale()]).toEqual(['pl', 'pl']);
  chooseLanguage('');
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['fr', 'pl-PL', 'en']);
  await loadLanguage('');
  expect([language(), locale()]).toEqual(['pl', 'pl-PL']);
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['fr']);
  await loadLanguage('');
  expect([language(), locale()]).toEqual(['en', undefined]);
});

test('a choice that is no longer there, or a spoiled file, ends in English', async () => {
  chooseLanguage('xx');
  await loadLanguage('');
  expect(language()).toBe('en');
  localStorage.setItem('benchtop:language.file', '{"language":"pl","messages":{"Save":1}}');
  expect(languages()).toEqual(['en']);
});

test('a file says what is wrong with it', () => {
  expect(() => readCatalogue('{')).toThrow(SyntaxError);
  for (const [text, of] of [
    ['null', 'language'],
    ['{"language":"not a tag!","messages":{}}', 'language'],
    ['{"language":"de"}', 'messages'],
    ['{"language":"de","messages":["x"]}', 'messages'],
    ['{"language":"de","messages":{"Save":{}}}', 'messages'],
  ] as const) {
    const read = () => readCatalogue(text);
    expect(read).toThrow(ProblemOfFile);
    expect(read).toThrow(of);
  }
});

test('a language is found in its own or its general form', () => {
  expect(match(['de-AT', 'en'], ['en', 'de'])).toBe('de');
  expect(match(['pt-BR'], ['pt-PT', 'pt-br'])).toBe('pt-br');
  expect(match(['fr'], ['en'])).toBeUndefined();
});

test('the language for tests is longer, marked, and keeps what is no text', () => {
  expect(pseudo('Save')).toBe('⟦Šâvé~~⟧');
  expect(pseudo(', set {when}')).toContain('{when}');
  for (const message of ['{n, plural, one {# call} other {# calls}}, {errors} of <1>{name}</1> <2/>', 'Open##the state']) {
    expect(slots(pseudo(message))).toEqual(slots(message));
  }
  expect(pseudo(' · ended here')).toMatch(/^ ⟦· éñðéð ĥéřé~+⟧$/);
});
