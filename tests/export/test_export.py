"""Files for people: every name is text, nothing is fetched, numbers are those of the analysis."""

from __future__ import annotations

import base64
import csv
import hashlib
import html.parser
import io
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorboard_plugin_memviewer.export import as_csv, as_html, as_svg, page
from tensorboard_plugin_memviewer.export.rows import _cell
from tensorboard_plugin_memviewer.service import LoadedModule, Program, Service
from tensorboard_plugin_memviewer.visible import visible
from tensorboard_plugin_memviewer.wire.csv_columns import CSV_COLUMNS


@pytest.fixture(scope="module")
def module() -> Callable[[str], tuple[Service, str, Program, LoadedModule]]:
    service = Service(str(Path(__file__).parents[1] / "data" / "modules"))
    (run,) = service.runs().runs

    def load(name: str) -> tuple[Service, str, Program, LoadedModule]:
        return (service, run.name, *service.load(run.name, None, name))

    return load


def test_csv_holds_the_live_set_at_the_peak(module: Any) -> None:
    _, _, _, loaded = module("v5e_padding")
    usage = loaded.usage(0)
    rows = list(csv.DictReader(io.StringIO(as_csv(loaded, usage))))
    assert tuple(rows[0]) == CSV_COLUMNS
    assert len(rows) == int(usage.buffers.represents.sum())
    alive = [row for row in rows if row["live_at_peak"] == "yes"]
    assert (
        sum(int(row["bytes"]) for row in alive)
        >= usage.headline.peak_bytes - usage.headline.scoped_at_peak_bytes
    )
    assert all(
        int(row["padding_bytes"]) == int(row["bytes"]) - int(row["unpadded_bytes"]) >= 0 for row in rows
    )


def test_csv_marks_lives_that_the_trace_does_not_list(module: Any) -> None:
    _, _, _, loaded = module("v5e_padding")
    usage = loaded.usage(0)
    rows = csv.DictReader(io.StringIO(as_csv(loaded, usage)))
    known = [(row["type"] == "Temporary", row["known_by"]) for row in rows]
    assert Counter(known) == {(False, "allocation"): 10, (True, "trace"): 4, (True, "readers"): 15}


@pytest.mark.parametrize(
    "name",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "=HYPERLINK(1)",
        "\uff1d1+1",
        "\uff0b1",
        "\uff0d1",
        "\uff20SUM(A1)",
        "\ufe661+1",
    ],
)
def test_no_cell_is_a_formula(name: str) -> None:
    assert str(_cell(name)).startswith("'")


@pytest.mark.parametrize("name", ["\t=1", "\r=1", "\n=1", "\x1b[31m", "a\u202eb"])
def test_what_cannot_be_seen_is_an_escape(name: str) -> None:
    assert visible(name).isprintable()
    assert not str(_cell(name)).startswith(("=", "\t", "\r", "\n"))


def test_svg_is_well_formed_whatever_the_names(module: Any) -> None:
    _, _, _, loaded = module("v5e_tf_scan")
    title = "<img onerror=x> & \x1b\x00 ]]>"
    root = ET.fromstring(as_svg(loaded.plan, loaded.usage(0), title, 16 * 2**30))
    texts = [node.text or "" for node in root.iter() if node.tag.endswith("text")]
    assert any("<img onerror=x>" in text for text in texts)
    assert any("capacity 16.00 GiB" in text for text in texts)
    assert {node.tag.rpartition("}")[2] for node in root.iter()} == {"svg", "rect", "text", "line", "path"}


def test_svg_line_reaches_the_peak(module: Any) -> None:
    _, _, _, loaded = module("v5e_tf_scan")
    usage = loaded.usage(0)
    text = as_svg(loaded.plan, usage, "x")
    heights = [float(y) for y in re.findall(r"L[\d.]+,([\d.]+)", re.findall(r'<path d="([^"]+)"', text)[0])]
    axis = [float(y) for y in re.findall(r'y1="([\d.]+)" y2="\1" stroke="#e8eaed"', text)]
    needed = max(usage.headline.required_bytes, usage.headline.peak_bytes)
    room = 360 - 46 - 40
    assert max(axis) - min(heights) == pytest.approx(
        room * usage.headline.peak_bytes / (1.05 * needed), abs=0.2
    )


def test_a_step_of_the_line_is_the_largest_of_its_stretch(module: Any) -> None:
    """There are more points than pixels, and one point stands out."""
    _, _, _, loaded = module("v5e_tf_scan")
    usage = loaded.usage(0)
    spike = np.full(10_000, usage.headline.peak_bytes // 2)
    spike[5_003] = usage.headline.peak_bytes
    text = as_svg(loaded.plan, replace(usage, usage=spike), "x")
    line = re.findall(r'<path d="([^"]+)"', text)[0]
    heights = sorted(float(y) for y in re.findall(r"L[\d.]+,([\d.]+)L", line))
    assert heights[0] < heights[1] == heights[-1], "one step stands out"


class Parsed(html.parser.HTMLParser):
    """What a browser would take the report for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.links: list[str] = []
        self.policy = ""
        self._open: dict[str, str | None] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        if tag == "script":
            self._open = held
            self.scripts.append((held, ""))
        self.links.extend(str(held[name]) for name in ("src", "href") if name in held)
        if held.get("http-equiv") == "Content-Security-Policy":
            self.policy = held["content"] or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._open = None

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            held, text = self.scripts[-1]
            self.scripts[-1] = (held, text + data)


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page in the built page's form, with code that tries to leave its element."""
    source = Path(__file__).parents[2] / "frontend" / "src" / "page.html"
    (tmp_path / "page.html").write_text(source.read_text())
    (tmp_path / "page.css").write_text("body{color:red}")
    (tmp_path / "page.js").write_text("window.seen='</script><b>'")
    monkeypatch.setattr(page, "STATIC_FOLDER", tmp_path)


@pytest.mark.usefixtures("built")
def test_html_fetches_nothing_and_runs_only_its_own_scripts(module: Any) -> None:
    service, run, program, loaded = module("v5e_odd_names")
    report = Parsed(as_html(service, run, program, loaded, "space 7"))
    assert all(link.startswith("data:") for link in report.links)
    assert "default-src 'none'" in report.policy
    code = [text for held, text in report.scripts if held.get("type") != "application/json"]
    assert len(code) == 2
    for text in code:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in report.policy
    assert any(text.startswith("window.seen=") for text in code)
    assert any("hash='space=space%207'" in text for text in code)


@pytest.mark.usefixtures("built")
def test_html_holds_what_the_page_asks_for(module: Any) -> None:
    service, run, program, loaded = module("v5e_odd_names")
    report = Parsed(as_html(service, run, program, loaded, "space 7"))
    (data,) = [text for held, text in report.scripts if held.get("type") == "application/json"]
    held = json.loads(data)
    answers = {at: held["answers"][row] for at, row in held["addresses"].items()}
    assert [
        entry["module"]
        for entry in next(v for k, v in answers.items() if k.startswith("modules?"))["modules"]
    ] == ["v5e_odd_names"]
    usage = next(
        answer for at, answer in answers.items() if at.startswith("usage?") and at.endswith("space=HBM")
    )
    assert usage["headline"]["peak_bytes"] == loaded.usage(0).headline.peak_bytes
    assert "<" not in data
