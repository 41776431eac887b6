"""Where the tests' data is, and which tests need more than this repository holds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
DEMO = ROOT / "tensorboard_plugin_memviewer" / "demo"
# More captures, beside the repository: too large, or not ours to pass on.
CASES = Path(os.environ.get("MEMVIEWER_CASES", ROOT.parent / "shared" / "cases"))

# A machine that is busy is no failure.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-goldens` writes tests/golden anew instead of comparing."""
    parser.addoption("--update-goldens", action="store_true", help="write the files of tests/golden anew")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder tests/data."""
    return DATA


@pytest.fixture(scope="session")
def demo() -> Path:
    """The demo logdir in the package. Read only: whoever runs XProf on it wants a copy."""
    return DEMO


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of captures beside the repository, for tests marked `cases`."""
    return CASES


def pytest_report_header() -> str:
    """Say where captures beside the repository are looked for."""
    return (
        f"more captures: {CASES}" if CASES.is_dir() else f"more captures: none at {CASES} (MEMVIEWER_CASES)"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests marked `cases` where there are no captures beside the repository."""
    if CASES.is_dir():
        return
    left_out = [item for item in items if item.get_closest_marker("cases") is not None]
    if left_out:
        items[:] = [item for item in items if item.get_closest_marker("cases") is None]
        config.hook.pytest_deselected(items=left_out)
