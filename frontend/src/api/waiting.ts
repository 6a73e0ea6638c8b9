/** How long a person takes for no wait at all, in ms. */
export const unnoticedMs = 400;

/** Waiting knows whether a call has waited for its answer longer than a person does not notice. */
export class Waiting {
  private readonly late = new Set<object>();
  private readonly watchers = new Set<() => void>();

  /** A call begins; the answer ends it. */
  begin(): () => void {
    const call = {};
    const timer = setTimeout(() => {
      this.late.add(call);
      if (this.late.size === 1) this.tell();
    }, unnoticedMs);
    return () => {
      clearTimeout(timer);
      if (this.late.delete(call) && this.late.size === 0) this.tell();
    };
  }

  slow = (): boolean => this.late.size > 0;

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  private tell(): void {
    for (const watcher of this.watchers) watcher();
  }
}
