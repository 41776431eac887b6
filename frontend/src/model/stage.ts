// The progress of an answer: requested, present, or failed with a message for people.

export interface Trouble {
  readonly code: string;
  readonly message: string;
  readonly advice: string;
}

export interface Failed {
  readonly kind: 'failed';
  readonly error: Trouble;
}

export type Answered<T> = { readonly kind: 'ready'; readonly value: T } | Failed;
export type Stage<T> = { readonly kind: 'waiting' } | Answered<T>;

export const WAITING = { kind: 'waiting' } as const;

/** The answer, null until it is there. */
export function answerOf<T>(stage: Stage<T>): T | null {
  return stage.kind === 'ready' ? stage.value : null;
}
