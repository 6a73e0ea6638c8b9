import { describe, expect, it } from 'vitest';
import { laidOut, layOut } from './json';
import { JsonLines, piecesOf } from './jsonLines';

const value = { name: 'Ada {', list: [1, { 'odd key': [true, {}, []] }, 'x'], last: null };
const lines = new JsonLines(laidOut(value));
const text = (line: number) => lines.text.slice(lines.start(line), lines.stop(line)).trim();
const lineOf = (part: string) => lines.at(lines.text.indexOf(part));

describe('JsonLines', () => {
  it('knows what lies within what', () => {
    expect(lines.count).toBe(laidOut(value).split('\n').length);
    expect(text(lines.end(0))).toBe('}');
    expect(lines.opens(lineOf('Ada'))).toBe(false);
    const list = lineOf('"list"');
    expect(text(lines.end(list))).toBe('],');
    expect(lines.size(list)).toBe(3);
    expect(lines.size(0)).toBe(3);
    expect(lines.level(lineOf('true'))).toBe(5);
    expect(lines.closes(lines.end(list))).toBe(true);
  });

  it('names the way to a line', () => {
    expect(lines.path(0)).toBe('$');
    expect(lines.path(lineOf('null'))).toBe('$.last');
    expect(lines.path(lineOf('true'))).toBe('$.list[1]["odd key"][0]');
    expect(lines.path(lines.end(lineOf('odd')))).toBe('$.list[1]["odd key"]');
  });

  it('gives a value without what is around it', () => {
    expect(lines.value(lineOf('Ada'))).toBe('"Ada {"');
    expect(lines.value(lineOf('"list"'))).toBe(laidOut(value.list));
    expect(lines.value(lineOf('"odd key"'))).toBe(laidOut([true, {}, []]));
    expect(lines.value(0)).toBe(lines.text);
  });

  it('shows what is not folded', () => {
    const folds = new Uint8Array(lines.count);
    folds[lineOf('"list"')] = 1;
    expect([...lines.shown(folds)].map(text)).toEqual(['{', '"name": "Ada {",', '"list": [', '"last": null', '}']);
    expect([...lines.shown(lines.foldsFrom(1))].map(text)).toEqual(['{', '"name": "Ada {",', '"list": [', '"last": null', '}']);
  });

  it('begins with a long value folded, and with all of a short one open', () => {
    expect(lines.firstFolds().some(Boolean)).toBe(false);
    const long = new JsonLines(laidOut({ items: Array.from({ length: 5_000 }, (_, id) => ({ id, tags: ['a'] })) }));
    expect(long.shown(long.firstFolds()).length).toBe(3);
    const flat = new JsonLines(laidOut(Array.from({ length: 5_000 }, (_, id) => ({ id }))));
    expect(flat.shown(flat.firstFolds()).length).toBe(5_002);
  });

  it('finds words whatever their case, and what a pattern would mean', () => {
    expect(lines.find('ADA').map((at) => lines.at(at))).toEqual([1]);
    expect(lines.find('{')).toHaveLength(4);
    expect(lines.find(' ')).toEqual([]);
  });

  it('reads a text without its end', () => {
    const cut = new JsonLines(layOut('{"a":[1,{"b":"tex {'));
    expect(cut.end(0)).toBe(cut.count - 1);
    expect(cut.path(cut.count - 1)).toBe('$.a[1].b');
    expect(cut.shown(cut.foldsFrom(0)).length).toBe(1);
  });

  it('has a million lines quickly enough to be asked for them', () => {
    const long = new JsonLines(laidOut(Array.from({ length: 1_000_000 }, () => 1)));
    expect(long.count).toBe(1_000_002);
    expect(long.path(1_000_000)).toBe('$[999999]');
  });
});

describe('piecesOf', () => {
  it('loses no character and marks what is found', () => {
    const line = '  "name": "an Ada and an ADA",';
    const pieces = piecesOf(line, 'ada', line.indexOf('ADA'));
    expect(pieces.map((p) => p.text).join('')).toBe(line);
    expect(pieces.filter((p) => p.found).map((p) => [p.found, p.text])).toEqual([['found', 'Ada'], ['here', 'ADA']]);
  });
  it('marks across tokens', () => {
    expect(piecesOf('"a": 1', 'a": 1', undefined).filter((p) => p.found).map((p) => p.text).join('')).toBe('a": 1');
  });
});
