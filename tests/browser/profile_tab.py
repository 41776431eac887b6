"""The Profile tab as a person works it: boxes of the side bar, tools, our page laid over XProf's viewer.

Speaks of what can be seen; knows XProf's page by its labels and by its viewer's element, `memory-viewer`.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import FrameLocator, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.eventually import eventually

RUN = re.compile(r"^\s*(Sessions?|Runs?)\b")
TOOL = re.compile(r"^\s*Tools?\b")
HOST = re.compile(r"^\s*Hosts?\b")
MODULE = re.compile(r"^\s*(Hlo |Xla )?Modules?\b", re.IGNORECASE)

# A click that XProf's page swallows is made again after this.
_TRY_MS = 3_000

# Stands in for our page where a test is about what it is told: says that it is up, writes down what comes.
STAND_IN = """<!doctype html><title>stand-in</title><h1>our page</h1><script>
  window.told = [];
  addEventListener('message', (event) => told.push({ ...event.data, origin: event.origin }));
  parent.postMessage({ type: 'memviewer:ready' }, location.origin);
</script>"""


class ProfileTab:
    """The Profile tab of a TensorBoard, in a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.data_requests: list[str] = []
        page.on("request", lambda request: self._note(request.url))

    # What there is to see.

    @property
    def frame(self) -> FrameLocator:
        """XProf's page."""
        return self.page.frame_locator("iframe >> visible=true")

    @property
    def cover(self) -> Locator:
        """What lies over XProf's viewer."""
        return self.frame.locator("memviewer-guest .cover")

    @property
    def ours(self) -> FrameLocator:
        """Our page, in the Profile tab."""
        return self.frame.frame_locator("memviewer-guest iframe")

    @property
    def own_viewer(self) -> Locator:
        """XProf's own viewer."""
        return self.frame.locator("memory-viewer")

    @property
    def query(self) -> dict[str, str]:
        """The query of TensorBoard's address."""
        return dict(parse_qsl(urlsplit(self.page.url).query))

    @property
    def fragment(self) -> str:
        """The part of TensorBoard's address that names the tab."""
        return urlsplit(self.page.url).fragment

    # What a person does.

    def open(self, address: str, **parameters: str) -> None:
        """Open a deep link; `address` is TensorBoard's, the parameters are run, tool, host, module_name."""
        query = f"?{urlencode(parameters)}" if parameters else ""
        self.page.goto(f"{address}{query}#profile")

    def choose(self, label: re.Pattern[str], option: str | re.Pattern[str]) -> None:
        """Choose in a box of the side bar, which XProf opens and closes as it likes."""
        box = self.box(label)
        expect(box).to_have_attribute("aria-disabled", "false")
        options = self.frame.locator("mat-option")
        wanted = options.filter(has_text=option).first

        def is_closed() -> bool:
            if options.count() > 0:
                self.page.keyboard.press("Escape")
            return options.count() == 0

        def is_chosen() -> bool:
            """One try: XProf may close a box again before its option is clicked."""
            if options.count() == 0:
                if not box.is_visible():
                    self.toggle_side_bar()
                with suppress(PlaywrightTimeoutError):
                    box.click(timeout=_TRY_MS)
            with suppress(PlaywrightTimeoutError):
                wanted.click(timeout=_TRY_MS)
                return True
            is_closed()
            return False

        # What was chosen before may still be closing.
        eventually(self.page, is_closed, bool, "no other box open")
        eventually(self.page, is_chosen, bool, f"{option} chosen")

    def choose_another(self, label: re.Pattern[str]) -> str:
        """Choose something else than what a box shows, and say what."""
        box = self.box(label)
        expect(box).to_have_attribute("aria-disabled", "false")
        expect(box).not_to_have_text("")
        shown = box.inner_text().strip()
        self.choose(label, re.compile(rf"^(?!\s*{re.escape(shown)}\s*$)"))
        expect(box).not_to_have_text(shown)
        return box.inner_text().strip()

    def toggle_side_bar(self) -> None:
        """Open the side bar, or close it."""
        self.frame.get_by_role("button", name="Menu icon").click()

    def box(self, label: re.Pattern[str]) -> Locator:
        """A box of the side bar, by its heading."""
        return (
            self.frame.locator("sidenav .item-container").filter(has_text=label).locator("mat-select").first
        )

    # What must be so.

    def expect_ours(self) -> None:
        """Our page is over XProf's viewer, which is hidden, and covers its area."""
        expect(self.cover).to_be_visible()
        expect(self.own_viewer).to_be_hidden()
        expect(self.own_viewer).to_be_attached()

    def expect_own(self) -> None:
        """XProf's viewer is to be seen, with what it has to say about the module."""
        expect(self.cover).to_be_hidden()
        expect(self.own_viewer).to_be_visible()
        expect(self.own_viewer.get_by_text("Peak memory allocation").first).to_be_visible()

    def post(self, **message: object) -> None:
        """Have the stand-in post a message."""
        self.ours.locator("h1").evaluate("(_, it) => parent.postMessage(it, location.origin)", message)

    def told(self, kind: str = "memviewer:select") -> dict[str, Any] | None:
        """The last message of a kind that the stand-in got."""
        told = self.ours.locator("h1").evaluate("() => window.told")
        return next((message for message in reversed(told) if message["type"] == kind), None)

    def expect_told(self, kind: str = "memviewer:select", **fields: Any) -> dict[str, Any]:
        """The last message of that kind has these fields, soon. A pattern stands for text that it matches."""

        def fits(told: dict[str, Any] | None) -> bool:
            return told is not None and all(_fits(told.get(name), value) for name, value in fields.items())

        last = eventually(self.page, lambda: self.told(kind), fits, f"our page to be told {fields}")
        assert last is not None
        return last

    def _note(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.path.endswith("/data/plugin/profile/data") and "tag=memory_viewer" in parts.query:
            self.data_requests.append(url)


def _fits(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, re.Pattern):
        return isinstance(value, str) and wanted.search(value) is not None
    return bool(value == wanted)
