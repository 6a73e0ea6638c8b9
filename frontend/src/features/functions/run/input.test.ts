import { describe, expect, it } from 'vitest';
import { readJson } from '../../../ui/exact';
import { asCli, asCurl, asFetch, type CallText } from './copies';
import { buildBody, firstInput, formValue, inputOf, type RunInput } from './input';
import { quantile } from './useBurst';

const input = (part: Partial<RunInput>): RunInput => ({ ...firstInput(undefined), ...part });
const body = (part: Partial<RunInput>) => {
  const built = buildBody(input(part));
  return built.ok ? JSON.parse(built.body) : built.problem;
};

describe('buildBody', () => {
  it('sends arguments as args', () => {
    expect(body({ kind: 'tool', args: '{"a":1}' })).toEqual({ args: { a: 1 } });
    expect(body({ kind: 'tool', args: ' ' })).toEqual({ args: {} });
    expect(buildBody(input({ kind: 'tool', args: '{' }))).toMatchObject({ ok: false, field: 'args' });
  });

  it('sends nothing for a schedule', () => expect(body({ kind: 'cron' })).toEqual({}));

  it('sends a request with what was filled in', () => {
    expect(body({ kind: 'http', method: 'GET', path: '/x' })).toEqual({ method: 'GET', path: '/x' });
    expect(
      body({ kind: 'http', path: '/', query: [{ name: 'a', value: '1' }, { name: ' ', value: 'x' }], headers: [{ name: 'X-A', value: 'b' }], body: '{"n":1}' }),
    ).toEqual({ method: 'POST', path: '/', query: { a: '1' }, headers: { 'X-A': 'b' }, body: { n: 1 } });
  });

  it('sends a body that is no JSON as text', () => {
    expect(body({ kind: 'http', body: 'a=b&c=d' })).toMatchObject({ body: 'a=b&c=d' });
  });

  it('sends the very bytes to a function that reads them, and digits that would be rounded', () => {
    const raw = buildBody(input({ kind: 'http', body: '{"a":  1.0}' }), true);
    expect(raw.ok && JSON.parse(raw.body)).toMatchObject({ body: '{"a":  1.0}' });
    expect(buildBody(input({ kind: 'http', path: '/', body: '[12345678901234567890, -0]' }))).toEqual({ ok: true, body: '{"method":"POST","path":"/","body":[12345678901234567890,-0]}' });
    expect(inputOf({ method: 'POST', body: '{"a":  1.0}' }, input({})).body).toBe('{"a":  1.0}');
  });

  it('wants a path', () => expect(buildBody(input({ kind: 'http', path: 'x' }))).toMatchObject({ ok: false, field: 'path' }));
});

describe('firstInput', () => {
  it('begins with an example of the parameters', () => {
    const first = firstInput({ parameters: { type: 'object', properties: { name: { type: 'string', default: 'Ada' } } } });
    expect(first.kind).toBe('tool');
    expect(JSON.parse(first.args)).toEqual({ name: 'Ada' });
  });
  it('begins with a request for a function that wants the raw body', () => {
    expect(firstInput({ permissions: { rawBody: true } }).kind).toBe('http');
  });
});

describe('inputOf', () => {
  it.each<[string, Partial<RunInput>]>([
    ['arguments', { kind: 'tool', args: '{\n  "a": 1\n}' }],
    ['a request', { kind: 'http', method: 'PUT', path: '/x', query: [{ name: 'a', value: '1' }], headers: [{ name: 'X-A', value: 'b' }], body: '{\n  "n": 1\n}' }],
    ['a request with a text', { kind: 'http', path: '/', body: 'a=b' }],
    ['a schedule', { kind: 'cron' }],
    ['every digit of arguments', { kind: 'tool', args: '{\n  "n": 12345678901234567890,\n  "z": -0,\n  "x": 1e400,\n  "x": 0.10\n}' }],
    ['every digit of a request', { kind: 'http', path: '/', body: '{\n  "n": 12345678901234567890\n}' }],
  ])('makes %s again', (_, part) => {
    const made = buildBody(input(part));
    expect(made.ok && inputOf(readJson(made.body), firstInput(undefined))).toMatchObject(part);
  });
});

describe('numbers of many digits', () => {
  const args = '{"n": 12345678901234567890}';
  it('are sent as they are written', () => expect(buildBody(input({ kind: 'tool', args }))).toEqual({ ok: true, body: `{"args":${args}}` }));
  it('are not shown by a form', () => expect(formValue(args).ok).toBe(false));
});

it('a text that is no value yet stops the call', () => {
  const built = buildBody(input({ kind: 'tool', drafts: { '/a/b': { text: '1x', problem: 'not a number' } } }));
  expect(built).toEqual({ ok: false, field: 'args', problem: 'a.b: not a number' });
});

describe('copies', () => {
  const call: CallText = { url: 'http://127.0.0.1:1/x', agent: 'mia', name: 'greet', body: `{"a":"it's"}`, dataDir: "/home/o'neil/data", key: 'k', caller: 'anonymous' };
  const clock = '2026-12-31T23:59:50+01:00[Europe/Berlin]';
  it('carry the clock', () => {
    expect(asCurl({ ...call, clock })).toContain(`-H 'Benchtop-Clock: ${clock}'`);
    expect(asCli({ ...call, body: '{}', clock })).toContain(`--at '${clock}'`);
    expect(asFetch({ ...call, clock })).toContain(`"Benchtop-Clock": "${clock}"`);
    expect([asCurl(call), asCli({ ...call, body: '{}' }), asFetch(call)].join()).not.toMatch(/Clock|--at/);
  });
  it('quote for the shell and read the key from its file', () => {
    const text = asCurl(call);
    expect(text).toContain(`'{"a":"it'\\''s"}'`);
    expect(text).toContain(`$(cat '/home/o'\\''neil/data/owner.key')`);
    expect(text).toContain(`'Idempotency-Key: k'`);
    expect(text).toContain(`'Benchtop-Caller: anonymous'`);
  });
  it('leave the owner out', () => {
    expect(asCurl({ ...call, caller: 'owner' })).not.toContain('Benchtop-Caller');
    expect(asCli({ ...call, caller: 'owner' })).not.toContain('--as');
  });
  it('are JavaScript that says the same', () => {
    const text = asFetch(call);
    expect(text).toContain(JSON.stringify(call.body));
    expect(text).toContain('process.env.BENCHTOP_KEY');
  });
  it.each([
    ['{"args":{"n": 12345678901234567890}}', `--args '{"n": 12345678901234567890}'`],
    ['{"method":"PUT","path":"/x","query":{"a":"1 2"},"headers":{"X-A":"b"},"body":{"n":1}}', `--http 'PUT /x?a=1+2' \\\n  --header 'X-A: b' \\\n  --body '{"n":1}'`],
    ['{"method":"PUT","body":{"n":12345678901234567890}}', `--body '{"n":12345678901234567890}'`],
    ['{"method":"PUT","body":"a text"}', `--body 'a text'`],
    ['{"method":"PUT","body":"@a/file"}', `--body '"@a/file"'`],
    ['{"method":"PUT","body":"12"}', `--body '"12"'`],
    ['{"args":{}}', '--as anonymous'],
    ['{}', '--cron'],
  ])('are a command line: %s', (body, want) => expect(asCli({ ...call, body })).toContain(want));
});

describe('quantile', () => {
  it.each([
    [[], 0.5, 0],
    [[3], 0.5, 3],
    [[1, 2, 3, 4], 0.5, 2.5],
    [[4, 1, 3, 2], 1, 4],
  ])('of %j at %d is %d', (values, share, want) => expect(quantile(values, share)).toBe(want));
});
