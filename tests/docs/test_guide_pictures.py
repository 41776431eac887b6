"""The pictures of the guide can be taken: every part that they show is still on the page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.conftest import ROOT
from tools.guide_pictures import PICTURES


@pytest.mark.browser
@pytest.mark.slow
def test_every_picture_can_be_taken(tmp_path: Path) -> None:
    # In a process of its own: this one may have a browser open already, and Playwright takes one at a time.
    script = [sys.executable, "-m", "tools.guide_pictures", "--into", str(tmp_path)]
    subprocess.run(script, cwd=ROOT, check=True)
    for name in PICTURES:
        path = tmp_path / f"{name}.png"
        with Image.open(path) as image:
            colors = image.convert("RGB").getcolors(2**24)
        assert colors is not None and len(colors) > 8, f"{path.name} shows nothing"
