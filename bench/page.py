"""How fast the page is on a program of 100,000 buffers, in a real Chromium: drawn, hovered, zoomed.

Times are taken in the page itself, from the event to the frame that shows it. Knows nothing of the server.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.browser.tensorboard import Server
from tools.find_chromium import find

_PATIENCE_MS = 300_000

# Marks the moment at which the answer about the memory space has come in.
_MARK_ANSWER = """() => {
  const ask = window.fetch;
  window.fetch = async (...request) => {
    const answer = await ask(...request);
    if (String(request[0]).startsWith('usage')) window.answered = performance.now();
    return answer;
  };
}"""
# The page is drawn when its last view, the table, has rows, and the frame that shows them is over.
_DRAWN = """async () => {
  while (!document.querySelector('#buffer-grid [data-row]')) await new Promise(requestAnimationFrame);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - window.answered;
}"""
_EVENTS = """async ({selector, kind, times}) => {
  const target = document.querySelector(selector);
  target.scrollIntoView({block: 'center'});
  await new Promise((done) => setTimeout(done, 500));
  const box = target.getBoundingClientRect();
  const costs = [];
  for (let turn = 0; turn < times; turn++) {
    const at = {
      clientX: box.left + box.width * (0.1 + (0.8 * ((turn * 37) % times)) / times),
      clientY: box.top + Math.min(80, box.height / 2),
      bubbles: true,
      cancelable: true,
    };
    const began = performance.now();
    const deltaY = turn < times / 2 ? -60 : 60;
    const event = kind === 'wheel' ? new WheelEvent(kind, {...at, deltaY}) : new PointerEvent(kind, at);
    target.dispatchEvent(event);
    costs.push(performance.now() - began);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }
  costs.sort((one, other) => one - other);
  const share = (part) => costs[Math.floor(part * (costs.length - 1))];
  return {median: share(0.5), most: share(0.99)};
}"""


@dataclass(frozen=True, slots=True)
class Measure:
    """What was done, and what it took, in words."""

    work: str
    result: str


def measure(server: Server, run: str, module: str) -> list[Measure]:
    """Open a module in Chromium and use it as a hand would."""
    path = find()
    if path is None:
        return []
    with sync_playwright() as playwright:
        arguments = [*ARGUMENTS, "--enable-precise-memory-info", "--js-flags=--expose-gc"]
        chromium = playwright.chromium.launch(executable_path=path, args=arguments)
        page = chromium.new_page(viewport={"width": 1920, "height": 1080})
        page.set_default_timeout(_PATIENCE_MS)
        page.add_init_script(f"({_MARK_ANSWER})()")
        page.goto(f"{server.data}page.html#run={run}&module={module}")
        drawn = float(page.evaluate(_DRAWN))
        rows = [Measure("page: from answer to everything drawn", f"{drawn / 1e3:.2f} s")]
        rows += [_events(page, *case) for case in _CASES]
        page.evaluate("window.gc()")
        used = float(page.evaluate("performance.memory.usedJSHeapSize"))
        chromium.close()
    return [*rows, Measure("page: memory", f"{used / 1e6:.0f} MB")]


_CASES = (
    ("hover over a bar", '.bar-box[data-order="size"]', "pointermove", 200),
    ("hover over the chart", ".line-chart", "pointermove", 200),
    ("hover over the map", ".map-canvas", "pointermove", 200),
    ("zoom of chart and map", ".line-chart", "wheel", 60),
)


def _events(page: Page, work: str, selector: str, kind: str, times: int) -> Measure:
    cost: dict[str, Any] = page.evaluate(_EVENTS, {"selector": selector, "kind": kind, "times": times})
    return Measure(f"page: {work}", f"{cost['median']:.1f} ms median, {cost['most']:.1f} ms at 99 %")
