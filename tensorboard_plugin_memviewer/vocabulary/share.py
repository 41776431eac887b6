"""A share as two integers, so that no rounding decides what is above it."""

from __future__ import annotations

from typing import NamedTuple


class Share(NamedTuple):
    """`part` in `whole`: Share(1, 10) is a tenth."""

    part: int
    whole: int

    def reached(self, amount: int, total: int) -> bool:
        """Whether `amount` is this share of `total` or more."""
        return self.whole * amount >= self.part * total

    def exceeded(self, amount: int, total: int) -> bool:
        """Whether `amount` is more than this share of `total`."""
        return self.whole * amount > self.part * total
