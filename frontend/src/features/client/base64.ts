/** Bytes of a base64 text. */
export function fromBase64(b64: string): Uint8Array<ArrayBuffer> {
  const letters = atob(b64);
  const out = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) out[i] = letters.charCodeAt(i);
  return out;
}
