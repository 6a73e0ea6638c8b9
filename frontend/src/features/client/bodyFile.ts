import type { ClientRequest } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { bytes, visible } from '../../ui/format';
import { toBase64 } from './base64';

/** What the platform takes in one request of this place. */
export const mostBytes = 16 * 1024 * 1024;

/**
 * A file that is sent as a body. Its bytes are those of the moment in which it
 * was chosen and stay in this page; what outlives the page is the name. The name
 * is empty while none was chosen.
 */
export interface BodyFile {
  name: string;
  type?: string;
  bytes?: Uint8Array<ArrayBuffer>;
}

/** Reads a chosen file. Throws in words when it is too large, or cannot be read. */
export async function readFile(file: File): Promise<BodyFile> {
  if (file.size > mostBytes) throw new Error(t('{name} has {size}; a body has {most} at most.', { name: visible(file.name), size: bytes(file.size), most: bytes(mostBytes) }));
  return { name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** What is kept of a file after the page: that there was one. */
export const namedFile = ({ name }: BodyFile): BodyFile => ({ name });

export const sameFile = (a: BodyFile | undefined, b: BodyFile | undefined): boolean => a === b || (a !== undefined && b !== undefined && a.name === b.name && a.bytes === b.bytes);

/** Why a file cannot be sent. */
export function problemOfFile({ name, bytes }: BodyFile): string | undefined {
  if (!name) return t('Choose the file that is to be sent');
  return bytes ? undefined : t('Choose {name} again: files are not kept', { name: visible(name) });
}

/** The Content-Type with which a file goes out when the headers name none. */
export const typeOfFile = (file: BodyFile): string => file.type || 'application/octet-stream';

const isType = (name: string): boolean => name.trim().toLowerCase() === 'content-type';

/** A request with the type of its file, unless it has one. */
export function typed(r: ClientRequest, file: BodyFile): ClientRequest {
  const headers = r.headers ?? [];
  return headers.some((h) => isType(h.name)) ? r : { ...r, headers: [...headers, { name: 'Content-Type', value: typeOfFile(file) }] };
}

/** A request with its file in it, as the platform takes it. */
export function withFile(r: ClientRequest, file: BodyFile | undefined): ClientRequest {
  return file?.bytes ? { ...typed(r, file), bodyB64: toBase64(file.bytes) } : r;
}

/** The Content-Type that header lines have, if they have one. */
export const writtenType = (lines: string): string | undefined => lines.split('\n').find((line) => isType(line.split(':')[0]!) && line.includes(':'));

/** Header lines for a file: a type that nobody wrote but the editor was filled with makes way for the file's own. */
export function linesForFile(lines: string, filled: string): string {
  const line = writtenType(lines);
  if (line === undefined || line !== writtenType(filled)) return lines;
  return lines
    .split('\n')
    .filter((l) => l !== line)
    .join('\n');
}

/** Header lines for a text again: what made way for a file is back. */
export function linesForText(lines: string, filled: string): string {
  const line = writtenType(filled);
  if (line === undefined || writtenType(lines) !== undefined) return lines;
  return [...lines.split('\n').filter((l) => l.trim() !== ''), line].join('\n');
}
