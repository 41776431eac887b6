// One request at a time: a new request ends the previous one, whose late answer is dropped.

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
