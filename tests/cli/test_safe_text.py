"""Names are untrusted: nothing that a terminal obeys, hides, or Markdown takes for its own gets through."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_plugin_memviewer.cli.safe_text import cells, safe_markdown, shortened
from tensorboard_plugin_memviewer.visible import visible


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("fusion.1", "fusion.1"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x9b31m", r"\x9b31m"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("abc\u202egpj.exe", r"abc\u202egpj.exe"),
        ("zero\u200bwidth", r"zero\u200bwidth"),
        ("\ud800", r"\ud800"),
        ("层/注意力", "层/注意力"),
        ("é😀", "é😀"),
    ],
)
def test_what_is_shown(name: str, shown: str) -> None:
    assert visible(name) == shown


@given(st.text(alphabet=st.characters()))
def test_nothing_hidden_or_obeyed_is_left(name: str) -> None:
    for character in visible(name):
        assert unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def test_markdown_shows_signs_as_themselves() -> None:
    assert safe_markdown("a|b") == r"a\|b"
    assert safe_markdown("<img onerror=x>") == "&lt;img onerror=x&gt;"
    assert safe_markdown("[x](javascript:y) `z` *w* _v_") == r"\[x\](javascript:y) \`z\` \*w\* \_v\_"


@given(st.text(), st.integers(min_value=0, max_value=30))
def test_shortened_text_fits_and_keeps_its_ends(text: str, room: int) -> None:
    shown = shortened(visible(text), room)
    assert cells(shown) <= max(room, 0) or shown == visible(text)
    if cells(visible(text)) <= room:
        assert shown == visible(text)


def test_the_middle_goes() -> None:
    assert shortened("jit_train_step(9156972685044891575)", 16) == "jit_trai…891575)"
    assert cells(shortened("层层层层层层", 7)) <= 7
