"""How fast the page is on a large program, in a real Chromium: drawn, hovered, zoomed, panned.

Real pointer events go in; times are taken in the page, from the event to the end of the frame that shows it.
Next to them stands the processor time of the page's own thread, which other load does not stretch.
Knows nothing of the server.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.browser.tensorboard import Server
from tools.find_chromium import find

_PATIENCE_MS = 300_000
_MOVES = 120
_TURNS = 40

# The page is drawn when its last view, the table, has rows, and the frame that shows them is over.
_DRAWN = """async () => {
  while (!document.querySelector('#buffer-grid [data-row]')) await new Promise(requestAnimationFrame);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const now = performance.now();
  const usage = performance.getEntriesByType('resource').find((one) => /[/]usage[?]/.test(one.name));
  return {ms: now - usage.responseEnd, sent: usage.encodedBodySize};
}"""
# Every event, from when a handler could first see it to the task after the frame that it led to.
_WATCH = """() => {
  window.frames_of = {pointermove: [], wheel: []};
  for (const kind of ['pointermove', 'wheel']) {
    window.addEventListener(kind, () => {
      const began = performance.now();
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => window.frames_of[kind].push(performance.now() - began);
        channel.port2.postMessage(null);
      });
    }, {capture: true, passive: true});
  }
}"""
_TAKE = "(kind) => window.frames_of[kind].splice(0)"
_SETTLE = (
    "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
)


@dataclass(frozen=True, slots=True)
class Measure:
    """What was done, and what it took, in words."""

    work: str
    result: str


@dataclass(frozen=True, slots=True)
class _Box:
    """Where something lies in the window, in pixels."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class _Case:
    """What a hand does, where, how often, and the events that it makes."""

    work: str
    selector: str
    kind: str
    act: Callable[[Page, _Box, int], None]
    times: int


def measure(server: Server, run: str, module: str, space: str) -> list[Measure]:
    """Open a module in Chromium and use it as a hand would; nothing where there is no Chromium."""
    path = find()
    if path is None:
        return []
    with sync_playwright() as playwright:
        arguments = [*ARGUMENTS, "--enable-precise-memory-info", "--js-flags=--expose-gc"]
        chromium = playwright.chromium.launch(executable_path=path, args=arguments)
        page = chromium.new_page(viewport={"width": 1920, "height": 1080})
        page.set_default_timeout(_PATIENCE_MS)
        clock = page.context.new_cdp_session(page)
        clock.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.add_init_script(f"({_WATCH})()")
        page.goto(f"{server.data}page.html#run={run}&module={module}&space={space}")
        drawn = page.evaluate(_DRAWN)
        busy = _busy_ms(clock)
        rows = [
            Measure("from answer to everything drawn", f"{drawn['ms'] / 1e3:.2f} s"),
            Measure("… processor time since the address was opened", f"{busy / 1e3:.2f} s"),
            Measure("… the answer, gzipped", f"{drawn['sent'] / 1e6:.2f} MB"),
        ]
        rows += [_used(page, clock, case) for case in _CASES]
        page.evaluate("window.gc()")
        used = float(page.evaluate("performance.memory.usedJSHeapSize"))
        chromium.close()
    return [*rows, Measure("memory", f"{used / 1e6:.0f} MB")]


def _busy_ms(clock: CDPSession) -> float:
    """Processor time that the page's thread has taken."""
    metrics = clock.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration")) * 1e3


def _used(page: Page, clock: CDPSession, case: _Case) -> Measure:
    target = page.locator(case.selector).first
    target.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    found = target.bounding_box()
    assert found is not None, f"{case.selector} is not on the page"
    box = _Box(found["x"], found["y"], found["width"], found["height"])
    page.mouse.move(box.x + 3, box.y + 3)
    page.evaluate(_SETTLE)
    page.evaluate(_TAKE, case.kind)
    busy = []
    for turn in range(case.times):
        before = _busy_ms(clock)
        case.act(page, box, turn)
        page.evaluate(_SETTLE)
        busy.append(_busy_ms(clock) - before)
    page.mouse.up()
    return Measure(case.work, _words(page.evaluate(_TAKE, case.kind), busy))


def _words(frames: list[float], busy: list[float]) -> str:
    """Half, 99 % and all of them take no longer than this."""
    assert frames, "no event came in"
    wall = statistics.quantiles(frames, n=100, method="inclusive")
    cpu = statistics.quantiles(busy, n=100, method="inclusive")
    return (
        f"{wall[49]:.0f} / {wall[98]:.0f} / {max(frames):.0f} ms, "
        f"processor {cpu[49]:.0f} / {cpu[98]:.0f} / {max(busy):.0f} ms"
    )


def _hover(page: Page, box: _Box, turn: int) -> None:
    part = 0.05 + 0.9 * ((turn * 37) % _MOVES) / _MOVES
    page.mouse.move(box.x + box.width * part, box.y + min(80, box.height * (0.3 + 0.4 * (turn % 7) / 7)))


def _zoom(page: Page, box: _Box, turn: int) -> None:
    page.mouse.move(box.x + box.width * (0.3 + 0.01 * turn), box.y + box.height / 2)
    page.mouse.wheel(0, -120 if turn < _TURNS * 0.7 else 120)


def _pan(page: Page, box: _Box, turn: int) -> None:
    middle = box.y + box.height / 2
    if turn == 0:
        page.mouse.move(box.x + box.width * 0.3, middle)
        page.mouse.down()
    page.mouse.move(box.x + box.width * (0.3 + 0.4 * turn / _TURNS), middle)


def _pan_by_wheel(page: Page, box: _Box, turn: int) -> None:
    page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    page.mouse.wheel(60 if turn < _TURNS / 2 else -60, 0)


_CASES = (
    _Case("hover over a bar", '.bar-box[data-order="size"]', "pointermove", _hover, _MOVES),
    _Case("hover over the chart", ".line-chart", "pointermove", _hover, _MOVES),
    _Case("hover over the map", ".map-canvas", "pointermove", _hover, _MOVES),
    _Case("zoom of the chart, the map follows", ".line-chart", "wheel", _zoom, _TURNS),
    _Case("pan of the chart, the map follows", ".line-chart", "wheel", _pan_by_wheel, _TURNS),
    _Case("zoom of the map", ".map-canvas", "wheel", _zoom, _TURNS),
    _Case("pan of the map", ".map-canvas", "pointermove", _pan, _TURNS),
)
