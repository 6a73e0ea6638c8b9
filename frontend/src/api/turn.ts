/** How long the page may be busy with one thing before a key or a click has its turn, in ms. */
const turnMs = 8;

/**
 * For work that comes in any amount: says after each piece whether the page has
 * to be let go, and waits for what else is due. A timer would be slowed down to
 * one a second where nobody looks; a message is not.
 */
export class Turns {
  private begun = performance.now();

  get over(): boolean {
    return performance.now() - this.begun >= turnMs;
  }

  async next(): Promise<void> {
    await new Promise<void>((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        done();
      };
      port2.postMessage(null);
    });
    this.begun = performance.now();
  }
}
