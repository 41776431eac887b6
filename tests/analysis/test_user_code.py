"""The source of an instruction is the user's line, not that of the library which it calls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import tensorboard_plugin_memviewer as memviewer
from tensorboard_plugin_memviewer.analysis.sources import Source, library_of, source_of, sources_of
from tensorboard_plugin_memviewer.analysis.user_code import Standing, standing_of
from tensorboard_plugin_memviewer.model.module import Module, StackFrame
from tensorboard_plugin_memviewer.model.op_metadata import OpMetadata
from tests.build import module

USERS = (
    "/home/u/model.py",
    "train.py",
    r"C:\Users\u\work\model.py",
    r"C:\work\lib\layers.py",
    "/home/u/src/maxtext/layers/attention.py",
    "/home/u/lib/model.py",
    "/home/u/lib/python/model.py",
    "<ipython-input-3-0a1b2c3d4e5f>",
    "<stdin>",
    "<python-input-0>",
    "/tmp/ipykernel_4711/1234567890.py",
    r"C:\Users\u\AppData\Local\Temp\ipykernel_4711\1234567890.py",
    "/content/drive/MyDrive/model.py",
    "/home/u/jaxon/_src/model.py",
    "/home/u/torch_xla/train.py",
)
DOUBTFUL = ("<string>", "third_party/py/maxtext/train.py")
FRAMEWORK = (
    "/home/u/v/lib/python3.11/site-packages/equinox/nn/_linear.py",
    "/usr/lib/python3/dist-packages/jax/_src/api.py",
    "/opt/conda/envs/x/lib/python3.12/contextlib.py",
    "/usr/lib64/python3.9/runpy.py",
    "/opt/python/lib/python3.13t/functools.py",
    "/Library/Frameworks/Python.framework/Versions/3.11/lib/python3.11/functools.py",
    r"C:\Users\u\miniconda3\envs\x\Lib\site-packages\flax\linen\linear.py",
    r"C:\Users\u\AppData\Local\Programs\Python\Python311\Lib\contextlib.py",
    r"C:\Python311\Lib\concurrent\futures\thread.py",
    r"C:\Python311\python311.zip\runpy.py",
    "/root/.pex/installed_wheels/ab/jax-0.4.30-py3-none-any.whl/jax/_src/api.py",
    "/home/u/src/jax/jax/_src/numpy/lax_numpy.py",
    r"C:\src\flax\flax\linen\linear.py",
    "/home/u/src/tensorflow/tensorflow/python/framework/ops.py",
    "third_party/py/absl/app.py",
    "<frozen runpy>",
    "<frozen importlib._bootstrap>",
    "<embedded module '_launcher'>",
    "<decorator-gen-12>",
)


@pytest.mark.parametrize("file", USERS)
def test_files_of_the_user(file: str) -> None:
    assert standing_of(file) is Standing.USER


@pytest.mark.parametrize("file", DOUBTFUL)
def test_files_that_are_the_users_only_if_nothing_better_is_there(file: str) -> None:
    assert standing_of(file) is Standing.DOUBTFUL


@pytest.mark.parametrize("file", FRAMEWORK)
def test_files_of_libraries_and_of_the_interpreter(file: str) -> None:
    assert standing_of(file) is Standing.FRAMEWORK


def made(*files: str, said: str = "") -> tuple[Module, OpMetadata]:
    """A module whose stack has these files, innermost first, at lines 1, 2, …"""
    frames = tuple(
        StackFrame(file, "f", at + 1, 0, at + 1 if at + 1 < len(files) else None)
        for at, file in enumerate(files)
    )
    metadata = OpMetadata("op", said, 7 if said else None, 0 if frames else None)
    whole = module("entry main:\np = f32[16] parameter()\nalloc parameter 64: p:64")
    return replace(whole, frames=frames, metadata=(metadata,)), metadata


@pytest.mark.parametrize(
    ("files", "said", "source", "library"),
    [
        ((FRAMEWORK[0], USERS[0], USERS[1]), "", "/home/u/model.py:2", f"{FRAMEWORK[0]}:1"),
        ((USERS[0], FRAMEWORK[0]), "", "/home/u/model.py:1", None),
        ((FRAMEWORK[0], "", USERS[0]), FRAMEWORK[0], "/home/u/model.py:3", f"{FRAMEWORK[0]}:7"),
        ((DOUBTFUL[1], USERS[0]), "", "/home/u/model.py:2", f"{DOUBTFUL[1]}:1"),
        ((DOUBTFUL[1], DOUBTFUL[0]), "", f"{DOUBTFUL[1]}:1", None),
        ((FRAMEWORK[0], DOUBTFUL[0]), "", "<string>:2", f"{FRAMEWORK[0]}:1"),
        ((FRAMEWORK[0], FRAMEWORK[1]), "", f"framework code: {FRAMEWORK[0]}:1", None),
        ((), FRAMEWORK[0], f"framework code: {FRAMEWORK[0]}:7", None),
        ((), USERS[0], "/home/u/model.py:7", None),
    ],
)
def test_source_and_library(files: tuple[str, ...], said: str, source: str, library: str | None) -> None:
    whole, metadata = made(*files, said=said)
    found, within = source_of(whole, metadata), library_of(whole, metadata)
    assert found is not None and found.text() == source
    assert (None if within is None else within.text()) == library
    assert sources_of(whole).table == (found,)


def test_no_line_at_all_is_none() -> None:
    whole, metadata = made("", said="")
    assert source_of(whole, metadata) is None and library_of(whole, metadata) is None


def test_a_file_without_a_line_is_its_name() -> None:
    assert Source("model.py", None).text() == "model.py"


@pytest.mark.cases
@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("equinox_mlp_cpu", "/home/us/eqd/model.py:4"),
        (
            "tf_no_heap_trace_cpu",
            "framework code: "
            "/home/u/v_tf/lib/python3.11/site-packages/tensorflow/python/framework/ops.py:1221",
        ),
    ],
)
def test_real_modules_are_grouped_by_the_users_lines(name: str, key: str, cases: Path) -> None:
    usage = memviewer.open(cases / "found" / "numbers" / f"{name}.hlo_proto.pb").modules[0].usage("HBM")
    keys = {group.key for group in usage.breakdown(by="source").groups}
    assert key in keys
    assert not any("site-packages" in one and not one.startswith("framework code: ") for one in keys)
