/** What an error says beside its code: many messages begin with the code, which would stand there twice. */
export function besideCode(code: string | undefined, message: string | undefined): string {
  const text = message ?? '';
  return code && text.startsWith(`${code}: `) ? text.slice(code.length + 2) : text;
}
