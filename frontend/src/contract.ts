// The JSON contract with the server, as docs/http_api.md states it. Sizes are integers of bytes; spans are half-open.

import type { Column } from './lib/column';

export type { Column };

export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly advice: string;
  readonly path: string | null;
}

export interface Fault {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly advice: string;
    readonly path?: string | null;
  };
}

export type RunKind = 'profile' | 'xla_dump' | 'saved' | 'file';

export interface RunEntry {
  readonly run: string;
  readonly kind: RunKind;
  readonly hosts: readonly string[];
  readonly time: string | null;
  readonly problems: readonly Problem[];
}

export interface RunsAnswer {
  readonly logdir: string;
  readonly runs: readonly RunEntry[];
  readonly problems: readonly Problem[];
}

export interface ModuleSpace {
  readonly space: string;
  readonly color: number;
  /** A sentence where the name does not say all. */
  readonly about: string | null;
  /** Other names that addresses may have. */
  readonly aliases: readonly string[];
  readonly peak_bytes: number;
  readonly allocated_bytes: number;
  readonly required_bytes: number;
  readonly capacity_bytes: number | null;
}

export interface ModuleEntry {
  /** What names the module in requests: `jit_f(123)`. */
  readonly module: string;
  readonly name: string;
  readonly program_id: string | null;
  /** Of the event that brought the program: XProf up to 2.22.0 tells modules of one name apart by it. */
  readonly metadata_id: string | null;
  /** Of the program in its file. */
  readonly size_bytes: number;
  /** Whether the module has been decoded: `spaces` and the counts are empty until then. */
  readonly decoded: boolean;
  readonly fingerprint: string | null;
  readonly instruction_count: number | null;
  readonly hosts: readonly string[];
  readonly platform: Platform | null;
  readonly device: string | null;
  readonly spaces: readonly ModuleSpace[];
  readonly problems: readonly Problem[];
}

export type Platform = 'tpu' | 'gpu' | 'cpu';

export interface ModulesAnswer {
  readonly run: string;
  readonly host: string | null;
  readonly modules: readonly ModuleEntry[];
  readonly problems: readonly Problem[];
}

/** The headline numbers of docs/numbers.md, by name. */
export interface Headline {
  readonly peak_bytes: number;
  readonly peak_point: number;
  readonly allocated_bytes: number;
  readonly argument_bytes: number;
  readonly output_bytes: number;
  readonly thread_local_bytes: number;
  readonly constant_bytes: number;
  readonly temporary_bytes: number;
  readonly aliased_bytes: number;
  readonly temporary_peak_bytes: number;
  readonly untraced_bytes: number;
  readonly indefinite_bytes: number;
  readonly scoped_at_peak_bytes: number;
  readonly max_scoped_bytes: number;
  readonly required_bytes: number;
  readonly fragmentation_bytes: number;
  readonly unpadded_at_peak_bytes: number;
  readonly padding_bytes: number;
  readonly capacity_bytes: number | null;
  readonly capacity_source: string | null;
}

export interface SpaceEntry extends Headline {
  readonly space: string;
  readonly color: number;
  readonly about: string | null;
  readonly aliases: readonly string[];
  /** Usage in at most 2000 steps, each the largest of its stretch. */
  readonly curve: { readonly points: Column; readonly bytes: Column };
}

export interface SpacesAnswer {
  readonly run: string;
  readonly host: string | null;
  readonly module: string;
  readonly name: string;
  readonly axis: Axis;
  readonly points: number;
  readonly spaces: readonly SpaceEntry[];
}

export type Axis = 'schedule' | 'events';
export type Direction = 'forward' | 'backward' | 'none';

export interface Phase {
  readonly label: string;
  readonly scope: string;
  readonly direction: Direction;
  readonly remat: boolean;
}

export type LoopKind = 'call' | 'while' | 'condition' | 'conditional' | 'async';

/** A called computation's stretch of points `[start, end)`; `parent` is an index into loops, 0 none. */
export interface Loop {
  readonly name: string;
  readonly kind: LoopKind;
  readonly start: number;
  readonly end: number;
  readonly parent: number;
}

export interface Source {
  readonly file: number;
  readonly line: number | null;
  /** A line in a library: no line of the user's is known. */
  readonly framework: boolean;
}

export interface Frame {
  readonly file: number;
  readonly line: number;
  readonly column: number;
  readonly function: number;
  readonly parent: number;
}

/**
 * A value enters a loop as its parameter, goes round as the next pass's, leaves it as its result; enters and leaves a branch of a
 * conditional; passes into and out of a call.
 */
export type HandoverKind = 'enters' | 'goes round' | 'leaves' | 'enters branch' | 'leaves branch' | 'passes';

/** One way to group buffers: names as a prefix tree (node 0 is the root), paths, and the path of each row of buffers. */
export interface GroupingEntry {
  readonly by: string;
  readonly word: string;
  readonly labels: readonly string[];
  /** By node: its parent, which has a smaller number, and an index into labels. */
  readonly parent: Column;
  readonly label: Column;
  /** By path: the scope that it begins with, an index into strings.scopes, and the node below it. */
  readonly path_scope: Column;
  readonly path_node: Column;
  readonly path: Column;
}

export interface UsageAnswer {
  readonly run: string;
  readonly host: string | null;
  readonly module: string;
  readonly name: string;
  readonly space: string;
  readonly color: number;
  readonly platform: Platform | null;
  readonly device: string | null;
  readonly problems: readonly Problem[];
  readonly headline: Headline;
  readonly axis: Axis;
  readonly points: number;
  readonly usage: Column;
  readonly unpadded: Column;
  readonly scoped: Column;
  /** First points of the local peaks, highest first, at most 64. */
  readonly peaks: readonly number[];
  readonly strings: {
    readonly names: readonly string[];
    readonly opcodes: readonly string[];
    /** ops[0] is "": no name. */
    readonly ops: readonly string[];
    /** The user's scopes, `train_step/while/attn`; scopes[0] is "": none. */
    readonly scopes: readonly string[];
    readonly files: readonly string[];
    readonly functions: readonly string[];
    readonly shapes: readonly string[];
    readonly dtypes: readonly string[];
    readonly computations: readonly string[];
  };
  /** Indexes into strings; source and frame into their tables, 0 none. */
  readonly instructions: {
    readonly name: Column;
    readonly opcode: Column;
    readonly op: Column;
    readonly source: Column;
    readonly frame: Column;
    readonly computation: Column;
  };
  /** Parallel to strings.ops: index into strings.scopes. */
  readonly op_scope: Column;
  /** By program point; instruction may be null on axis "events"; loop 0 is none. */
  readonly order: { readonly instruction: Column; readonly phase: Column; readonly loop: Column };
  readonly phases: readonly Phase[];
  readonly loops: readonly (Loop | null)[];
  readonly sources: readonly (Source | null)[];
  readonly frames: readonly (Frame | null)[];
  /** Parallel to strings.shapes. The explanation holds for buffers whose size is stored_bytes. */
  readonly shapes: {
    readonly dtype: Column;
    readonly elements: Column;
    readonly unpadded: Column;
    readonly stored_bytes: readonly (number | null)[];
    readonly stored: readonly (string | null)[];
    readonly factor: readonly (number | null)[];
    readonly worst: readonly (string | null)[];
  };
  readonly types: readonly string[];
  /** The default one first. */
  readonly groupings: readonly GroupingEntry[];
  readonly allocations: {
    readonly index: Column;
    readonly size: Column;
    readonly type: Column;
    readonly aliased: Column;
    readonly live_out: Column;
    readonly parameter: readonly (number | null)[];
  };
  /** A row a span, in program order; a buffer allocated again has several rows. id, instruction and shape are null for
   * an allocation that holds no buffer. Rows with represents 1 make up the live set. */
  readonly buffers: {
    readonly id: Column;
    readonly instruction: Column;
    readonly shape_index: { readonly strings: readonly string[]; readonly index: Column };
    readonly shape: Column;
    readonly size: Column;
    readonly unpadded: Column;
    readonly allocation: Column;
    readonly offset: Column;
    readonly start: Column;
    readonly end: Column;
    /** 0: by the compiler's heap trace, or held for the whole run; 1: inferred from the schedule; 2: not known. */
    readonly known_by: Column;
    readonly represents: Column;
    readonly readers_offset: Column;
    readonly readers: Column;
    /** Whose memory goes on as whose: rows of buffers, and the loop, conditional or call by which it does. */
    readonly handovers: {
      readonly source: Column;
      readonly target: Column;
      readonly instruction: Column;
      readonly kind: { readonly strings: readonly HandoverKind[]; readonly index: Column };
    };
  };
}

export interface Finding {
  readonly kind: string;
  readonly title: string;
  readonly bytes: number;
  readonly detail: string;
  readonly advice: string;
  /** Rows of the usage answer's buffers. */
  readonly buffers: readonly number[];
  readonly points: readonly number[];
}

export interface FindingsAnswer {
  readonly findings: readonly Finding[];
}

export interface CompareSide {
  readonly run: string;
  readonly host: string | null;
  readonly module: string;
  readonly name: string;
  readonly space: string;
  readonly color: number;
  readonly axis: Axis;
  readonly points: number;
  readonly platform: Platform | null;
  readonly headline: Headline;
  readonly curve: { readonly points: Column; readonly bytes: Column };
}

export type ChangeKind = 'appeared' | 'went' | 'grew' | 'shrank' | 'moved';

/** One side's share of buffers that belong together. */
export interface ChangeHalf {
  readonly count: number;
  readonly bytes: number;
  /** Those alive at this side's own peak. */
  readonly peak_count: number;
  readonly peak_bytes: number;
  /** Rows of this side's usage answer, largest first, at most 20. */
  readonly buffers: readonly number[];
}

export interface Change {
  readonly kind: ChangeKind;
  /** Framework op name, "" where there is none. */
  readonly op: string;
  /** The instruction's name without its number where there is no op, else "". */
  readonly name: string;
  readonly opcode: string;
  /** Shape (without layout) in the subject; in the baseline for what went. */
  readonly shape: string;
  /** Null where it is the same. */
  readonly baseline_shape: string | null;
  /** The memory space that holds it on the other side (kind "moved"); null where it stays in its space. */
  readonly other_space: string | null;
  readonly source: string | null;
  readonly subject: ChangeHalf;
  readonly baseline: ChangeHalf;
  /** Subject less baseline, each at its own peak. */
  readonly difference_bytes: number;
}

export interface AlignedPhase {
  readonly label: string;
  readonly direction: Direction;
  readonly remat: boolean;
  readonly subject: readonly [number, number];
  readonly baseline: readonly [number, number];
}

export interface CompareAnswer {
  readonly subject: CompareSide;
  readonly baseline: CompareSide;
  /** Largest difference first, at most 500. */
  readonly changes: readonly Change[];
  /** Changes beyond those. */
  readonly omitted: { readonly count: number; readonly difference_bytes: number };
  readonly unchanged: { readonly count: number; readonly bytes: number };
  /** Subject less baseline: total (of the peaks) = buffers (Σ changes and omitted) − shared + scoped. */
  readonly parts: {
    readonly buffers_bytes: number;
    readonly shared_bytes: number;
    readonly scoped_bytes: number;
    readonly total_bytes: number;
  };
  /** Stretches `[start, end)` that cover both axes in order; empty on the side that lacks the phase. */
  readonly alignment: readonly AlignedPhase[];
  readonly problems: readonly Problem[];
}
