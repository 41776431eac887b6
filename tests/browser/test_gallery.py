"""The gallery of every view in both themes is what the page shows."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser

from tests.browser.tensorboard import Server
from tests.conftest import ROOT
from tools.gallery import GALLERY, SETTLE_MS, VIEWS, drawn_by, take
from tools.picture_difference import difference

NEW = ROOT / "build" / "gallery"


def picture(*, shift: int = 0, color: str = "#1f5fae", height: int = 200) -> Image.Image:
    """A panel with a bar and a line in it."""
    made = Image.new("RGB", (400, height), "#ffffff")
    pen = ImageDraw.Draw(made)
    pen.rectangle((20, 20, 320, 60), fill=color)
    pen.line((20, 120 + shift, 380, 120 + shift), fill="#59636f", width=2)
    return made


@pytest.mark.parametrize("strict", [True, False])
def test_the_same_picture_does_not_differ(strict: bool) -> None:
    assert difference(picture(), picture(), strict=strict) is None


def test_strictly_a_moved_line_another_blue_and_another_size_differ() -> None:
    for other in (picture(shift=3), picture(color="#2f7fc1"), picture(height=202)):
        assert difference(picture(), other, strict=True) is not None


def test_with_other_fonts_letters_may_differ_but_not_what_is_there() -> None:
    assert difference(picture(), picture(shift=3, height=210), strict=False) is None
    assert "colors" in str(difference(picture(), picture(color="#d3622a"), strict=False))
    assert "other letters" in str(difference(picture(), picture(height=300), strict=False))


def test_every_view_looks_as_in_the_gallery(browser: Browser, demo_server: Server) -> None:
    """Where another look is meant, `make gallery` takes the pictures anew: look at them, then commit them."""
    strict = json.loads((GALLERY / "drawn_by.json").read_text(encoding="utf-8")) == drawn_by(browser)

    def faults_of(views: Iterable[str], settle_ms: int) -> dict[str, str]:
        faults = {}
        for name, taken in take(views, f"{demo_server.data}page.html", browser, settle_ms):
            found = difference(Image.open(GALLERY / f"{name}.png"), taken, strict=strict)
            if found is not None:
                NEW.mkdir(parents=True, exist_ok=True)
                taken.save(NEW / f"{name}.png")
                faults[name] = f"{name}: {found}; see {NEW / name}.png"
        return faults

    # A busy machine may not have drawn one in time: only what still differs with ever more time is different.
    faults = faults_of(VIEWS, SETTLE_MS)
    for longer in (5, 25):
        again = faults_of({name.partition(".")[0] for name in faults}, longer * SETTLE_MS)
        faults = {name: again[name] for name in faults if name in again}
    lasting = list(faults.values())
    assert not lasting, "\n".join(["not as in the gallery (`make gallery` takes it anew):", *lasting])
