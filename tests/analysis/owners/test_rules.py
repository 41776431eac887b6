"""Each rule of the tables: whose a value is, by how it comes to its content."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.analysis.owners.owner import Owner
from tensorboard_plugin_memviewer.analysis.owners.owners import find_owners
from tensorboard_plugin_memviewer.analysis.usage import plan
from tests.build import module
from tests.cost import grows_in_proportion


def owners_of(text: str) -> dict[str, Owner]:
    """The owners of a module's logical buffers, by `name{index}`. Its buffers are one allocation each."""
    built = module(text)
    found = find_owners(plan(built))
    names, buffers = built.instructions.names, built.buffers
    return {
        names[buffers.instruction[row]] + buffers.index_text(row): found.of(row)
        for row in range(len(buffers))
    }


def said(owner: Owner) -> tuple[object, ...]:
    return owner.path, owner.scope, owner.line, owner.layers, owner.note


SIMPLE = """
entry main:
  p = f32[16] parameter() op="params['w']"
  x = f32[16] {making}
  r = f32[16] negate(x) op="jit(f)/end/neg" source="f.py:9"
alloc parameter 64: p:64
alloc temp 64: x:64
alloc output 64: r:64
"""


@pytest.mark.parametrize(
    ("making", "expected"),
    [
        ('multiply(p, p) op="jit(f)/a/b/mul" source="f.py:3"', (None, "a/b", 3, None, None)),
        ('multiply(p, p) op="jit(f)/jvp(a)/while/body/closed_call/b/mul"', (None, "a/b", None, None, None)),
        ('multiply(p, p) op="jit(f)/jit(log_softmax)/mul"', (None, "log_softmax", None, None, None)),
        (
            'multiply(p, p) op="jit(f)/a/checkpoint/rematted_computation/b/mul"',
            (None, "a/b", None, None, "recomputed"),
        ),
        ("copy(p)", ("params['w']", None, None, None, "copy of")),
        ('transpose(p) op="jit(f)/a/transpose"', ("params['w']", None, None, None, "copy of")),
        ('convert(p) op="jit(f)/a/convert"', ("params['w']", None, None, None, "copy of")),
        ("all-gather(p)", ("params['w']", None, None, None, "gathered")),
        ("all-reduce(p)", ("params['w']", None, None, None, "communication")),
        ("dot(p, p)", (None, "end", 9, None, None)),
        ('custom-call() target="AllocateBuffer"', (None, "end", 9, None, None)),
    ],
)
def test_how_a_value_is_made(making: str, expected: tuple[object, ...]) -> None:
    assert said(owners_of(SIMPLE.format(making=making))["x"]) == expected


def test_an_argument_without_a_name_is_called_as_the_compiler_does() -> None:
    owners = owners_of(SIMPLE.format(making="copy(p)").replace(" op=\"params['w']\"", ""))
    assert said(owners["p"])[0] == "p"


def test_what_nobody_names_has_no_owner() -> None:
    owners = owners_of(SIMPLE.format(making="dot(p, p)").replace(' op="jit(f)/end/neg" source="f.py:9"', ""))
    assert not owners["x"].known
    assert not owners["r"].known


def test_a_copy_of_what_an_operation_makes() -> None:
    text = SIMPLE.format(making='multiply(p, p) op="jit(f)/a/mul" source="f.py:3"').replace(
        "negate(x)", "copy(x)"
    )
    assert said(owners_of(text)["r"]) == (None, "a", 3, None, "copy of")


def test_a_cast_by_the_author_is_an_operation() -> None:
    text = SIMPLE.format(making='multiply(p, p) op="jit(f)/a/mul"').replace("negate(x)", "convert(x)")
    assert said(owners_of(text)["r"]) == (None, "end", 9, None, None)


def test_a_prefetch_into_vmem() -> None:
    owners = owners_of("""
    entry main:
      p = f32[16] parameter() op="w"
      s = (f32[16],f32[16],u32[]) copy-start(p)
      d = f32[16] copy-done(s)
      r = f32[16] negate(d) op="jit(f)/neg"
    alloc parameter 64: p:64
    alloc temp 64 space=1: s{0}:64
    alloc output 64: r:64
    """)
    assert said(owners["s{0}"]) == ("w", None, None, None, "copy in VMEM")


# A loop that scans over 4 layers: a carried state, a stacked result, an argument that is sliced.
SCAN = """
computation body:
  c = (s32[],f32[16],f32[4,16],f32[4,16]) parameter()
  i = s32[] get-tuple-element(c) index=0
  h = f32[16] get-tuple-element(c) index=1
  ys = f32[4,16] get-tuple-element(c) index=2
  ws = f32[4,16] get-tuple-element(c) index=3
  w = f32[1,16] dynamic-slice(ws, i) op="jit(f)/blocks/while/body/dynamic_slice" source="f.py:20"
  y = f32[16] multiply(h, w) op="jit(f)/blocks/while/body/closed_call/mlp/mul" source="f.py:7"
  n = f32[16] tanh(y) op="jit(f)/blocks/while/body/closed_call/mlp/tanh" source="f.py:8"
  {store}
  t = (s32[],f32[16],f32[4,16],f32[4,16]) tuple(i, n, u, ws)
computation cond:
  cc = (s32[],f32[16],f32[4,16],f32[4,16]) parameter()
  l = pred[] constant()
entry main:
  x = f32[16] parameter() op="x"
  a = f32[4,16] parameter() number=1 op="params['w']"
  z = s32[] constant()
  e = f32[16] exponential(x) op="jit(f)/embed/exp" source="f.py:2"
  zero = f32[] constant()
  b = f32[4,16] broadcast(zero) op="jit(f)/blocks/while" source="f.py:20"
  init = (s32[],f32[16],f32[4,16],f32[4,16]) tuple(z, e, b, a)
  loop = (s32[],f32[16],f32[4,16],f32[4,16]) while(init) calls=body,cond {loop}
  r = f32[4,16] get-tuple-element(loop) index=2
alloc parameter 64: x:64
alloc parameter 256: a:256 c{{3}}:256 cc{{3}}:256 loop{{3}}:256
alloc output 256: b:256 c{{2}}:256 cc{{2}}:256 u:256 loop{{2}}:256
alloc temp 64: e:64 c{{1}}:64 cc{{1}}:64 n:64 loop{{1}}:64
alloc temp 4: z:4 c{{0}}:4 cc{{0}}:4 loop{{0}}:4
alloc temp 64: w:64
alloc temp 64: y:64
one: a c{{3}} cc{{3}} loop{{3}}
one: b c{{2}} cc{{2}} u loop{{2}}
one: e c{{1}} cc{{1}} n loop{{1}}
one: z c{{0}} cc{{0}} loop{{0}}
"""
LOOP = 'op="jit(f)/blocks/while" source="f.py:20"'
ZEROS = 'op="jit(f)/zeros/broadcast_in_dim" source="f.py:3"'
OF_LOOP = 'op="jit(f)/blocks/while/body/dynamic_update_slice" source="f.py:20"'
OF_AUTHOR = 'op="jit(f)/blocks/while/body/closed_call/keep/dynamic_update_slice" source="f.py:9"'


def scan(store: str) -> str:
    return SCAN.format(store=store, loop=LOOP)


def test_a_loops_stack_belongs_to_what_it_stores() -> None:
    owners = owners_of(scan(f"u = f32[4,16] dynamic-update-slice(ys, y, i) {OF_LOOP}"))
    stack = (None, "blocks/mlp", 7, 4, None)
    assert {said(owners[name]) for name in ("b", "c{2}", "cc{2}", "u", "loop{2}")} == {stack}


def test_an_authors_own_store_is_an_operation() -> None:
    owners = owners_of(scan(f"u = f32[4,16] dynamic-update-slice(ys, y, i) {OF_AUTHOR}"))
    assert said(owners["loop{2}"]) == (None, "blocks/keep", 9, None, None)


def test_a_carried_state_belongs_to_what_makes_its_initial_value() -> None:
    owners = owners_of(scan(f"u = f32[4,16] dynamic-update-slice(ys, y, i) {OF_LOOP}"))
    assert {said(owners[name]) for name in ("e", "c{1}", "n", "loop{1}")} == {(None, "embed", 2, None, None)}


@pytest.mark.parametrize(
    ("user", "expected"),
    [("copy(b)", (None, "blocks/mlp", 7, 4, None)), ("negate(b)", (None, "zeros", 3, None, None))],
)
def test_an_initial_value_belongs_to_the_loop_that_it_begins(user: str, expected: tuple[object, ...]) -> None:
    text = scan(f"u = f32[4,16] dynamic-update-slice(ys, y, i) {OF_LOOP}")
    text = text.replace(
        f"b = f32[4,16] broadcast(zero) {LOOP}",
        f"""b = f32[4,16] broadcast(zero) {ZEROS}
      k = f32[4,16] {user}""",
    )
    text = text.replace("tuple(z, e, b, a)", "tuple(z, e, k, a)").replace("output 256: b", "output 256: k")
    owners = owners_of(text.replace("one: b", "one: k") + "alloc temp 256: b:256")
    assert said(owners["b"]) == expected


def test_an_argument_of_which_a_part_is_stored_anew_is_copied() -> None:
    owners = owners_of("""
    entry main:
      p = f32[4,16] parameter() op="cache"
      v = f32[1,16] parameter() number=1 op="new"
      i = s32[] parameter() number=2
      r = f32[4,16] dynamic-update-slice(p, v, i) op="jit(f)/keep/dynamic_update_slice"
    alloc parameter 256: p:256
    alloc parameter 64: v:64
    alloc parameter 4: i:4
    alloc output 256: r:256
    """)
    assert said(owners["r"]) == ("cache", None, None, None, "copy of")


def test_a_loops_slice_of_an_argument() -> None:
    owners = owners_of(scan(f"u = f32[4,16] dynamic-update-slice(ys, y, i) {OF_LOOP}"))
    assert said(owners["w"]) == ("params['w']", None, None, None, "slice of")
    assert owners["c{3}"].path == "params['w']"


FUSED_STORE = """
fused store:
  fys = f32[4,16] parameter()
  fh = f32[16] parameter() number=1
  fi = s32[] parameter() number=2
  s = f32[16] sine(fh) op="jit(f)/blocks/while/body/closed_call/mlp/sin" source="f.py:11"
  v = f32[1,16] bitcast(s)
  fu = f32[4,16] dynamic-update-slice(fys, v, fi) op="jit(f)/blocks/while/body/store" source="f.py:20"
"""


def test_a_stack_that_a_fusion_stores_into() -> None:
    store = f"u = f32[4,16] fusion(ys, h, i) calls=store {OF_LOOP}"
    owners = owners_of(FUSED_STORE + scan(store))
    assert said(owners["loop{2}"]) == (None, "blocks/mlp", 11, 4, None)


def test_each_result_of_a_fusion_has_its_own_owner() -> None:
    owners = owners_of("""
    fused two:
      q = f32[16] parameter()
      a = f32[16] sine(q) op="jit(f)/one/sin"
      b = f32[16] copy(q)
      k = (f32[16],f32[16]) tuple(a, b)
    entry main:
      p = f32[16] parameter() op="w"
      x = (f32[16],f32[16]) fusion(p) calls=two op="jit(f)/other/mul"
      l = f32[16] get-tuple-element(x) index=0
      r = f32[16] negate(l) op="jit(f)/neg"
    alloc parameter 64: p:64
    alloc temp 64: x{0}:64
    alloc temp 64: x{1}:64
    alloc output 64: r:64
    """)
    assert said(owners["x{0}"]) == (None, "one", None, None, None)
    assert said(owners["x{1}"]) == ("w", None, None, None, "copy of")


def test_scratch_of_a_library_belongs_to_its_call() -> None:
    owners = owners_of("""
    entry main:
      p = f32[16] parameter() op="w"
      x = (f32[16],s8[64]) custom-call(p) target="gemm" op="jit(f)/mlp/dot_general" source="f.py:5"
      l = f32[16] get-tuple-element(x) index=0
      r = f32[16] negate(l) op="jit(f)/neg"
    alloc parameter 64: p:64
    alloc temp 64: x{0}:64
    alloc temp 64: x{1}:64
    alloc output 64: r:64
    """)
    assert said(owners["x{1}"]) == (None, "mlp", 5, None, "workspace")


TRAIN = """
entry main:
  w = f32[4,4] parameter() op="params['w']"
  m = f32[4,4] parameter() number=1 op="mu['w']"
  x = f32[8,4] parameter() number=2 op="x"
  y = f32[8,4] dot(x, w) op="jit(step)/jvp(mlp)/dot_general" source="f.py:3"
  d = f32[8,4] negate(y) op="jit(step)/transpose(jvp(mlp))/neg" source="f.py:4"
  g = f32[4,4] dot(x, d) op="jit(step)/transpose(jvp(mlp))/dot_general" source="f.py:3"
  s = f32[4,4] all-reduce(g) op="jit(step)/transpose(jvp(mlp))/psum"
  nm = f32[4,4] add(m, s) op="jit(step)/update/add" source="f.py:8"
  nw = f32[4,4] subtract(w, nm) op="jit(step)/update/sub" source="f.py:9"
  r = (f32[4,4],f32[4,4]) tuple(nw, nm)
{allocations}
alloc parameter 128: x:128
alloc temp 128: y:128
alloc temp 128: d:128
alloc temp 64: g:64
alloc temp 64: s:64
alloc output 16: r:16
"""
DONATED = "alloc parameter+output 64: w:64 nw:64\nalloc parameter+output 64: m:64 nm:64"
KEPT = "alloc parameter 64: w:64\nalloc parameter 64: m:64\nalloc output 64: nw:64\nalloc output 64: nm:64"


MOMENT_FIRST = "\n".join(reversed(DONATED.splitlines()))


@pytest.mark.parametrize("allocations", [DONATED, KEPT, MOMENT_FIRST])
def test_gradients_belong_to_the_parameter(allocations: str) -> None:
    owners = owners_of(TRAIN.format(allocations=allocations))
    assert said(owners["g"]) == ("params['w']", "mlp", 3, None, "gradient of")
    assert said(owners["s"])[0] == "params['w']"
    assert said(owners["y"]) == (None, "mlp", 3, None, None)
    assert said(owners["d"]) == (None, "mlp", 4, None, None)
    assert owners["nw"].path == "params['w']"
    assert owners["nm"].path == "mu['w']"


def test_a_circle_of_copies_ends() -> None:
    text = scan("u = f32[4,16] copy(ys)").replace('op="jit(f)/blocks/while" source="f.py:20"', "")
    assert not owners_of(text)["loop{2}"].known


def chained(links: int) -> str:
    """Copies of copies of an argument, and as many casts in the other direction."""
    copies = [f"  c{at} = f32[16] copy(c{at - 1})" for at in range(1, links)]
    filled = [f"  v{at} = f32[16] convert(v{at - 1})" for at in range(1, links)]
    names = [f"c{at}" for at in range(1, links)] + [f"v{at}" for at in range(links)]
    return "\n".join(
        [
            "entry main:",
            '  c0 = f32[16] parameter() op="w"',
            '  v0 = f32[16] custom-call() target="AllocateBuffer"',
            *copies,
            *filled,
            "alloc parameter 64: c0:64",
            *(f"alloc temp 64: {name}:64" for name in names),
        ]
    )


def test_long_chains_cost_in_proportion() -> None:
    plans = {times: plan(module(chained(300 * times))) for times in (1, 8)}
    assert grows_in_proportion(lambda times: find_owners(plans[times]))
