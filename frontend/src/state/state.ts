// What a person has chosen: everything that a link must carry to show a colleague the same picture, and what is hovered.

import { DEFAULT_GROUPING, type GroupBy } from '../generated/vocabulary';

export type { GroupBy };

/** What the page shows: one module, or the table of all of them. */
export type Shown = 'module' | 'modules';
export type Theme = 'light' | 'dark';

export interface State {
  readonly shown: Shown;
  readonly run: string | null;
  /** null: all hosts. */
  readonly host: string | null;
  readonly module: string | null;
  readonly space: string | null;
  /** The selected program point; null is the peak. */
  readonly point: number | null;
  /** A selected stretch `[a, b)` of points; null where a point is selected. */
  readonly window: readonly [number, number] | null;
  /** Of a window: what was allocated within, instead of what is alive throughout. */
  readonly within: boolean;
  /** A row of the dataset's buffers. */
  readonly pinned: number | null;
  readonly hovered: number | null;
  /** A hovered program point, shared by all charts on the axis. */
  readonly hoveredPoint: number | null;
  readonly group: GroupBy;
  /** The regular expression of grouping by expression. */
  readonly expression: string;
  readonly groupPath: readonly string[];
  /** Text or /expression/ that filters the table and is highlighted on the map. */
  readonly filter: string;
  /** The stretch of points `[a, b)` shown by the charts; null is all. */
  readonly zoom: readonly [number, number] | null;
  /** Bytes; null is what the server knows. */
  readonly capacity: number | null;
  /** Folded loops, rows of the dataset's loops. */
  readonly folded: readonly number[];
  readonly baseline: Baseline | null;
  /** Follows TensorBoard, or the system; no link carries it. */
  readonly theme: Theme;
  // What searches found, by src/matching.ts; no link carries it.
  /** What the grouping expression calls each instruction, null where it does not match; null until it is worked out. */
  readonly instructionNames: readonly (string | null)[] | null;
  readonly expressionProblem: string | null;
  /** By buffer row, 1 where the filter matches; null where there is no filter (that works). */
  readonly filterRows: Uint8Array | null;
  readonly filterProblem: string | null;
}

export interface Baseline {
  readonly run: string;
  readonly host: string | null;
  readonly module: string;
  readonly space: string;
}

export const INITIAL: State = {
  shown: 'module',
  run: null,
  host: null,
  module: null,
  space: null,
  point: null,
  window: null,
  within: false,
  pinned: null,
  hovered: null,
  hoveredPoint: null,
  group: DEFAULT_GROUPING,
  expression: '',
  groupPath: [],
  filter: '',
  zoom: null,
  capacity: null,
  folded: [],
  baseline: null,
  theme: 'light',
  instructionNames: null,
  expressionProblem: null,
  filterRows: null,
  filterProblem: null,
};
