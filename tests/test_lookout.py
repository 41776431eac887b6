"""What is asked often is answered at once, and looked for now and then."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest

from tensorboard_plugin_memviewer import lookout as lookout_module
from tensorboard_plugin_memviewer.lookout import Lookout
from tests.patience import PATIENCE_S, soon


def wait_until(true: Callable[[], bool]) -> None:
    assert soon(true)


def test_a_long_look_is_not_waited_for() -> None:
    done = threading.Event()
    ended: list[bool] = []

    def look() -> bool:
        ended.append(done.wait(PATIENCE_S))
        return ended[-1]

    lookout = Lookout(look)
    assert not lookout.seen()
    assert ended == []
    done.set()
    wait_until(lookout.seen)


def test_a_short_first_look_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookout_module, "_FIRST_LOOK_S", PATIENCE_S)
    held = threading.Event()
    lookout = Lookout(lambda: held.wait(PATIENCE_S))
    # Let go by who asks, once it waits.
    monkeypatch.setattr(lookout._looked_once, "wait", partial(_let_go, held, lookout._looked_once.wait))
    assert lookout.seen()


def _let_go(held: threading.Event, wait: Callable[[float], bool], limit_s: float) -> bool:
    held.set()
    return wait(limit_s)


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
        return done.wait(PATIENCE_S)

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


def test_rests_longer_than_it_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(lookout_module, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    looks: list[float] = []

    def slow() -> bool:
        looks.append(clock[0])
        clock[0] += 10
        return False

    lookout = Lookout(slow, pause_s=0)
    for later in (0, 50, 39):
        clock[0] += later
        lookout.seen()
        wait_until(lambda: not lookout._looking)
    assert looks == [100], "after a look of 10 s, 90 s are for others"
    clock[0] += 2
    lookout.seen()
    wait_until(lambda: not lookout._looking)
    assert looks == [100, 201]
