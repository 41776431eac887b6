"""Python's garbage collector while modules are worked out: off, and afterwards as it was."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.service.collector import paused
from tests.conftest import DEMO


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    yield
    gc.enable()


def test_it_rests_until_the_last_has_left() -> None:
    with paused():
        with paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_is_on_again_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), paused():
        raise ZeroDivisionError
    assert gc.isenabled()


def test_who_had_it_off_keeps_it_off() -> None:
    gc.disable()
    with paused():
        pass
    assert not gc.isenabled()


def test_it_rests_while_an_answer_is_computed() -> None:
    assert Service(str(DEMO)).kept("key", gc.isenabled, lambda _: 1) is False
    assert gc.isenabled()
