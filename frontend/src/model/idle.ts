// The longest stretch of a buffer's life without a reader. Pure.

/** `[start, end)` of the longest stretch after the defining point `allocated`, up to `freed`; null where there is none. */
export function longestIdle(allocated: number, freed: number, readers: Int32Array): readonly [number, number] | null {
  let best: readonly [number, number] | null = null;
  let from = allocated;
  const consider = (to: number): void => {
    if (to - from > 1 && (best === null || to - from - 1 > best[1] - best[0])) best = [from + 1, to];
    from = to;
  };
  for (const reader of readers) if (reader > allocated && reader < freed) consider(reader);
  consider(freed);
  return best;
}
