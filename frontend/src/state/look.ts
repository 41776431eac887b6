// How a person looks at a module: what is hovered, pinned, grouped, filtered and zoomed. Each function is an action: it takes the state
// and returns what changes, with everything it resets.

import type { Change } from './choose';
import type { GroupBy, State } from './state';

/** A row of the buffers; null leaves it. */
export function hover(_: State, row: number | null): Change {
  return { hovered: row };
}

export function hoverPoint(_: State, point: number | null): Change {
  return { hoveredPoint: point };
}

/** A place on a picture of both. */
export function hoverPlace(_: State, row: number | null, point: number | null): Change {
  return { hovered: row, hoveredPoint: point };
}

export function pin(_: State, row: number | null): Change {
  return { pinned: row };
}

/** Pins a buffer, or unpins the one that is pinned. */
export function togglePin({ pinned }: State, row: number | null): Change {
  return { pinned: row === pinned ? null : row };
}

/** Pins a buffer that a link names: what was hovered no longer stands before it. */
export function showBuffer(_: State, row: number): Change {
  return { pinned: row, hovered: null };
}

export function unpin(): Change {
  return { pinned: null, hovered: null };
}

/** A path of groups means nothing in another grouping. */
export function groupBy(state: State, group: GroupBy): Change {
  return group === state.group ? {} : { group, groupPath: [] };
}

/** Another expression makes other groups. */
export function groupByExpression(_: State, expression: string): Change {
  return { expression, groupPath: [] };
}

export function drill(_: State, groupPath: readonly string[]): Change {
  return { groupPath };
}

export function drillUp({ groupPath }: State): Change {
  return groupPath.length === 0 ? {} : { groupPath: groupPath.slice(0, -1) };
}

export function filterBy(_: State, filter: string): Change {
  return { filter };
}

/** A stretch `[a, b)` of points; the selected point comes back when the window ends. */
export function selectWindow(_: State, window: readonly [number, number]): Change {
  return { window };
}

export function setWithin(_: State, within: boolean): Change {
  return { within };
}

/** A stretch `[a, b)` of points; null shows all. */
export function zoomTo(_: State, zoom: State['zoom']): Change {
  return { zoom };
}

/** Leaves the innermost choice: the pinned buffer, then the group, then the window. */
export function letGo({ pinned, groupPath, window }: State): Change {
  if (pinned !== null) return unpin();
  if (groupPath.length > 0) return { groupPath: [] };
  return window === null ? {} : { window: null };
}

export function setTheme(_: State, theme: State['theme']): Change {
  return { theme };
}

// --- what searches found -----------------------------------------------------------------------------------------------

export function filterFound(_: State, filterRows: Uint8Array | null, filterProblem: string | null = null): Change {
  return { filterRows, filterProblem };
}

export function namesFound(
  _: State,
  instructionNames: State['instructionNames'],
  expressionProblem: string | null = null,
): Change {
  return { instructionNames, expressionProblem };
}

/** What was found in one dataset means nothing in another. */
export function forgetFound(): Change {
  return { filterRows: null, filterProblem: null, instructionNames: null, expressionProblem: null };
}
