"""Takes the pictures of the guide: a real TensorBoard on the demo captures, in a real Chromium.

`python -m tools.guide_pictures [NAME …]` writes docs/pictures/NAME.png; `--into FOLDER` writes elsewhere.
What each picture shows is a row of PICTURES: a link, what is done there, the part that is cut out.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import patient
from tests.conftest import ROOT
from tools.demo_page import demo_page, which_and_where

PICTURES_FOLDER = ROOT / "docs" / "pictures"
MOST_BYTES = 120_000

_SCAN = "run=tpu_v5e_transformer&module=jit_train_step(6894331664667864551)&space=HBM"
_REMAT = "run=tpu_v5e_transformer&module=jit_train_step(4782559293268148282)&space=HBM"
_PADDED = "run=tpu_v5e_kernels&module=jit_padded(1949091827119232368)&space=HBM"
_OOM = "run=xla_dump_oom&module=module_0000.jit_f&space=HBM"
_BASELINE = (
    '{"run":"tpu_v5e_transformer","host":null,"module":"jit_train_step(6894331664667864551)","space":"HBM"}'
)

Act = Callable[[Page], None]


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: the page's hash, the CSS selector of what is cut out (None: what the window shows)."""

    link: str
    part: str | None
    act: Act | None = None
    width: int = 1280
    height: int = 900


def _hover_most_padded(page: Page) -> None:
    page.locator(".bar-box[data-order=padding]").hover(position={"x": 20, "y": 12})


def _click_largest_row(page: Page) -> None:
    page.locator(".buffer-table .grid-body .grid-row").first.click()
    page.evaluate("scrollTo(0, 0)")


def _open_first_finding(page: Page) -> None:
    page.locator(".findings [aria-controls=finding-detail]").first.click()
    expect(page.locator("#finding-detail")).to_be_visible()


PICTURES = {
    "page": Picture(_SCAN, None, _click_largest_row, height=1000),
    "modules": Picture("view=modules&run=tpu_v5e_kernels", ".modules-table"),
    "overview": Picture(_OOM, ".overview"),
    "findings": Picture(_SCAN, ".findings", _open_first_finding),
    "chart": Picture(_SCAN, ".chart-panel"),
    "bars": Picture(_PADDED, ".bars", _hover_most_padded),
    "card": Picture(_PADDED, ".card", _click_largest_row),
    "spaces": Picture(_SCAN, ".spaces-strip"),
    "where": Picture(_SCAN, ".icicle"),
    "map": Picture(_SCAN, ".allocation-map"),
    "table": Picture(_SCAN, ".buffer-table"),
    "compare": Picture(f"{_REMAT}&baseline={quote(_BASELINE, safe='')}", ".compare", height=1400),
}


def take(picture: Picture, address: str, chromium: Browser) -> bytes:
    """The picture as a PNG file. Raises where its part is not on the page any more."""
    context = patient(chromium.new_context(viewport={"width": picture.width, "height": picture.height}))
    page = context.new_page()
    page.goto(f"{address}#{picture.link}")
    data = _shot(page, picture)
    context.close()
    return data


def _shot(page: Page, picture: Picture) -> bytes:
    part = page.locator(picture.part or ".chart-panel svg").first
    expect(part).to_be_visible()
    page.wait_for_load_state("networkidle")
    if picture.act is not None:
        picture.act(page)
    # Lines and canvases are drawn in the frames after.
    page.wait_for_timeout(500)
    return _small(part.screenshot() if picture.part else page.screenshot())


def _small(png: bytes) -> bytes:
    """The same picture with as many colors as keep it small."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    for colors in (256, 128, 64, 32):
        out = io.BytesIO()
        image.quantize(colors).save(out, "PNG", optimize=True)
        if out.tell() <= MOST_BYTES:
            return out.getvalue()
    raise ValueError(f"a picture of {image.size} stays larger than {MOST_BYTES} bytes")


def main() -> None:
    """Take all pictures, or those named."""
    names, folder = which_and_where(__doc__, PICTURES, PICTURES_FOLDER)
    with demo_page() as (address, chromium):
        for name in names:
            path = folder / f"{name}.png"
            path.write_bytes(take(PICTURES[name], address, chromium))
            print(f"{path}  {path.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main()
