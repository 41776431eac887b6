"""Takes a picture of every view in both themes: a real TensorBoard on the demo captures, in a real Chromium.

`python -m tools.gallery [VIEW …]` writes VIEW.light.png and VIEW.dark.png into frontend/test/gallery, and the
index.html to open. A view is called as its file in frontend/src/views. Other fonts make other pictures.
"""

from __future__ import annotations

import argparse
import html
import io
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.browser.tensorboard import serve
from tests.conftest import DEMO, ROOT
from tools.find_chromium import find
from tools.guide_pictures import PICTURES as GUIDE

GALLERY = ROOT / "frontend" / "test" / "gallery"
THEMES = ("light", "dark")
_COLORS = 64
_SCAN = GUIDE["page"].link


@dataclass(frozen=True, slots=True)
class View:
    """What is opened, what is done there, and the CSS selector of the view; None is the whole window."""

    link: str
    part: str | None
    act: Callable[[Page], None] | None = None


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
    "compare": View(GUIDE["compare"].link, ".compare"),
    "compare_picker": View(_SCAN, ".baseline-picker", _open_comparison),
    "downloads": View(
        _SCAN, ".downloads .menu-list", lambda page: page.locator(".downloads summary").click()
    ),
    "modules_table": View(GUIDE["modules"].link, ".modules-table"),
    "keyboard": View(_SCAN, "dialog.sheet", lambda page: page.keyboard.press("?")),
    "states": View("run=tpu_v5e_transformer&module=jit_gone(1)", ".notice"),
}


def take(names: list[str], folder: Path) -> list[Path]:
    """Write the pictures of those views into a folder. Raises where a view is not on its page any more."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        logdir = Path(shutil.copytree(DEMO, Path(scratch) / "logs"))
        chromium = playwright.chromium.launch(executable_path=find(), args=ARGUMENTS)
        with serve(logdir) as server:
            for name in names:
                for theme in THEMES:
                    path = folder / f"{name}.{theme}.png"
                    path.write_bytes(_shot(chromium, f"{server.data}page.html", VIEWS[name], theme))
                    written.append(path)
        chromium.close()
    return written


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


def _shot(chromium: Browser, address: str, view: View, theme: str) -> bytes:
    context = chromium.new_context(
        viewport={"width": 1280, "height": 900},
        color_scheme="dark" if theme == "dark" else "light",
    )
    page = context.new_page()
    page.goto(f"{address}#{view.link}")
    page.wait_for_load_state("networkidle")
    if view.act is not None:
        view.act(page)
    part = page.locator(view.part or ".chart-panel svg").first
    expect(part).to_be_visible(timeout=30_000)
    # Lines and canvases are drawn in the frames after.
    page.wait_for_timeout(500)
    png = page.screenshot() if view.part is None else part.screenshot()
    context.close()
    out = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(_COLORS).save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    """Take all pictures, or those of the views named; write the index."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="VIEW", help=f"of {', '.join(VIEWS)}")
    parser.add_argument("--into", type=Path, default=GALLERY, metavar="FOLDER")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.names) - VIEWS.keys())
    if unknown:
        parser.error(f"no such view: {', '.join(unknown)}")
    for path in take(arguments.names or list(VIEWS), arguments.into):
        print(f"{path}  {path.stat().st_size} bytes", flush=True)
    (arguments.into / "index.html").write_text(index(), encoding="utf-8")


if __name__ == "__main__":
    main()
