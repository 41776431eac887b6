"""Whose a fault is: those of XProf and TensorBoard fail no test of ours, and none of ours pass as theirs."""

from __future__ import annotations

import pytest

from tests.browser.watch import Watch

SERVER = "http://127.0.0.1:6006"
XPROF = f"{SERVER}/data/plugin/profile"
OURS = f"{SERVER}/data/plugin/memviewer"
REFUSED = "Failed to load resource: the server responded with a status of 404 (NOT FOUND)"
GRAPH = f"{XPROF}/data?run=a&tag=graph_viewer&host=host0"


@pytest.mark.parametrize(
    "address",
    [
        GRAPH,
        f"{SERVER}/some/prefix/data/plugin/profile/data?tag=trace_viewer@",
        f"{XPROF}/hosts?run=a",
        f"{SERVER}/font-roboto/oMMgfZMQthOryQo9n22dcuvvDin1pK8aKteLpeZ5c0A.woff2",
        "https://www.gstatic.com/charts/loader.js",
    ],
)
def test_an_answer_that_others_did_not_get_is_theirs(address: str) -> None:
    watch = Watch()
    watch.judge_console(REFUSED, address)
    watch.judge_failure(address, "net::ERR_CONNECTION_RESET")
    assert watch.faults == []


@pytest.mark.parametrize(
    "address",
    [
        f"{OURS}/usage?run=graph_viewer",
        f"{OURS}/page.html",
        f"{SERVER}/some/prefix/data/plugin/memviewer/runs",
        # Our script is in XProf's page, and our page before its Memory Viewer.
        f"{XPROF}/index.html",
        f"{XPROF}/data?tag=memory_viewer&host=host0",
        f"{SERVER}/data/plugins_listing",
        "https://elsewhere.example/data.js",
    ],
)
def test_an_answer_that_we_have_a_part_in_is_ours(address: str) -> None:
    watch = Watch()
    watch.judge_console(REFUSED, address)
    watch.judge_failure(address, "net::ERR_CONNECTION_RESET")
    assert len(watch.faults) == 2


@pytest.mark.parametrize(
    ("text", "stack", "ours"),
    [
        ("TypeError: f.split is not a function", f"at a ({XPROF}/bundle.js:1:2)", False),
        ("EmptyError: no elements in sequence", f"at a ({XPROF}/bundle.js:1:2)", False),
        ("TypeError: x is null", f"at a ({OURS}/page.js:1:2)", True),
        ("TypeError: x is null", f"at a ({OURS}/profile_tab.js:1:2)\nat b ({XPROF}/zone.js:1:2)", True),
        # Our guest puts something in the place of that library.
        ("ReferenceError: google is not defined", f"at a ({XPROF}/bundle.js:1:2)", True),
        ("TypeError: x is null", "", True),
    ],
)
def test_an_exception_is_of_whose_scripts_threw_it(text: str, stack: str, ours: bool) -> None:
    watch = Watch()
    watch.judge_exception(text, stack)
    watch.judge_console(text, stack)
    assert len(watch.faults) == (2 if ours else 0)


def test_what_a_test_expects_is_no_fault() -> None:
    watch = Watch()
    watch.allow("status of 404")
    watch.judge_console(REFUSED, f"{OURS}/usage")
    watch.judge_exception("TypeError: x is null", f"{OURS}/page.js")
    assert len(watch.faults) == 1
