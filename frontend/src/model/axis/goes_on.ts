// Where a buffer's memory comes from and where it goes on, as facts for the card. Pure.

import { groupDigits } from '../../lib/bytes';
import type { Dataset } from '../dataset';
import { bufferPart, type Fact, factOf, type Part, plain, pointPart } from '../fact';
import { type Handover, handoversFrom, handoversTo } from '../handovers';

/** More are counted. */
const MOST_BUFFERS = 4;
const MOST_READS = 3;
const MOST_INSTRUCTIONS = 6;

const INTO: Readonly<Record<Handover['kind'], string>> = {
  enters: 'Goes into',
  'enters body': 'Goes into',
  'goes round': 'Goes around',
  leaves: 'Comes out of',
  'enters branch': 'Goes into',
  'leaves branch': 'Comes out of',
  passes: 'Passed on by',
};

/** A fact for every loop, conditional and call that hands the buffer's memory on. */
export function onwardFacts(dataset: Dataset, row: number): Fact[] {
  const all = handoversFrom(dataset, row);
  const instructions = [...new Set(all.map(({ instruction }) => instruction))];
  return instructions.slice(0, MOST_INSTRUCTIONS).map((instruction) => {
    const handovers = all.filter((one) => one.instruction === instruction);
    const inward = handovers.filter(({ kind }) => !isOut(kind));
    const outward = handovers.filter(({ kind }) => isOut(kind));
    const { kind } = (inward[0] ?? outward[0])!;
    const name = dataset.instructionName(instruction);
    const out = inward.length === 0 ? '' : '; comes out as ';
    return factOf(INTO[kind], [
      plain(`${intoWhat(kind, name)} as `),
      ...asWhat(dataset, used(dataset, inward)),
      ...(outward.length === 0 ? [] : [plain(out), ...asWhat(dataset, outward)]),
    ]);
  });
}

function intoWhat(kind: Handover['kind'], name: string): string {
  if (kind === 'goes round') return `${name}, in the next iteration`;
  return kind === 'enters body' ? `the body of ${name}` : name;
}

/** What the buffer's memory was before a loop, conditional or call handed it on; null where nothing did. */
export function originFact(dataset: Dataset, row: number): Fact | null {
  const handovers = [...handoversTo(dataset, row)];
  if (handovers.length === 0) return null;
  // First what comes from before a loop's first pass, as its parameter; last what comes out of a loop that makes none.
  const rank = (one: Handover): number => Number(one.kind === 'goes round' || makesNoPass(dataset, one));
  handovers.sort((a, b) => rank(a) - rank(b));
  const from = (one: Handover): Part[] => [bufferPart(dataset, one.row), plain(` ${fromWhere(dataset, one)}`)];
  return factOf('Comes from', joined(handovers, from, '; '));
}

function fromWhere(dataset: Dataset, one: Handover): string {
  const name = dataset.instructionName(one.instruction);
  if (one.kind === 'goes round') return 'in the previous iteration';
  if (one.kind === 'leaves branch') return `in a branch of ${name}`;
  if (one.kind === 'passes') return `by ${name}`;
  if (one.kind !== 'leaves') return `before ${name}`;
  return makesNoPass(dataset, one) ? `if ${name} runs no iteration` : `in the last iteration of ${name}`;
}

/** Whether a loop's result is its initial value. */
function makesNoPass(dataset: Dataset, { kind, row, instruction }: Handover): boolean {
  if (kind !== 'leaves') return false;
  return handoversFrom(dataset, row).some((one) => one.kind === 'enters' && one.instruction === instruction);
}

const isOut = (kind: Handover['kind']): boolean => kind === 'leaves' || kind === 'leaves branch';

/** A loop's condition has a parameter for every value, too: only those that are read there are of interest. */
function used(dataset: Dataset, handovers: readonly Handover[]): readonly Handover[] {
  const kept = handovers.filter(
    ({ row }) =>
      dataset.readersOf(row).length > 0 || handoversFrom(dataset, row).some(({ kind }) => kind !== 'enters body'),
  );
  return kept.length > 0 ? kept : handovers;
}

function asWhat(dataset: Dataset, handovers: readonly Handover[]): Part[] {
  return joined(handovers, ({ row }) => [bufferPart(dataset, row), ...reads(dataset, row)], ' and ');
}

function reads(dataset: Dataset, row: number): Part[] {
  const points = dataset.readersOf(row);
  if (points.length === 0) return [];
  const last = [...points.slice(-MOST_READS)];
  const words =
    points.length > last.length ? `, read there at ${groupDigits(points.length)} points, last at ` : ', read there at ';
  return [
    plain(words),
    ...last.flatMap((point, at) => [plain(at > 0 ? ', ' : ''), pointPart(dataset, point, groupDigits(point))]),
  ];
}

/** Parts of as many as there is room for, and how many more there are. */
function joined(handovers: readonly Handover[], parts: (one: Handover) => Part[], between: string): Part[] {
  const shown = handovers.slice(0, MOST_BUFFERS).flatMap((one, at) => [plain(at > 0 ? between : ''), ...parts(one)]);
  const more = handovers.length - MOST_BUFFERS;
  return more > 0 ? [...shown, plain(`${between}${groupDigits(more)} more`)] : shown;
}
