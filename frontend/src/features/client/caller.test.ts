import { describe, expect, it } from 'vitest';
import { namedCaller, sentCaller, withFields } from './caller';

describe('callers', () => {
  it('are sent without spaces and without what is empty', () => {
    expect(sentCaller({ kind: 'bearer', token: ' a.b ', payment: '' })).toEqual({ kind: 'bearer', token: 'a.b' });
    expect(sentCaller({ kind: 'visitor', id: 'v', payment: ' p\n' })).toEqual({ kind: 'visitor', id: 'v', payment: 'p' });
  });
  it('are remembered without credentials', () => {
    expect(namedCaller({ kind: 'bearer', token: 'secret', payment: 'secret' })).toEqual({ kind: 'bearer' });
    expect(namedCaller({ kind: 'visitor', id: 'v', payment: 'secret' })).toEqual({ kind: 'visitor', id: 'v' });
  });
  it('get back what is in the fields, if it is theirs', () => {
    expect(withFields({ kind: 'bearer' }, { kind: 'bearer', token: 'x', payment: 'p' })).toEqual({ kind: 'bearer', token: 'x', payment: 'p' });
    expect(withFields({ kind: 'owner' }, { kind: 'bearer', token: 'x', payment: 'p' })).toEqual({ kind: 'owner', payment: 'p' });
    expect(withFields({ kind: 'owner' }, { kind: 'bearer', token: 'x' })).toEqual({ kind: 'owner' });
  });
});
