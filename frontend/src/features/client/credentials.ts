const credential = /authoriz|authent|(^|-)auth($|-)|cookie|token|secret|passw|(api|access|private|subscription|functions)-?key|signature|credential|session|^x-payment|assertion/i;

/** Whether a header of that name holds a credential. The platform never writes its value to a file. */
export const isCredential = (header: string): boolean => credential.test(header);

const fields = /((?:^|[?&])(?:[\w.-]*(?:token|secret|password|passwd|authorization|credentials?|signature|(?:api|access|private)[_-]?key)|sig|jwt|pwd)=)[^&#]+/gi;

/** A path without the values of its query that are credentials by their name. */
export const withoutFields = (path: string): string => path.replace(fields, '$1');

const forms = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|\b(?:rb_|sk-|sk_live_|sk_test_|github_pat_|gh[opsur]_|whsec_|xox[abeoprs]-)[\w+/=-]{16,}/g;

/** A text without what has the form of a credential, whatever it is called. */
export const withoutForms = (text: string): string => text.replace(forms, '…');

/** The same of bytes in base64. */
export function withoutFormsIn(b64: string): string {
  const letters = atob(b64);
  const kept = withoutForms(letters);
  return kept === letters ? b64 : btoa(kept.replaceAll('…', '...'));
}

/** The same of all texts of a value. */
export function withoutFormsDeep<T>(value: T): T {
  if (typeof value === 'string') return withoutForms(value) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => withoutFormsDeep(one)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutFormsDeep(one as unknown)])) as T;
}
