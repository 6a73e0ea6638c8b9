import type { HeaderPair } from '../../api/contract.gen';
import { t } from '../../i18n/t';

export type Scheme = 'stripe' | 'slack' | 'github' | 'generic';

export const schemes: { value: Scheme; label: string; sets: string }[] = [
  { value: 'stripe', label: 'Stripe', sets: 'Stripe-Signature' },
  { value: 'slack', label: 'Slack', sets: t('X-Slack-Signature and its timestamp') },
  { value: 'github', label: 'GitHub', sets: 'X-Hub-Signature-256' },
  { value: 'generic', label: t('HMAC of another sender'), sets: t('a header of your choice') },
];

/** How a sender without a scheme of its own writes its HMAC. */
export interface Generic {
  header: string;
  hash: 'SHA-256' | 'SHA-1' | 'SHA-512';
  encoding: 'hex' | 'base64';
  /** Stands before the signature, such as "sha256=". */
  prefix: string;
}

export const generic: Generic = { header: 'X-Signature', hash: 'SHA-256', encoding: 'hex', prefix: '' };

/** Whether this page can sign: it needs a secure context. */
export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined;

/** The headers with which a sender of webhooks proves that it knows the secret. Seconds are since the epoch. */
export async function signatureOf(scheme: Scheme, secret: string, body: BlobPart, seconds: number, as: Generic = generic): Promise<HeaderPair[]> {
  switch (scheme) {
    case 'stripe':
      return [{ name: 'Stripe-Signature', value: `t=${seconds},v1=${await hmac(secret, [`${seconds}.`, body])}` }];
    case 'slack':
      return [
        { name: 'X-Slack-Request-Timestamp', value: String(seconds) },
        { name: 'X-Slack-Signature', value: `v0=${await hmac(secret, [`v0:${seconds}:`, body])}` },
      ];
    case 'github':
      return [{ name: 'X-Hub-Signature-256', value: `sha256=${await hmac(secret, [body])}` }];
    case 'generic':
      return [{ name: as.header, value: as.prefix + (await hmac(secret, [body], as)) }];
  }
}

async function hmac(secret: string, parts: BlobPart[], { hash, encoding }: Pick<Generic, 'hash' | 'encoding'> = generic): Promise<string> {
  const utf8 = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash }, false, ['sign']);
  const made = new Uint8Array(await crypto.subtle.sign('HMAC', key, await new Blob(parts).arrayBuffer()));
  if (encoding === 'base64') return btoa(String.fromCharCode(...made));
  return Array.from(made, (b) => b.toString(16).padStart(2, '0')).join('');
}

/** Header lines with some headers set, in place of those of the same names. */
export function withHeaders(lines: string, set: readonly HeaderPair[]): string {
  const names = new Set(set.map((h) => h.name.toLowerCase()));
  const kept = lines.split('\n').filter((l) => l.trim() !== '' && !names.has(l.slice(0, Math.max(0, l.indexOf(':'))).trim().toLowerCase()));
  return [...kept, ...set.map((h) => `${h.name}: ${h.value}`)].join('\n');
}
