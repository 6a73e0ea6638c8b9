import { t } from '../../i18n/t';

export interface EnvLine {
  name: string;
  value: string;
}

/**
 * Reads the text of a .env file: NAME=value lines, with or without "export",
 * values bare, in single quotes as they stand, or in double quotes with \n, \t,
 * \" and \\; a quoted value may go over several lines. A "#" behind a space
 * begins a comment. The last line of a name counts. What is none of this is a
 * problem, named by its line and never by what is in it.
 */
export function parseEnv(text: string): { lines: EnvLine[]; problems: string[] } {
  const found = new Map<string, string>();
  const problems: string[] = [];
  const rest = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const entry = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*(?:'([^']*)'|"((?:[^"\\]|\\[^])*)"|([^\n]*?))[ \t]*(?:(?<=[\s'"=])#[^\n]*)?$/my;
  for (let at = 0, line = 1; at < rest.length; ) {
    const end = rest.indexOf('\n', at);
    const stop = end < 0 ? rest.length : end;
    const whole = rest.slice(at, stop);
    let next = stop + 1;
    if (whole.trim() !== '' && !whole.trimStart().startsWith('#')) {
      entry.lastIndex = at;
      const m = entry.exec(rest);
      const bare = m?.[4];
      if (!m || (bare !== undefined && /^['"]/.test(bare))) problems.push(/^[^'"]*=[ \t]*['"]/.test(whole) ? t('Line {line} opens a quote that does not close, or has something behind it.', { line }) : t('Line {line} is not NAME=value.', { line }));
      else {
        found.delete(m[1]!);
        found.set(m[1]!, m[2] ?? (m[3] !== undefined ? unescaped(m[3]) : (bare ?? '').trim()));
        next = entry.lastIndex + 1;
      }
    }
    line += rest.slice(at, next).split('\n').length - 1;
    at = next;
  }
  return { lines: [...found].map(([name, value]) => ({ name, value })), problems };
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

function unescaped(text: string): string {
  return text.replace(/\\([^])/g, (_, c: string) => escapes[c] ?? c);
}
