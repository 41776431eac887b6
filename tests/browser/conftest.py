"""A real TensorBoard and a real Chromium.

A test fails on any error in the console and any request that leaves the server, unless it expects one.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.tensorboard import Server, serve
from tests.browser.watch import Watch
from tests.conftest import DEMO, ROOT
from tests.patience import PATIENCE_MS
from tools.find_chromium import find

SCREENSHOTS = ROOT / "build" / "screenshots"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

expect.set_options(timeout=PATIENCE_MS)


def patient(context: BrowserContext) -> BrowserContext:
    """The context, in which clicks, loads and functions wait as long as expectations do."""
    context.set_default_timeout(PATIENCE_MS)
    context.set_default_navigation_timeout(PATIENCE_MS)
    return context


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here needs a browser; one worker runs the tests of a file, so that they share a server."""
    folder = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(folder):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    path = find()
    assert path is not None, "no Chromium: run `make chromium`"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def demo_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the demo logdir: XProf writes into the logdirs that it shows."""
    return Path(shutil.copytree(DEMO, tmp_path_factory.mktemp("demo") / "logdir"))


@pytest.fixture(scope="session")
def demo_server(demo_copy: Path) -> Iterator[Server]:
    """TensorBoard on the demo."""
    with serve(demo_copy) as server:
        yield server


@pytest.fixture
def watch() -> Watch:
    """The judge of the test's page."""
    return Watch()


@pytest.fixture
def context(browser: Browser, watch: Watch) -> Iterator[BrowserContext]:
    """A browser without a past, 1280 × 900, whose pages are watched."""
    context = patient(browser.new_context(viewport={"width": 1280, "height": 900}, service_workers="block"))
    context.route("**/*", watch.on_route)
    context.on("console", watch.on_console)
    context.on("weberror", watch.on_page_error)
    context.on("requestfailed", watch.on_request_failed)
    yield context
    context.close()
    assert not watch.faults, "\n".join(watch.faults)


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A page of that browser."""
    return context.new_page()


@pytest.fixture
def screenshot(page: Page) -> Callable[[str], Path]:
    """Takes a picture of the page under a name, for people to look at: build/screenshots/<name>.png."""

    def take(name: str) -> Path:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        path = SCREENSHOTS / f"{name}.png"
        page.screenshot(path=path)
        return path

    return take
