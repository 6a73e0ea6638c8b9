/** contract.MaxContentBytes: the size of one item, and of a file that is read from a folder. */
export const mostBytes = 8 * 1024 * 1024;

/** How a file can be shown: pictures that cannot run anything, JSON, other text, or not at all. */
export function previewKind(mimeType: string): 'image' | 'json' | 'text' | 'none' {
  const type = mimeType.split(';')[0]!.trim().toLowerCase();
  if (/^image\/(png|jpeg|gif|webp|avif)$/.test(type)) return 'image';
  if (type === 'application/json' || type.endsWith('+json')) return 'json';
  // SVG and HTML are shown as what they are written in.
  if (type.startsWith('text/') || type.endsWith('+xml') || /^application\/(xml|yaml|javascript|x-ndjson|toml)$/.test(type)) return 'text';
  return 'none';
}

/** Bytes as text; undefined when they are none. A character that was cut at the end is left out. */
export function textOf(data: ArrayBuffer): string | undefined {
  const text = new TextDecoder('utf-8').decode(data);
  const whole = text.endsWith('\uFFFD') ? text.replace(/\uFFFD+$/, '') : text;
  return whole.includes('\uFFFD') || whole.includes('\0') ? undefined : whole;
}
