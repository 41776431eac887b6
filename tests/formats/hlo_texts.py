"""A program of a few lines in the text that XLA writes, with what lies beside it in a dump."""

MODULE = r"""HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[8]{0})->f32[8]{0}}

FileNames
1 "lib.py"
2 "it's \"mine\".py"

FunctionNames
1 "inner"
2 "main"

FileLocations
1 {file_name_id=1 function_name_id=1 line=7 end_line=7 column=3 end_column=9}
2 {file_name_id=2 function_name_id=2 line=40 end_line=40 column=1 end_column=2}

StackFrames
1 {file_location_id=2 parent_frame_id=1}
2 {file_location_id=1 parent_frame_id=2}


%fused (p0: f32[8]) -> f32[8] {
  %p0 = f32[8]{0} parameter(0)
  ROOT %neg = f32[8]{0} negate(%p0), backend_config={"used_scoped_memory_configs":[{"memory_space":"1","offset":"0","size":"512"}]}
}

%body (arg: (f32[8], s32[])) -> (f32[8], s32[]) {
  %arg = (f32[8]{0}, s32[]) parameter(0)
  %g0 = f32[8]{0} get-tuple-element(%arg), index=0
  %g1 = s32[] get-tuple-element(%arg), index=1
  %work = f32[8]{0} fusion(%g0), kind=kLoop, calls=%fused, metadata={op_name="jit(f)/while/body/neg" stack_frame_id=2}, backend_config={"used_scoped_memory_configs":[{"memory_space":"1","offset":"0","size":"1024"}]}
  ROOT %next = (f32[8]{0}, s32[]) tuple(%work, %g1)
}

%condition (arg.1: (f32[8], s32[])) -> pred[] {
  %arg.1 = (f32[8]{0}, s32[]) parameter(0)
  %g2 = s32[] get-tuple-element(%arg.1), index=1
  ROOT %less = pred[] compare(%g2, %g2), direction=LT
}

%wrapped (w: f32[8]) -> f32[8] {
  %w = f32[8]{0} parameter(0)
  ROOT %cc = f32[8]{0} custom-call(%w), custom_call_target="Do\"It\"", backend_config="{\"calls\":\"%fused\"}"
}, execution_thread="sparsecore"

ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8]{0} parameter(0), metadata={op_name="x[\'w\303\274\']"}
  %zero = s32[] constant(0)
  %init = (f32[8]{0}, s32[]) tuple(%x, %zero)
  %loop = (f32[8]{0}, s32[]) while(%init), condition=%condition, body=%body, metadata={op_name="jit(f)/while, calls=%fused" source_file="a b.py" source_line=12}
  %out = f32[8]{0} get-tuple-element(%loop), index=0
  %start = ((f32[8]{0}), f32[8]{0}, u32[]{:S(2)}) async-start(%out), async_execution_thread="sparsecore", calls=%wrapped
  ROOT %done = f32[8]{0} async-done(%start), calls=%wrapped
}
"""

# As compilers wrote it before 2022: no percent signs, no signatures.
OLD_MODULE = """HloModule jit_f, is_scheduled=true

fused_computation {
  param_0 = s32[9]{0:T(128)} parameter(0)
  ROOT add.0 = s32[9]{0:T(128)} add(param_0, param_0)
}

ENTRY main.6 {
  Arg_0.1 = s32[9]{0:T(128)} parameter(0), sharding={replicated}
  ROOT fusion = s32[9]{0:T(128)} fusion(s32[9]{0:T(128)} Arg_0.1), kind=kLoop, calls=fused_computation, metadata={op_type="add" op_name="jit(f)/add" source_file="/home/u/f.py" source_line=8}
}
"""

ASSIGNMENT = """BufferAssignment:
allocation 0: size 32, parameter 0, shape |f32[8]| at ShapeIndex {}:
 value: <1 x @0> (size=32,offset=0): f32[8]{0}
allocation 1: size 32, maybe-live-out:
 value: <9 cc @0> (size=32,offset=0): f32[8]{0}
allocation 2: size 128, preallocated-temp:
 value: <2 zero @0> (size=4,offset=0): s32[]
 value: <3 init{} @0> (size=16,offset=64): (f32[8]{0}, s32[])
 value: <4 arg{0} (phi) @0> (size=32,offset=32): f32[8]{0}
 value: <5 work @0> (size=32,offset=32): f32[8]{0}
 value: <6 loop{0} (phi) @0> (size=32,offset=32): f32[8]{0}
"""

LIVE_RANGES = """HloLiveRange (max 16):
  InstructionSequence:
    0:x
    1:zero
    2:init
    3:arg.1
    4:g2
    5:less
    6:arg
    7:g0
    8:g1
    9:work
    10:next
    11:loop
    12:out
    13:w
    14:cc
    15:start
    16:done
  BufferLiveRange:
    x{}:0-17
    work{}:9-11
    loop{0}:11-14
    cc{}:14-17
  Live ranges at 9 (peak):
    x{}: 32 bytes (cumulative: 32 bytes)
"""

VALUES = """
Used values:
<1 x @0>
 positions:
  x
 uses:
  init, operand 0
 from instruction: %x = f32[8]{0} parameter(0), metadata={op_name="x"}
<5 work @0>
 positions:
  work
 from instruction:%work = f32[8]{0} fusion(f32[8]{0} %g0), kind=kLoop, calls=%fused, metadata={op_name="jit(f)/neg" source_file="f.py" source_line=3}
"""
