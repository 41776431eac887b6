"""The first picture waits for nothing but the module that it shows; the list of modules fills in after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.eventually import draw, eventually
from tests.browser.page_alone import TRANSFORMER, choices, open_page
from tests.browser.tensorboard import Server, serve
from tests.browser.watch import Watch

MODULES = Path(__file__).resolve().parent.parent / "data" / "modules"
TRAIN_STEP = f"{TRANSFORMER}&module=jit_train_step(6894331664667864551)"
# Larger than what is decoded for one answer, so that each is an answer of its own.
PADDING = b"\xba\x3e\x80\x80\x80\x02" + bytes(4 << 20)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A run of six large modules of one size, the third with the largest peak."""
    folder = tmp_path_factory.mktemp("many") / "r"
    folder.mkdir()
    for at, module in enumerate(("tiny", "padding", "tf_scan", "tiny", "tiny", "while_cond")):
        data = (MODULES / f"v5e_{module}.hlo_proto.pb").read_bytes()
        (folder / f"m{at}.hlo_proto.pb").write_bytes(data + PADDING)
    with serve(folder.parent) as server:
        yield server


def asked(page: Page) -> list[str]:
    """The routes that the page asks from now on, with what is asked of modules."""
    routes: list[str] = []

    def note(request: Request) -> None:
        parts = urlsplit(request.url)
        if "/memviewer/" in parts.path and not re.search(r"\.(html|js|css|svg|ico)$", parts.path):
            query = parse_qs(parts.query)
            kind = "names" if "names" in query else ",".join(query.get("module", ()))
            routes.append(
                parts.path.rsplit("/", 1)[1] + (f" {kind}" if parts.path.endswith("modules") else "")
            )

    page.on("request", note)
    return routes


def test_what_the_address_names_is_asked_for_first(page: Page, demo_server: Server) -> None:
    routes = asked(page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/usage?*", hold)
    page.goto(f"{demo_server.data}page.html#{TRAIN_STEP}&space=HBM")
    eventually(page, lambda: routes, lambda found: "modules names" in found)
    draw(page)
    assert routes == ["usage", "runs", "modules names"]
    held[0].continue_()
    expect(page.locator(".finding").first).to_be_visible()
    expect(page.get_by_role("button", name="All 2 modules")).to_be_visible()
    eventually(page, lambda: routes, lambda found: len(found) >= 6, "six requests")
    # What stands beside the picture comes after it, and the other modules after that.
    assert set(routes[3:5]) == {"findings", "memory_spaces"}
    assert len(routes) == 6
    assert routes[5].startswith("modules jit_")


def test_the_picture_does_not_wait_for_the_lists(page: Page, demo_server: Server) -> None:
    held: list[Route] = []
    released: list[bool] = []

    def hold(route: Route) -> None:
        if released:
            route.continue_()
        else:
            held.append(route)

    page.route(re.compile(r"/(modules\?.*|runs)$"), hold)
    open_page(page, demo_server, f"{TRAIN_STEP}&space=HBM")
    # Other spaces can be chosen meanwhile.
    page.get_by_role("tab", name=re.compile("VMEM")).click()
    expect(page.locator(".tile.lead")).to_contain_text("111 MiB")
    assert choices(page)["space"] == "VMEM"
    released.append(True)
    for route in held:
        route.continue_()
    expect(page.get_by_role("button", name="All 2 modules")).to_be_visible()
    expect(page.locator(".tile.lead")).to_contain_text("111 MiB")


def test_other_names_of_a_module_and_its_space_lead_to_it(page: Page, demo_server: Server) -> None:
    routes = asked(page)
    open_page(page, demo_server, f"{TRANSFORMER}&module=jit_train_step&space=0&capacity=17179869184")
    page.wait_for_url(re.compile("space=HBM"))
    assert choices(page)["module"].startswith("jit_train_step(")
    assert choices(page)["capacity"] == "17179869184"
    eventually(page, lambda: routes, lambda found: "findings" in found, "the findings")
    assert routes.count("usage") == 1


def test_a_space_that_is_not_there(page: Page, watch: Watch, demo_server: Server) -> None:
    watch.allow("404")
    open_page(page, demo_server, f"{TRAIN_STEP}&space=CMEM&capacity=17179869184")
    expect(page.locator(".notice")).to_contain_text("no memory space “CMEM”")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("HBM")
    # It was typed for another space.
    page.wait_for_url(lambda url: "capacity" not in url)


def test_without_a_name_the_largest_program_opens_and_the_others_fill_in(page: Page, many: Server) -> None:
    first: list[Route] = []
    held: list[Route] = []

    def hold(route: Route) -> None:
        """Let through the names and the first module that is decoded, which the page opens."""
        if "module=" not in route.request.url or not first:
            first.extend([route] if "module=" in route.request.url else [])
            route.continue_()
        else:
            held.append(route)

    page.route("**/modules?*", hold)
    open_page(page, many, "run=r")
    page.get_by_role("button", name="All 6 modules").click()
    grid = page.get_by_role("grid", name="Modules")
    expect(grid.get_by_role("row")).to_have_count(7)
    expect(grid).to_contain_text("…")
    page.get_by_label("Search modules by name").fill("m")

    def waiting() -> int:
        for route in held:
            route.continue_()
        held.clear()
        return grid.get_by_text("…", exact=True).count()

    eventually(page, waiting, lambda count: count == 0, "no module that waits")
    expect(page.get_by_label("Search modules by name")).to_have_value("m")
    expect(page.get_by_text("not read yet")).to_have_count(0)
    expect(grid.locator(".grid-body .grid-row").first).to_contain_text("m2")


def test_a_module_that_is_not_decoded_can_be_chosen(page: Page, many: Server) -> None:
    page.route(re.compile(r"modules\?.*module="), lambda route: route.continue_())
    open_page(page, many, "run=r&module=m2&space=HBM")
    page.get_by_label("Module", exact=True).click()
    page.get_by_role("option", name=re.compile("m5")).click()
    page.wait_for_url(re.compile("module=m5"))
    expect(page.locator(".bar-box").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Memory of m5, HBM")
