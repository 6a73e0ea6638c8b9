import { expect, it } from 'vitest';
import { besideCode } from './errorText';

it('says a code once', () => {
  expect(besideCode('FETCH_FAILED', 'FETCH_FAILED: GET https://a.example: no such host')).toBe('GET https://a.example: no such host');
  expect(besideCode('FETCH', 'FETCH_FAILED: no')).toBe('FETCH_FAILED: no');
  expect(besideCode('WALL_TIMEOUT', undefined)).toBe('');
  expect(besideCode(undefined, 'no')).toBe('no');
});
