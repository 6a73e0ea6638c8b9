/**
 * Fetches the parts of the page that a place needs, without running them yet.
 * The build names them in the document; in one that was not built there are none.
 */
export function fetchParts(place: string): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>(`link[data-for="${place}"]`)) {
    link.rel = link.as === 'style' ? 'preload' : 'modulepreload';
  }
}
