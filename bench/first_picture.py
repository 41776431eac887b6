"""How long the page takes, in a real Chromium, from its address to the first picture of the module in it.

Every time in a server that has never seen the run, because a second picture comes from its cache.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from bench import warm_server
from tests.browser.conftest import ARGUMENTS
from tools.find_chromium import find

_PATIENCE_MS = 300_000
# The frame is over that shows the line and the bars of the memory space.
_PICTURE = """async () => {
  const there = () => document.querySelector('.line-chart path') && document.querySelector('.bar-box');
  while (!there()) await new Promise(requestAnimationFrame);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now();
}"""


@dataclass(frozen=True, slots=True)
class Pair:
    """Median seconds to the first picture in a run of one module and of many, and the median ratio."""

    alone: float
    among_many: float
    ratio: float


def measure(alone: Path, many: Path, run: str, module: str, turns: int) -> Pair | None:
    """The same module of the same run in two logdirs, by turns; nothing where there is no Chromium."""
    path = find()
    if path is None:
        return None
    address = f"page.html#run={run}&module={module}&space=HBM"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        pairs = [
            (_seconds(chromium, alone, address), _seconds(chromium, many, address)) for _ in range(turns)
        ]
        chromium.close()
    median = statistics.median
    return Pair(
        alone=median(one for one, _ in pairs),
        among_many=median(other for _, other in pairs),
        ratio=median(other / one for one, other in pairs),
    )


def _seconds(chromium: Browser, logdir: Path, address: str) -> float:
    with warm_server.warm(logdir) as server:
        context = chromium.new_context(viewport={"width": 1920, "height": 1080})
        page = context.new_page()
        page.set_default_timeout(_PATIENCE_MS)
        page.goto(f"{server.data}{address}")
        seconds = float(page.evaluate(_PICTURE)) / 1e3
        context.close()
    return seconds
