"""The committed protobuf modules are what the schemas give, and a stale one is noticed."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent.parent
TOOL = ROOT / "tools" / "generate_protos.py"


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The tool, working on a copy of the schemas."""
    spec = importlib.util.spec_from_file_location("generate_protos", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    copy = tmp_path / "protos"
    shutil.copytree(ROOT / "tensorboard_plugin_memviewer" / "protos", copy)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "PROTOS", copy)
    monkeypatch.setattr(module, "CHECKSUMS", copy / "checksums.txt")
    monkeypatch.setattr(sys, "argv", ["generate_protos.py", "--check"])
    return module


def test_committed_modules_are_fresh(tool: ModuleType) -> None:
    assert tool.main() == 0


@pytest.mark.parametrize(
    "name", ["memviewer_shape.proto", "memviewer_shape_pb2.py", "memviewer_shape_pb2.pyi"]
)
def test_a_change_of_one_file_alone_is_noticed(
    tool: ModuleType, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with (tool.PROTOS / name).open("a") as file:
        file.write("\n")
    assert tool.main() == 1
    assert name in capsys.readouterr().err


def test_a_module_that_lacks_or_does_not_belong_is_noticed(
    tool: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    (tool.PROTOS / "memviewer_shape_pb2.pyi").unlink()
    (tool.PROTOS / "stray_pb2.py").touch()
    assert tool.main() == 1
    said = capsys.readouterr().err
    assert "memviewer_shape_pb2.pyi" in said
    assert "stray_pb2.py" in said


def test_modules_are_made_for_the_oldest_protobuf() -> None:
    for module in sorted((ROOT / "tensorboard_plugin_memviewer" / "protos").glob("*_pb2.py")):
        assert "Protobuf Python Version: 4.25." in module.read_text(), module.name
