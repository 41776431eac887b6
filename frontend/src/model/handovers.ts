// The buffers to which a buffer's memory is handed over: into, around and out of loops, through branches and calls. Pure.

import type { HandoverKind } from '../generated/contract';
import { ABSENT, decodeRows } from '../lib/column';
import type { Dataset } from './dataset';

export interface Handover {
  /** "enters body": from the parameter of a loop's condition to that of its body. */
  readonly kind: HandoverKind | 'enters body';
  /** The buffer at the other end. */
  readonly row: number;
  /** The row of the loop, conditional or call; ABSENT where it is not known. */
  readonly instruction: number;
}

/** Handovers by the buffer that they start from, and by the one that they end at. */
interface Index {
  readonly onward: ReadonlyMap<number, readonly Handover[]>;
  readonly back: ReadonlyMap<number, readonly Handover[]>;
}

const NONE: readonly Handover[] = [];
const indexes = new WeakMap<Dataset, Index>();

function indexOf(dataset: Dataset): Index {
  let index = indexes.get(dataset);
  if (index === undefined) {
    const { handovers } = dataset.answer.buffers;
    const [source, target] = [decodeRows(handovers.source), decodeRows(handovers.target)];
    const [instruction, kinds] = [decodeRows(handovers.instruction), decodeRows(handovers.kind.index)];
    const [onward, back] = [new Map<number, Handover[]>(), new Map<number, Handover[]>()];
    const add = (map: Map<number, Handover[]>, from: number, handover: Handover): void => {
      const known = map.get(from);
      if (known === undefined) map.set(from, [handover]);
      else known.push(handover);
    };
    for (let at = 0; at < source.length; at++) {
      const by = { kind: handovers.kind.strings[kinds[at]!]!, instruction: instruction[at]! };
      add(onward, source[at]!, { ...by, row: target[at]! });
      add(back, target[at]!, { ...by, row: source[at]! });
    }
    for (const [condition, body] of conditions(dataset, onward))
      add(onward, condition.row, { ...body, kind: 'enters body' });
    index = { onward, back };
    indexes.set(dataset, index);
  }
  return index;
}

/**
 * What enters a loop, or goes round it, is the parameter of its condition and then that of its body: pairs of both, each once. The
 * condition comes first in program order.
 */
function conditions(
  dataset: Dataset,
  onward: ReadonlyMap<number, readonly Handover[]>,
): Iterable<readonly [Handover, Handover]> {
  const pointOf = new Map<number, number>();
  const pairs = new Map<number, readonly [Handover, Handover]>();
  const place = ({ row }: Handover): number => pointOf.get(dataset.instruction[row]!) ?? dataset.points;
  for (const handovers of onward.values()) {
    const inward = handovers.filter(({ kind }) => kind === 'enters' || kind === 'goes round');
    if (inward.length > 1 && pointOf.size === 0)
      dataset.pointInstruction.forEach((instruction, point) => {
        pointOf.set(instruction, point);
      });
    const ordered = inward.sort((a, b) => a.instruction - b.instruction || place(a) - place(b));
    ordered.slice(1).forEach((body, at) => {
      const condition = ordered[at]!;
      if (condition.instruction === body.instruction) pairs.set(condition.row, [condition, body]);
    });
  }
  return pairs.values();
}

/** As what the memory of a buffer goes on. */
export function handoversFrom(dataset: Dataset, row: number): readonly Handover[] {
  return indexOf(dataset).onward.get(row) ?? NONE;
}

/** As what the memory of a buffer was there before. */
export function handoversTo(dataset: Dataset, row: number): readonly Handover[] {
  return indexOf(dataset).back.get(row) ?? NONE;
}

export interface LastRead {
  readonly point: number;
  /** The buffer as which it is read there: itself, or what its memory goes on as. */
  readonly row: number;
  /** The row of the loop in whose next pass that is; ABSENT where it is in the same pass, or after the loop. */
  readonly loop: number;
}

/** The last read of a buffer's memory, however often it goes on under another name; null where nothing reads it. */
export function lastReadOf(dataset: Dataset, row: number): LastRead | null {
  // Nearly all: tables ask for every buffer.
  if (handoversFrom(dataset, row).length === 0) {
    const point = dataset.readersOf(row).at(-1);
    return point === undefined ? null : { point, row, loop: ABSENT };
  }
  let here: LastRead | null = null;
  let nextPass: LastRead | null = null;
  for (const [at, loop] of reached(dataset, row)) {
    const point = dataset.readersOf(at).at(-1);
    if (point === undefined) continue;
    if (loop === ABSENT) {
      if (here === null || point > here.point) here = { point, row: at, loop };
    } else if (nextPass === null || point > nextPass.point) nextPass = { point, row: at, loop };
  }
  if (here === null || nextPass === null) return here ?? nextPass;
  // A loop's own point comes after those of its body: what is read from there on is read after the last pass.
  return here.point >= dataset.pointInstruction.indexOf(nextPass.loop) ? here : nextPass;
}

/**
 * The buffer and all that its memory goes on as, each with the loop in whose next pass that is, or ABSENT. Handovers run in
 * circles: what goes round a loop comes back to it. Each buffer is met at most twice, in this pass and in a next one.
 */
function* reached(dataset: Dataset, row: number): Generator<readonly [number, number]> {
  const met = [new Set([row]), new Set<number>()] as const;
  const queue: (readonly [number, number])[] = [[row, ABSENT]];
  for (const one of queue) {
    yield one;
    const [from, loop] = one;
    for (const { kind, row: to, instruction } of handoversFrom(dataset, from)) {
      const next = nextLoop(loop, kind, instruction);
      const known = met[next === ABSENT ? 0 : 1];
      if (known.has(to)) continue;
      known.add(to);
      queue.push([to, next]);
    }
  }
}

/** The outermost loop that is in a next pass, until it is left. */
function nextLoop(loop: number, kind: Handover['kind'], instruction: number): number {
  if (kind === 'goes round') return loop === ABSENT ? instruction : loop;
  return kind === 'leaves' && instruction === loop ? ABSENT : loop;
}
