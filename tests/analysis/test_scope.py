"""Framework op names: what JAX and TensorFlow write, what anybody can write, and what is read from it."""

from __future__ import annotations

import inspect
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.analysis import scope
from tensorboard_plugin_memviewer.analysis.scope import (
    NOWHERE,
    Direction,
    Place,
    is_rematerialized,
    parse_scope,
    places_of,
)
from tests.cost import grows_in_proportion

# op name => path | direction, and whether recomputed | op
NAMES = """
jit(step)/mul => step | none | mul
jit(step) => step | none |
jit(f)/jit(main)/add => f | none | add
pjit(step)/mul => step | none | mul
jit(step)/jvp()/reduce_sum => step | forward | reduce_sum
jit(step)/transpose(jvp())/while => step | backward | while
jit(step)/jvp(dense_3)/dot_general => step/dense_3 | forward | dot_general
jit(step)/transpose(jvp(dense_3))/dot_general => step/dense_3 | backward | dot_general
jit(step)/jvp(jit(log_softmax))/sub => step/log_softmax | forward | sub
jit(step)/jvp(jit(log_softmax)) => step/log_softmax | forward |
jit(step)/transpose(jvp(vmap(jit(loss))))/sub => step/loss | backward | sub
jit(step)/jvp(outer)/transpose(inner)/add => step/outer/inner | backward | add
jit(step)/jvp()/while/body/closed_call/attn/exp => step/while/attn | forward | exp
jit(step)/jvp()/while/body/closed_call => step/while | forward |
jit(step)/jvp()/while/cond/lt => step/while | forward | lt
jit(solve)/while/body/while/body/closed_call/tanh => solve/while/while | none | tanh
jit(solve)/cond/branch_2_fun/jit(fft) => solve/cond/branch 2/fft | none |
jit(s)/transpose(jvp())/while/body/closed_call/checkpoint/attn/mul => s/while/attn | backward | mul
jit(s)/transpose(jvp())/while/body/checkpoint/rematted_computation/a/b => s/while/a | backward, recomputed | b
jit(s)/jvp()/while/body/closed_call/attn/bqhd,bkhd->bhqk/dot_general => s/while/attn | forward | dot_general
jit(s)/transpose(jvp(m))/dec/jvp(m)/dec/checkpoint/attn/div => s/m/dec/attn | backward | div
jit(s)/transpose(jvp(m))/jvp(m)/checkpoint/rematted_computation/cos => s/m | backward, recomputed | cos
jit(s)/transpose(jvp(m))/jvp(other)/cos => s/m/other | backward | cos
jit(s)/jvp()/attn/jit(_where)/select_n => s/attn | forward | select_n
jit(_normal)/jit(_normal_real)/mul => _normal | none | mul
jit(s)/body/cond/add => s/body/cond | none | add
jit(s)/attn/main/add => s/attn/main | none | add
jit(s)/jvp(层/3)/attn/add => s/层/3/attn | forward | add
jit(s)/jvp(</script><b>)/mlp/add => s/</script><b>/mlp | forward | add
jit(s)/🔥/emb/add => s/🔥/emb | none | add
jit(s)/foo(bar)/add => s/foo(bar) | none | add
jit(s)/open(/add => s/open( | none | add
jit(s)//add => s | none | add
jit(s)/(transpose(jvp(jit(loss)))/neg:jvp(jit(loss))/sub:jvp(x)/gather) => s/loss | backward | neg
jit(s)/transpose(jvp())/mul;jit(s)/jvp()/broadcast_in_dim => s | backward | mul
gradient_tape/model/dense/MatMul/MatMul_1 => model/dense/MatMul | backward | MatMul_1
model/dense/MatMul => model/dense | none | MatMul
params['blocks']['a/b'] => | none | params['blocks']['a/b']
reduce_sum => | none | reduce_sum
jit(s)/jit(main)/attn/dot_general[dimension_numbers=(((1,), (0,)), ((), ()))] => s/attn | none | dot_general
jit(s)/jit(main)/pallas_call[name_and_src_info=f at /a/b.py:12 grid=[1]] => s | none | pallas_call
jit(s)/layer[i=0]/add => s/layer[i=0] | none | add
jit(s)/layer[0]/dot_general[p=[None]] => s/layer[0] | none | dot_general
dot_general[p=None] => | none | dot_general
batch[a=]x] => | none | batch[a=]x]
"""


def readable(place: Place, op: str) -> str:
    direction = f"{place.direction}, recomputed" if place.remat else place.direction
    return f"{place.scope} | {direction} | {op}".strip()


@pytest.mark.parametrize("line", NAMES.strip().splitlines(), ids=lambda line: line.split(" => ")[0])
def test_names(line: str) -> None:
    name, _, expected = line.partition(" => ")
    assert readable(*parse_scope(name)) == expected


def test_the_empty_name() -> None:
    assert parse_scope("") == (NOWHERE, "")


parts = st.text("abcXYZ_0129é<>&\"' ", min_size=1, max_size=8).filter(
    lambda part: part not in ("cond", "body") and not part.startswith("_")
)


@given(
    st.lists(parts, min_size=1, max_size=4),
    st.sampled_from(["forward", "backward", "none"]),
    st.booleans(),
    parts,
)
def test_what_jax_writes_is_read_back(path: list[str], direction: Direction, remat: bool, op: str) -> None:
    root, *scopes = path
    wrapped = {"forward": "jvp({})", "backward": "transpose(jvp({}))", "none": "{}"}[direction]
    first = wrapped.replace("{}", scopes[0] if scopes else "")
    loop = ["while", "body", "closed_call", *(["checkpoint", "rematted_computation"] if remat else [])]
    name = "/".join([f"jit({root})", first, *scopes[1:], *loop, op])
    assert parse_scope(name) == (Place((*path, "while"), direction, remat), op)


@given(st.text("jvptransoe()/;:[]cond-> whilebody_09é", max_size=60))
def test_any_text_has_a_scope(name: str) -> None:
    place, _ = parse_scope(name)
    assert all(place.path)


@pytest.mark.parametrize(
    ("begin", "repeated", "end", "count"),
    [
        ("", "jvp(", "", 31_000),
        ("", "jvp(", ")", 2_000),
        ("", "/(", ")", 62_000),
        ("", "a/", "", 62_000),
        ("", ";", "", 125_000),
        ("jit(f)/(", "a:", "", 62_000),
    ],
    ids=["open", "nested", "brackets", "deep", "semicolons", "merged"],
)
def test_hostile_names_cost_no_more_than_their_length(
    begin: str, repeated: str, end: str, count: int
) -> None:
    assert grows_in_proportion(
        lambda times: parse_scope(begin + repeated * (count * times) + end * (count * times))
    )


@pytest.mark.parametrize(
    ("name", "made_again"),
    [
        ("fusion.21.remat", True),
        ("fusion.21.remat2", True),
        ("fusion.remat.clone", True),
        ("copy.3.remat_uncompressed", True),
        ("rematted.3", False),
        ("fusion.remaining", False),
        ("fusion.remat_me", False),
        ("fusion.3", False),
    ],
)
def test_xlas_own_rematerialization(name: str, made_again: bool) -> None:
    assert is_rematerialized(name) is made_again


def test_the_installed_jax_writes_such_names() -> None:
    jax = pytest.importorskip("jax", reason="JAX is what writes the names")

    def loss(weights: object, x: object) -> object:
        for layer in range(2):
            with jax.named_scope(f"layer_{layer}"):
                x = jax.checkpoint(lambda x: jax.numpy.sin(x @ weights))(x)
        return x.sum()  # type: ignore[attr-defined]

    argument = jax.ShapeDtypeStruct((8, 8), "float32")
    compiled = jax.jit(jax.grad(loss)).lower(argument, argument).compile()
    names = set(re.findall(r'op_name="([^"]*)"', compiled.as_text()))
    scopes = set(places_of(names).table)
    assert (("loss", "layer_0"), "forward", False) in scopes
    assert (("loss", "layer_1"), "backward", False) in scopes
    assert any(remat and path == ("loss", "layer_1") for path, _, remat in scopes)


def test_names_that_share_a_beginning_are_read_as_each_alone() -> None:
    alone = []
    for line in NAMES.strip().splitlines():
        scope._place.cache_clear()
        scope._walked.cache_clear()
        alone.append(parse_scope(line.partition(" => ")[0]))
    together = [parse_scope(line.partition(" => ")[0]) for line in NAMES.strip().splitlines()]
    assert together == alone


@pytest.fixture
def nothing_kept() -> None:
    for known in (scope._place, scope._walked, scope._known_unwrapped):
        known.cache_clear()


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("name", ["/" * 301, "a/" * 150 + "b"], ids=["slashes", "scopes"])
def test_a_deep_name_needs_no_deep_stack(name: str) -> None:
    most = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 200)
    try:
        place, _ = parse_scope(name)
    finally:
        sys.setrecursionlimit(most)
    assert len(place.path) == name.count("a")


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("inside", ["a" * 60_000, "a/" * 30_000], ids=["long", "deep"])
@pytest.mark.parametrize("name", ["{}/add", "jit({})/add"], ids=["plain", "wrapped"])
def test_long_names_are_not_kept(name: str, inside: str) -> None:
    parse_scope(name.replace("{}", inside))
    kept = [known.cache_info().currsize for known in (scope._place, scope._walked, scope._known_unwrapped)]
    assert sum(kept) == 0
