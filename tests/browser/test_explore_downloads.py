"""What leaves the page is exact and stands alone; the oddest names are text there as on the page."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest
from playwright.sync_api import Download, Page, expect

from tests.browser.explore import TRANSFORMER, content, opened, saved, table_count
from tests.browser.tensorboard import Server, serve
from tests.conftest import DATA

UNICODE = {"run": "cpu_unicode", "module": "jit_odd_name___q(8)", "space": "HBM"}


@pytest.fixture(scope="module")
def odd_names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """TensorBoard on a capture whose scopes have the oddest names."""
    logdir = tmp_path_factory.mktemp("odd")
    shutil.copytree(DATA / "captures" / "cpu_unicode", logdir / "plugins" / "profile" / "cpu_unicode")
    with serve(logdir) as server:
        yield server


def test_csv_is_exact_and_no_cell_is_a_formula(page: Page, odd_names: Server) -> None:
    opened(page, odd_names, **UNICODE)
    page.locator(".buffer-table").get_by_role("button", name="All buffers").click()
    download = saved(page, page.locator("#table-csv").click)
    assert download.suggested_filename.endswith(".csv")
    rows = list(csv.DictReader(io.StringIO(content(download).decode("utf-8"), newline="")))
    assert len(rows) == table_count(page)
    assert any("</script>" in row["op"] for row in rows)
    for row in rows:
        assert int(row["bytes"]) >= int(row["unpadded_bytes"])
        assert not any(value[:1] in ("=", "+", "-", "@", "\t", "\r") for value in row.values())


def test_names_are_text_everywhere(page: Page, odd_names: Server) -> None:
    opened(page, odd_names, **UNICODE)
    page.locator(".buffer-table").get_by_role("button", name="All buffers").click()
    page.locator("#filter").fill("<")
    expect(page.locator(".buffer-table .grid-body .grid-row").first).to_be_visible()
    expect(page.locator(".icicle-cells")).to_contain_text("layer<1>")
    assert page.evaluate("document.querySelectorAll('main b > b, main script, main img').length") == 0


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
    assert answer["headline"]["peak_bytes"] == 4460917760
    assert answer["module"] == TRANSFORMER["module"]
