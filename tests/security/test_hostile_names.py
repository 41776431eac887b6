"""Names that want to be code, formulas or terminal commands come out as names, through every door."""

from __future__ import annotations

import csv
import html.parser
import io
import json
import unicodedata
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from werkzeug.test import Client, TestResponse

from tensorboard_plugin_memviewer.cli import main
from tensorboard_plugin_memviewer.export import page
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.responses import WsgiApp
from tests.reliability.captures import apps_of
from tests.security.hostile import MODULE, NAMES, write

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


@pytest.fixture(scope="module")
def apps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, WsgiApp]:
    logdir = tmp_path_factory.mktemp("hostile")
    write(logdir)
    return apps_of(Service(str(logdir)))


def ask(apps: dict[str, WsgiApp], route: str, **query: str) -> TestResponse:
    run = Client(apps["/runs"]).get().get_json()["runs"][0]["run"]
    query = {"run": run, "module": f"{MODULE}(7)", "space": "HBM", **query}
    response = Client(apps[f"/{route}"]).get(query_string=query)
    assert response.status_code == 200, response.get_data(as_text=True)
    return response


def test_usage_has_the_names_as_they_are(apps: dict[str, WsgiApp]) -> None:
    response = ask(apps, "usage")
    assert response.content_type.startswith("application/json")
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    strings = response.get_json()["strings"]
    assert strings["names"] == NAMES
    assert strings["files"] == NAMES


def test_other_answers_are_json_too(apps: dict[str, WsgiApp]) -> None:
    for route in ("modules", "memory_spaces", "breakdown", "findings", "xprof_memory_viewer.json"):
        for by in ("scope", "source", "opcode"):
            response = ask(apps, route, by=by)
            assert response.content_type.startswith("application/json")
            json.loads(response.get_data())


def test_errors_say_the_names_as_json(apps: dict[str, WsgiApp]) -> None:
    for name in NAMES:
        response = Client(apps["/usage"]).get(query_string={"run": name, "module": name, "space": name})
        assert response.status_code == 404
        assert response.content_type.startswith("application/json")
        assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_csv_has_no_formula_and_nothing_hidden(apps: dict[str, WsgiApp]) -> None:
    response = ask(apps, "export", format="csv")
    assert response.headers["Content-Disposition"].startswith("attachment")
    rows = list(csv.reader(io.StringIO(response.get_data(as_text=True), newline="")))
    assert len(rows) == len(NAMES) + 1
    for cell in (cell for row in rows for cell in row):
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")), cell
        assert not {unicodedata.category(character) for character in cell} & HIDDEN, cell


def test_svg_is_a_drawing_and_nothing_else(apps: dict[str, WsgiApp]) -> None:
    text = ask(apps, "export", format="svg").get_data(as_text=True)
    root = ET.fromstring(text)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "rect", "line", "path", "text", "tspan", "g", "circle", "style"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not [name for name in attributes if name.lower().startswith("on") or "href" in name]
    assert MODULE.partition("\x1b")[0] in "".join(root.itertext())


class Tags(html.parser.HTMLParser):
    """The elements that a browser would make of a text, and the text of its scripts of data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][1].get("type") == "application/json":
            self.data += data


def test_html_export_is_the_page_with_data(
    apps: dict[str, WsgiApp], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Path(__file__).parents[2] / "frontend" / "src" / "page.html"
    (tmp_path / "page.html").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "page.css").write_text("")
    (tmp_path / "page.js").write_text("")
    monkeypatch.setattr(page, "STATIC_FOLDER", tmp_path)
    report = ask(apps, "export", format="html").get_data(as_text=True)
    found = Tags(report)
    assert "default-src 'none'" in report
    assert "unsafe-eval" not in report
    kinds = [tag for tag, _ in found.tags]
    assert kinds.count("script") == 3
    assert not {"img", "b", "i", "svg"} & set(kinds)
    assert not [name for _, held in found.tags for name in held if name.startswith("on")]
    assert all(
        name in json.dumps(json.loads(found.data), ensure_ascii=False) for name in ("javascript:", "=1")
    )


@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize("command", ["list", "summary", "peak", "findings"])
def test_terminal_gets_no_command(
    command: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([command, str(write(tmp_path)), "--format", form])
    captured = capsys.readouterr()
    assert captured.out
    for character in captured.out + captured.err:
        assert character == "\n" or unicodedata.category(character) not in HIDDEN, repr(character)
    if form == "markdown":
        assert "<script" not in captured.out and "<img" not in captured.out
        assert "](javascript" not in captured.out.replace("\\]", "")
