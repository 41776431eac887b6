// A comparison as rows to read: headline numbers side by side, and changes by kind. Pure.

import type { AlignedPhase, Change, ChangeKind, CompareAnswer, Headline } from '../generated/contract';
import { CHANGES, HEADLINE } from '../generated/vocabulary';
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

const NUMBERS = Object.entries(HEADLINE).filter(([key, { unit }]) => unit === 'bytes' && key !== 'capacity_bytes');

/** The numbers that either side has any bytes of. */
export function headlineRows(answer: CompareAnswer): HeadlineRow[] {
  return NUMBERS.map(([key, { word, moreIsBetter }]) => {
    const name = key as NumberName;
    const subject = answer.subject.headline[name];
    const baseline = answer.baseline.headline[name];
    return { name, label: word, subject, baseline, difference: subject - baseline, moreIsBetter };
  }).filter((row) => row.subject !== 0 || row.baseline !== 0);
}

export const CHANGE_KINDS = Object.keys(CHANGES) as ChangeKind[];

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
  /** Phases from `start` to `end` on the axis; none where they are not aligned. */
  readonly stretches: readonly { readonly phase: AlignedPhase; readonly start: number; readonly end: number }[];
  subject(point: number): number;
  baseline(point: number): number;
  /** What is at a position: the point of each side, null where it lacks the phase, and the phase. */
  at(position: number): { readonly subject: number | null; readonly baseline: number | null; readonly label: string };
}

/** The axis of two programs; where their phases are not aligned, each is stretched over the whole. */
export function commonAxis({
  subject,
  baseline,
  alignment,
}: Pick<CompareAnswer, 'alignment'> & PointCounts): CommonAxis {
  const whole: readonly [number, number][] = [
    [0, subject.points],
    [0, baseline.points],
  ];
  const phases =
    alignment.length > 0
      ? alignment
      : [{ label: '', direction: 'none', remat: false, subject: whole[0]!, baseline: whole[1]! } as const];
  let length = 0;
  const stretches = phases.map((phase) => {
    const start = length;
    length += Math.max(phase.subject[1] - phase.subject[0], phase.baseline[1] - phase.baseline[0]);
    return { phase, start, end: length };
  });
  const sides = { subject: placer(stretches, length, 'subject'), baseline: placer(stretches, length, 'baseline') };
  return {
    length: Math.max(length, 1),
    stretches: alignment.length > 0 ? stretches : [],
    ...sides,
    at(position) {
      const found = stretches.find(({ end }) => position < end) ?? stretches[stretches.length - 1]!;
      const share = (position - found.start) / Math.max(found.end - found.start, 1);
      const pointOf = ([from, to]: readonly [number, number]): number | null =>
        to <= from ? null : Math.min(to - 1, from + Math.floor(share * (to - from)));
      const { label, subject: here, baseline: there } = found.phase;
      return { subject: pointOf(here), baseline: pointOf(there), label };
    },
  };
}

interface PointCounts {
  readonly subject: { readonly points: number };
  readonly baseline: { readonly points: number };
}

function placer(
  stretches: CommonAxis['stretches'],
  length: number,
  side: 'subject' | 'baseline',
): (point: number) => number {
  return (point) => {
    const found = stretches.find(({ phase }) => phase[side][0] <= point && point < phase[side][1]);
    if (found === undefined) return length;
    const [from, to] = found.phase[side];
    return found.start + ((point - from) / (to - from)) * (found.end - found.start);
  };
}

/** Where else a buffer is that has moved between memory spaces, in words; "" where it has not. */
export function otherSpaceText({ other_space, subject }: Pick<Change, 'other_space' | 'subject'>): string {
  if (other_space === null) return '';
  return subject.count > 0 ? `in ${other_space} in the baseline` : `in ${other_space} here`;
}

/** A curve whose points are put elsewhere, in order; before its first step it holds that step's bytes. */
export function movedCurve(curve: Curve, place: (point: number) => number): Curve {
  return { points: curve.points.map((point, step) => (step === 0 ? 0 : place(point))), bytes: curve.bytes };
}
