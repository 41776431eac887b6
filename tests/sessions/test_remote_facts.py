"""Times and marks as fsspec's drivers write them, each in its own form."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from tensorboard_plugin_memviewer.sessions.remote_facts import modified_ns, version

UTC = datetime.timezone.utc
NOON_NS = 1_704_110_400 * 10**9


@pytest.mark.parametrize(
    "info",
    [
        {"updated": "2024-01-01T12:00:00.000Z"},
        {"updated": "2024-01-01T12:00:00Z"},
        {"updated": "2024-01-01T12:00:00"},
        {"last_modified": "2024-01-01T14:00:00+02:00"},
        {"Last-Modified": "Mon, 01 Jan 2024 12:00:00 GMT"},
        {"LastModified": datetime.datetime(2024, 1, 1, 12, tzinfo=UTC)},
        {"modified": datetime.datetime(2024, 1, 1, 12)},
        {"mtime": 1_704_110_400},
        {"date_time": (2024, 1, 1, 12, 0, 0)},
    ],
)
def test_every_form_of_a_time_is_the_same_moment(info: dict[str, Any]) -> None:
    assert modified_ns(info) == NOON_NS
    assert "2024-01-01T" in version(info)


@pytest.mark.parametrize(
    "value", [None, "", "Z", "soon", "Mon, no day", (2024, 1), (2024, 13, 1, 0, 0, 0), 1e300, b"x"]
)
def test_what_is_no_time_is_none(value: object) -> None:
    assert modified_ns({"updated": value}) is None
    assert version({"updated": value}) == ""


def test_the_earliest_moment_is_one() -> None:
    first = datetime.datetime.min
    assert modified_ns({"created": first}) == -62_135_596_800 * 10**9


def test_marks_tell_states_apart() -> None:
    assert version({"ETag": '"a"'}) != version({"ETag": '"b"'})
    assert version({"generation": 1}) != version({"generation": 2})
