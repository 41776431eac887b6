"""The one-file report, opened from disk with the network off: the whole page, and not one request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tensorboard_plugin_memviewer.cli import main
from tests.browser.conftest import patient
from tests.browser.tensorboard import Server
from tests.conftest import DATA, DEMO


class Report:
    """A page opened from a file, and what it asked for or complained about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        self.faults: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on(
            "console", lambda message: self.faults.append(message.text) if message.type == "error" else None
        )
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    def open(self, path: Path, state: str = "") -> None:
        """Open the file, and wait until it shows a program."""
        self.page.goto(f"{path.as_uri()}{state}")
        expect(self.page.locator(".usage-line")).to_have_count(1)

    def check(self, path: Path) -> None:
        """Nothing was asked for but the file itself and what lies in it; nothing went wrong."""
        asked = [url for url in self.asked if not url.startswith((path.as_uri(), "data:", "blob:"))]
        assert asked == []
        assert self.faults == []


@pytest.fixture
def report(browser: Browser) -> Iterator[Report]:
    context = patient(browser.new_context(viewport={"width": 1280, "height": 1500}, offline=True))
    yield Report(context.new_page())
    context.close()


def test_hover_and_memory_spaces_work_from_disk(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    assert main(["export", f"{DEMO}#run=tpu_v5e_transformer", "--format", "html", "-o", str(path)]) == 0
    report.open(path)
    page = report.page
    for space in ("HBM", "VMEM"):
        page.get_by_role("tab", name=re.compile(space)).click()
        expect(page.locator(".usage-line")).to_have_count(1)
        bar = page.locator('.bar-box[data-order="size"]')
        bar.scroll_into_view_if_needed()
        bar.hover(position={"x": 5, "y": 10})
        expect(page.locator(".lifetime").first).to_be_visible()
        expect(page.get_by_role("complementary", name="Buffer")).to_contain_text("MiB")
    report.check(path)
    assert path.stat().st_size < 4 * 2**20


def test_hostile_names_are_text_in_a_report(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "odd <b>.html"
    chosen = f"{DATA / 'modules'}#module=v5e_odd_names"
    assert main(["export", chosen, "--format", "html", "-o", str(path)]) == 0
    report.open(path)
    assert report.page.locator("img").count() == 0
    report.check(path)


def test_capacity_that_is_typed_into_a_report_leaves_no_finding_about_another(
    report: Report, tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    assert main(["export", f"{DEMO}#run=xla_dump_oom", "--format", "html", "-o", str(path)]) == 0
    report.open(path)
    over = report.page.locator("[data-kind=over_capacity]")
    expect(over).to_have_count(1)
    report.page.get_by_label("Capacity").fill("32 GiB")
    report.page.keyboard.press("Enter")
    expect(over).to_have_count(0)
    expect(report.page.locator("[data-kind=activations]")).to_be_visible()
    report.check(path)


def test_the_page_saves_itself_as_a_report(
    page: Page, demo_server: Server, report: Report, tmp_path: Path
) -> None:
    page.goto(f"{demo_server.data}page.html#run=xla_dump_oom")
    page.locator(".downloads summary").click()
    with page.expect_download() as waiting:
        page.locator("#save-html").click()
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    report.open(path)
    report.page.locator(".downloads summary").click()
    expect(report.page.locator("#save-json")).to_be_visible()
    expect(report.page.locator("#save-html")).to_have_count(0)
    report.check(path)
