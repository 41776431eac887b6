/**
 * What a user types to search by: plain text, or `/expression/flags`. Expressions run in a worker that is ended when it takes too
 * long, because a single match of an unlucky expression can take for ever and nothing can interrupt it from inside.
 * It knows texts, not buffers.
 */

import { serve } from './pattern_serve';

export type Pattern =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly source: string; readonly flags: string };

/** For each text the name that the expression gives it: its first group, else what it matched; null where it does not match. */
export type Found = { readonly names: readonly (string | null)[] } | { readonly problem: string };

export const TIME_LIMIT_MS = 500;

const DELIMITED = /^\/(.+)\/([a-z]*)$/;

/** Text without slashes around it is plain text; a lone slash or an unfinished `/expression` is plain text too. */
export function parsePattern(typed: string): Pattern {
  const text = typed.trim();
  if (text === '') return { kind: 'none' };
  const match = DELIMITED.exec(text);
  return match === null
    ? { kind: 'text', text }
    : { kind: 'expression', source: match[1] as string, flags: match[2] as string };
}

/** Why an expression cannot be used, in the browser's words; null when it can. */
export function expressionProblem(source: string, flags: string): string | null {
  try {
    new RegExp(source, flags);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Plain text, letter case aside. */
export function containsText(texts: readonly string[], text: string): (string | null)[] {
  // Lower-case copies of all texts would cost more than the search itself.
  const wanted = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'i');
  return texts.map((candidate) => (wanted.test(candidate) ? text : null));
}

/**
 * Asks one question at a time, each for at most TIME_LIMIT_MS. A newer question ends the one before it, which is answered null.
 * Whoever searches on its own behalf has its own Matcher.
 */
export class Matcher {
  #worker: Worker | null = null;
  #held: readonly string[] | null = null;
  #asked = 0;
  #giveUp: (() => void) | null = null;

  find(source: string, flags: string, texts: readonly string[]): Promise<Found | null> {
    this.cancel();
    const problem = expressionProblem(source, flags);
    if (problem !== null) return Promise.resolve({ problem });
    return new Promise((resolve) => {
      this.#giveUp = (): void => resolve(null);
      this.#ask(source, flags, texts, (found) => {
        this.#giveUp = null;
        resolve(found);
      });
    });
  }

  /** Ends the question that is being worked on, if any. */
  cancel(): void {
    if (this.#giveUp === null) return;
    this.#giveUp();
    this.#giveUp = null;
    this.#end();
  }

  #ask(source: string, flags: string, texts: readonly string[], answer: (found: Found) => void): void {
    const ask = ++this.#asked;
    this.#worker ??= startWorker();
    const worker = this.#worker;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = (problem: string): void => {
      // A question that was ended already must not end the worker of a newer one.
      if (ask !== this.#asked) return;
      clearTimeout(timer);
      this.#end();
      answer({ problem });
    };
    worker.onerror = (event): void => stop(event.message || 'Regular expressions are not available here.');
    worker.onmessage = (event: MessageEvent<{ ask: number; names?: (string | null)[] }>): void => {
      if (event.data.ask !== ask) return;
      if (event.data.names === undefined) {
        timer = setTimeout(
          () => stop(`The expression took longer than ${TIME_LIMIT_MS} ms and was stopped.`),
          TIME_LIMIT_MS,
        );
        return;
      }
      clearTimeout(timer);
      answer({ names: event.data.names });
    };
    worker.postMessage({ ask, source, flags, ...(this.#held === texts ? {} : { texts }) });
    this.#held = texts;
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#held = null;
  }
}

/** The worker's own file, beside the page. */
const WORKER_FILE = 'matcher.js';

/** A report in one file has no file beside it: there the worker is made of its own text. */
function startWorker(): Worker {
  if (!('memviewerAnswers' in globalThis)) return new Worker(WORKER_FILE);
  const url = URL.createObjectURL(new Blob([`(${serve.toString()})(self)`], { type: 'text/javascript' }));
  return new Worker(url);
}
