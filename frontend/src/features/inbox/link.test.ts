import { describe, expect, it } from 'vitest';
import { linkOf } from './link';

describe('linkOf', () => {
  it.each([
    ['/a/mia/activity', { kind: 'place', to: '/a/mia/activity' }],
    ['https://example.org/x?y', { kind: 'web', to: 'https://example.org/x?y', host: 'example.org' }],
    ['http://good.example@evil.example/', { kind: 'web', to: 'http://good.example@evil.example/', host: 'evil.example' }],
  ])('%s leads somewhere', (text, want) => expect(linkOf(text)).toEqual(want));
  it.each([undefined, '', 'javascript:alert(1)', 'data:text/html,x', '//evil.example', '/\\evil.example', 'file:///etc/passwd', 'a/b', 'JaVaScRiPt:x'])(
    '%s leads nowhere',
    (text) => expect(linkOf(text)).toBeUndefined(),
  );
});
