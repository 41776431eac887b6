// How a person looks at a module: what is hovered, pinned, grouped, filtered and zoomed. Each function is an action: it takes the state
// and returns what changes, with everything it resets.

import type { Change } from './choose';
import type { State } from './state';

export const look = {
  /** A row of the buffers; null leaves it. */
  hover(_: State, row: number | null): Change {
    return { hovered: row };
  },

  hoverPoint(_: State, point: number | null): Change {
    return { hoveredPoint: point };
  },

  /** A place on a picture of both. */
  hoverPlace(_: State, row: number | null, point: number | null): Change {
    return { hovered: row, hoveredPoint: point };
  },

  pin(_: State, row: number | null): Change {
    return { pinned: row };
  },

  /** Pins a buffer, or unpins the one that is pinned. */
  togglePin({ pinned }: State, row: number | null): Change {
    return { pinned: row === pinned ? null : row };
  },

  /** Pins a buffer that a link names: what was hovered no longer stands before it. */
  showBuffer(_: State, row: number): Change {
    return { pinned: row, hovered: null };
  },

  unpin(): Change {
    return { pinned: null, hovered: null };
  },

  /** A path of groups means nothing in another grouping. */
  groupBy(state: State, group: string): Change {
    return group === state.group ? {} : { group, groupPath: [] };
  },

  /** Usage as bands of groups. A path of groups means nothing in another grouping. */
  stackBy(state: State, group: string): Change {
    return group === state.group ? { chart: 'stacked' } : { chart: 'stacked', group, groupPath: [] };
  },

  /** Usage as one line. */
  showLine(): Change {
    return { chart: 'line' };
  },

  /** Another expression makes other groups. */
  groupByExpression(_: State, expression: string): Change {
    return { expression, groupPath: [] };
  },

  drill(_: State, groupPath: readonly string[]): Change {
    return { groupPath };
  },

  drillUp({ groupPath }: State): Change {
    return groupPath.length === 0 ? {} : { groupPath: groupPath.slice(0, -1) };
  },

  filterBy(_: State, filter: string): Change {
    return { filter };
  },

  /** A stretch `[a, b)` of points; the selected point comes back when the window ends. */
  selectWindow(_: State, window: readonly [number, number]): Change {
    return { window };
  },

  setWithin(_: State, within: boolean): Change {
    return { within };
  },

  /** A stretch `[a, b)` of points; null shows all. */
  zoomTo(_: State, zoom: State['zoom']): Change {
    return { zoom };
  },

  /** Leaves the innermost choice: the pinned buffer, then the group, then the window. */
  letGo({ pinned, groupPath, window }: State): Change {
    if (pinned !== null) return look.unpin();
    if (groupPath.length > 0) return { groupPath: [] };
    return window === null ? {} : { window: null };
  },

  setTheme(_: State, theme: State['theme']): Change {
    return { theme };
  },

  // --- what searches found -----------------------------------------------------------------------------------------------

  filterFound(_: State, filterRows: Uint8Array | null, filterProblem: string | null = null): Change {
    return { filterRows, filterProblem };
  },

  namesFound(_: State, instructionNames: State['instructionNames'], expressionProblem: string | null = null): Change {
    return { instructionNames, expressionProblem };
  },

  /** What was found in one dataset means nothing in another. */
  forgetFound(): Change {
    return { filterRows: null, filterProblem: null, instructionNames: null, expressionProblem: null };
  },
};
