"""In the Profile tab, on one TensorBoard with the real xprof: our page instead of XProf's Memory Viewer."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FloatRect, Page, Route, expect

from tests.browser.eventually import READY_MS, draw, eventually, patiently
from tests.browser.profile_tab import MODULE, RUN, STAND_IN, TOOL, ProfileTab
from tests.browser.tensorboard import Server
from tests.browser.watch import Watch

TRANSFORMER = "tpu_v5e_transformer"
KERNELS = "tpu_v5e_kernels"
RELOAD = re.compile("^Last Updated")
INSTRUCTION = "fusion.7"
A_MODULE = re.compile(r"^\w+\(\d+\)$")


@pytest.fixture
def tab(hasty_tab: ProfileTab) -> ProfileTab:
    """The Profile tab with a stand-in for our page, which may take its time to answer."""
    hasty_tab.page.context.add_init_script(patiently(READY_MS))
    return hasty_tab


@pytest.fixture
def hasty_tab(page: Page) -> ProfileTab:
    """The same, where our page must answer as soon as it does for a person."""
    page.route(
        "**/memviewer/page.html*", lambda route: route.fulfill(body=STAND_IN, content_type="text/html")
    )
    return ProfileTab(page)


@pytest.fixture
def viewer(tab: ProfileTab, demo_server: Server) -> ProfileTab:
    """The same, opened by a deep link to the Memory Viewer of the transformer."""
    tab.open(demo_server.address, run=TRANSFORMER, tool="memory_viewer", host="host0")
    tab.expect_ours()
    tab.expect_told(run=TRANSFORMER, host="host0", module=A_MODULE)
    return tab


def test_the_tool_shows_our_page(tab: ProfileTab, demo_server: Server) -> None:
    tab.open(demo_server.address)
    tab.choose(RUN, TRANSFORMER)
    tab.choose(TOOL, "Memory Viewer")
    tab.expect_ours()
    tab.expect_told(run=TRANSFORMER, host="host0", module=A_MODULE)
    assert tab.data_requests == [], "the hidden viewer made the server work"


def test_run_and_module_changes_arrive(viewer: ProfileTab) -> None:
    second = viewer.choose_another(MODULE)
    viewer.expect_told(run=TRANSFORMER, module=second)
    viewer.choose(RUN, KERNELS)
    viewer.expect_told(run=KERNELS, host="host0", module=A_MODULE)
    viewer.expect_ours()
    told = viewer.ours.locator("h1").evaluate("() => window.told")
    of_kernels = {message["module"] for message in told if message.get("run") == KERNELS}
    assert second not in of_kernels, "a module was told with the run of another"


def test_away_and_back_keeps_the_page(viewer: ProfileTab) -> None:
    viewer.ours.locator("h1").evaluate("() => { window.kept = true; }")
    viewer.choose(TOOL, "Graph Viewer")
    expect(viewer.cover).to_be_hidden()
    expect(viewer.frame.locator("graph-viewer")).to_be_visible()
    viewer.expect_told("memviewer:visible", visible=False)
    viewer.choose(TOOL, "Memory Viewer")
    viewer.expect_ours()
    viewer.expect_told("memviewer:visible", visible=True)
    assert viewer.ours.locator("h1").evaluate("() => window.kept") is True


def test_another_tab_of_tensorboard_and_back_keeps_page_and_place(viewer: ProfileTab) -> None:
    viewer.ours.locator("h1").evaluate("() => { window.kept = true; }")
    place = viewer.cover.bounding_box()
    for name in ("memory viewer", "profile"):
        viewer.page.get_by_role("tab", name=name).click()
        # What is not shown has no height, and XProf and we are asked to draw all the same.
        viewer.page.set_viewport_size({"width": 1100 if name == "memory viewer" else 1280, "height": 900})
    viewer.expect_ours()
    eventually(viewer.page, viewer.cover.bounding_box, lambda now: now == place, f"the place {place}")
    assert viewer.ours.locator("h1").evaluate("() => window.kept") is True


def test_a_deep_link_opens_its_module(tab: ProfileTab, demo_server: Server) -> None:
    tab.open(demo_server.address, run=TRANSFORMER, tool="memory_viewer", host="host0")
    module = tab.choose_another(MODULE)
    other = tab.page.context.new_page()
    other.route(
        "**/memviewer/page.html*", lambda route: route.fulfill(body=STAND_IN, content_type="text/html")
    )
    second = ProfileTab(other)
    second.open(demo_server.address, run=TRANSFORMER, tool="memory_viewer", host="host0", module_name=module)
    second.expect_ours()
    second.expect_told(run=TRANSFORMER, host="host0", module=module)


def test_reloading_the_browser_comes_back_to_the_same(viewer: ProfileTab) -> None:
    viewer.choose(RUN, KERNELS)
    viewer.expect_told(run=KERNELS, module=A_MODULE)
    module = viewer.choose_another(MODULE)
    viewer.expect_told(run=KERNELS, module=module)
    expect(viewer.page).to_have_url(re.compile(r"#profile$"))
    viewer.page.reload()
    viewer.expect_ours()
    viewer.expect_told(run=KERNELS, module=module)


def test_tensorboards_reload_button_reaches_xprof_and_our_page(viewer: ProfileTab) -> None:
    viewer.ours.locator("h1").evaluate("() => { window.kept = true; }")
    before = viewer.expect_told(run=TRANSFORMER, module=A_MODULE)
    with viewer.page.expect_request("**/data/plugin/profile/runs*"):
        viewer.page.get_by_role("button", name=RELOAD).click()
    viewer.expect_told("memviewer:reload")
    expect(viewer.box(RUN)).to_be_attached()
    viewer.expect_ours()
    assert viewer.ours.locator("h1").evaluate("() => window.kept") is True
    viewer.expect_told(run=TRANSFORMER, module=before["module"])


def test_the_reload_button_reaches_xprof_where_our_tab_was_first(
    tab: ProfileTab, demo_server: Server
) -> None:
    # XProf hangs its hook on the first frame of the page, which is then ours.
    tab.page.goto(f"{demo_server.address}#memviewer")
    expect(tab.page.frame_locator("iframe >> visible=true").locator("h1")).to_have_text("our page")
    tab.page.get_by_role("tab", name="profile").click()
    expect(tab.box(RUN)).to_have_attribute("aria-disabled", "false")
    with tab.page.expect_request("**/data/plugin/profile/runs*"):
        tab.page.get_by_role("button", name=RELOAD).click()


def test_xprofs_own_viewer_and_back(viewer: ProfileTab) -> None:
    viewer.frame.get_by_role("button", name="Show XProf’s own viewer").click()
    viewer.expect_own()
    assert viewer.data_requests != []
    viewer.page.reload()
    viewer.expect_own()
    viewer.frame.get_by_role("button", name="Show the new Memory Viewer").click()
    viewer.expect_ours()
    viewer.expect_told(run=TRANSFORMER, module=A_MODULE)
    viewer.page.reload()
    viewer.expect_ours()


def test_the_cover_fills_the_content_and_leaves_the_side_bar_free(viewer: ProfileTab) -> None:
    def boxes() -> tuple[FloatRect | None, FloatRect | None]:
        # Both at one time: the side bar moves them.
        return (
            viewer.cover.bounding_box(),
            viewer.frame.locator("mat-sidenav-content").first.bounding_box(),
        )

    def right(box: FloatRect | None) -> float:
        return 0 if box is None else box["x"] + box["width"]

    def covers_what_is_right_of(left: float) -> None:
        expect(viewer.cover).to_have_js_property("offsetLeft", left)
        eventually(viewer.page, boxes, lambda both: both[0] == both[1] and right(both[0]) == 1280)

    covers_what_is_right_of(340)
    viewer.toggle_side_bar()
    covers_what_is_right_of(0)
    viewer.toggle_side_bar()
    covers_what_is_right_of(340)
    viewer.page.set_viewport_size({"width": 800, "height": 700})
    viewer.frame.locator("mat-sidenav-content").first.wait_for()
    expect(viewer.box(RUN)).to_be_visible()
    expect(viewer.cover).to_have_js_property("offsetLeft", 340)


def test_a_link_opens_the_graph_viewer_at_the_instruction_and_back_returns(
    viewer: ProfileTab,
) -> None:
    module = viewer.expect_told(module=A_MODULE)["module"]
    viewer.post(type="memviewer:navigate", tool="graph_viewer", instruction=INSTRUCTION)
    expect(viewer.frame.locator("graph-viewer")).to_be_visible()
    expect(viewer.frame.get_by_role("textbox", name="op-name")).to_have_value(INSTRUCTION)
    expect(viewer.box(MODULE)).to_have_text(module)
    expect(viewer.page).to_have_url(re.compile(r"#profile$"))
    viewer.page.evaluate("() => history.back()")
    viewer.expect_ours()
    viewer.expect_told(run=TRANSFORMER, module=module)
    viewer.page.evaluate("() => history.forward()")
    expect(viewer.frame.locator("graph-viewer")).to_be_visible()
    expect(viewer.frame.get_by_role("textbox", name="op-name")).to_have_value(INSTRUCTION)


@pytest.mark.parametrize("new_tab", [False, True], ids=["here", "new tab"])
def test_a_link_searches_the_trace_viewer_for_the_instruction(
    tab: ProfileTab, demo_server: Server, new_tab: bool
) -> None:
    tab.open(demo_server.address, run="train/cpu_training", tool="memory_viewer", host="cpu-host")
    tab.expect_ours()
    tab.expect_told(run="train/cpu_training", module=A_MODULE)
    asked = {"type": "memviewer:navigate", "tool": "trace_viewer", "instruction": "dot.5"}
    if new_tab:
        with tab.page.expect_popup() as opened:
            tab.post(**asked, newTab=True)
        tab = ProfileTab(opened.value)
    else:
        tab.post(**asked)
    # Trace Viewer replaces what the DOM offers, so Playwright cannot look into its frame.
    hits = "(frame) => frame.contentDocument?.getElementById('hitCount')?.textContent ?? ''"
    trace = tab.frame.locator("trace-viewer iframe")
    trace.wait_for()
    found = eventually(tab.page, lambda: str(trace.evaluate(hits)).strip(), bool, "hits")
    assert re.fullmatch(r"\d+ of [1-9]\d*", found)


def test_what_is_not_from_our_page_is_not_heard(viewer: ProfileTab) -> None:
    viewer.frame.locator("body").evaluate(
        """() => {
          const stranger = document.body.appendChild(document.createElement('iframe'));
          stranger.contentWindow.eval(
            "parent.postMessage({ type: 'memviewer:navigate', tool: 'graph_viewer' }, '*')");
          window.postMessage({ type: 'memviewer:navigate', tool: 'graph_viewer' }, '*');
        }"""
    )
    viewer.post(type="memviewer:navigate", tool="capture_profile", instruction="x")
    # Messages arrive in their order: after this one all of them have been taken in.
    viewer.frame.locator("body").evaluate(
        """() => new Promise((done) => {
          addEventListener('message', (event) => event.data === 'last' && done());
          window.postMessage('last', '*');
        })"""
    )
    draw(viewer.page)
    # Who is heard is taken there by a step of TensorBoard's history.
    assert "graph_viewer" not in viewer.page.evaluate("location.href")
    viewer.expect_ours()


def mute(route: Route) -> None:
    route.fulfill(body="<!doctype html><p>mute", content_type="text/html")


def missing(route: Route) -> None:
    route.fulfill(status=404, body="not found", content_type="text/plain")


@pytest.mark.parametrize("answer", [mute, missing])
def test_a_page_that_does_not_answer_gives_way(
    hasty_tab: ProfileTab, watch: Watch, demo_server: Server, answer: object
) -> None:
    tab = hasty_tab
    watch.allow("404")
    tab.page.route("**/memviewer/page.html*", answer)  # type: ignore[arg-type]
    tab.open(demo_server.address, run=TRANSFORMER, tool="memory_viewer", host="host0")
    tab.expect_ours()
    expect(tab.cover).to_be_hidden()
    tab.expect_own()
    # By now it answers: asked for again, it is there.
    tab.page.unroute("**/memviewer/page.html*", answer)  # type: ignore[arg-type]
    tab.frame.get_by_role("button", name="Show the new Memory Viewer").click()
    tab.expect_ours()
    tab.expect_told(run=TRANSFORMER, module=A_MODULE)


def test_a_script_that_throws_at_once_leaves_xprofs_viewer(
    tab: ProfileTab, watch: Watch, demo_server: Server
) -> None:
    watch.allow("sabotage|google is not defined|XProf Error")
    tab.page.route(
        "**/memviewer/profile_tab.js",
        lambda route: route.fulfill(body="throw new Error('sabotage')", content_type="text/javascript"),
    )
    # Without the script nobody stands in for the charts.
    tab.page.route(
        "**/charts/loader.js", lambda route: route.fulfill(body=CHARTS, content_type="text/javascript")
    )
    tab.open(demo_server.address, run=TRANSFORMER, tool="memory_viewer", host="host0")
    tab.expect_own()


def test_a_script_that_throws_at_work_gives_way(viewer: ProfileTab, watch: Watch) -> None:
    warnings: list[str] = []
    viewer.page.on("console", lambda message: warnings.append(message.text))
    viewer.frame.locator("mat-sidenav-content").first.evaluate(
        "(element) => { element.getBoundingClientRect = () => { throw new Error('sabotage'); }; }"
    )
    viewer.toggle_side_bar()
    expect(viewer.frame.locator("memviewer-guest")).to_have_count(0)
    expect(viewer.own_viewer).to_be_visible()
    expect(viewer.own_viewer.get_by_text("Peak memory allocation").first).to_be_visible()
    said = eventually(
        viewer.page, lambda: [warning for warning in warnings if "keeps its own viewer" in warning], bool
    )
    assert len(said) == 1


# As little of the chart library as XProf needs to start.
CHARTS = """(() => {
  const anything = new Proxy(function () {}, {
    get: (_, key) => (key === Symbol.toPrimitive ? () => 0 : key === 'then' ? undefined : anything),
    apply: () => anything, construct: () => anything, set: () => true,
  });
  window.google = { charts: anything, visualization: anything, genuine: true };
})();"""


def test_charts_that_come_are_left_alone(tab: ProfileTab, demo_server: Server) -> None:
    tab.page.route(
        "**/charts/loader.js", lambda route: route.fulfill(body=CHARTS, content_type="text/javascript")
    )
    tab.open(demo_server.address, run=TRANSFORMER, tool="memory_viewer", host="host0")
    tab.expect_ours()
    assert tab.own_viewer.evaluate("() => window.google.genuine") is True
