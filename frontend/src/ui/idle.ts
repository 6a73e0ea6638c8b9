/** Longest wait for an idle moment, in ms. */
const longest = 1_000;
/** Stands for it where a browser does not tell: WebKit. */
const instead = 150;

/** Does something when the page has nothing else to do, soon at the latest; where a browser does not tell, after a wait in ms. */
export function whenIdle(task: () => void, otherwise = instead): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => task(), { timeout: longest });
  else setTimeout(task, otherwise);
}
