"""Our tab in a real TensorBoard: from the logdir to a buffer's lifetime, on real captures."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.tensorboard import Server, serve
from tests.conftest import DATA, DEMO, ROOT

Screenshot = Callable[[str], Path]


def opened(page: Page, server: Server, state: str = "") -> FrameLocator:
    """The page in its tab, as TensorBoard's address with `state` opens it."""
    page.goto(f"{server.address}#memviewer{state}")
    viewer = page.frame_locator("iframe >> visible=true")
    expect(viewer.get_by_label("Run", exact=True)).to_be_visible()
    return viewer


def shows_a_program(viewer: FrameLocator) -> None:
    expect(viewer.locator(".line-chart")).to_be_visible()
    expect(viewer.locator(".usage-line")).to_have_count(1)
    expect(viewer.locator(".bar-box").first).to_be_visible()


def hover_the_largest_buffer(viewer: FrameLocator) -> None:
    """Point at the left end of the bar by size, where the largest lies."""
    viewer.locator('.bar-box[data-order="size"]').hover(position={"x": 5, "y": 10})


def choose_module(viewer: FrameLocator, name: str) -> None:
    """Type a part of the name, and take the first of the list."""
    viewer.get_by_label("Module", exact=True).fill(name)
    listed = viewer.get_by_role("listbox", name="Modules").get_by_role("option")
    expect(listed.first).to_contain_text(name)
    listed.first.click()


def test_from_the_tab_to_the_largest_buffer(page: Page, demo_server: Server, screenshot: Screenshot) -> None:
    page.set_viewport_size({"width": 1280, "height": 1500})
    viewer = opened(page, demo_server)
    viewer.get_by_label("Run", exact=True).select_option("tpu_v5e_transformer")
    viewer.get_by_role("tab", name=re.compile("VMEM")).click()
    expect(viewer.get_by_role("region", name="Overview")).to_contain_text("Peak usage111 MiB")
    shows_a_program(viewer)
    hover_the_largest_buffer(viewer)
    expect(viewer.locator(".lifetime").first).to_be_visible()
    card = viewer.get_by_role("complementary", name="Buffer")
    expect(card).to_contain_text("MiB")
    screenshot("tab-vmem-light")
    page.get_by_role("button", name=re.compile("theme", re.IGNORECASE)).click()
    page.get_by_role("menuitem", name=re.compile("dark", re.IGNORECASE)).click()
    expect(viewer.locator('html[data-theme="dark"]')).to_have_count(1)
    hover_the_largest_buffer(viewer)
    expect(viewer.locator(".lifetime").first).to_be_visible()
    screenshot("tab-vmem-dark")


def test_opens_on_a_program_and_never_on_nothing(page: Page, demo_server: Server) -> None:
    shows_a_program(opened(page, demo_server))


def test_every_run_of_the_demo_shows(page: Page, demo_server: Server) -> None:
    viewer = opened(page, demo_server)
    runs = viewer.get_by_label("Run", exact=True)
    for run in runs.locator("option").evaluate_all("options => options.map(option => option.value)"):
        runs.select_option(run)
        expect(page).to_have_url(re.compile(f"run={re.escape(run).replace('/', '(/|%2F)')}(&|$)"))
        shows_a_program(viewer)


def test_a_link_shows_the_same_picture(page: Page, demo_server: Server) -> None:
    viewer = opened(page, demo_server)
    viewer.get_by_label("Run", exact=True).select_option("tpu_v5e_kernels")
    viewer.get_by_role("tab", name=re.compile("Host")).click()
    shows_a_program(viewer)
    expect(page).to_have_url(re.compile("space=Host"))
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    again = page.frame_locator("iframe >> visible=true")
    expect(again.get_by_label("Run", exact=True)).to_have_value("tpu_v5e_kernels")
    expect(again.get_by_role("tab", selected=True)).to_contain_text("Host")


def test_under_a_path_prefix(page: Page, demo_copy: Path) -> None:
    with serve(demo_copy, "--path_prefix", "/x") as server:
        shows_a_program(opened(page, server))
        page.goto("about:blank")


def test_a_capture_of_this_machine(page: Page, tmp_path: Path, screenshot: Screenshot) -> None:
    script = os.fspath(ROOT / "tools" / "capture_cpu_training.py")
    subprocess.run([sys.executable, script, os.fspath(tmp_path)], check=True, capture_output=True)
    with serve(tmp_path) as server:
        viewer = opened(page, server)
        shows_a_program(viewer)
        choose_module(viewer, "jit_donating_train_step")
        expect(viewer.get_by_role("region", name="Overview")).to_contain_text("6.00 MiB75 % of arguments")
        screenshot("tab-cpu-capture")
        page.goto("about:blank")


def test_an_empty_logdir_says_what_to_do(page: Page, tmp_path: Path, screenshot: Screenshot) -> None:
    with serve(tmp_path) as server:
        page.goto(f"{server.address}#memviewer")
        viewer = page.frame_locator("iframe >> visible=true")
        expect(viewer.locator(".empty-logdir")).to_contain_text("jax.profiler")
        screenshot("tab-empty-logdir")
        page.goto("about:blank")


def test_a_capture_that_is_cut_short_is_not_called_empty(page: Page, tmp_path: Path) -> None:
    whole = DEMO / "plugins" / "profile" / "tpu_v5e_transformer" / "host0.xplane.pb"
    run = tmp_path / "plugins" / "profile" / "cut"
    run.mkdir(parents=True)
    (run / "host0.xplane.pb").write_bytes(whole.read_bytes()[:30000])
    with serve(tmp_path) as server:
        page.goto(f"{server.data}page.html")
        main = page.get_by_role("main")
        expect(main).to_contain_text("cut short")
        expect(main.get_by_role("heading")).to_have_text("This run cannot be shown")
        page.goto("about:blank")


def test_a_damaged_file_says_so_and_the_others_show(
    page: Page, tmp_path: Path, screenshot: Screenshot
) -> None:
    for name in ("truncated_v5e_mlp", "nobuf_v5e_mlp"):
        shutil.copy(DATA / "damaged" / f"{name}.hlo_proto.pb", tmp_path)
    shutil.copy(DATA / "modules" / "v5e_mlp_donated.hlo_proto.pb", tmp_path)
    with serve(tmp_path) as server:
        viewer = opened(page, server)
        shows_a_program(viewer)
        viewer.get_by_role("button", name="All 3 modules").click()
        expect(viewer.get_by_role("main")).to_contain_text("nobuf_v5e_mlp cannot be read")
        choose_module(viewer, "truncated_v5e_mlp")
        expect(viewer.get_by_role("main")).to_contain_text("cut short")
        screenshot("tab-damaged")
        page.goto("about:blank")
