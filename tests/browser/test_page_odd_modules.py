"""Modules with hostile names, without buffers, and so on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.page_alone import bar, open_page
from tests.browser.tensorboard import Server, serve
from tests.conftest import DATA


@pytest.fixture(scope="module")
def modules_server() -> Iterator[Server]:
    """TensorBoard on the single modules of the tests: hostile names, no buffers, and so on."""
    with serve(DATA / "modules") as server:
        yield server


def test_hostile_names_are_text(page: Page, modules_server: Server) -> None:
    open_page(page, modules_server, "module=v5e_odd_names")
    assert page.locator("main img, main script").count() == 0
    for order in ("program", "size", "padding"):
        box = bar(page, order).bounding_box()
        assert box is not None
        for share in range(1, 10):
            page.mouse.move(box["x"] + box["width"] * share / 10, box["y"] + 10)
    assert page.locator("main img, main script").count() == 0


@pytest.mark.parametrize(
    "module", ["v5e_tiny", "v5e_zerosize", "v5e_scalar", "v5e_pallas_smem", "v5e_while_cond"]
)
def test_every_space_of_odd_modules_shows(page: Page, modules_server: Server, module: str) -> None:
    open_page(page, modules_server, f"module={module}")
    for tab in page.get_by_role("tab").all():
        tab.click()
        expect(page.get_by_role("tab", selected=True)).to_have_text(tab.inner_text().replace("\n", ""))
        expect(page.locator(".main:not(.stale) .usage-line")).to_have_count(1)
