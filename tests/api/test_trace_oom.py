"""`memviewer.trace_oom`: a real RESOURCE_EXHAUSTED, on CPU by asking for more than any machine has."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import tensorboard_plugin_memviewer as memviewer
from tensorboard_plugin_memviewer.api import oom as oom_module

jax = pytest.importorskip("jax", reason="jax is not installed")


def too_large() -> Any:
    """A new program each time: what was compiled before leaves no dump."""
    import jax.numpy as jnp

    return jax.jit(lambda: jnp.zeros((1 << 45,)) + 1)


def notes_of(error: BaseException) -> str:
    return "\n".join(getattr(error, "__notes__", ()))


def test_the_dump_of_a_program_that_runs_out_of_memory_is_kept(tmp_path: Path) -> None:
    oom = memviewer.trace_oom(tmp_path)
    with pytest.raises(Exception, match="RESOURCE_EXHAUSTED") as caught, oom:
        too_large()()
    assert oom.dump == str(tmp_path)
    assert "RESOURCE_EXHAUSTED" in (tmp_path / "error.txt").read_text()
    assert oom.logdir is not None
    assert oom.logdir.modules[0].usage().required_bytes >= 4 << 45
    assert str(tmp_path) in notes_of(caught.value) or not hasattr(caught.value, "add_note")


def test_as_a_decorator_with_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    traced = memviewer.trace_oom()

    @traced
    def step() -> Any:
        return too_large()()

    with pytest.raises(Exception, match="RESOURCE_EXHAUSTED"):
        step()
    assert traced.dump is not None
    assert Path(traced.dump).parent == tmp_path
    assert memviewer.open(traced.dump).modules


def test_nothing_is_left_where_nothing_runs_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with memviewer.trace_oom() as oom:
        assert oom.active == "compiler options"
        jax.jit(lambda x: x + 3)(1.0)
        assert list(tmp_path.rglob("*.hlo.pb")), "it was dumped"
    assert oom.dump is None and oom.logdir is None
    assert list(tmp_path.iterdir()) == []


def test_other_errors_go_through_untouched(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError) as caught, memviewer.trace_oom(tmp_path) as oom:
        raise ZeroDivisionError("memory is fine")
    assert oom.dump is None and notes_of(caught.value) == ""
    assert not (tmp_path / "error.txt").exists()


def test_outside_of_it_nothing_is_dumped(tmp_path: Path) -> None:
    from jax._src import compiler

    before = compiler.get_compile_options
    with memviewer.trace_oom(tmp_path):
        assert compiler.get_compile_options is not before
    assert compiler.get_compile_options is before
    jax.jit(lambda x: x + 4)(1.0)
    assert not list(tmp_path.rglob("*.hlo.pb"))


def test_a_program_compiled_before_is_said_to_have_left_none(tmp_path: Path) -> None:
    program = too_large()
    with pytest.raises(Exception, match="RESOURCE_EXHAUSTED"):
        program()
    with pytest.raises(Exception, match="RESOURCE_EXHAUSTED") as caught, memviewer.trace_oom(tmp_path):
        program()
    assert "compiled before" in notes_of(caught.value) or not hasattr(caught.value, "add_note")


def test_where_jax_lacks_the_function_the_flags_are_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jax._src import compiler

    monkeypatch.delattr(compiler, "get_compile_options")
    monkeypatch.setenv("XLA_FLAGS", "--xla_cpu_enable_fast_math=false")
    with memviewer.trace_oom(tmp_path) as oom:
        assert oom.active == "XLA_FLAGS"
        assert os.environ["XLA_FLAGS"].startswith("--xla_cpu_enable_fast_math=false --xla_dump_to=")
    assert os.environ["XLA_FLAGS"] == "--xla_cpu_enable_fast_math=false"
    monkeypatch.delenv("XLA_FLAGS")
    with memviewer.trace_oom(tmp_path):
        assert "--xla_dump_hlo_as_proto" in os.environ["XLA_FLAGS"]
    assert "XLA_FLAGS" not in os.environ


def test_note_without_notes_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    class Old(Exception):
        add_note = property()  # as on Python 3.10, where there is none

    oom_module._add_note(Old("RESOURCE_EXHAUSTED"), "look there")
    assert capsys.readouterr().err == "look there\n"
