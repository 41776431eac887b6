"""Every page of the documentation: links resolve, pictures exist, commands run."""

from __future__ import annotations

import io
import re
import shlex
import shutil
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.cli import main
from tests.conftest import DEMO, ROOT
from tools.guide_pictures import MOST_BYTES, PICTURES

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
TICKS = re.compile(r"`([^`]+)`")
CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
# Commands that run until they are ended, and addresses that are elsewhere.
ENDLESS = re.compile(r"memviewer (serve|demo)|gs://")
# Pages whose commands run; the others' are about programs and machines that are not here.
COMMANDS = ("README.md", "docs/command_line.md", "docs/out_of_memory.md", "docs/remote.md")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and the site make them."""
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{page.name}: {link}"
        if anchor:
            assert anchor in anchors(target), f"{page.name}: {link}"


def test_pictures_of_the_guide_are_those_of_the_script() -> None:
    guide = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    assert {Path(link).stem for link in LINK.findall(guide) if link.endswith(".png")} == PICTURES.keys()
    for name in PICTURES:
        assert (ROOT / "docs" / "pictures" / f"{name}.png").stat().st_size <= MOST_BYTES


def commands() -> list[str]:
    """Every line of the pages that runs `memviewer`."""
    lines = [
        line.partition("  #")[0].strip()
        for name in COMMANDS
        for block in CODE.findall((ROOT / name).read_text(encoding="utf-8"))
        for line in block.splitlines()
        if line.startswith("memviewer ") and not ENDLESS.search(line)
    ]
    return sorted(set(lines))


@pytest.mark.parametrize("line", commands())
def test_command_runs(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dump = DEMO / "xla_dump_oom"
    for name in ("logs", "main_logs", "before", "after"):
        (tmp_path / name).symlink_to(DEMO)
    (tmp_path / "dump").symlink_to(dump)
    shutil.copy(dump / "error.txt", tmp_path / "train.log")
    monkeypatch.chdir(tmp_path)
    words = shlex.split(line.partition(" | ")[0].replace("$DUMP", "dump").replace("DIR", "logs"))[1:]
    if "<" in words:
        at = words.index("<")
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path(words[at + 1]).read_bytes())))
        words = words[:at]
    assert main(words) == (1 if "--max-hbm" in words else 0)


def architecture() -> str:
    return (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_the_table_of_parts_names_every_part() -> None:
    table = architecture().partition("## Parts of the repository")[2].partition("\n## ")[0]
    named = {
        name.rstrip("/")
        for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        for name in TICKS.findall(row)
    }
    package = {
        path.stem
        for path in (ROOT / "tensorboard_plugin_memviewer").iterdir()
        if not path.name.startswith("_")
    }
    assert named == package - {"py"} | {"frontend", "tests", "bench", "tools", "docs"}


def test_the_page_imports_the_parts_of_d3_that_are_named() -> None:
    source = ROOT / "frontend" / "src"
    imported = {
        name
        for path in source.rglob("*.ts")
        for name in re.findall(r"from '(d3-\w+)'", path.read_text(encoding="utf-8"))
    }
    row = re.search(r"^\| (d3-.*?) \|", architecture(), re.MULTILINE)
    assert row is not None and set(row[1].split(", ")) == imported


def test_flags_that_are_set_are_kept() -> None:
    """Without the user's own flags another program is compiled, and dumped."""
    texts = [
        *PAGES,
        *(ROOT / "tensorboard_plugin_memviewer").rglob("*.py"),
        *(ROOT / "frontend/src").rglob("*.ts"),
    ]
    for path in texts:
        for found in re.finditer(r"XLA_FLAGS=(.{12})", path.read_text(encoding="utf-8")):
            assert found[1].startswith('"$XLA_FLAGS '), f"{path.name}: {found[0]}"
