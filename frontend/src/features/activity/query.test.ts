import { describe, expect, it } from 'vitest';
import type { Agent, InvocationRow } from '../../api/contract.gen';
import { isEmpty, matcher, parseQuery, searchParams, syntax } from './query';

const now = new Date(2026, 10, 20, 12, 0, 0);

describe('parseQuery', () => {
  it.each<[string, Record<string, unknown>]>([
    ['', {}],
    ['greet', { function: ['*greet*'] }],
    ['-greet', { function: ['!*greet*'] }],
    ['fn:greet,quote -fn:old*', { function: ['greet', 'quote', '!old*'] }],
    ['status:ERROR !skill:cron', { status: ['error'], skill: ['!cron'] }],
    ['skill:tool skill:nested', { skill: ['custom_tools', 'function'] }],
    ['code:WALL_*', { code: ['WALL_*'] }],
    ['dur:>500ms dur:<2s', { longerThanMs: '500', shorterThanMs: '2000' }],
    ['dur:>=1.5s', { longerThanMs: '1500' }],
    ['agent:mia', { agent: 'mia' }],
    ['code:"A B" fn:x', { code: ['A B'], function: ['x'] }],
    ['after:1h', { after: new Date(2026, 10, 20, 11).toISOString() }],
    ['before:10:30', { before: new Date(2026, 10, 20, 10, 30).toISOString() }],
    ['after:today', { after: new Date(2026, 10, 20).toISOString() }],
    ['after:yesterday', { after: new Date(2026, 10, 19).toISOString() }],
    ['after:2026-11-19', { after: new Date(2026, 10, 19).toISOString() }],
    ['after:2026-11-19T10:00Z', { after: '2026-11-19T10:00:00.000Z' }],
  ])('reads %s', (text, params) => {
    const query = parseQuery(text, now);
    expect(query.problems).toEqual([]);
    expect(searchParams(query)).toEqual(params);
  });

  it.each(['fn:', '-', 'status:done', 'skill:magic', 'dur:fast', 'dur:500', 'after:soon', 'before:25:00', 'after:2026-13-01', 'colour:red', '-agent:mia'])(
    'says what is wrong with %s, and filters nothing',
    (text) => {
      const query = parseQuery(text, now);
      expect(query.problems).toHaveLength(1);
      expect(query.problems[0]!.message.length).toBeGreaterThan(10);
      expect(isEmpty(query)).toBe(true);
    },
  );

  it('understands its own help', () => {
    for (const { example } of syntax) {
      const query = parseQuery(example, now);
      expect(query.problems, example).toEqual([]);
      expect(isEmpty(query), example).toBe(false);
    }
  });

  it('reads any text without a fault', () => {
    for (const text of ['"', 'a"b c"d', ':::', 'fn:a:b', '-!x', 'fn:"', '   ', 'fn:,', '\u0000']) expect(() => parseQuery(text, now)).not.toThrow();
  });
});

describe('matcher', () => {
  const mia = { id: 'id-1', username: 'mia' } as Agent;
  const row = (over: Partial<InvocationRow>) =>
    ({
      agent_id: 'id-1', function_name: 'greet', source_skill: 'manual', status: 'ok', duration_ms: 40,
      started_at: '2026-11-20T10:00:00.000001Z', ...over,
    }) as InvocationRow;
  it.each<[string, Partial<InvocationRow>, boolean]>([
    ['', {}, true],
    ['gre', {}, true],
    ['fn:gre', {}, false],
    ['fn:gre*', {}, true],
    ['fn:a.c', { function_name: 'abc' }, false],
    ['-status:ok', {}, false],
    ['status:error code:X', { status: 'error', error_code: 'X' as never }, true],
    ['code:*_TIMEOUT', {}, false],
    ['dur:>40ms', {}, false],
    ['dur:>39ms', {}, true],
    ['dur:<41ms', {}, true],
    ['dur:<41ms', { status: 'running', duration_ms: 0 }, false],
    ['dur:<41ms', { source_skill: 'authoring' }, false],
    ['agent:mia', {}, true],
    ['agent:mia', { agent_id: 'id-2' }, false],
    ['agent:nobody', {}, false],
    ['after:2026-11-20T09:00Z', {}, true],
    ['before:2026-11-20T09:00Z', {}, false],
  ])('%s with %o is %s', (text, over, want) => {
    expect(matcher(parseQuery(text, now), [mia])(row(over))).toBe(want);
  });
});
