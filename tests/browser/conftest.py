"""A real TensorBoard and a real Chromium.

A test fails on any error in the console and any request that leaves the server, unless it expects one.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Route,
    expect,
    sync_playwright,
)

from tests.browser.tensorboard import Server, serve
from tests.conftest import DEMO, ROOT
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

# A machine that does other things besides is slow, not wrong.
expect.set_options(timeout=15_000)


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


class Watch:
    """What a page may not do, and what of it a test expects."""

    def __init__(self) -> None:
        self.hosts: set[str] = set()
        self.console: list[re.Pattern[str]] = []
        self.faults: list[str] = []

    def allow_console(self, pattern: str) -> None:
        """Expect console errors that `pattern` is found in."""
        self.console.append(re.compile(pattern))

    def allow_host(self, host: str) -> None:
        """Expect requests to `host`; they are refused all the same."""
        self.hosts.add(host)

    def on_route(self, route: Route) -> None:
        """Let through what goes to this machine."""
        host = urlsplit(route.request.url).hostname
        if host == "127.0.0.1":
            route.continue_()
            return
        if host not in self.hosts:
            self.faults.append(f"request to another host: {route.request.url}")
        route.abort()

    def on_console(self, message: ConsoleMessage) -> None:
        """Keep errors."""
        if message.type == "error":
            self._keep(f"console: {message.text} ({message.location.get('url', '')})")

    def on_page_error(self, error: object) -> None:
        """Keep exceptions that nobody caught."""
        self._keep(f"uncaught: {error}")

    def on_request_failed(self, request: Request) -> None:
        """Keep requests to our server that got no answer, unless the page itself took them back."""
        if urlsplit(request.url).hostname == "127.0.0.1" and request.failure != "net::ERR_ABORTED":
            self._keep(f"failed: {request.url} {request.failure}")

    def _keep(self, fault: str) -> None:
        if not any(pattern.search(fault) for pattern in self.console):
            self.faults.append(fault)


@pytest.fixture
def watch() -> Watch:
    """The judge of the test's page."""
    return Watch()


@pytest.fixture
def context(browser: Browser, watch: Watch) -> Iterator[BrowserContext]:
    """A browser without a past, 1280 × 900, whose pages are watched."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, service_workers="block")
    context.set_default_timeout(15_000)
    context.route("**/*", watch.on_route)
    context.on("console", watch.on_console)
    context.on("weberror", lambda error: watch.on_page_error(error.error))
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
