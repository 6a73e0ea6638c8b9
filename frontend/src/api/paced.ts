/** Rows that a person can follow in a second, roughly: what comes faster is shown together. */
const rowsPerSecond = 100;
/** How long a change waits for others at most, in ms. */
const longestMs = 200;
/** After how long a page that draws nothing, because nobody sees it, takes its changes in all the same, in ms. */
const unseenMs = 1_000;

/**
 * Runs things before the next picture. Each says how many rows it changed: after
 * many of them the next one waits, so that a storm is a few changes a second and
 * not as many as the machine can draw. A single row shows at once.
 */
export function paced(now: () => number = () => performance.now()): (run: () => number) => void {
  let free = -Infinity;
  return (run) => {
    const draw = () => {
      const stop = () => {
        cancelAnimationFrame(frame);
        clearTimeout(timer);
        free = now() + Math.min(longestMs, (run() * 1000) / rowsPerSecond);
      };
      const frame = requestAnimationFrame(stop);
      const timer = setTimeout(stop, unseenMs);
    };
    const rest = free - now();
    if (rest > 0) setTimeout(draw, rest);
    else draw();
  };
}
