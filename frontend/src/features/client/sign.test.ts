import { describe, expect, it } from 'vitest';
import { generic, signatureOf, withHeaders } from './sign';

describe('signatureOf', () => {
  it('signs as GitHub documents it', async () =>
    expect(await signatureOf('github', "It's a Secret to Everybody", 'Hello, World!', 0)).toEqual([
      { name: 'X-Hub-Signature-256', value: 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
    ]));
  it('signs a body alone', async () =>
    expect(await signatureOf('generic', 'key', 'The quick brown fox jumps over the lazy dog', 0, { ...generic, header: 'X-Mine' })).toEqual([
      { name: 'X-Mine', value: 'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8' },
    ]));
  it('signs with another hash, in base64, after a prefix', async () =>
    expect(await signatureOf('generic', 'key', 'The quick brown fox jumps over the lazy dog', 0, { header: 'X-Mine', hash: 'SHA-1', encoding: 'base64', prefix: 'sha1=' })).toEqual([
      { name: 'X-Mine', value: 'sha1=3nybhbi3iqa8ino29wqQcBydtNk=' },
    ]));
  it('signs the time with it for Stripe and Slack', async () => {
    const alone = async (text: string) => (await signatureOf('generic', 'k', text, 0))[0]!.value;
    expect(await signatureOf('stripe', 'k', '{}', 12)).toEqual([{ name: 'Stripe-Signature', value: `t=12,v1=${await alone('12.{}')}` }]);
    expect(await signatureOf('slack', 'k', '{}', 12)).toEqual([
      { name: 'X-Slack-Request-Timestamp', value: '12' },
      { name: 'X-Slack-Signature', value: `v0=${await alone('v0:12:{}')}` },
    ]);
  });
});

describe('withHeaders', () => {
  it('takes the place of headers of the same name', () => expect(withHeaders('A: 1\nx-sig: old\n', [{ name: 'X-Sig', value: 'new' }])).toBe('A: 1\nX-Sig: new'));
});
