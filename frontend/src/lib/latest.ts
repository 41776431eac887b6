// One question at a time: a new one ends the one before it, whose late answer nobody waits for.

export class Latest {
  #controller = new AbortController();

  /** Ends the question before, and gives the signal of the new one. */
  next(): AbortSignal {
    this.#controller.abort();
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  stop(): void {
    this.#controller.abort();
  }
}
