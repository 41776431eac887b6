"""The cache: bounded, shared, one computation at a time for a key, no error kept."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import cast

import pytest

from tensorboard_plugin_memviewer.sessions.cache import Cache


def test_a_value_is_computed_once() -> None:
    cache = Cache(100)
    values = iter(["value", "another"])
    for _ in range(3):
        assert cache.get("a", lambda: next(values), len) == "value"
    assert cache.used_bytes == 5


def test_the_least_recently_used_goes_first() -> None:
    cache = Cache(10)
    for key in "abc":
        cache.get(key, lambda: b"1234", len)
        cache.get("a", lambda: b"1234", len)
    assert [cache.get(key, lambda: b"new", len) for key in "ac"] == [b"1234", b"1234"]
    assert cache.get("b", lambda: b"new", len) == b"new"


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
    cache = Cache(100)
    made: list[int] = []
    started = threading.Barrier(16)

    def slow() -> object:
        made.append(1)
        time.sleep(0.05)
        return object()

    def ask() -> object:
        started.wait()
        return cache.get("key", slow, lambda _: 1)

    with ThreadPoolExecutor(16) as pool:
        answers = {id(answer.result()) for answer in [pool.submit(ask) for _ in range(16)]}
    assert len(made) == len(answers) == 1


def test_different_requests_do_not_wait_for_one_another() -> None:
    cache = Cache(100)
    both = threading.Barrier(2, timeout=10)
    with ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(cache.get, key, both.wait, lambda _: 1) for key in "ab"]
        assert {answer.result() for answer in answers} == {0, 1}


def test_an_error_reaches_all_who_wait_and_is_not_kept() -> None:
    cache = Cache(100)
    entered, go_on = threading.Event(), threading.Event()

    def fails() -> str:
        entered.set()
        go_on.wait(10)
        raise OSError("no")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cache.get, "key", fails, len)
        entered.wait(10)
        second = pool.submit(cache.get, "key", lambda: "never", len)
        time.sleep(0.05)
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
        go_on.wait(10)
        raise KeyboardInterrupt

    def computer() -> None:
        with pytest.raises(KeyboardInterrupt):
            cache.get("key", interrupted, len)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(computer)
        entered.wait(10)
        second = pool.submit(cache.get, "key", lambda: "mine", len)
        time.sleep(0.05)
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
