"""The page by itself, on real captures: journeys, its address, and what it says when things go wrong."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Watch
from tests.browser.tensorboard import Server, serve
from tests.conftest import DATA, ROOT

Screenshot = Callable[[str], Path]

TRANSFORMER = "run=tpu_v5e_transformer"


def open_page(page: Page, server: Server, state: str = TRANSFORMER) -> None:
    """The page at an address of its own, once it shows a program."""
    page.goto(f"{server.data}page.html#{state}")
    # The first answer about a program is worked out while the page waits.
    expect(page.locator(".bar-box").first).to_be_visible(timeout=30_000)


def choices(page: Page) -> dict[str, str]:
    """What the address says, by name."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).fragment).items()}


def bar(page: Page, order: str = "size") -> Locator:
    return page.locator(f'.bar-box[data-order="{order}"]')


def card(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Buffer")


def name_on_card(page: Page) -> str:
    return card(page).get_by_role("heading").first.get_attribute("title") or ""


def width_of(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["width"]


def test_hover_lights_one_buffer_in_all_bars(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    bar(page).hover(position={"x": 5, "y": 10})
    largest = name_on_card(page)
    lights = page.locator(".bar-light")
    expect(lights.nth(0)).to_be_visible()
    expect(lights.nth(1)).to_be_visible()
    expect(page.locator(".lifetime.hovered")).to_have_count(1)
    box = lights.nth(0).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 10)
    assert name_on_card(page) == largest
    page.mouse.move(5, 5)
    expect(page.locator(".lifetime")).to_have_count(0)


def test_click_pins_and_escape_lets_go(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    bar(page).click(position={"x": 5, "y": 10})
    page.mouse.move(5, 5)
    expect(card(page)).to_contain_text("Pinned")
    expect(page.locator(".bar-pin").first).to_be_visible()
    expect(page).to_have_url(re.compile("buffer="))
    page.keyboard.press("Escape")
    expect(card(page)).not_to_contain_text("Pinned")
    expect(page).not_to_have_url(re.compile("buffer="))


def test_a_link_brings_point_buffer_zoom_and_capacity(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    page.locator(".line-chart").click(position={"x": 300, "y": 80})
    bar(page).click(position={"x": 5, "y": 10})
    page.get_by_label("Capacity").fill("4 GiB")
    page.keyboard.press("Enter")
    page.locator("h2").first.click()
    page.keyboard.press("+")
    expect(page.get_by_role("region", name="Overview")).to_contain_text("over")
    expect(page).to_have_url(re.compile("zoom="))
    link, pinned, title = page.url, name_on_card(page), page.locator(".bars h2").inner_text()
    assert {"point", "buffer", "capacity", "zoom", "module", "space"} <= choices(page).keys()
    page.goto("about:blank")
    page.goto(link)
    expect(card(page)).to_contain_text("Pinned")
    assert name_on_card(page) == pinned
    expect(page.locator(".bars h2")).to_have_text(title)
    expect(page.get_by_label("Capacity")).to_have_value("4.00 GiB")
    assert page.url == link


def test_back_and_forward(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    page.get_by_role("tab", name=re.compile("VMEM")).click()
    expect(page.get_by_role("tab", selected=True)).to_contain_text("VMEM")
    page.locator(".line-chart").click(position={"x": 300, "y": 80})
    expect(page.locator(".bars h2")).to_contain_text("alive at point")
    page.go_back()
    expect(page.locator(".bars h2")).to_have_text("Buffers alive at the peak")
    page.go_back()
    expect(page.get_by_role("tab", selected=True)).to_contain_text("HBM")
    page.go_forward()
    expect(page.get_by_role("tab", selected=True)).to_contain_text("VMEM")


def test_keys(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    title = page.locator(".bars h2")
    page.keyboard.press("ArrowLeft")
    expect(title).to_contain_text("alive at point")
    before = int(choices(page)["point"])
    page.keyboard.press("Shift+ArrowLeft")
    expect(title).to_have_text(f"Buffers alive at point {before - 10}")
    page.keyboard.press("p")
    expect(title).to_have_text("Buffers alive at the peak")
    page.keyboard.press("Home")
    expect(title).to_have_text("Buffers alive at point 0")
    page.keyboard.press("2")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("VMEM")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_keys_typed_into_a_field_are_text(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    page.get_by_label("Module", exact=True).fill("p2?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    expect(page.locator(".picker-none")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Module", exact=True)).to_have_value(re.compile("jit_train_step"))


def test_bars_by_keyboard(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    # There is nothing to move over before the bar is laid out.
    expect(bar(page)).to_have_attribute("aria-valuemax", re.compile("[1-9]"))
    bar(page).focus()
    page.keyboard.press("ArrowRight")
    expect(bar(page)).to_have_attribute("aria-valuenow", "1")
    page.keyboard.press("ArrowRight")
    expect(bar(page)).to_have_attribute("aria-valuenow", "2")
    page.keyboard.press("Enter")
    expect(card(page)).to_contain_text("Pinned")
    expect(page.locator("#live")).to_contain_text("Pinned")


def test_zoom_by_brush_wheel_and_minimap(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    chart = page.locator(".line-chart").bounding_box()
    assert chart is not None
    page.mouse.move(chart["x"] + 300, chart["y"] + 100)
    page.mouse.down()
    page.mouse.move(chart["x"] + 500, chart["y"] + 100, steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile("zoom="))
    brushed = choices(page)["zoom"]
    page.mouse.wheel(0, -200)
    expect(page).not_to_have_url(re.compile(re.escape(brushed.replace(",", "%2C"))))
    wheeled = choices(page)["zoom"]
    low, high = map(int, wheeled.split(","))
    assert high - low < 200
    view = page.locator(".minimap-view").bounding_box()
    assert view is not None
    page.mouse.move(view["x"] + view["width"] / 2, view["y"] + 8)
    page.mouse.down()
    page.mouse.move(view["x"] + view["width"] / 2 + 120, view["y"] + 8, steps=4)
    page.mouse.up()
    page.wait_for_url(lambda url: wheeled.replace(",", "%2C") not in url)
    moved_low, moved_high = map(int, choices(page)["zoom"].split(","))
    assert (moved_high - moved_low, moved_low > low) == (high - low, True)
    page.mouse.dblclick(chart["x"] + 300, chart["y"] + 100)
    page.wait_for_url(lambda url: "zoom=" not in url)


def test_a_window_of_points(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    chart = page.locator(".line-chart").bounding_box()
    assert chart is not None
    page.keyboard.down("Shift")
    page.mouse.move(chart["x"] + 200, chart["y"] + 100)
    page.mouse.down()
    page.mouse.move(chart["x"] + 400, chart["y"] + 100, steps=4)
    page.mouse.up()
    page.keyboard.up("Shift")
    expect(page.locator(".bars h2")).to_contain_text("alive throughout points")
    expect(page.locator(".line-chart rect.window")).to_have_count(1)
    page.get_by_role("button", name="Allocated within").click()
    expect(page.locator(".bars h2")).to_contain_text("allocated within points")
    expect(page).to_have_url(re.compile("within=1"))
    page.keyboard.press("Escape")
    expect(page.locator(".line-chart rect.window")).to_have_count(0)


def test_small_buffers_open(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    before = bar(page).get_attribute("aria-valuemax") or "0"
    page.get_by_role("button", name="Show small").click()
    after = bar(page).get_attribute("aria-valuemax") or "0"
    assert int(after) > int(before)


def test_a_loop_folds(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    loop = page.locator(".loop").first
    title = page.locator(".bars h2")
    ends = re.search(r"to ([\d,]+)", loop.locator("title").text_content() or "")
    assert ends is not None
    wide = width_of(loop)
    loop.click()
    folded = page.locator(".loop.folded")
    expect(folded).to_have_count(1)
    assert width_of(folded) < wide / 3
    # The band is the loop's maximum: a click chooses that point, a key leads out of it in one step.
    band = page.locator(".line-chart .fold-band").bounding_box()
    assert band is not None
    page.mouse.click(band["x"] + band["width"] / 2, band["y"] + 40)
    expect(title).to_have_text(re.compile(r"at point"))
    inside = title.text_content() or ""
    page.keyboard.press("ArrowRight")
    after = int(ends[1].replace(",", "")) + 1
    expect(title).to_have_text(f"Buffers alive at point {after:,}")
    page.keyboard.press("ArrowLeft")
    expect(title).to_have_text(inside)
    # A link shows it folded; the key unfolds what is folded at the chosen point.
    expect(page).to_have_url(re.compile("fold="))
    page.reload()
    expect(folded).to_have_count(1)
    page.keyboard.press("l")
    expect(folded).to_have_count(0)
    expect(page.locator(".fold-band")).to_have_count(0)


def test_capacity_that_is_no_size_is_refused(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    capacity = page.get_by_label("Capacity")
    capacity.fill("a lot")
    page.keyboard.press("Enter")
    expect(capacity).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_contain_text("“a lot” is no size")
    capacity.fill("")
    page.keyboard.press("Enter")
    expect(capacity).not_to_have_attribute("aria-invalid", "true")


def test_the_table_of_modules_and_back(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server, "run=tpu_v5e_kernels")
    page.get_by_role("button", name=re.compile("All . modules")).click()
    expect(page.get_by_role("grid", name="Modules")).to_be_visible()
    expect(page).to_have_url(re.compile("view=modules"))
    page.get_by_role("row").filter(has_text="jit_").nth(1).click()
    expect(page.locator(".bar-box").first).to_be_visible()
    page.go_back()
    expect(page.get_by_role("grid", name="Modules")).to_be_visible()


def test_a_comparison(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)

    def late(route: Route) -> None:
        time.sleep(0.5)
        route.continue_()

    page.route("**/modules?**", late)
    page.locator("#compare").click()
    expect(page.locator("#baseline-go")).to_be_disabled()
    page.locator("#baseline-go").click()  # waits until there is something to choose
    expect(page.get_by_role("region", name="Comparison")).to_be_visible()
    expect(page).to_have_url(re.compile("baseline="))
    chart = page.locator(".compare-chart")
    assert chart.locator(".direction").count() > 2
    chart.hover(position={"x": 300, "y": 60})
    expect(page.locator(".compare-frame .tooltip")).to_contain_text("at point")
    chart.click(position={"x": 300, "y": 60})
    expect(page).to_have_url(re.compile("point="))
    # What shows the rest stands under the last row, not on it.
    more = page.locator(".changes-more button")
    more.scroll_into_view_if_needed()
    last, button = page.locator(".changes tbody tr").last.bounding_box(), more.bounding_box()
    assert last is not None
    assert button is not None
    assert button["y"] >= last["y"] + last["height"]
    rows = page.locator(".changes tbody tr").count()
    more.click()
    assert page.locator(".changes tbody tr").count() > rows
    page.get_by_role("button", name="End comparison").click()
    expect(page.get_by_role("region", name="Comparison")).to_have_count(0)


def test_a_link_to_what_is_gone_says_so(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server, "run=no-such-run")
    expect(page.locator(".notice")).to_contain_text("no run “no-such-run”")
    open_page(page, demo_server, f"{TRANSFORMER}&module=jit_gone(1)&space=CMEM")
    expect(page.locator(".notice")).to_contain_text("no module “jit_gone(1)”")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("HBM")
    page.goto("about:blank")
    open_page(page, demo_server, "run=no-such-run&module=jit_gone(1)")
    expect(page.locator(".notice")).to_contain_text("no run “no-such-run”")
    page.get_by_label("Run", exact=True).select_option("gpu_h100")
    expect(page.locator(".notice")).to_have_count(0)


def test_a_failing_server_can_be_asked_again(page: Page, watch: Watch, demo_server: Server) -> None:
    watch.allow_console("500")
    failing = [True]

    def sometimes(route: Route) -> None:
        if failing[0]:
            route.fulfill(
                status=500, json={"error": {"code": "internal", "message": "broken", "advice": "look"}}
            )
        else:
            route.continue_()

    page.route("**/usage?*", sometimes)
    page.goto(f"{demo_server.data}page.html#{TRANSFORMER}")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("broken")
    expect(alert).to_contain_text("look")
    failing[0] = False
    alert.get_by_role("button", name="Try again").click()
    expect(page.locator(".bar-box").first).to_be_visible()


def test_a_server_that_is_gone(page: Page, watch: Watch, demo_server: Server) -> None:
    watch.allow_console("ERR_CONNECTION_REFUSED|net::|failed: ")
    page.route("**/modules?*", lambda route: route.abort("connectionrefused"))
    page.goto(f"{demo_server.data}page.html#{TRANSFORMER}")
    expect(page.get_by_role("alert")).to_contain_text("does not answer")


def test_a_late_answer_to_an_older_choice_is_dropped(page: Page, demo_server: Server) -> None:
    held: list[Route] = []

    def hold_hbm(route: Route) -> None:
        if "space=HBM" in route.request.url:
            held.append(route)
        else:
            route.continue_()

    page.route("**/usage?*", hold_hbm)
    page.goto(f"{demo_server.data}page.html#{TRANSFORMER}")
    expect(page.get_by_role("status").first).to_contain_text("Working out")
    page.get_by_role("tab", name=re.compile("VMEM")).click()
    expect(page.locator(".bar-box").first).to_be_visible()
    assert held
    held[0].continue_()
    page.wait_for_timeout(500)
    expect(page.get_by_role("tab", selected=True)).to_contain_text("VMEM")
    expect(page.locator(".tile.lead")).to_contain_text("111 MiB")


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


@pytest.mark.parametrize("width", [360, 768, 1280, 1920, 3840])
def test_nothing_runs_out_of_the_window(
    page: Page, demo_server: Server, screenshot: Screenshot, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 1080})
    open_page(page, demo_server, "run=tpu_v5e_kernels")
    expect(page.get_by_role("grid", name="Buffers")).to_be_visible()
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0
    screenshot(f"page-{width}-light")
    page.emulate_media(color_scheme="dark")
    expect(page.locator('html[data-theme="dark"]')).to_have_count(1)
    screenshot(f"page-{width}-dark")


def test_small_text_has_contrast_in_both_themes(page: Page, demo_server: Server) -> None:
    open_page(page, demo_server)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator(f'html[data-theme="{scheme}"]')).to_have_count(1)
        for token in ("text", "muted", "accent", "bad", "warn", "good"):
            ratio = page.evaluate(_CONTRAST, [f"--{token}", "--panel"])
            assert ratio >= 4.5, f"{token} on panel, {scheme}: {ratio:.2f}"


_CONTRAST = """([ink, ground]) => {
  const style = getComputedStyle(document.documentElement);
  const light = (name) => {
    const hex = style.getPropertyValue(name).trim();
    const [r, g, b] = [1, 3, 5].map((at) => {
      const value = parseInt(hex.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [low, high] = [light(ink), light(ground)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}"""


AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"


def violations_of(page: Page) -> list[str]:
    """What axe-core finds wrong for people with disabilities, all but what it calls minor."""
    # A script of the test's own: the page's policy lets none in, and does not bind the test.
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        f"{one['id']}: {one['help']}: {node['target']}"
        for one in found
        if one["impact"] != "minor"
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_only_trifles(page: Page, demo_server: Server, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    open_page(page, demo_server)
    expect(page.get_by_role("grid", name="Buffers")).to_be_visible()
    bar(page).click(position={"x": 5, "y": 10})
    assert violations_of(page) == []
    page.get_by_role("button", name=re.compile("All . modules")).click()
    expect(page.get_by_role("grid", name="Modules")).to_be_visible()
    assert violations_of(page) == []
