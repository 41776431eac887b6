// The latest answer wins: one question at a time, where a new one ends the one before it, whose late answer nobody waits for.

export class Latest {
  #controller = new AbortController();

  /** Ends the question before, and gives the signal of a new one that takes more than one answer. */
  next(): AbortSignal {
    this.#controller.abort();
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  /** The answer to a new question, which ends the one before; null where it is overtaken itself, even by an error. */
  ask<T extends object>(question: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    const signal = this.next();
    return whileWaited(question(signal), signal);
  }

  stop(): void {
    this.#controller.abort();
  }
}

/** An answer, or the error in its place; null for either where nobody waits for it any more. */
export async function whileWaited<T extends object>(asked: Promise<T>, signal: AbortSignal): Promise<T | null> {
  try {
    const answer = await asked;
    return signal.aborted ? null : answer;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
