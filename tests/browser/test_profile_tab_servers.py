"""In the Profile tab, each on a TensorBoard of its own: flag, prefix, proxy, load order, xprof missing."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.eventually import READY_MS, patiently
from tests.browser.profile_tab import HOST, STAND_IN, ProfileTab
from tests.browser.proxy import stripping_proxy
from tests.browser.tensorboard import Server, serve

TRANSFORMER = "tpu_v5e_transformer"
LINK = {"run": TRANSFORMER, "tool": "memory_viewer", "host": "host0"}


# Code that Python runs when it starts, to find distributions in another order or not at all.
ORDERED = """
import importlib.metadata as metadata

def plugins(distribution):
    return [entry.name for entry in distribution.entry_points if entry.group == "tensorboard_plugins"]

find = metadata.distributions
metadata.distributions = lambda **how: sorted(filter({keep}, find(**how)), key={key})
"""

# And to fail where XProf's plugin imports what it is made of.
BROKEN = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name == "xprof.profile_plugin":
            raise ImportError("broken on purpose")

sys.meta_path.insert(0, Refuse())
"""


def starting_with(folder: Path, code: str) -> dict[str, str]:
    """Environment in which Python runs `code` first."""
    (folder / "sitecustomize.py").write_text(code)
    return {"PYTHONPATH": os.fspath(folder)}


@pytest.fixture
def tab(page: Page) -> ProfileTab:
    """The Profile tab with a stand-in for our page, which may take its time to answer."""
    page.context.add_init_script(patiently(READY_MS))
    page.route(
        "**/memviewer/page.html*", lambda route: route.fulfill(body=STAND_IN, content_type="text/html")
    )
    return ProfileTab(page)


@contextmanager
def serving(
    page: Page, logdir: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """TensorBoard, which ends after the page has left it."""
    with serve(logdir, *arguments, environment=environment) as server:
        yield server
        page.goto("about:blank")


def test_under_a_path_prefix(tab: ProfileTab, demo_copy: Path) -> None:
    with serving(tab.page, demo_copy, "--path_prefix", "/some/prefix") as server:
        tab.open(server.address, **LINK)
        tab.expect_ours()
        tab.expect_told(run=TRANSFORMER, host="host0")
        expect(tab.page).to_have_url(re.compile(r"/some/prefix/\?.*#profile$"))
        tab.page.reload()
        tab.expect_ours()


def test_behind_a_proxy_that_strips_a_prefix(tab: ProfileTab, demo_copy: Path) -> None:
    with (
        serve(demo_copy) as server,
        stripping_proxy(server.address, "/user/tb/") as address,
    ):
        tab.open(address, **LINK)
        tab.expect_ours()
        tab.expect_told(run=TRANSFORMER, host="host0")
        tab.page.goto("about:blank")


def test_switched_off(tab: ProfileTab, demo_copy: Path) -> None:
    with serving(tab.page, demo_copy, "--memviewer_profile_tab", "off") as server:
        tab.open(server.address, **LINK)
        expect(tab.frame.locator("app")).to_be_attached()
        html = tab.frame.locator("html").evaluate("() => fetch('index.html').then((answer) => answer.text())")
        assert "bundle.js" in html and "memviewer" not in html


@pytest.mark.parametrize("first", ["memviewer", "profile"])
def test_loaded_in_either_order(tab: ProfileTab, demo_copy: Path, tmp_path: Path, first: str) -> None:
    # TensorBoard loads plugins in the order in which Python finds their distributions.
    order = ORDERED.format(key=f"lambda it: {first!r} not in plugins(it)", keep="lambda it: True")
    with serving(tab.page, demo_copy, environment=starting_with(tmp_path, order)) as server:
        listing = tab.page.request.get(f"{server.address}data/plugins_listing").json()
        ours = [name for name in listing if name in ("memviewer", "profile")]
        assert ours[0] == first and len(ours) == 2
        tab.open(server.address, **LINK)
        tab.expect_ours()
        tab.expect_told(run=TRANSFORMER, host="host0")


def test_a_link_without_a_tab_is_honoured_where_ours_comes_first(
    page: Page, demo_copy: Path, tmp_path: Path
) -> None:
    order = ORDERED.format(key="lambda it: 'memviewer' not in plugins(it)", keep="lambda it: True")
    with serving(page, demo_copy, environment=starting_with(tmp_path, order)) as server:
        modules = page.request.get(f"{server.data}modules?run={TRANSFORMER}").json()["modules"]
        smallest = modules[-1]["module"]
        page.goto(f"{server.address}?{urlencode({**LINK, 'module_name': smallest})}")
        ours = page.frame_locator("iframe >> visible=true")
        expect(ours.get_by_label("Run", exact=True)).to_have_value(TRANSFORMER)
        expect(ours.get_by_label("Module", exact=True)).to_have_value(smallest)
        expect(page).to_have_url(re.compile("#memviewer"))


def test_our_tab_works_without_xprof(page: Page, demo_copy: Path, tmp_path: Path) -> None:
    missing = ORDERED.format(key="lambda it: 0", keep="lambda it: 'profile' not in plugins(it)")
    with serving(page, demo_copy, environment=starting_with(tmp_path, missing)) as server:
        listing = page.request.get(f"{server.address}data/plugins_listing").json()
        assert "profile" not in listing
        _expect_our_tab(page, server.address)


def test_our_tab_works_with_an_xprof_that_fails_to_import(
    page: Page, demo_copy: Path, tmp_path: Path
) -> None:
    with serving(page, demo_copy, environment=starting_with(tmp_path, BROKEN)) as server:
        assert "broken on purpose" in server.log
        _expect_our_tab(page, server.address)


def test_two_hosts(tab: ProfileTab, demo_copy: Path, tmp_path: Path) -> None:
    session = tmp_path / "plugins" / "profile" / "two_hosts"
    session.mkdir(parents=True)
    captures = demo_copy / "plugins" / "profile"
    shutil.copy(captures / TRANSFORMER / "host0.xplane.pb", session / "host0.xplane.pb")
    shutil.copy(captures / "tpu_v4_cmem" / "host0.xplane.pb", session / "host1.xplane.pb")
    with serving(tab.page, tmp_path) as server:
        tab.open(server.address, run="two_hosts", tool="memory_viewer", host="host0")
        tab.expect_ours()
        tab.expect_told(run="two_hosts", host="host0")
        tab.choose(HOST, "host1")
        tab.expect_told(run="two_hosts", host="host1")
        tab.expect_ours()


def _expect_our_tab(page: Page, address: str) -> None:
    page.goto(f"{address}#memviewer")
    frame = page.frame_locator("iframe >> visible=true")
    expect(frame.get_by_text(re.compile(r"\d (KiB|MiB|GiB)")).first).to_be_visible()
