export type Link = { kind: 'place'; to: string } | { kind: 'web'; to: string; host: string };

/**
 * Where the link of a message leads: a place of this page, or an address outside
 * that is named before it is opened. Anything else a function wrote is no link.
 */
export function linkOf(text: string | undefined): Link | undefined {
  if (!text) return undefined;
  if (/^\/(?![/\\])/.test(text)) return { kind: 'place', to: text };
  try {
    const url = new URL(text);
    if (url.protocol === 'https:' || url.protocol === 'http:') return { kind: 'web', to: url.href, host: url.host };
  } catch {
    // No address at all.
  }
  return undefined;
}
