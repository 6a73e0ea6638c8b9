import { fromBase64 } from './base64';
import { bodyText, headerOf, type Exchange } from './exchange';

/** Bytes of a body that are shown where it is neither text nor a picture. */
export const dumped = 512;

/** The media type that an answer names, in small letters and without its parameters. */
export const typeOfAnswer = (x: Exchange): string => headerOf(x, 'content-type').split(';')[0]!.trim().toLowerCase();

/** Whether an answer says that it is a picture that a browser draws. SVG is one too: in an img nothing of it runs, and nothing is loaded. */
export const isPicture = (x: Exchange): boolean => /^image\/(png|jpeg|gif|webp|svg\+xml)$/.test(typeOfAnswer(x));

/** The body as a text for people; undefined when it is none. Whatever has a zero byte is none, also where it could be read as UTF-8. */
export function readable(x: Exchange): string | undefined {
  const text = bodyText(x);
  return text?.includes('\0') ? undefined : text;
}

/** The first bytes of a body. */
export function firstBytes(x: Exchange, most = dumped): Uint8Array {
  const out = new Uint8Array(most);
  let at = 0;
  for (const { text, b64 } of x.chunks) {
    // Four characters are three bytes, and a character has a byte at least.
    const bytes = b64 === undefined ? new TextEncoder().encode((text ?? '').slice(0, most - at)) : fromBase64(b64.slice(0, Math.ceil((most - at) / 3) * 4));
    const part = bytes.subarray(0, most - at);
    out.set(part, at);
    at += part.length;
    if (at === most) break;
  }
  return out.subarray(0, at);
}

/** Bytes by sixteen in a row: where it begins, in hex, and the letters among them. */
export function hexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const hex = row.map((b, i) => (i === 8 ? ' ' : '') + hexOf(b, 2)).join(' ');
    const letters = row.map((b) => (b >= 0x20 && b < 0x7f ? String.fromCharCode(b) : '.')).join('');
    lines.push(`${hexOf(at, 4)}  ${hex.padEnd(48)}  ${letters}`);
  }
  return lines.join('\n');
}

const hexOf = (n: number, digits: number): string => n.toString(16).padStart(digits, '0');

const endings: Record<string, string> = {
  'application/gzip': 'gz',
  'application/javascript': 'js',
  'application/pdf': 'pdf',
  'application/wasm': 'wasm',
  'application/x-ndjson': 'jsonl',
  'application/yaml': 'yaml',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/javascript': 'js',
  'text/markdown': 'md',
  'video/mp4': 'mp4',
};

/** The name under which an answer is saved: the one that it gives itself, else the last part of its path, ending by its type. */
export function fileNameOf(x: Exchange): string {
  const given = plainName(dispositionName(headerOf(x, 'content-disposition')));
  if (given) return given;
  const parts = x.request.path.split(/[?#]/)[0]!.split('/').filter(Boolean);
  const last = plainName(unescaped(parts.at(-1) ?? '')) || 'body';
  return /\.[a-z][a-z0-9]{0,9}$/i.test(last) ? last : `${last}.${endingOf(typeOfAnswer(x))}`;
}

function endingOf(type: string): string {
  if (endings[type]) return endings[type];
  if (/[/+]json$/.test(type)) return 'json';
  if (/[/+]xml$/.test(type)) return 'xml';
  return type.startsWith('text/') ? 'txt' : 'bin';
}

/** The name in a Content-Disposition: the one with a character set before the plain one, as RFC 6266 has it. */
function dispositionName(header: string): string {
  const coded = /;\s*filename\*\s*=\s*"?utf-8'[^']*'([^;"]+)/i.exec(header)?.[1];
  if (coded !== undefined) return unescaped(coded.trim());
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
  return /;\s*filename\s*=\s*([^;"]+)/i.exec(header)?.[1]?.trim() ?? '';
}

/** A name and no path, and nothing that would hide the file or turn its letters around. */
const plainName = (name: string): string =>
  name
    .split(/[\\/]/)
    .at(-1)!
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .slice(0, 120);

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
