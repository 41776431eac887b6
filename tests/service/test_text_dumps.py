"""A dump as text shows what the protobuf of the same program does, and names what is missing."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.analysis.lifetimes.lifetimes import find_lifetimes
from tensorboard_plugin_memviewer.errors import Problem
from tensorboard_plugin_memviewer.service.loaded import LoadedModule
from tests.conftest import DATA
from tests.service.text_pairs import as_older_compilers_write, differences, loaded, split

PAIRS = sorted((DATA / "text_dumps").iterdir())
TPU = DATA / "text_dumps" / "tpu_loops"


def problems(module: LoadedModule) -> list[Problem]:
    return list(module.plan.problems)


def without(folder: Path, *parts: str) -> LoadedModule:
    """The module of a folder from which files are taken away, told by parts of their names."""
    for file in folder.iterdir():
        if any(part in file.name for part in parts):
            file.unlink()
    return loaded(folder)


@pytest.mark.parametrize("folder", PAIRS, ids=lambda folder: folder.name)
def test_text_and_protobuf_show_the_same(folder: Path, tmp_path: Path) -> None:
    text, proto = split(folder, tmp_path)
    module = loaded(text)
    assert list(differences(module, loaded(proto))) == []
    assert [problem.code for problem in problems(module)] == ["text_report"]
    assert module.module.written_ranges is not None


@pytest.mark.parametrize("folder", PAIRS, ids=lambda folder: folder.name)
def test_the_older_form_in_one_file(folder: Path, tmp_path: Path) -> None:
    text, proto = split(folder, tmp_path)
    as_older_compilers_write(text)
    assert list(differences(loaded(text), loaded(proto))) == []


@pytest.mark.parametrize("folder", PAIRS, ids=lambda folder: folder.name)
def test_without_live_ranges_the_schedule_tells_them(folder: Path, tmp_path: Path) -> None:
    text, proto = split(folder, tmp_path)
    assert list(differences(without(text, "live-range", "values"), loaded(proto))) == []


@pytest.mark.parametrize("folder", PAIRS, ids=lambda folder: folder.name)
def test_live_ranges_are_those_of_the_schedule(folder: Path, tmp_path: Path) -> None:
    text, proto = split(folder, tmp_path)
    written, plan = loaded(text).module.written_ranges, loaded(proto).plan
    lifetimes = find_lifetimes(plan.module, plan.order)
    assert written is not None and lifetimes is not None
    known = written.start >= 0
    assert known.sum() > 40
    assert (written.start == lifetimes.ranges.start)[known].all()
    assert (written.end == lifetimes.ranges.end)[known].all()


def test_one_file_by_its_name_finds_the_others(tmp_path: Path) -> None:
    text, proto = split(TPU, tmp_path)
    (file,) = text.glob("*-buffer-assignment.txt.gz")
    assert list(differences(loaded(file), loaded(proto))) == []


def test_a_module_text_without_the_live_ranges_instructions_is_not_taken(tmp_path: Path) -> None:
    text, _ = split(TPU, tmp_path)
    (file,) = text.glob("*.after_optimizations.txt.gz")
    whole = loaded(text)
    file.write_bytes(gzip.compress(gzip.decompress(file.read_bytes()).replace(b"%copy", b"%other")))
    module = loaded(text)
    assert module.plan.order.points == whole.plan.order.points
    assert (module.usage(0).usage == whole.usage(0).usage).all()
    (problem,) = problems(module)
    assert "which loop or call" in problem.message


def test_live_ranges_of_another_program_do_not_count(tmp_path: Path) -> None:
    text, proto = split(TPU, tmp_path)
    (file,) = text.glob("*-live-range.txt.gz")
    ranges = gzip.decompress(file.read_bytes()).decode()
    first, second = (line.split(":")[1] for line in ranges.split("\n")[2:4])
    swapped = ranges.replace(f"0:{first}\n", f"0:{second}\n").replace(f"1:{second}\n", f"1:{first}\n")
    file.write_bytes(gzip.compress(swapped.encode()))
    module = loaded(text)
    assert list(differences(module, loaded(proto))) == []
    assert [problem.code for problem in problems(module)] == ["text_report", "live_ranges"]


def test_without_the_text_after_code_generation_scoped_memory_is_said_to_be_missing(tmp_path: Path) -> None:
    text, _ = split(TPU, tmp_path)
    (problem,) = problems(without(text, "after_codegen"))
    assert "scoped memory" in problem.message
    assert "*after_codegen.txt" in problem.advice and "--xla_dump_hlo_as_proto" in problem.advice


def test_live_ranges_alone_give_the_curve_but_no_names(tmp_path: Path) -> None:
    text, proto = split(TPU, tmp_path)
    whole = loaded(proto)
    module = without(text, "after_optimizations.txt", "values", "codegen")
    assert (module.usage(0).usage == whole.usage(0).usage).all()
    (problem,) = problems(module)
    count = len(module.module.instructions)
    assert f"op_name and source line of {count} of {count} instructions" in problem.message
    assert "*after_optimizations.txt" in problem.advice


def test_values_describe_what_defines_them(tmp_path: Path) -> None:
    text, proto = split(TPU, tmp_path)
    whole = loaded(proto).module
    module = without(text, "after_optimizations.txt", "codegen").module
    names = {
        name: whole.metadata[row].op_name
        for name, row in zip(whole.instructions.names, whole.instructions.metadata, strict=True)
    }
    said = {
        name: module.metadata[row].op_name
        for name, row in zip(module.instructions.names, module.instructions.metadata, strict=True)
    }
    assert sum(bool(name) for name in said.values()) > 40
    assert all(names[instruction] == name for instruction, name in said.items() if name)


def test_a_buffer_assignment_alone(tmp_path: Path) -> None:
    text, proto = split(TPU, tmp_path)
    alone = tmp_path / "alone"
    alone.mkdir()
    (file,) = text.glob("*-buffer-assignment.txt.gz")
    (alone / file.name).write_bytes(file.read_bytes())
    module, whole = loaded(alone), loaded(proto)
    assert module.plan.order.axis == "events"
    assert module.usage(0).headline.allocated_bytes == whole.usage(0).headline.allocated_bytes
    (problem,) = problems(module)
    assert problem.code == "no_lifetimes"
    for missing in ("lifetimes and readers", "op_name and source line", "scoped memory"):
        assert missing in problem.message
    for file_name in ("*after_optimizations.txt", "*after_codegen.txt", "--xla_dump_hlo_as_proto"):
        assert file_name in problem.advice


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    text, _ = split(TPU, tmp_path)
    (file,) = text.glob("*.after_codegen.txt.gz")
    file.write_bytes(file.read_bytes()[:100])
    codes = [problem.code for problem in problems(loaded(text))]
    assert codes == ["text_report", "damaged"]


@pytest.mark.cases
def test_the_same_program_as_text_and_as_protobuf(cases: Path) -> None:
    found = cases / "found" / "numbers"
    assert list(differences(loaded(found / "new_text_dump"), loaded(found / "v7x_fp4_dump"))) == []


@pytest.mark.cases
def test_an_older_text_has_its_order_names_and_source_lines(cases: Path) -> None:
    module = loaded(cases / "found" / "numbers" / "old_text_dump")
    assert module.plan.order.axis == "schedule"
    table = module.module.instructions
    assert [table.names[row] for row in module.plan.order.instruction] == ["Arg_0.1", "fusion"]
    entry = module.module.metadata[table.metadata[1]]
    assert (entry.op_name, entry.source_line) == ("jit(f)/jit(main)/add", 8)
    assert module.readers.of(0).tolist() == [1]
