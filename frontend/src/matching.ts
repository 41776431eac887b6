// Keeps the store's search results in step with what was typed: the filter of buffers and the grouping expression. Knows no view.

import { containsText, type Found, Matcher, parsePattern } from './lib/pattern';
import type { Watched } from './lib/store';
import type { Dataset } from './model/dataset';
import { rowsFound, searchTexts } from './model/groups/texts';
import type { Actions } from './state/actions';
import type { State } from './state/state';

export interface MatchingContext {
  readonly store: Watched<State>;
  readonly dataset: Dataset;
  readonly actions: Pick<Actions, 'filterFound' | 'namesFound' | 'forgetFound'>;
}

/** Watches the store until the function that it returns is called. */
export function keepMatches({ store, dataset, actions }: MatchingContext): () => void {
  const filterMatcher = new Matcher();
  const groupMatcher = new Matcher();
  let ended = false;
  // Both kinds of text in one list, so that one question to the worker answers for both.
  let joined: readonly string[] | null = null;
  const allTexts = (): readonly string[] => {
    const { instructions, shapes } = searchTexts(dataset);
    joined ??= [...instructions, ...shapes];
    return joined;
  };
  const rowsOf = (names: readonly (string | null)[]): Uint8Array => {
    const split = searchTexts(dataset).instructions.length;
    return rowsFound(dataset, names.slice(0, split), names.slice(split));
  };

  const findFilter = async (typed: string): Promise<void> => {
    const pattern = parsePattern(typed);
    if (pattern.kind !== 'expression') {
      filterMatcher.cancel();
      actions.filterFound(pattern.kind === 'none' ? null : rowsOf(containsText(allTexts(), pattern.text)));
      return;
    }
    const found = await filterMatcher.find(pattern.source, withLines(pattern.flags), allTexts());
    if (found === null || ended) return;
    if ('problem' in found) actions.filterFound(null, found.problem);
    else actions.filterFound(rowsOf(found.names));
  };

  const findNames = async (typed: string): Promise<void> => {
    const found = await namesOf(groupMatcher, typed, searchTexts(dataset).instructions);
    if (found === null || ended) return;
    if ('problem' in found) actions.namesFound(null, found.problem);
    else actions.namesFound(found.names);
  };

  const look = (state: State, previous: State | null): void => {
    if (state.filter !== previous?.filter) void findFilter(state.filter);
    const wanted = state.group === 'expression';
    const changed = state.expression !== previous?.expression || previous.group !== 'expression';
    if (wanted && changed) void findNames(state.expression);
  };
  const stop = store.subscribe(look);
  look(store.state, null);
  return () => {
    ended = true;
    stop();
    filterMatcher.cancel();
    groupMatcher.cancel();
    actions.forgetFound();
  };
}

/** A grouping expression needs no slashes around it. */
function namesOf(matcher: Matcher, typed: string, texts: readonly string[]): Promise<Found | null> {
  const pattern = parsePattern(typed);
  if (pattern.kind === 'none') {
    matcher.cancel();
    return Promise.resolve({ names: texts.map(() => null) });
  }
  if (pattern.kind === 'text') return matcher.find(pattern.text, 'm', texts);
  return matcher.find(pattern.source, withLines(pattern.flags), texts);
}

function withLines(flags: string): string {
  return flags.includes('m') ? flags : `${flags}m`;
}
