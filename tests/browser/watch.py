"""What a page may not do, and whose fault it is: the only place that tells ours from those of other programs.

TensorBoard, XProf's page and our page share one server and one browser. The other two fail in ways of their
own, some only on a slow machine, and a test of ours must not fail with them. Whose fault it is follows from
the address of what failed: the answer that did not come, or the script that threw.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import ConsoleMessage, Error, Request, Route, WebError

# XProf's page asks for charts and fonts from elsewhere. They are refused, like every other host.
_HOSTS_OF_XPROF = ("www.gstatic.com", "www.gstatic.cn", "fonts.googleapis.com", "fonts.gstatic.com")
_XPROF = "/data/plugin/profile/"
_OURS = "/data/plugin/memviewer/"
# TensorBoard asks for its own fonts without the path prefix.
_FONTS_OF_TENSORBOARD = "/font-roboto/"
# XProf's HTML has our script in it, and its Memory Viewer has our guest before it: these must not fail.
_SHARED_PAGES = ("", "index.html", "local")
_SHARED_TOOL = "memory_viewer"
# The library of charts that XProf loads from elsewhere, for which our guest puts a substitute.
_SUBSTITUTED = "google"


def is_of_others(address: str) -> bool:
    """Whether an answer from `address` is the business of XProf or TensorBoard alone."""
    parts = urlsplit(address)
    if parts.hostname in _HOSTS_OF_XPROF or _FONTS_OF_TENSORBOARD in parts.path:
        return True
    _, is_xprof, route = parts.path.partition(_XPROF)
    if not is_xprof or route in _SHARED_PAGES:
        return False
    return _SHARED_TOOL not in parse_qs(parts.query).get("tag", [])


def is_thrown_by_others(text: str, stack: str) -> bool:
    """Whether an error was thrown in XProf's scripts, with none of ours on the stack or to blame."""
    return _XPROF in stack and _OURS not in stack and _SUBSTITUTED not in text


class Watch:
    """Collects the faults of a page that are ours and that the test does not expect."""

    def __init__(self) -> None:
        self._expected: list[re.Pattern[str]] = []
        self.faults: list[str] = []

    def allow(self, pattern: str) -> None:
        """Expect faults that `pattern` is found in."""
        self._expected.append(re.compile(pattern))

    def on_route(self, route: Route) -> None:
        """Let through what goes to this machine."""
        address = route.request.url
        if urlsplit(address).hostname == "127.0.0.1":
            route.continue_()
            return
        if not is_of_others(address):
            self.faults.append(f"request to another host: {address}")
        route.abort()

    def on_console(self, message: ConsoleMessage) -> None:
        """Keep errors that are written to the console: of answers the browser itself writes them."""
        if message.type == "error":
            self.judge_console(message.text, message.location.get("url", ""))

    def on_page_error(self, thrown: WebError) -> None:
        """Keep exceptions that nobody caught."""
        error: Error = thrown.error
        self.judge_exception(str(error), f"{error.stack or ''}\n{thrown.location['url']}")

    def on_request_failed(self, request: Request) -> None:
        """Keep requests to our server that got no answer, unless the page itself took them back."""
        if urlsplit(request.url).hostname == "127.0.0.1" and request.failure != "net::ERR_ABORTED":
            self.judge_failure(request.url, str(request.failure))

    def judge_console(self, text: str, address: str) -> None:
        """Keep an error in the console, written by a script or about an answer at `address`."""
        of_answer = text.startswith("Failed to load resource")
        others = is_of_others(address) if of_answer else is_thrown_by_others(text, address)
        if not others:
            self._keep(f"console: {text} ({address})")

    def judge_exception(self, text: str, stack: str) -> None:
        """Keep an exception, `stack` being the addresses of what was called."""
        if not is_thrown_by_others(text, stack):
            self._keep(f"uncaught: {text}\n{stack}")

    def judge_failure(self, address: str, reason: str) -> None:
        """Keep a request that got no answer."""
        if not is_of_others(address):
            self._keep(f"failed: {address} {reason}")

    def _keep(self, fault: str) -> None:
        if not any(pattern.search(fault) for pattern in self._expected):
            self.faults.append(fault)
