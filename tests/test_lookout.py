"""What is asked often is answered at once, and looked for now and then."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

import pytest

from tensorboard_plugin_memviewer.lookout import Lookout


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_a_long_look_is_not_waited_for() -> None:
    done = threading.Event()
    lookout = Lookout(lambda: done.wait(10))
    began = time.monotonic()
    assert not lookout.seen()
    assert time.monotonic() - began < 2
    done.set()
    wait_until(lookout.seen)


def test_a_short_first_look_is_waited_for() -> None:
    assert Lookout(lambda: True).seen()


def test_what_has_been_seen_is_not_looked_for_again() -> None:
    looks: list[int] = []

    def look() -> bool:
        looks.append(0)
        return True

    lookout = Lookout(look, pause_s=0)
    wait_until(lookout.seen)
    assert all(lookout.seen() for _ in range(50))
    assert len(looks) == 1


def test_one_look_at_a_time() -> None:
    done = threading.Event()
    looks: list[int] = []

    def look() -> bool:
        looks.append(0)
        return done.wait(10)

    lookout = Lookout(look, pause_s=0)
    for _ in range(3):
        lookout.seen()
    assert len(looks) <= 1
    done.set()
    wait_until(lookout.seen)
    assert len(looks) == 1


def test_looks_again_after_a_pause_until_something_is_there() -> None:
    answers = iter([False, False, True])
    lookout = Lookout(lambda: next(answers), pause_s=0)
    wait_until(lookout.seen)


def test_a_look_that_fails_counts_as_nothing_seen(caplog: pytest.LogCaptureFixture) -> None:
    answers = iter([True])
    broken = threading.Event()

    def look() -> bool:
        if not broken.is_set():
            broken.set()
            raise OSError("no such bucket")
        return next(answers)

    with caplog.at_level(logging.ERROR):
        lookout = Lookout(look, pause_s=0)
        wait_until(lookout.seen)
    assert "no such bucket" in caplog.text


def test_rests_longer_than_it_looks() -> None:
    looks: list[int] = []

    def slow() -> bool:
        looks.append(0)
        time.sleep(0.1)
        return False

    lookout = Lookout(slow, pause_s=0)
    until = time.monotonic() + 0.6
    while time.monotonic() < until:
        lookout.seen()
        time.sleep(0.01)
    assert len(looks) == 1
