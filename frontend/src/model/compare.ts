// A comparison as rows to read: headline numbers side by side, and changes by kind. Pure.

import type { Change, ChangeKind, CompareAnswer, Headline } from '../contract';

type NumberName = {
  [Name in keyof Headline]: Headline[Name] extends number ? Name : never;
}[keyof Headline];

export interface HeadlineRow {
  readonly name: NumberName;
  readonly label: string;
  readonly subject: number;
  readonly baseline: number;
  readonly difference: number;
}

const LABELS: readonly (readonly [NumberName, string])[] = [
  ['peak_bytes', 'Peak usage'],
  ['required_bytes', 'Must fit'],
  ['allocated_bytes', 'Allocated'],
  ['argument_bytes', 'Arguments'],
  ['output_bytes', 'Outputs'],
  ['constant_bytes', 'Constants'],
  ['thread_local_bytes', 'Thread-local'],
  ['temporary_bytes', 'Reserved for temporaries'],
  ['temporary_peak_bytes', 'Temporaries at their peak'],
  ['aliased_bytes', 'Aliased arguments'],
  ['padding_bytes', 'Padding at peak'],
  ['fragmentation_bytes', 'Fragmentation'],
  ['max_scoped_bytes', 'Largest scoped memory'],
];

/** The numbers that either side has any bytes of. */
export function headlineRows(answer: CompareAnswer): HeadlineRow[] {
  return LABELS.map(([name, label]) => {
    const subject = answer.subject.headline[name];
    const baseline = answer.baseline.headline[name];
    return { name, label, subject, baseline, difference: subject - baseline };
  }).filter((row) => row.subject !== 0 || row.baseline !== 0);
}

export const CHANGE_KINDS: readonly ChangeKind[] = ['appeared', 'grew', 'moved', 'shrank', 'went'];

export const CHANGE_MEANINGS: Readonly<Record<ChangeKind, string>> = {
  appeared: 'Only in this module.',
  grew: 'In both, larger here.',
  moved: 'In both and as large, but alive at one peak and not at the other.',
  shrank: 'In both, smaller here.',
  went: 'Only in the baseline.',
};

export interface KindTotal {
  readonly kind: ChangeKind;
  readonly count: number;
  /** Sum of the differences at the peaks. */
  readonly bytes: number;
}

/** Totals of the kinds that there are. */
export function kindTotals(changes: readonly Change[]): KindTotal[] {
  return CHANGE_KINDS.map((kind) => {
    const own = changes.filter((change) => change.kind === kind);
    return { kind, count: own.length, bytes: own.reduce((sum, change) => sum + change.difference_bytes, 0) };
  }).filter((total) => total.count > 0);
}
