"""The pictures of the guide can be taken: every part that they show is still on the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tools.guide_pictures import PICTURES, take


@pytest.mark.browser
@pytest.mark.slow
def test_every_picture_can_be_taken(tmp_path: Path) -> None:
    for path in take(PICTURES, tmp_path):
        with Image.open(path) as image:
            colors = image.convert("RGB").getcolors(2**24)
        assert colors is not None and len(colors) > 8, f"{path.name} shows nothing"
