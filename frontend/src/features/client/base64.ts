/** Bytes of a base64 text. */
export function fromBase64(b64: string): Uint8Array<ArrayBuffer> {
  const letters = atob(b64);
  const out = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) out[i] = letters.charCodeAt(i);
  return out;
}

/** The base64 text of bytes. */
export function toBase64(bytes: Uint8Array): string {
  let letters = '';
  // As many as may be the arguments of one call.
  for (let at = 0; at < bytes.length; at += 0x8000) letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(letters);
}
