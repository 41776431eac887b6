"""Our page itself in the Profile tab: driven by the side bar, light and dark, its links to other tools."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, expect

from tests.browser.eventually import READY_MS, draw, eventually, patiently
from tests.browser.profile_tab import MODULE, RUN, ProfileTab
from tests.browser.tensorboard import Server

TRANSFORMER = "tpu_v5e_transformer"


@pytest.fixture(autouse=True)
def _patient(page: Page) -> None:
    """Our page may take its time to answer."""
    page.context.add_init_script(patiently(READY_MS))


@pytest.fixture
def viewer(page: Page, demo_server: Server) -> ProfileTab:
    """The Memory Viewer of the transformer in the Profile tab, with our page in it."""
    tab = ProfileTab(page)
    tab.open(demo_server.address, run=TRANSFORMER, tool="memory_viewer", host="host0")
    tab.expect_ours()
    expect(tab.ours.get_by_text("Peak usage").first).to_be_visible()
    return tab


def expect_chosen(viewer: ProfileTab, other_than: str = "", **wanted: str) -> str:
    """Our page soon shows what is wanted, and not the module `other_than`. Returns the module it shows."""

    def shown() -> dict[str, str]:
        fragment = viewer.ours.locator("html").evaluate("() => location.hash.slice(1)")
        return {name: values[0] for name, values in parse_qs(fragment).items()}

    def fits(shown: dict[str, str]) -> bool:
        chosen = all(bare(shown.get(name, "")) == bare(value) for name, value in wanted.items())
        return chosen and shown.get("module", "") not in ("", other_than)

    return eventually(viewer.page, shown, fits, f"our page to show {wanted}")["module"]


def bare(name: str) -> str:
    """A module's name without its number: before 2.22.3 the side bar's is not the program's."""
    return name.partition("(")[0]


def test_the_side_bar_drives_our_page(viewer: ProfileTab) -> None:
    module = viewer.box(MODULE).inner_text().strip()
    first = expect_chosen(viewer, run=TRANSFORMER, module=module)
    expect(viewer.cover.locator(".line")).to_contain_text(module)
    expect(viewer.ours.get_by_role("combobox", name=re.compile("^(Run|Host|Module)"))).to_have_count(0)
    another = viewer.choose_another(MODULE)
    expect_chosen(viewer, run=TRANSFORMER, module=another, other_than=first)
    viewer.choose(RUN, "gpu_h100")
    expect_chosen(viewer, run="gpu_h100")
    expect(viewer.ours.get_by_text("Peak usage").first).to_be_visible()


def test_our_page_shows_its_own_modules_where_the_side_bar_has_none(page: Page, demo_server: Server) -> None:
    # As 2.20.7 and 2.20.9 answer about a fresh capture.
    page.route("**/data/plugin/profile/module_list*", lambda route: route.fulfill(body=""))
    tab = ProfileTab(page)
    tab.open(demo_server.address, run=TRANSFORMER, tool="memory_viewer", host="host0")
    tab.expect_ours()
    expect(tab.ours.get_by_text("Peak usage").first).to_be_visible()
    expect(tab.ours.get_by_label("Module", exact=True)).to_be_visible()
    expect(tab.ours.get_by_label("Run", exact=True)).to_be_hidden()
    expect_chosen(tab, run=TRANSFORMER)


def test_a_buffers_card_opens_its_instruction_in_the_graph_viewer(viewer: ProfileTab) -> None:
    viewer.page.set_viewport_size({"width": 1920, "height": 1080})
    module = viewer.box(MODULE).inner_text().strip()
    link = viewer.ours.get_by_role("button", name="Graph Viewer").or_(
        viewer.ours.get_by_role("link", name="Graph Viewer")
    )
    link.first.click()
    expect(viewer.frame.locator("graph-viewer")).to_be_visible()
    expect(viewer.frame.get_by_role("textbox", name="op-name")).to_have_value(re.compile(r"^[\w.-]+$"))
    expect(viewer.box(MODULE)).to_have_text(module)


@pytest.mark.parametrize("middle", [False, True], ids=["ctrl", "middle"])
def test_a_link_opens_in_a_browser_tab_of_its_own(viewer: ProfileTab, middle: bool) -> None:
    viewer.page.set_viewport_size({"width": 1920, "height": 1080})
    link = viewer.ours.get_by_role("button", name="Graph Viewer").first
    with viewer.page.expect_popup() as opened:
        if middle:
            link.click(button="middle")
        else:
            link.click(modifiers=["Control"])
    other = ProfileTab(opened.value)
    expect(other.frame.locator("graph-viewer")).to_be_visible()
    expect(other.frame.get_by_role("textbox", name="op-name")).to_have_value(re.compile(r"^[\w.-]+$"))
    viewer.expect_ours()


# A button that answers does so for a second, which may pass unseen from here.
_NOTE_BUTTONS = """(body) => {
  window.noted = [];
  const note = () => window.noted.push(...[...body.querySelectorAll('button')].map((one) => one.textContent));
  new MutationObserver(note).observe(body, { childList: true, subtree: true, characterData: true });
}"""


def test_a_copied_link_leads_to_our_tab(viewer: ProfileTab) -> None:
    viewer.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    viewer.page.set_viewport_size({"width": 1920, "height": 1080})
    viewer.ours.get_by_role("tab", name=re.compile("VMEM")).click()
    expect_chosen(viewer, space="VMEM")
    viewer.page.evaluate("() => navigator.clipboard.writeText('')")
    viewer.ours.locator("body").evaluate(_NOTE_BUTTONS)
    viewer.ours.get_by_role("button", name="Copy link").click()
    noted = viewer.ours.locator("body")
    eventually(viewer.page, lambda: noted.evaluate("() => window.noted"), lambda words: "Copied" in words)
    link = viewer.page.evaluate("() => navigator.clipboard.readText()")
    viewer.page.goto("about:blank")
    viewer.page.goto(link)
    ours = viewer.page.frame_locator("iframe >> visible=true")
    expect(ours.get_by_label("Run", exact=True)).to_have_value(TRANSFORMER)
    expect(ours.get_by_role("tab", selected=True)).to_contain_text("VMEM")


def test_our_page_stays_where_it_was_when_tensorboard_reloads(viewer: ProfileTab) -> None:
    viewer.ours.get_by_role("tab", name=re.compile("VMEM")).click()
    expect_chosen(viewer, space="VMEM")
    with viewer.page.expect_response("**/data/plugin/memviewer/runs*"):
        viewer.page.get_by_role("button", name=re.compile("Last Updated")).click()
    draw(viewer.page)
    viewer.expect_ours()
    expect_chosen(viewer, run=TRANSFORMER, space="VMEM")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures(
    page: Page,
    demo_server: Server,
    screenshot: Callable[[str], Path],
    theme: str,
) -> None:
    settings = json.dumps({"theme": theme})
    page.add_init_script(f"localStorage.setItem('_tb_global_settings', {settings!r})")
    tab = ProfileTab(page)
    tab.open(demo_server.address, run=TRANSFORMER, tool="memory_viewer", host="host0")
    expect(tab.ours.get_by_text("Peak usage").first).to_be_visible()
    for width, height in ((1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        for side_bar, left in (("open", 340), ("closed", 0)):
            expect(tab.cover).to_have_js_property("offsetLeft", left)
            expect(tab.ours.locator("svg.line-chart")).to_be_visible()
            draw(page)
            screenshot(f"profile_tab_{theme}_{width}_{side_bar}")
            tab.toggle_side_bar()
    # Beside the side bar no tile takes a row for itself, and nothing is left of the hidden controls.
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(tab.cover).to_have_js_property("offsetLeft", 340)
    instruction = tab.ours.locator(".tile.wide").bounding_box()
    assert instruction is not None and instruction["height"] < 40
    expect(tab.ours.locator(".controls-row:visible")).to_have_css("border-top-width", "0px")
    ink = tab.ours.locator("body").evaluate(
        "(body) => getComputedStyle(body).color.match(/\\d+/g).slice(0, 3).map(Number)"
    )
    assert (sum(ink) < 380) == (theme == "light")
