"""What the tests with several versions of xprof come to: only tests that ran and passed count."""

from __future__ import annotations

from pathlib import Path

from tools.test_xprof import Row, as_table, read_results

RESULTS = """<testsuites><testsuite>
  <testcase name="test_good" time="1.5" />
  <testcase name="test_left_out" time="0.0"><skipped message="no" /></testcase>
  <testcase name="test_bad" time="2.5"><failure message="no">trace</failure></testcase>
</testsuite></testsuites>"""


def test_a_test_that_is_left_out_or_fails_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "results.xml"
    path.write_text(RESULTS, encoding="utf-8")
    assert read_results(path) == (3, 4.0, ("test_left_out: skipped", "test_bad: failure"))


def test_a_version_passes_where_tests_ran_and_none_is_a_problem() -> None:
    assert Row("2.20.0", tests=3).passed
    assert not Row("2.20.0", tests=0).passed
    assert not Row("2.20.0", tests=3, problems=("test_left_out: skipped",)).passed


def test_the_table_names_what_did_not_pass_under_its_version() -> None:
    rows = [
        Row("latest", "2.24.2", "2.21.0", "7.36.2", 31, 206.4),
        Row("2.20.0", problems=("no environment: pip",)),
    ]
    head, newest, oldest, problem = as_table(rows).splitlines()
    assert head.split() == ["xprof", "TensorBoard", "protobuf", "tests", "seconds", "result"]
    assert newest.split() == ["2.24.2", "2.21.0", "7.36.2", "31", "206", "passed"]
    assert oldest.split() == ["2.20.0", "0", "0", "FAILED"]
    assert problem.strip() == "no environment: pip"
