"""What objects show of themselves in a notebook: in one piece, escaped, and run by a real kernel."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import tensorboard_plugin_memviewer as memviewer
from tests.conftest import DATA, DEMO
from tests.patience import PROGRAM_S


class Checked(HTMLParser):
    """Tags are closed in order; what could load or run something is noted."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        if tag in ("script", "img", "iframe", "link", "style"):
            self.loads.append(tag)
        self.loads.extend(name for name, _ in attrs if name in ("src", "href") or name.startswith("on"))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(html: str) -> str:
    parser = Checked()
    parser.feed(html)
    parser.close()
    assert parser.open == [] and parser.loads == []
    return html


def test_a_module_shows_its_numbers_curve_findings_and_buffers() -> None:
    html = checked(memviewer.open(DEMO).run("xla_dump_oom").modules[0]._repr_html_())
    assert "18.00 GiB of 15.75 GiB: 2.25 GiB too much" in html
    assert "<svg" in html and "capacity 15.75 GiB" in html
    assert "bf16[65536,8192]" in html and "Activations kept" in html


def test_every_module_of_the_demo_in_every_space() -> None:
    logdir = memviewer.open(DEMO)
    for module in logdir.modules:
        for usage in module.usages.values():
            checked(usage._repr_html_())
    html = checked(logdir._repr_html_())
    assert all(module.key in html for module in logdir.modules)
    assert len(html) < 100_000


def test_names_of_a_capture_are_text() -> None:
    logdir = memviewer.open(DATA / "captures" / "cpu_unicode" / "cpu-host.xplane.pb")
    for module in logdir.modules:
        for usage in module.usages.values():
            checked(usage.buffers._repr_html_())
        checked(module._repr_html_())
    (odd,) = memviewer.open(DATA / "modules" / "v5e_odd_names.hlo_proto.pb").modules
    usage = odd.usage()
    html = checked(
        usage.buffers[[at for at, op in enumerate(usage.buffers.op_name) if "<" in op]]._repr_html_()
    )
    assert "&lt;" in html and not re.search(r"<(?:b|img|script)\b", html)


@pytest.mark.parametrize(("capacity", "top"), [("15.75GiB", None), ("8GiB", 8 << 30)])
def test_the_line_reaches_the_peak(capacity: str, top: int | None) -> None:
    """The highest point of the path is where the peak is, on the scale of what is required; of the capacity
    where that is near.
    """
    logdir = memviewer.open(DEMO, capacity={"HBM": capacity})
    usage = logdir.run("tpu_v5e_transformer").modules[0].usage()
    html = usage._repr_html_()
    heights = [float(y) for y in re.findall(r"V([\d.]+)H", html)]
    share = usage.peak_bytes / (top or usage.required_bytes)
    assert min(heights) == pytest.approx(14 + 146 * (1 - share), abs=0.06)
    assert (">capacity " in html) == (top is not None)


@pytest.mark.slow
def test_in_a_real_kernel(tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    from nbformat import v4

    make: Any = v4
    cells = [
        f"import tensorboard_plugin_memviewer as memviewer\nlogdir = memviewer.open({str(DEMO)!r})\nlogdir",
        "module = logdir.run('tpu_v5e_transformer').modules[0]\nmodule",
        "module.usage('VMEM')",
        "module.usage().live()",
        "memviewer.open('/no/such/place')",
    ]
    notebook = make.new_notebook(cells=[make.new_code_cell(cell) for cell in cells])
    client = nbclient.NotebookClient(
        notebook, timeout=int(PROGRAM_S), allow_errors=True, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    shown = [cell.outputs[-1] for cell in notebook.cells]
    for output in shown[:4]:
        checked(output["data"]["text/html"])
    assert "jit_train_step" in shown[1]["data"]["text/html"]
    assert shown[1]["data"]["text/plain"].startswith("<memviewer.Module")
    assert shown[4]["ename"] == "NotFound"
