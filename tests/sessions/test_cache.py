"""The cache: bounded, shared, one computation at a time for a key, no error kept."""

from __future__ import annotations

import random
import threading
from collections.abc import Sized
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, cast

import pytest

from tensorboard_plugin_memviewer.sessions.cache import Cache
from tests.patience import PATIENCE_S, soon


def waiting_for(cache: Cache, key: str) -> Sized:
    """The threads that wait for the computation of a key that is running."""
    done: Any = cache._running[key].done
    waiters: Sized = done._cond._waiters
    return waiters


def test_a_value_is_computed_once() -> None:
    cache = Cache(100)
    values = iter(["value", "another"])
    for _ in range(3):
        assert cache.get("a", lambda: next(values), len) == "value"
    assert cache.used_bytes == 5


def test_the_least_recently_used_goes_first() -> None:
    cache = Cache(10)
    computed: list[str] = []

    def ask(key: str) -> None:
        def compute() -> bytes:
            computed.append(key)
            return b"1234"

        cache.get(key, compute, len)

    # There is room for two. "a" is the oldest and the last used, so "b" makes room for "c".
    for key in "abac":
        ask(key)
    ask("a")
    assert computed == ["a", "b", "c"]
    ask("b")
    assert computed == ["a", "b", "c", "b"]


def test_it_is_never_over_its_limit_and_a_large_value_is_given_but_not_kept() -> None:
    cache = Cache(10)
    cache.get("small", lambda: b"123", len)
    assert cache.get("large", lambda: b"x" * 11, len) == b"x" * 11
    assert cache.used_bytes == 3
    for number in range(100):
        cache.get(number, lambda: b"1234", len)
        assert cache.used_bytes <= 10


def test_room_is_made_before_a_value_is_kept() -> None:
    seen: list[int] = []

    class Watched(Cache):
        def __setattr__(self, name: str, value: object) -> None:
            if name == "_used":
                seen.append(cast(int, value))
            super().__setattr__(name, value)

    cache = Watched(10)
    for number in range(20):
        cache.get(number, lambda: b"1234", len)
    assert max(seen) <= 10


def test_equal_requests_at_one_time_share_one_computation() -> None:
    cache = Cache(0)  # keeps nothing: who does not share computes
    made: list[int] = []

    def slow() -> object:
        made.append(1)
        assert soon(lambda: len(waiting_for(cache, "key")) == 15)
        return object()

    with ThreadPoolExecutor(16) as pool:
        asked = [pool.submit(cache.get, "key", slow, lambda _: 1) for _ in range(16)]
        answers = {id(answer.result()) for answer in asked}
    assert len(made) == len(answers) == 1


def test_different_requests_do_not_wait_for_one_another() -> None:
    cache = Cache(100)
    both = threading.Barrier(2, timeout=PATIENCE_S)
    with ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(cache.get, key, both.wait, lambda _: 1) for key in "ab"]
        assert {answer.result() for answer in answers} == {0, 1}


def test_an_error_reaches_all_who_wait_and_is_not_kept() -> None:
    cache = Cache(100)
    entered, go_on = threading.Event(), threading.Event()

    def fails() -> str:
        entered.set()
        go_on.wait(PATIENCE_S)
        raise OSError("no")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cache.get, "key", fails, len)
        entered.wait(PATIENCE_S)
        second = pool.submit(cache.get, "key", lambda: "never", len)
        assert soon(lambda: len(waiting_for(cache, "key")) == 1)
        go_on.set()
        for answer in (first, second):
            with pytest.raises(OSError, match="no"):
                answer.result()
    assert cache.get("key", lambda: "now", len) == "now"


def test_a_size_that_fails_leaves_no_key_locked() -> None:
    cache = Cache(100)
    with pytest.raises(ZeroDivisionError):
        cache.get("key", lambda: 5, lambda value: value // 0)
    assert cache.get("key", lambda: "now", len) == "now"


def test_an_interrupted_computation_is_taken_up_by_who_waits() -> None:
    cache = Cache(100)
    entered, go_on = threading.Event(), threading.Event()

    def interrupted() -> str:
        entered.set()
        go_on.wait(PATIENCE_S)
        raise KeyboardInterrupt

    def computer() -> None:
        with pytest.raises(KeyboardInterrupt):
            cache.get("key", interrupted, len)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(computer)
        entered.wait(PATIENCE_S)
        second = pool.submit(cache.get, "key", lambda: "mine", len)
        assert soon(lambda: len(waiting_for(cache, "key")) == 1)
        go_on.set()
        first.result()
        assert second.result() == "mine"


def test_many_threads_keep_its_account_right() -> None:
    cache = Cache(500)

    def ask(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(300):
            key = chance.randrange(40)
            assert cache.get(key, partial(bytes, key), len) == bytes(key)
            assert cache.used_bytes <= 500

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(ask, seed) for seed in range(8)]:
            done.result()
    cache.get("all", lambda: bytes(500), len)
    assert cache.used_bytes == 500
