/** Whether the event loop has turned between moments: it is where signals are heard. */
export class Turns {
  /** For every moment but the last, whether it had turned by the next one. */
  readonly afterEach: boolean[] = [];
  #hasTurned: boolean | undefined;

  note(): void {
    if (this.#hasTurned !== undefined) this.afterEach.push(this.#hasTurned);
    this.#hasTurned = false;
    setImmediate(() => {
      this.#hasTurned = true;
    });
  }
}
