/** A state that several parts of the page look at. */
export class Watched<S> {
  private readonly listeners = new Set<() => void>();

  constructor(protected state: S) {}

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  snapshot = (): S => this.state;

  protected set(change: Partial<S>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  /** Resolves when the state is what is asked for. */
  protected until(is: (state: S) => boolean): Promise<void> {
    return new Promise((done) => {
      const look = () => {
        if (!is(this.state)) return;
        stop();
        done();
      };
      const stop = this.subscribe(look);
      look();
    });
  }
}
