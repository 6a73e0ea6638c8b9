import { whenIdle } from '../ui/idle';

/**
 * Fetches the parts of the page that a place needs, without running them yet.
 * The build names them in the document; in one that was not built there are none.
 * Nobody may ever go to a place that is fetched for later: a style sheet that
 * was promised for now and is not used is a warning in the browser's console.
 */
export function fetchParts(place: string, when: 'now' | 'later' = 'now'): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>(`link[data-for="${place}"]`)) {
    link.rel = link.as !== 'style' ? 'modulepreload' : when === 'now' ? 'preload' : 'prefetch';
  }
}

/**
 * Runs the workbench's parts behind the picture that is now to be drawn: for
 * whoever goes there next, loading them is half of the way to the editor. What
 * cannot be loaded now is asked for again when somebody goes there.
 */
export function warmWorkbench(): void {
  fetchParts('functions');
  const load = () => void import('../features/functions/FunctionsScreen').catch(() => undefined);
  requestAnimationFrame(() => whenIdle(load, 0));
}
