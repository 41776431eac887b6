// A comparison as rows to read: headline numbers side by side, and changes by kind. Pure.

import type { AlignedPhase, Change, ChangeKind, CompareAnswer, Headline } from '../contract';
import type { Curve } from './spaces_curve';

type NumberName = {
  [Name in keyof Headline]: Headline[Name] extends number ? Name : never;
}[keyof Headline];

export interface HeadlineRow {
  readonly name: NumberName;
  readonly label: string;
  readonly subject: number;
  readonly baseline: number;
  readonly difference: number;
  /** What is aliased costs nothing: there, more is better. */
  readonly moreIsBetter: boolean;
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
    return { name, label, subject, baseline, difference: subject - baseline, moreIsBetter: name === 'aliased_bytes' };
  }).filter((row) => row.subject !== 0 || row.baseline !== 0);
}

export const CHANGE_KINDS: readonly ChangeKind[] = ['appeared', 'grew', 'moved', 'shrank', 'went'];

export const CHANGE_MEANINGS: Readonly<Record<ChangeKind, string>> = {
  appeared: 'Only in this module.',
  grew: 'In both, larger here.',
  moved: 'As large in both, but in another memory space, or alive at one peak and not at the other.',
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

/** One axis for two programs: each phase is as wide as the longer of both has it. Positions are in points of that axis. */
export interface CommonAxis {
  readonly length: number;
  subject(point: number): number;
  baseline(point: number): number;
}

/** The axis of two programs; where their phases are not aligned, each is stretched over the whole. */
export function commonAxis({
  subject,
  baseline,
  alignment,
}: Pick<CompareAnswer, 'alignment'> & PointCounts): CommonAxis {
  const length = Math.max(subject.points, baseline.points, 1);
  if (alignment.length === 0) {
    const stretched = (points: number) => (point: number) => (point / Math.max(points, 1)) * length;
    return { length, subject: stretched(subject.points), baseline: stretched(baseline.points) };
  }
  const starts: number[] = [];
  let at = 0;
  for (const phase of alignment) {
    starts.push(at);
    at += Math.max(phase.subject[1] - phase.subject[0], phase.baseline[1] - phase.baseline[0]);
  }
  return {
    length: at,
    subject: placer(alignment, starts, at, 'subject'),
    baseline: placer(alignment, starts, at, 'baseline'),
  };
}

interface PointCounts {
  readonly subject: { readonly points: number };
  readonly baseline: { readonly points: number };
}

function placer(
  alignment: readonly AlignedPhase[],
  starts: readonly number[],
  length: number,
  side: 'subject' | 'baseline',
): (point: number) => number {
  const ends = [...starts.slice(1), length];
  return (point) => {
    const phase = alignment.findIndex((one) => one[side][0] <= point && point < one[side][1]);
    if (phase === -1) return length;
    const [from, to] = alignment[phase]![side];
    const share = (point - from) / (to - from);
    return starts[phase]! + share * (ends[phase]! - starts[phase]!);
  };
}

/** A curve whose points are put elsewhere, in order; before its first step it holds that step's bytes. */
export function movedCurve(curve: Curve, place: (point: number) => number): Curve {
  return { points: curve.points.map((point, step) => (step === 0 ? 0 : place(point))), bytes: curve.bytes };
}
