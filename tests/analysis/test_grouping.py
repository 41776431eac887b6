"""Groups of buffers: how names become paths, and which of them a flat list shows."""

from __future__ import annotations

import pytest

from tensorboard_plugin_memviewer.analysis.grouping.paths import (
    FileNames,
    argument_parts,
    owner_path,
    source_path,
)
from tensorboard_plugin_memviewer.analysis.grouping.table import grouping
from tensorboard_plugin_memviewer.analysis.live_set import breakdown
from tensorboard_plugin_memviewer.analysis.owners.owner import NOBODY, Owner
from tensorboard_plugin_memviewer.analysis.sources import Source
from tensorboard_plugin_memviewer.analysis.usage import plan, space_usage
from tests.build import module

PROGRAM = """
entry main:
  w = f32[16] parameter() op="params['w']"
  b = f32[16] parameter() op="params['b']"
  c = f32[16] copy(w) op="params['w']"
  d = f32[16] dot(w, c) op="jit(step)/jit(main)/attn/dot_general[p=((1,), (0,))]" source="/m/a.py:7"
  l = f32[16] while(d) op="jit(step)/while" source="/m/a.py:9"
  e = f32[16] add(l, b) op="jit(step)/while/body/add" source="/m/a.py:9"
  n = f32[16] negate(e)
alloc parameter 64: w:64
alloc parameter 64: b:64
alloc output 64: c:64
alloc output 64: d:64
alloc output 64: l:64
alloc output 64: e:64
alloc output 64: n:64
"""


def paths_of(by: str) -> set[str]:
    planned = plan(module(PROGRAM))
    found = grouping(planned, space_usage(planned, 0), by)
    pairs = zip(found.scope.tolist(), found.below.tolist(), strict=True)
    return {" > ".join((*found.scope_parts(scope), *found.names[below].names)) for scope, below in pairs}


def listed(by: str) -> list[tuple[str, tuple[str, ...], int]]:
    planned = plan(module(PROGRAM))
    usage = space_usage(planned, 0)
    found = breakdown(usage, grouping(planned, usage, by), 0)
    return [(group.key, group.path, group.bytes) for group in found.groups]


def test_scopes_end_in_operations_and_arguments_go_by_their_names() -> None:
    assert paths_of("scope") == {
        "arguments > params > w",
        "arguments > params > b",
        "from arguments > params > w",
        "step > attn > dot_general",
        "step > while",
        "step > while > add",
        "(no name) > negate",
    }


def test_a_list_shows_scopes_without_operations() -> None:
    assert listed("scope") == [
        ("arguments", ("arguments",), 128),
        ("step/while", ("step", "while"), 128),
        ("from arguments", ("from arguments",), 64),
        ("step/attn", ("step", "attn"), 64),
        ("(no name)", ("(no name)",), 64),
    ]


def test_arguments_have_no_source_line_and_are_called_arguments() -> None:
    assert listed("source") == [
        ("arguments", ("arguments",), 128),
        ("(no source line)", ("(no source line)",), 128),
        ("/m/a.py:9", ("m/a.py", "line 9"), 128),
        ("/m/a.py:7", ("m/a.py", "line 7"), 64),
    ]
    assert {"arguments > params > w", "(no source line) > Output"} < paths_of("source")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("params['blocks'][0].w", ("params", "blocks", "0", "w")),
        ("params['a.b']", ("params", "a.b")),
        ('x["k"]', ("x", "k")),
        ("x", ("x",)),
        ("[" * 60_000, ()),
        ("['" * 30_000, ("'",) * 30_000),
    ],
)
def test_the_parts_of_arguments(name: str, parts: tuple[str, ...]) -> None:
    assert argument_parts(name) == parts


def test_files_are_short_where_that_tells_them_apart() -> None:
    names = FileNames(["/a/lib/x.py", "/b/lib/x.py", "/a/lib/y.py", "z.py", "C:\\m\\w.py"])
    assert names == {
        "/a/lib/x.py": "/a/lib/x.py",
        "/b/lib/x.py": "/b/lib/x.py",
        "/a/lib/y.py": "lib/y.py",
        "z.py": "z.py",
        "C:\\m\\w.py": "m/w.py",
    }


def test_lines_of_libraries_are_one_group() -> None:
    file = "/v/site-packages/tensorflow/python/framework/ops.py"
    short = FileNames([file])
    path = source_path(Source(file, 7, framework=True), short)
    assert path.names == ("framework code", "framework/ops.py:7")
    assert path.text == f"framework code: {file}:7"
    assert source_path(Source(file, None), short).names == ("framework/ops.py", "(no name)")


def test_deep_names_are_no_deep_tree() -> None:
    deep = "x" + "[0]" * 50_000
    planned = plan(module(f'entry main:\n  p = f32[16] parameter() op="{deep}"\nalloc parameter 64: p:64'))
    (found,) = grouping(planned, space_usage(planned, 0), "scope").names
    assert len(found.names) == 100


@pytest.mark.parametrize(
    ("owner", "names", "text"),
    [
        (Owner(path="p['w']"), ("arguments", "p", "w"), "p['w']"),
        (
            Owner(path="p['w']", note="gradient of"),
            ("arguments", "p", "w", "gradient of"),
            "gradient of p['w']",
        ),
        (Owner(None, "a/b", "/x/m.py", 7, 12), ("a", "b", "x/m.py:7 × 12"), "a/b x/m.py:7 × 12"),
        (
            Owner(None, "", "/x/m.py", None, None, "recomputed"),
            ("x/m.py (recomputed)",),
            "x/m.py (recomputed)",
        ),
        (NOBODY, ("(no owner)",), None),
    ],
)
def test_owners_as_groups(owner: Owner, names: tuple[str, ...], text: str | None) -> None:
    found = owner_path(owner, FileNames(["/x/m.py"]))
    assert (found.names, found.text) == (names, text)
