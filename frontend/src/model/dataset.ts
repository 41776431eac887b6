// One usage answer, decoded: typed columns and the lookups that every view needs. Pure; one per answer.

import type { Axis, Frame, Headline, Loop, Phase, Platform, Problem, UsageAnswer } from '../generated/contract';
import { TEMPORARY } from '../generated/vocabulary';
import { ABSENT, decodeColumn, decodeIds, decodeRows } from '../lib/column';
import { colorOf } from '../lib/palette';

export interface Place {
  readonly file: string;
  readonly line: number | null;
  /** Whether it is a line in a library, because no line of the user's is known. */
  readonly framework: boolean;
}

export interface StackLine extends Place {
  readonly function: string;
}

/** How it is known when a buffer lives: by the compiler's heap trace, by the schedule, or not; or it is held for the whole run. */
export type LifeKind = 'traced' | 'inferred' | 'unknown' | 'indefinite';

const LIFE_KINDS: readonly LifeKind[] = ['traced', 'inferred', 'unknown'];

export class Dataset {
  readonly answer: UsageAnswer;
  readonly headline: Headline;
  readonly axis: Axis;
  readonly platform: Platform | null;
  readonly problems: readonly Problem[];
  readonly points: number;

  // By program point.
  readonly usage: Float64Array;
  readonly unpadded: Float64Array;
  readonly scoped: Float64Array;
  readonly pointInstruction: Int32Array;
  readonly pointPhase: Int32Array;
  readonly pointLoop: Int32Array;
  readonly phases: readonly Phase[];
  readonly loops: readonly (Loop | null)[];
  readonly peaks: readonly number[];

  // By buffer row (a span).
  readonly count: number;
  readonly id: readonly string[];
  readonly instruction: Int32Array;
  readonly shape: Int32Array;
  readonly size: Float64Array;
  readonly unpaddedSize: Float64Array;
  readonly allocation: Int32Array;
  readonly offset: Float64Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** 0 where the life is that of the trace or the whole run: see `lifeKind`. */
  readonly knownBy: Int32Array;
  readonly represents: Int32Array;
  readonly readersOffset: Int32Array;
  readonly readers: Int32Array;
  readonly shapeIndex: Int32Array;

  // By allocation row.
  readonly allocationIndex: Float64Array;
  readonly allocationSize: Float64Array;
  readonly allocationType: Int32Array;
  readonly allocationAliased: Int32Array;
  readonly allocationLiveOut: Int32Array;

  // By instruction row.
  readonly #name: Int32Array;
  readonly #opcode: Int32Array;
  readonly #op: Int32Array;
  readonly #source: Int32Array;
  readonly #frame: Int32Array;
  readonly #computation: Int32Array;
  readonly #dtype: Int32Array;
  readonly #opScope: Int32Array;
  readonly #colors = new Map<number, string>();
  #spansOfId: { first: Map<string, number>; next: Int32Array } | null = null;

  constructor(answer: UsageAnswer) {
    this.answer = answer;
    this.headline = answer.headline;
    this.axis = answer.axis;
    this.platform = answer.platform;
    this.problems = answer.problems;
    this.points = answer.points;
    this.usage = decodeColumn(answer.usage);
    this.unpadded = decodeColumn(answer.unpadded);
    this.scoped = decodeColumn(answer.scoped);
    this.pointInstruction = decodeRows(answer.order.instruction);
    this.pointPhase = decodeRows(answer.order.phase);
    this.pointLoop = decodeRows(answer.order.loop);
    this.phases = answer.phases;
    this.loops = answer.loops;
    this.peaks = answer.peaks;
    const buffers = answer.buffers;
    this.id = decodeIds(buffers.id);
    this.count = this.id.length;
    this.instruction = decodeRows(buffers.instruction);
    this.shape = decodeRows(buffers.shape);
    this.size = decodeColumn(buffers.bytes);
    this.unpaddedSize = decodeColumn(buffers.unpadded_bytes);
    this.allocation = decodeRows(buffers.allocation);
    this.offset = decodeColumn(buffers.offset);
    this.start = decodeColumn(buffers.start);
    this.end = decodeColumn(buffers.end);
    this.knownBy = decodeRows(buffers.known_by);
    this.represents = decodeRows(buffers.represents);
    this.readersOffset = decodeRows(buffers.readers_offset);
    this.readers = decodeRows(buffers.readers);
    this.shapeIndex = decodeRows(buffers.shape_index.index);
    this.allocationIndex = decodeColumn(answer.allocations.index);
    this.allocationSize = decodeColumn(answer.allocations.bytes);
    this.allocationType = decodeRows(answer.allocations.type);
    this.allocationAliased = decodeRows(answer.allocations.aliased);
    this.allocationLiveOut = decodeRows(answer.allocations.live_out);
    this.#name = decodeRows(answer.instructions.name);
    this.#opcode = decodeRows(answer.instructions.opcode);
    this.#op = decodeRows(answer.instructions.op_name);
    this.#source = decodeRows(answer.instructions.source);
    this.#frame = decodeRows(answer.instructions.frame);
    this.#computation = decodeRows(answer.instructions.computation);
    this.#dtype = decodeRows(answer.shapes.dtype);
    this.#opScope = decodeRows(answer.op_scope);
  }

  // --- instructions -------------------------------------------------------------------------------------------------

  /** The row of the instruction at a point, ABSENT where the axis has none. */
  instructionAt(point: number): number {
    return this.pointInstruction[point] ?? ABSENT;
  }

  instructionName(row: number): string {
    return row < 0 ? '' : this.answer.strings.names[this.#name[row]!]!;
  }

  instructionOpcode(row: number): string {
    return row < 0 ? '' : this.answer.strings.opcodes[this.#opcode[row]!]!;
  }

  instructionOp(row: number): string {
    return row < 0 ? '' : this.answer.strings.op_names[this.#op[row]!]!;
  }

  get instructionCount(): number {
    return this.#name.length;
  }

  instructionComputation(row: number): string {
    return row < 0 ? '' : this.answer.strings.computations[this.#computation[row]!]!;
  }

  instructionSource(row: number): Place | null {
    const source = row < 0 ? null : this.answer.sources[this.#source[row]!];
    return source ? { ...source, file: this.answer.strings.files[source.file]! } : null;
  }

  /** The Python stack, innermost frame first. */
  instructionStack(row: number): StackLine[] {
    const lines: StackLine[] = [];
    let frame: Frame | null | undefined = row < 0 ? null : this.answer.frames[this.#frame[row]!];
    while (frame) {
      const { files, functions } = this.answer.strings;
      const { file, line } = frame;
      lines.push({ file: files[file]!, line: line || null, framework: false, function: functions[frame.function]! });
      frame = this.answer.frames[frame.parent];
    }
    return lines;
  }

  // --- buffers ------------------------------------------------------------------------------------------------------

  /** The name that people know: the instruction, with the index of a tuple element. */
  name(row: number): string {
    const instruction = this.instruction[row]!;
    if (instruction < 0) return `allocation ${this.allocationIndex[this.allocation[row]!]}`;
    return this.instructionName(instruction) + this.shapeIndexText(row);
  }

  /** Which element of its instruction's tuple it is, `{1}`; "" where it is no tuple. */
  shapeIndexText(row: number): string {
    return this.answer.buffers.shape_index.strings[this.shapeIndex[row]!]!;
  }

  opcode(row: number): string {
    return this.instructionOpcode(this.instruction[row]!);
  }

  op(row: number): string {
    return this.instructionOp(this.instruction[row]!);
  }

  /** The user's scope, outermost part first, parts joined by slashes; "" where there is none. */
  scope(row: number): string {
    const instruction = this.instruction[row]!;
    return instruction < 0 ? '' : this.answer.strings.scopes[this.#opScope[this.#op[instruction]!]!]!;
  }

  source(row: number): Place | null {
    return this.instructionSource(this.instruction[row]!);
  }

  stack(row: number): StackLine[] {
    return this.instructionStack(this.instruction[row]!);
  }

  shapeText(row: number): string {
    return this.shape[row]! < 0 ? '' : this.answer.strings.shapes[this.shape[row]!]!;
  }

  dtype(row: number): string {
    return this.shape[row]! < 0 ? '' : this.answer.strings.dtypes[this.#dtype[this.shape[row]!]!]!;
  }

  /** The allocation type: Parameter, Output, Thread-local, Constant or Temporary. */
  type(row: number): string {
    return this.answer.types[this.allocationType[this.allocation[row]!]!]!;
  }

  isTemporary(row: number): boolean {
    return this.type(row) === TEMPORARY;
  }

  /** Whether it holds no data of its own: a tuple's table of pointers, which no instruction is counted as reading. */
  isTable(row: number): boolean {
    return this.shapeText(row).startsWith('(');
  }

  lifeKind(row: number): LifeKind {
    return this.isTemporary(row) ? LIFE_KINDS[this.knownBy[row]!]! : 'indefinite';
  }

  isAliased(row: number): boolean {
    return this.allocationAliased[this.allocation[row]!] === 1;
  }

  parameter(row: number): number | null {
    return this.answer.allocations.parameter[this.allocation[row]!] ?? null;
  }

  /** By what the framework calls it and its shape, so that the same tensor of every layer has one color. */
  color(row: number): string {
    const instruction = this.instruction[row]!;
    const shape = this.shape[row]!;
    const key =
      (instruction < 0 ? ABSENT : this.#op[instruction]! || -2 - this.#opcode[instruction]!) * 0x100000 + shape;
    let color = this.#colors.get(key);
    if (color === undefined) {
      color = colorOf(`${this.op(row) || this.opcode(row)} ${this.shapeText(row)}`);
      this.#colors.set(key, color);
    }
    return color;
  }

  padding(row: number): number {
    return this.size[row]! - this.unpaddedSize[row]!;
  }

  /** Why the buffer is padded; null where its shape does not explain its size. */
  paddingExplained(row: number): { stored: string; worst: string | null; factor: number | null } | null {
    const shape = this.shape[row]!;
    const table = this.answer.shapes;
    const stored = shape < 0 ? null : table.stored[shape];
    if (!stored || table.stored_bytes[shape] !== this.size[row]) return null;
    return { stored, worst: table.worst[shape] ?? null, factor: table.factor[shape] ?? null };
  }

  /** Program points that read the buffer, ascending. */
  readersOf(row: number): Int32Array {
    return this.readers.subarray(this.readersOffset[row]!, this.readersOffset[row + 1]!);
  }

  /** Rows (spans) of the logical buffer with this id. */
  rowsOfId(id: string): readonly number[] {
    const { first, next } = this.indexIds();
    const rows: number[] = [];
    for (let row = first.get(id) ?? ABSENT; row !== ABSENT; row = next[row]!) rows.push(row);
    return rows;
  }

  /** The first row of each id, and of each row the next one with its id; made once, ahead of the first question. */
  indexIds(): { first: ReadonlyMap<string, number>; next: Int32Array } {
    if (this.#spansOfId === null) {
      const first = new Map<string, number>();
      const next = new Int32Array(this.count).fill(ABSENT);
      for (let row = this.count - 1; row >= 0; row--) {
        next[row] = first.get(this.id[row]!) ?? ABSENT;
        first.set(this.id[row]!, row);
      }
      this.#spansOfId = { first, next };
    }
    return this.#spansOfId;
  }

  /** Rows that make up the live set at a point, in program order. */
  liveAt(point: number): Int32Array {
    return this.liveThroughout(point, point + 1);
  }

  /** Rows that are alive at every point of `[a, b)`, in program order. */
  liveThroughout(a: number, b: number): Int32Array {
    const rows: number[] = [];
    for (let row = 0; row < this.count; row++) {
      // Rows are ordered by start.
      if (this.start[row]! > a) break;
      if (this.represents[row] === 1 && this.end[row]! >= b) rows.push(row);
    }
    return Int32Array.from(rows);
  }

  /** Rows allocated within `[a, b)`. */
  allocatedWithin(a: number, b: number): Int32Array {
    const rows: number[] = [];
    for (let row = 0; row < this.count; row++) {
      if (this.start[row]! >= b) break;
      if (this.represents[row] === 1 && this.start[row]! >= a && this.isTemporary(row)) rows.push(row);
    }
    return Int32Array.from(rows);
  }
}
