"""Takes a picture of every view in both themes: a real TensorBoard on the demo captures, in a real Chromium.

`python -m tools.gallery [VIEW …]` (`make gallery`) writes VIEW.light.png and VIEW.dark.png to
frontend/test/gallery, the index.html to open, and drawn_by.json: what drew them, as other fonts make other
pictures. A view is called as its folder in frontend/src/views, or as its file within one.
tests/browser/test_gallery.py compares them with what the page shows.
"""

from __future__ import annotations

import html
import io
import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import patient
from tests.conftest import ROOT
from tools.demo_page import demo_page, which_and_where
from tools.guide_pictures import PICTURES as GUIDE

GALLERY = ROOT / "frontend" / "test" / "gallery"
THEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
_COLORS = 64
SETTLE_MS = 400
_SCAN = GUIDE["page"].link
_IS_COVERED = """(part) => {
  const head = document.querySelector('header.controls');
  const [above, below] = [head.getBoundingClientRect(), part.getBoundingClientRect()];
  if (head.contains(part) || part.closest('dialog')) return false;
  return below.top < above.bottom - 1 && below.bottom > above.top;
}"""


@dataclass(frozen=True, slots=True)
class View:
    """What is opened, what is done there, and the CSS selector of the view; None is the whole window.

    `height` is the window's: the page's head stays in sight, and lies over what is taller than the rest.
    """

    link: str
    part: str | None
    act: Callable[[Page], None] | None = None
    height: int = 900


def _open_picker(page: Page) -> None:
    page.get_by_label("Module", exact=True).click()


def _open_comparison(page: Page) -> None:
    page.locator("#compare").click()
    expect(page.locator("#baseline-module option").first).to_be_attached()


VIEWS = {
    "page": View(_SCAN, None, GUIDE["page"].act),
    "controls": View(_SCAN, "header.controls"),
    "module_picker": View(_SCAN, ".picker-list", _open_picker),
    "overview": View(GUIDE["overview"].link, ".overview"),
    "findings": View(_SCAN, ".findings", GUIDE["findings"].act),
    "line_chart": View(_SCAN, ".chart-panel"),
    "spaces_strip": View(_SCAN, ".spaces-strip"),
    "bars": View(GUIDE["bars"].link, ".bars", GUIDE["bars"].act),
    "card": View(GUIDE["card"].link, ".card", GUIDE["card"].act),
    "icicle": View(_SCAN, ".icicle"),
    "allocation_map": View(_SCAN, ".allocation-map"),
    "buffer_table": View(_SCAN, ".buffer-table"),
    "compare": View(GUIDE["compare"].link, ".compare", height=GUIDE["compare"].height),
    "compare_picker": View(_SCAN, ".baseline-picker", _open_comparison),
    "downloads": View(
        _SCAN, ".downloads .menu-list", lambda page: page.locator(".downloads summary").click()
    ),
    "modules_table": View(GUIDE["modules"].link, ".modules-table"),
    "keyboard": View(_SCAN, "dialog.sheet", lambda page: page.keyboard.press("?")),
    "states": View("run=tpu_v5e_transformer&module=jit_gone(1)", ".notice"),
}


def take(
    names: Iterable[str], address: str, chromium: Browser, settle_ms: int = SETTLE_MS
) -> Iterator[tuple[str, Image.Image]]:
    """Names (`card.dark`) and pictures of those views, on a server of the demo captures.

    Raises where a view is not on its page any more. Views of one link share a page, which has `settle_ms` to
    draw itself in each theme.
    """
    chosen = sorted((VIEWS[name].link, VIEWS[name].act is not None, name) for name in names)
    for _, group in itertools.groupby(chosen, key=lambda one: (one[0], one[2] if one[1] else "")):
        views = [name for _, _, name in group]
        height = max(VIEWS[name].height for name in views)
        context = patient(
            chromium.new_context(viewport={"width": 1280, "height": height}, color_scheme="light")
        )
        page = context.new_page()
        page.goto(f"{address}#{VIEWS[views[0]].link}")
        page.wait_for_load_state("networkidle")
        act = VIEWS[views[0]].act
        if act is not None:
            act(page)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            # Views take in a change of theme a little later where they are out of sight.
            page.wait_for_timeout(settle_ms)
            for name in views:
                yield f"{name}.{theme}", _shot(page, VIEWS[name])
        context.close()


def drawn_by(chromium: Browser) -> dict[str, object]:
    """What makes pictures differ from one machine to another: the browser, and how wide its fonts are."""
    page = chromium.new_page()
    widths = page.evaluate(
        """() => {
          const pen = document.createElement('canvas').getContext('2d');
          return ['system-ui', 'ui-monospace, monospace', 'sans-serif'].map((family) => {
            pen.font = `16px ${family}`;
            return Math.round(1000 * pen.measureText('The quick brown fox: 0123456789 ▲▼⟳ GiB').width);
          });
        }"""
    )
    page.close()
    return {"browser": chromium.version.split(".")[0], "widths": widths}


def index() -> str:
    """The page that shows the pictures, a row a view."""
    rows = "\n".join(
        f"<h2>{html.escape(name)}</h2>\n<div>"
        + "".join(f'<img loading="lazy" src="{name}.{theme}.png" alt="{name}, {theme}">' for theme in THEMES)
        + "</div>"
        for name in VIEWS
    )
    style = (
        "body{font:16px system-ui;margin:24px;background:#888}div{display:flex;flex-wrap:wrap;gap:16px}"
        "img{max-width:calc(50% - 8px);height:auto;align-self:start}"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f"<title>Every view in both themes</title>\n<style>{style}</style>\n"
        f"<h1>Every view in both themes</h1>\n{rows}\n</html>\n"
    )


def _shot(page: Page, view: View) -> Image.Image:
    part = page.locator(view.part or ".chart-panel svg").first
    expect(part).to_be_visible()
    if view.part is not None:
        part.scroll_into_view_if_needed()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    if view.part is not None and part.evaluate(_IS_COVERED):
        raise ValueError(f"the page's head lies over {view.part}: give the view a taller window")
    png = page.screenshot() if view.part is None else part.screenshot()
    return Image.open(io.BytesIO(png)).convert("RGB").quantize(_COLORS)


def main() -> None:
    """Take all pictures, or those of the views named; write the index."""
    names, folder = which_and_where(__doc__, VIEWS, GALLERY)
    with demo_page() as (address, chromium):
        for name, picture in take(names, address, chromium):
            path = folder / f"{name}.png"
            picture.save(path, optimize=True)
            print(f"{path}  {path.stat().st_size} bytes", flush=True)
        drawer = json.dumps(drawn_by(chromium))
    (folder / "drawn_by.json").write_text(drawer + "\n", encoding="utf-8")
    (folder / "index.html").write_text(index(), encoding="utf-8")


if __name__ == "__main__":
    main()
