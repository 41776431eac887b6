// Written by tools/generate_vocabulary.py from the package's vocabulary: change it there.

export const HEADLINE = {
  peak_bytes: {"word": "Peak usage", "sentence": "The most memory in use at any program point. Shows what dominates; the required amount is larger.", "unit": "bytes", "moreIsBetter": false},
  peak_point: {"word": "Peak point", "sentence": "The first program point that reaches the peak.", "unit": "point", "moreIsBetter": false},
  required_bytes: {"word": "Required", "sentence": "Allocated plus the largest scoped memory: the memory that the device must have. The capacity is compared with this, never with the peak.", "unit": "bytes", "moreIsBetter": false},
  capacity_bytes: {"word": "Capacity", "sentence": "The size of the memory space on the device; absent if unknown.", "unit": "bytes", "moreIsBetter": false},
  allocated_bytes: {"word": "Allocated", "sentence": "Sizes of the allocations: what XLA reserves. With thread-local memory it is “Total bytes” in XLA's own memory-usage report.", "unit": "bytes", "moreIsBetter": false},
  argument_bytes: {"word": "Arguments", "sentence": "Inputs of the program: sizes of the Parameter allocations. Held for the whole run.", "unit": "bytes", "moreIsBetter": false},
  output_bytes: {"word": "Outputs", "sentence": "Results that do not reuse an argument's memory: sizes of the Output allocations. Held for the whole run.", "unit": "bytes", "moreIsBetter": false},
  constant_bytes: {"word": "Constants", "sentence": "Arrays that are part of the program: sizes of the Constant allocations.", "unit": "bytes", "moreIsBetter": false},
  temporary_bytes: {"word": "Temporaries", "sentence": "Reserved for intermediate values: sizes of the Temporary allocations. Arguments, outputs, constants and temporaries sum to the allocated bytes exactly.", "unit": "bytes", "moreIsBetter": false},
  temporary_peak_bytes: {"word": "Temporaries at their peak", "sentence": "The most memory that intermediate values occupy at once: the largest union of their addresses.", "unit": "bytes", "moreIsBetter": false},
  fragmentation_bytes: {"word": "Fragmentation", "sentence": "Reserved for temporaries, but not in use even at their peak: gaps in the address space.", "unit": "bytes", "moreIsBetter": false},
  thread_local_bytes: {"word": "Thread-local", "sentence": "Sizes of the Thread-local allocations, inside kernels and host calls. Counted in no other number.", "unit": "bytes", "moreIsBetter": false},
  indefinite_bytes: {"word": "Held for the whole run", "sentence": "Arguments, outputs and constants together.", "unit": "bytes", "moreIsBetter": false},
  untraced_bytes: {"word": "Not in the heap trace", "sentence": "The most memory held at once by buffers that no heap trace lists.", "unit": "bytes", "moreIsBetter": false},
  aliased_bytes: {"word": "Aliased", "sentence": "The part of the arguments whose memory is reused for an output, as donation does.", "unit": "bytes", "moreIsBetter": true},
  unpadded_at_peak_bytes: {"word": "Peak without padding", "sentence": "Usage at the peak without padding.", "unit": "bytes", "moreIsBetter": false},
  padding_bytes: {"word": "Padding at peak", "sentence": "Bytes of the peak that hold no data, because the layout's tiles round dimensions up. Includes arguments.", "unit": "bytes", "moreIsBetter": false},
  scoped_at_peak_bytes: {"word": "Scoped at peak", "sentence": "Scoped memory of the instruction at the peak point.", "unit": "bytes", "moreIsBetter": false},
  max_scoped_bytes: {"word": "Largest scoped", "sentence": "The most memory that a single instruction reserves while it runs, at any point.", "unit": "bytes", "moreIsBetter": false},
} as const;

export const SPACES = {
  0: {"name": "HBM", "about": null},
  1: {"name": "VMEM", "about": null},
  2: {"name": "SFlag", "about": null},
  3: {"name": "CMEM", "about": null},
  4: {"name": "SMEM", "about": null},
  5: {"name": "Host", "about": "XProf's newest name: System Memory."},
  6: {"name": "SparseCore", "about": "SparseCore; on chips without one the compiler keeps scalars there (workspace registers)."},
  7: {"name": "SC Stack HBM", "about": "XProf's name: SparseCore Private Stack HBM."},
  8: {"name": "SC Seq SFlag", "about": "XProf's name: SparseCore Sequencer Sflag."},
  9: {"name": "Pinned HBM", "about": null},
  10: {"name": "SC Tile SFlag", "about": "XProf's name: SparseCore Tile Sflag."},
} as const;

export const DEFAULT_SPACE = 0 as const;

export const GROUPINGS = {
  owner: {"word": "Owner"},
  category: {"word": "Category"},
  scope: {"word": "Framework scope"},
  source: {"word": "Source line"},
  type: {"word": "Allocation type"},
  opcode: {"word": "Opcode"},
  dtype: {"word": "Data type"},
  shape: {"word": "Shape"},
  expression: {"word": "Expression"},
} as const;

export const DEFAULT_GROUPING = "owner" as const;

export const ALLOCATION_TYPES = ["Parameter", "Output", "Thread-local", "Constant", "Temporary"] as const;

export const PARAMETER = "Parameter" as const;

export const TEMPORARY = "Temporary" as const;

export const CATEGORIES = {
  parameter: {"word": "parameter", "sentence": "A weight that the model reads: an argument, or a copy of one."},
  optimizer_state: {"word": "optimizer state", "sentence": "What the optimizer keeps between steps, such as moments."},
  kv_cache: {"word": "KV cache", "sentence": "What a program without a backward pass keeps and writes a part of anew."},
  state: {"word": "state", "sentence": "What a program without a backward pass keeps and writes anew as a whole."},
  input: {"word": "input", "sentence": "An argument that is only read, such as a batch, or a copy of one."},
  activation: {"word": "activation", "sentence": "Made in the forward pass."},
  activation_gradient: {"word": "activation gradient", "sentence": "Made in the backward pass, on the way to gradients."},
  gradient: {"word": "gradient", "sentence": "Gradient of a parameter, or a sum of such."},
  gathered_weights: {"word": "gathered weights", "sentence": "A parameter put together from the parts of several devices."},
  collective: {"word": "collective", "sentence": "Result of another exchange between devices."},
  workspace: {"word": "workspace", "sentence": "Made and last read within one pass."},
  output: {"word": "output", "sentence": "What the program returns, in memory of its own."},
  constant: {"word": "constant", "sentence": "A constant of the program."},
  host_copy: {"word": "host copy", "sentence": "A copy in the host's memory."},
  runtime: {"word": "runtime", "sentence": "Tables of pointers, semaphores and values under 4 KiB."},
} as const;

export const FINDING_KINDS = {
  over_capacity: {"word": "over capacity", "urgency": "bad", "needsCapacity": true},
  scoped_over_capacity: {"word": "scoped memory over capacity", "urgency": "bad", "needsCapacity": true},
  near_capacity: {"word": "near capacity", "urgency": "warn", "needsCapacity": true},
  dominant_buffer: {"word": "one buffer of half the capacity", "urgency": "warn", "needsCapacity": true},
  undonated_arguments: {"word": "arguments that could be donated", "urgency": "note", "needsCapacity": false},
  padding: {"word": "padding", "urgency": "note", "needsCapacity": false},
  activations: {"word": "activations kept for the backward pass", "urgency": "note", "needsCapacity": false},
  recomputed: {"word": "recomputed values of several layers", "urgency": "note", "needsCapacity": false},
  copies: {"word": "copies beside their originals", "urgency": "note", "needsCapacity": false},
  not_in_place: {"word": "donated arguments not updated in place", "urgency": "note", "needsCapacity": false},
  duplicates: {"word": "buffers with the same op and shape", "urgency": "note", "needsCapacity": false},
  large_buffer: {"word": "one large buffer that fits none of these", "urgency": "note", "needsCapacity": false},
  fragmentation: {"word": "fragmentation", "urgency": "note", "needsCapacity": false},
  large_constants: {"word": "large constants", "urgency": "note", "needsCapacity": false},
  wide_floats: {"word": "f32 or f64", "urgency": "note", "needsCapacity": false},
} as const;

export const CHANGES = {
  appeared: "Only in this module.",
  grew: "In both, larger here.",
  moved: "The same size in both, but in another memory space, or alive at only one of the peaks.",
  shrank: "In both, smaller here.",
  went: "Only in the baseline.",
} as const;

export const BUFFER_COLUMNS = {
  name: {"word": "Buffer", "help": "Defining instruction, with the index of a tuple element."},
  bytes: {"word": "Size", "help": "As stored, tiles and padding included."},
  unpadded_bytes: {"word": "Unpadded", "help": "What the elements need."},
  padding_bytes: {"word": "Padding", "help": "Stored beyond what the elements need."},
  factor: {"word": "Factor", "help": "Stored size divided by the size of the elements."},
  source: {"word": "Source", "help": "Innermost line of your code."},
  op_name: {"word": "Framework op", "help": "The framework's name for the operation, with the scopes of your code, outermost first."},
  shape: {"word": "Shape", "help": "Type, dimensions and layout, as XLA writes them."},
  dtype: {"word": "Data type", "help": "Type of the elements."},
  type: {"word": "Allocation", "help": "Every type except Temporary is held for the whole program."},
  opcode: {"word": "Opcode", "help": "Operation of the instruction."},
  start: {"word": "From", "help": "Program point that allocates the buffer."},
  end: {"word": "Until", "help": "Last program point at which the buffer is alive."},
  points: {"word": "Points", "help": "Number of program points at which the buffer is alive."},
  last_read: {"word": "Last read", "help": "Last program point that reads the buffer's memory, including under its other names in and after loops and branches."},
  readers: {"word": "Readers", "help": "Number of program points whose instruction reads the buffer."},
  known_by: {"word": "Life known by", "help": "Source of From and Until: the compiler's trace, the readers in the schedule, or the allocation, which is held for the whole run."},
  allocation: {"word": "Alloc. no.", "help": "Number of its allocation."},
  offset: {"word": "Address", "help": "Its first byte in its allocation."},
  aliased: {"word": "Aliased", "help": "Whether an output reuses its memory."},
  id: {"word": "Id", "help": "Number of the logical buffer."},
} as const;

export const KNOWN_BY = {
  traced: "trace",
  inferred: "readers",
  unknown: "unknown",
  indefinite: "allocation",
} as const;

export const CAPACITY_IN_CHARTS = [2, 1] as const;

export const NEARLY_FULL = [19, 20] as const;

export type HeadlineKey = keyof typeof HEADLINE;
export type GroupBy = keyof typeof GROUPINGS;
export type FindingKind = keyof typeof FINDING_KINDS;
export type ChangeKind = keyof typeof CHANGES;
export type BufferColumnKey = keyof typeof BUFFER_COLUMNS;
