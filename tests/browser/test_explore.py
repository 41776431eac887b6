"""The exploring views on real captures: groups, map, table, findings, other spaces, downloads, comparison."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from tests.browser.tensorboard import Server, serve
from tests.conftest import DATA

Screenshot = Callable[[str], Path]
TRANSFORMER = {"run": "tpu_v5e_transformer", "module": "jit_train_step(6894331664667864551)", "space": "HBM"}
UNICODE = {"run": "cpu_unicode", "module": "jit_odd_name___q(8)", "space": "HBM"}


@pytest.fixture(scope="module")
def odd_names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """TensorBoard on a capture whose scopes have the oddest names."""
    logdir = tmp_path_factory.mktemp("odd")
    shutil.copytree(DATA / "captures" / "cpu_unicode", logdir / "plugins" / "profile" / "cpu_unicode")
    with serve(logdir) as server:
        yield server


def opened(page: Page, server: Server, **state: str) -> Page:
    """The page by itself, as a link with this state opens it, once its map and table are drawn."""
    hash_text = "&".join(f"{name}={quote(value, safe='')}" for name, value in state.items())
    page.goto(f"{server.data}page.html#{hash_text}")
    expect(page.locator(".buffer-table .grid-body .grid-row").first).to_be_visible()
    return page


def table_count(page: Page) -> int:
    """How many buffers the table says that it has."""
    text = page.locator(".buffer-table .table-count").inner_text()
    return int(text.split(" ")[0].replace(",", ""))


def map_place(page: Page, across: float, up: float) -> tuple[float, float]:
    """A place on the map's plot in page pixels: shares of its width and of its height from the bottom."""
    canvas = page.locator(".map-canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    return box["x"] + across * box["width"], box["y"] + (1 - up) * box["height"]


def saved(page: Page, act: Callable[[], None]) -> Download:
    """The file that an act downloads."""
    with page.expect_download() as waiting:
        act()
    return waiting.value


def content(download: Download) -> bytes:
    return Path(download.path()).read_bytes()


# ---- groups ----


def test_a_group_filters_bars_map_and_table_and_is_in_the_link(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    everything = table_count(page)
    page.locator(".icicle-cell", has_text="arguments").click()
    expect(page.locator(".crumb[aria-current]")).to_contain_text("arguments")
    expect(page.locator(".buffer-table .chip")).to_contain_text("arguments")
    inside = table_count(page)
    assert 0 < inside < everything
    expect(page.locator(".card")).to_contain_text("The largest of the group")
    expect(page.locator(".card")).to_contain_text("Parameter")
    link = page.url
    page.go_back()
    expect(page.locator(".crumb[aria-current]")).to_contain_text("All")
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator(".crumb[aria-current]")).to_contain_text("arguments")
    assert table_count(page) == inside


@pytest.mark.parametrize("kind", ["source", "type", "opcode", "dtype", "shape"])
def test_every_grouping_opens(page: Page, demo_server: Server, kind: str) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator(f'.choice[data-kind="{kind}"]').click()
    expect(page.locator(".icicle-cells button").nth(1)).to_be_visible()
    page.locator(".icicle-cells button").nth(1).click()
    expect(page.locator(".crumb")).to_have_count(2)


def test_groups_by_an_expression_and_says_what_is_wrong_with_one(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator('.choice[data-kind="expression"]').click()
    page.locator("#expression").fill("^(while|fusion|params)")
    expect(page.locator(".icicle-cells button", has_text="while")).to_be_visible()
    page.locator("#expression").fill("(")
    expect(page.locator("#expression-problem")).to_contain_text("(")


def test_an_expression_that_never_ends_is_stopped(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator("#filter").fill(r"/^((\w|\W)+)+~$/")
    expect(page.locator("#filter-problem")).to_contain_text("stopped", timeout=10_000)
    page.locator("#filter").fill("/while/")
    expect(page.locator("#filter-problem")).to_be_empty()
    expect(page.locator(".buffer-table .table-count")).to_contain_text("buffers")


def test_moves_in_the_icicle_by_keys(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator(".icicle-cells button").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".crumb")).to_have_count(2)
    page.keyboard.press("Backspace")
    expect(page.locator(".crumb")).to_have_count(1)


# ---- map ----


def test_map_hover_names_the_buffer_and_gaps_and_click_pins(
    page: Page, demo_server: Server, screenshot: Screenshot
) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.mouse.move(*map_place(page, 0.6, 0.1))
    tooltip = page.locator(".map-frame .tooltip")
    expect(tooltip).to_contain_text("576 MiB")
    page.mouse.move(*map_place(page, 0.95, 0.5))
    expect(tooltip).to_contain_text("free here")
    page.mouse.click(*map_place(page, 0.6, 0.1))
    expect(page.locator(".map-pinned")).to_be_visible()
    expect(page.get_by_role("complementary", name="Buffer")).to_contain_text("while.7{11}")
    assert "buffer=" in page.url
    screenshot("explore-map-pinned")


def test_map_zooms_pans_and_resets(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    x, y = map_place(page, 0.6, 0.1)
    page.mouse.move(x, y)
    ticks = page.locator(".map-overlay .tick text")
    whole = ticks.all_text_contents()
    for _ in range(3):
        page.mouse.wheel(0, -240)
    expect(page.locator(".map-overlay .tick text").first).not_to_have_text(whole[0])
    expect(page).to_have_url(re.compile(r"zoom=\d+(,|%2C)\d+"))
    zoomed = ticks.all_text_contents()
    page.mouse.down()
    page.mouse.move(x - 200, y + 80, steps=4)
    page.mouse.up()
    page.wait_for_function(
        """before => [...document.querySelectorAll('.map-overlay .tick text')]
            .map(tick => tick.textContent).join() !== before""",
        arg=",".join(zoomed),
    )
    page.locator(".allocation-map").get_by_role("button", name="Show the whole allocation").click()
    expect(ticks.first).to_have_text(whole[0])
    assert ticks.all_text_contents() == whole


def test_map_by_keys_says_where_it_is(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator(".map-frame").focus()
    page.keyboard.press("ArrowRight")
    said = page.locator(".allocation-map [aria-live]")
    expect(said).to_contain_text("while.7{11}, 576 MiB")
    page.keyboard.press("ArrowUp")
    expect(said).to_contain_text("while.7{14}, 288 MiB")
    page.keyboard.press("Enter")
    expect(page.locator(".map-pinned")).to_be_visible()


def test_map_fills_the_screen_and_comes_back(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator(".allocation-map").get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement?.classList.contains('allocation-map')")
    page.wait_for_function("document.querySelector('.map-frame').clientHeight > 600")
    page.get_by_role("button", name="Exit full screen").click()
    page.wait_for_function("document.querySelector('.map-frame').clientHeight < 600")
    expect(page.get_by_role("button", name="Full screen", exact=True)).to_be_visible()


def test_the_maps_line_is_whole(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    hint = page.locator(".map-hint")
    expect(hint).to_have_text(re.compile(r"^at 360: .* free in .* gaps, largest .* MiB$"))
    assert hint.evaluate("(line) => line.scrollWidth <= line.clientWidth")


def test_search_leaves_what_it_finds_in_color(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    place = map_place(page, 0.6, 0.1)
    colored = pixel(page, place)
    page.locator("#filter").fill("no buffer is called so")
    expect(page.locator(".buffer-table .empty")).to_contain_text("No buffer here matches")
    page.wait_for_timeout(200)
    assert pixel(page, map_place(page, 0.6, 0.1)) != colored
    page.get_by_label("Search the map").fill("while.7")
    expect(page.locator("#filter")).to_have_value("while.7")
    expect(page.locator(".buffer-table .grid-body .grid-row").first).to_be_visible()
    page.wait_for_timeout(200)
    assert pixel(page, map_place(page, 0.6, 0.1)) == colored


def pixel(page: Page, place: tuple[float, float]) -> list[int]:
    """The color of the map at a place of the page."""
    found: list[int] = page.evaluate(
        """([x, y]) => {
            const canvas = document.querySelector('.map-canvas');
            const box = canvas.getBoundingClientRect();
            const ratio = canvas.width / box.width;
            const [across, down] = [(x - box.left) * ratio, (y - box.top) * ratio];
            return [...canvas.getContext('2d').getImageData(across, down, 1, 1).data];
        }""",
        list(place),
    )
    return found


# ---- table ----


def test_table_sorts_filters_and_shows_more_columns(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    rows = page.locator(".buffer-table .grid-body .grid-row")
    expect(rows.first).to_contain_text("while.7{11}")
    page.get_by_role("columnheader", name="Size").get_by_role("button").click()
    expect(page.get_by_role("columnheader", name="Size")).to_have_attribute("aria-sort", "ascending")
    expect(rows.first).not_to_contain_text("while.7{11}")
    page.locator(".buffer-table").get_by_role("button", name="All buffers").click()
    expect(page.locator(".buffer-table .table-count")).to_contain_text("in sum")
    everything = table_count(page)
    page.locator("#filter").fill("/while\\.7\\b/")
    expect(page.locator(".buffer-table .table-count")).not_to_contain_text(f"{everything} ")
    page.locator(".buffer-table .menu summary").click()
    page.locator(".buffer-table .menu label", has_text="Readers").click()
    expect(page.get_by_role("columnheader", name="Readers")).to_have_count(1)


def test_every_headline_number_is_on_one_line(page: Page, demo_server: Server) -> None:
    """As wide as beside the side bar of the Profile tab in a window of 1440 pixels."""
    page.set_viewport_size({"width": 1100, "height": 900})
    opened(page, demo_server, **TRANSFORMER)
    values = page.locator(".overview .tile-value")
    expect(values.nth(1)).to_have_text("11.50 GiB left")
    heights = values.evaluate_all("(values) => values.map((value) => value.offsetHeight)")
    assert set(heights) == {24}


@pytest.mark.parametrize("window", [1250, 1890])
def test_table_fits_its_window(page: Page, demo_server: Server, window: int) -> None:
    """At 1280 and 1920 pixels, of which scroll bars may take 30: no column out of sight, no number cut."""
    page.set_viewport_size({"width": window, "height": 900})
    opened(page, demo_server, **TRANSFORMER)
    room, needed, used, cut = page.locator("#buffer-grid").evaluate(
        """(grid) => [
          grid.clientWidth,
          grid.scrollWidth,
          grid.querySelector('.grid-row').lastElementChild.getBoundingClientRect().right
            - grid.getBoundingClientRect().left,
          [...grid.querySelectorAll('.grid-cell')]
            .filter((cell) => cell.scrollWidth > cell.clientWidth)
            .map((cell) => cell.textContent),
        ]"""
    )
    assert needed <= room
    assert used >= 0.97 * room
    assert cut == []
    name = page.locator(".buffer-table .grid-body .grid-cell", has_text="w1").first
    expect(name).to_have_attribute("title", "params__blocks____w1__.1")


def test_table_by_keys_pins_and_is_announced(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    grid = page.get_by_role("grid", name="Buffers")
    expect(grid).to_have_attribute("aria-rowcount", re.compile(r"\d+"))
    grid.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".buffer-table .grid-row.pinned")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    count = table_count(page)
    expect(page.locator(f'.buffer-table .grid-row[aria-rowindex="{count + 1}"]')).to_be_visible()


def test_csv_is_exact_and_no_cell_is_a_formula(page: Page, odd_names: Server) -> None:
    opened(page, odd_names, **UNICODE)
    page.locator(".buffer-table").get_by_role("button", name="All buffers").click()
    download = saved(page, page.locator("#table-csv").click)
    assert download.suggested_filename.endswith(".csv")
    rows = list(csv.DictReader(io.StringIO(content(download).decode("utf-8"), newline="")))
    assert len(rows) == table_count(page)
    assert any("</script>" in row["op"] for row in rows)
    for row in rows:
        assert int(row["size_bytes"]) >= int(row["unpadded_bytes"])
        assert not any(value[:1] in ("=", "+", "-", "@", "\t", "\r") for value in row.values())


def test_names_are_text_everywhere(page: Page, odd_names: Server) -> None:
    opened(page, odd_names, **UNICODE)
    page.locator(".buffer-table").get_by_role("button", name="All buffers").click()
    page.locator("#filter").fill("<")
    expect(page.locator(".buffer-table .grid-body .grid-row").first).to_be_visible()
    expect(page.locator(".icicle-cells")).to_contain_text("layer<1>")
    assert page.evaluate("document.querySelectorAll('main b > b, main script, main img').length") == 0


# ---- findings, other spaces, modules ----


def test_a_finding_opens_to_its_buffers(page: Page, demo_server: Server, screenshot: Screenshot) -> None:
    opened(page, demo_server, **TRANSFORMER)
    finding = page.locator(".finding").first
    finding.click()
    expect(finding).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#finding-detail")).to_contain_text("Try:")
    page.locator("#finding-detail [data-row]").first.click()
    expect(page.get_by_role("complementary", name="Buffer")).to_contain_text("Pinned")
    screenshot("explore-finding")


def test_other_spaces_follow_the_pointer_on_the_chart(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    vmem = page.locator('.small-row[data-space="VMEM"]')
    before = vmem.locator(".small-value").inner_text()
    chart = page.locator(".line-chart")
    chart.scroll_into_view_if_needed()
    chart.hover(position={"x": 400, "y": 80})
    expect(vmem.locator(".small-value")).not_to_have_text(before)
    vmem.get_by_role("button").click()
    expect(page.get_by_role("tab", name=re.compile("VMEM"))).to_have_attribute("aria-selected", "true")


def test_modules_are_listed_searched_and_opened(
    page: Page, demo_server: Server, screenshot: Screenshot
) -> None:
    opened(page, demo_server, run="tpu_v5e_kernels")
    page.locator("#all-modules").click()
    grid = page.get_by_role("grid", name="Modules")
    rows = grid.locator(".grid-body .grid-row")
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text("633 MiB")
    screenshot("explore-modules")
    grid.get_by_role("columnheader", name="VMEM").get_by_role("button").click()
    page.locator("#module-filter").fill("between")
    expect(rows).to_have_count(1)
    rows.first.click()
    expect(page.get_by_role("tab", name=re.compile("VMEM"))).to_have_attribute("aria-selected", "true")


# ---- downloads ----


def save(page: Page, entry: str) -> Download:
    def act() -> None:
        page.locator(".downloads summary").click()
        page.locator(f"#save-{entry}").click()

    return saved(page, act)


@pytest.mark.parametrize("what", ["chart", "map"])
def test_pictures_stand_alone(page: Page, odd_names: Server, what: str) -> None:
    opened(page, odd_names, **UNICODE)
    picture = content(save(page, f"{what}-svg"))
    root = ET.fromstring(picture)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    text = picture.decode("utf-8")
    assert "odd_name" in text
    # Nothing from elsewhere: no address but the name space's, no style sheet.
    assert re.findall(r"(?:href|src)=", text) == []
    assert set(re.findall(r"https?://[^\s\"'<]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "var(--" not in text
    png = content(save(page, f"{what}-png"))
    assert png.startswith(b"\x89PNG")
    assert len(png) > 2000


def test_data_is_the_servers_answer(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    answer = json.loads(content(save(page, "json")))
    assert answer["headline"]["peak_bytes"] == 4461026816
    assert answer["module"] == TRANSFORMER["module"]


def test_a_link_to_a_memory_space_that_is_not_there_says_so(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **{**TRANSFORMER, "space": "CMEM"})
    expect(page.locator(".notice")).to_contain_text("no memory space “CMEM”. This is shown instead.")
    page.get_by_role("tab", name=re.compile("VMEM")).click()
    expect(page.locator(".notice")).to_have_count(0)


# ---- menus ----


@pytest.mark.parametrize(
    "gone", ["run=gone", "run=gone&module=jit_padded(1949091827119232368)", "run=gone&module=gone"]
)
def test_an_open_page_says_of_a_missing_run_what_a_fresh_one_says(
    page: Page, demo_server: Server, gone: str
) -> None:
    def said() -> tuple[str, str]:
        expect(page.locator(".notice")).to_contain_text("There is no run “gone” here. This is shown instead.")
        expect(page.locator(".buffer-table .grid-body .grid-row").first).to_be_visible()
        return page.locator(".notice").inner_text(), page.locator("header.controls").inner_text()

    opened(page, demo_server, **TRANSFORMER)
    page.evaluate("(hash) => { location.hash = hash; }", gone)
    open_page = said()
    page.goto("about:blank")
    page.goto(f"{demo_server.data}page.html#{gone}")
    assert said() == open_page
    page.evaluate("(hash) => { location.hash = hash; }", "run=gpu_h100")
    expect(page.locator(".notice")).to_have_count(0)


def test_one_menu_is_open_at_a_time_and_escape_closes_it(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, **TRANSFORMER)
    menus, compare = page.locator("details.menu[open]"), page.locator("#compare")
    compare.click()
    page.locator("#baseline-run").focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_text("Download", exact=True).click()
    expect(menus).to_have_count(1)
    page.keyboard.press("Escape")
    expect(menus).to_have_count(0)
    compare.click()
    page.keyboard.press("Escape")
    expect(menus).to_have_count(0)
    expect(compare).to_be_focused()


# ---- findings ----


def test_findings_follow_the_capacity_that_the_user_says(page: Page, demo_server: Server) -> None:
    opened(page, demo_server, run="xla_dump_oom", capacity=str(32 << 30))
    findings = page.get_by_role("region", name="Findings")
    expect(findings.locator("[data-kind=activations]")).to_be_visible()
    expect(findings.locator("[data-kind=over_capacity]")).to_have_count(0)
    page.get_by_label("Capacity").fill("17 GiB")
    page.keyboard.press("Enter")
    over = findings.locator("[data-kind=over_capacity]")
    expect(over).to_contain_text("1.00 GiB")
    expect(over).to_contain_text("does not fit")
    expect(page.locator(".overview .legend")).to_contain_text("Capacity 17.00 GiB")


# ---- comparison ----


def test_compares_with_a_module_that_a_person_picks(
    page: Page, demo_server: Server, screenshot: Screenshot
) -> None:
    opened(page, demo_server, **TRANSFORMER)
    page.locator("#compare").click()
    choose: Locator = page.locator("#baseline-module")
    expect(choose.locator("option")).to_have_count(2)
    choose.select_option(index=1)
    page.locator("#baseline-go").click()
    comparison = page.get_by_role("region", name="Comparison")
    expect(comparison.locator(".compare-numbers")).to_contain_text("+2.24 GiB")
    expect(comparison.locator(".compare-line")).to_have_count(2)
    comparison.get_by_role("button", name=re.compile("appeared")).first.click()
    expect(comparison.locator(".changes tbody tr:not(.appeared)")).to_have_count(0)
    comparison.locator(".change-name:enabled").first.click()
    expect(page.get_by_role("complementary", name="Buffer")).to_contain_text("Pinned")
    screenshot("explore-compare")
    link = page.url
    comparison.get_by_role("button", name="End comparison").click()
    expect(comparison).to_have_count(0)
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_role("region", name="Comparison")).to_be_visible()


def test_the_differences_are_in_sight_on_a_phone(page: Page, demo_server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    other = {"run": TRANSFORMER["run"], "host": None, "module": "jit_train_step(4782559293268148282)"}
    opened(page, demo_server, **TRANSFORMER, baseline=json.dumps({**other, "space": "HBM"}))
    numbers = page.locator(".numbers-scroll", has=page.locator(".compare-numbers"))
    expect(numbers).to_be_visible()
    assert numbers.evaluate("box => box.scrollWidth <= box.clientWidth")


def test_a_window_tells_what_is_alive_throughout_and_what_is_allocated_within(
    page: Page, demo_server: Server
) -> None:
    opened(page, demo_server, **TRANSFORMER, window="200,240")
    table = page.get_by_role("region", name="Buffer table")
    expect(table.get_by_role("button", name="Alive throughout")).to_have_attribute("aria-pressed", "true")
    rows = table.locator(".grid-body .grid-row")
    expect(rows.first).not_to_contain_text("while.7{11}")
    page.get_by_role("button", name="Allocated within").first.click()
    expect(table.get_by_role("button", name="Allocated within")).to_be_visible()
    expect(rows.first).to_contain_text("while.7{11}")
