import { t } from '../../i18n/t';
import { fromBase64 } from './base64';

/** Bytes that a message into a WebSocket has at most. */
export const mostOfMessage = 1024 * 1024;

/** Bytes of a text in hex, as people write it and as dumps have it: with or without spaces, colons, commas, 0x and \x. Throws in words. */
export function readHex(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replace(/0x|\\x|[\s,:-]/gi, '');
  const wrong = /[^0-9a-f]/i.exec(digits);
  if (wrong) throw new Error(t('{letter} is no digit of hex: write 0 to 9 and a to f', { letter: wrong[0] }));
  if (digits.length % 2 === 1) throw new Error(t('A digit is missing: a byte has two, and these are {n}', { n: digits.length }));
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Bytes of a text in base64, of either alphabet and with or without its end. Throws in words. */
export function readBase64(text: string): Uint8Array<ArrayBuffer> {
  const letters = text.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/');
  try {
    return fromBase64(letters);
  } catch {
    throw new Error(t('That is no base64'));
  }
}

/** The first bytes of a binary message in hex, on one line. */
export const hexBrief = (bytes: Uint8Array, most: number): string => [...bytes.subarray(0, most)].map((b) => b.toString(16).padStart(2, '0')).join(' ') + (bytes.length > most ? ' …' : '');
