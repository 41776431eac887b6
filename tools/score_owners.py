"""Scores owners against programs whose truth is known by construction, a table: `make owners`.

The programs and the judge (`check_owners.py`) lie beside the repository, in `shared/cases/owners` and
`shared/tools/owners`.
"""

from __future__ import annotations

import argparse
import importlib
import lzma
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tensorboard_plugin_memviewer.analysis.live_set import live_rows
from tensorboard_plugin_memviewer.analysis.owners.owners import Owners, find_owners
from tensorboard_plugin_memviewer.analysis.owners.storages import find_storages, storage_of
from tensorboard_plugin_memviewer.analysis.usage import Plan, plan, space_usage
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.space import HBM, VMEM, space_name
from tensorboard_plugin_memviewer.vocabulary.categories import CATEGORIES

_SUFFIX = ".hlo_proto.pb"
# What the judge calls right whatever the category.
_RIGHT = ("right", "owner only", "right, by its maker")


@dataclass(frozen=True, slots=True)
class Score:
    """One memory space of one program at its peak: bytes whose owner is `right`, `wrong` or missing (`none`),
    of those that have a truth.
    """

    name: str
    space: int
    right: int
    wrong: int
    none: int

    @property
    def known(self) -> int:
        """The bytes that have a truth."""
        return self.right + self.wrong + self.none


def judge(folder: Path) -> Any:
    """The module `check_owners` in a folder."""
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("check_owners")
    finally:
        sys.path.remove(str(folder))


def predictions(planned: Plan) -> dict[int, dict[str, Any]]:
    """What the judge reads, by id of a logical buffer."""
    found: dict[int, dict[str, Any]] = {}
    for row, key in enumerate(planned.module.buffers.ids.tolist()):
        owner = planned.owners.of(row)
        found[key] = {
            "path": owner.path,
            "scope": None if owner.scope is None else owner.scope.split("/"),
            "line": owner.line,
            "category": CATEGORIES[int(planned.categories.row[row])].word,
        }
    return found


def scores(cases: Path, checker: Any, change: Any = None) -> Iterator[Score]:
    """The scores of every program in a folder; `change` is done to each module before."""
    for file in sorted(cases.glob(f"*{_SUFFIX}")):
        name = file.name.removesuffix(_SUFFIX)
        module = decode_module(file.read_bytes())
        module = module if change is None else change(module)
        found = predictions(plan(module))
        for space in (HBM, VMEM):
            try:
                judged = checker.score(name, found, space, str(cases))
            except KeyError:
                continue
            right = sum(judged.get(word, 0) for word in _RIGHT)
            yield Score(name, space, right, judged.get("wrong", 0), judged.get("no owner", 0))


def share_without_owner(found: Plan, owners: Owners, space: int) -> float:
    """The share of the bytes at the peak that nobody owns."""
    usage = space_usage(found, space)
    rows = live_rows(usage, usage.headline.peak_point)
    size = usage.buffers.size[rows]
    unknown = np.array([not owners.of(buffer).known for buffer in usage.buffers.buffer[rows].tolist()], bool)
    return float(size[unknown].sum() / max(int(size.sum()), 1))


def cost(file: Path) -> tuple[float, float]:
    """The processor seconds of decoding and planning a program, and those of its owners and storages."""
    data = lzma.decompress(file.read_bytes())
    start = time.process_time()
    found = plan(decode_module(data))
    usage = space_usage(found, HBM)
    assert len(found.places.row) == len(found.sources.row)
    planned = time.process_time()
    find_owners(found)
    find_storages(found, usage, storage_of(found))
    return planned - start, time.process_time() - planned


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path, nargs="?", default=Path("../shared"))
    arguments = parser.parse_args()
    total: Counter[str] = Counter()
    print(f"{'module':24}{'space':>6}{'MiB':>9}{'right':>9}{'wrong':>9}{'no owner':>10}")
    for score in scores(arguments.shared / "cases" / "owners", judge(arguments.shared / "tools" / "owners")):
        _print(score.name, space_name(score.space), score.known, score.right, score.wrong, score.none)
        total.update(known=score.known, right=score.right, wrong=score.wrong, none=score.none)
    _print("all", "", total["known"], total["right"], total["wrong"], total["none"])
    print(f"\n{'module':36}{'space':>6}{'no owner':>10}")
    for file in sorted((arguments.shared / "cases" / "modules").glob(f"*{_SUFFIX}")):
        found = plan(decode_module(file.read_bytes()))
        owners = find_owners(found)
        for space in found.spaces:
            if space in (HBM, VMEM):
                share = share_without_owner(found, owners, space)
                print(f"{file.name.removesuffix(_SUFFIX):36}{space_name(space):>6}{share:10.2%}")
    for file in sorted((arguments.shared / "cases" / "large").glob(f"*{_SUFFIX}.xz")):
        planned, owned = cost(file)
        print(f"\n{file.name}: decoded and planned in {planned:.2f} s, owners and storages in {owned:.2f} s")


def _print(name: str, space: str, known: int, right: int, wrong: int, none: int) -> None:
    shares = (part / max(known, 1) for part in (right, wrong, none))
    text = "{:9.2%}{:9.2%}{:10.2%}".format(*shares)
    print(f"{name:24}{space:>6}{known / 2**20:9.1f}{text}")


if __name__ == "__main__":
    main()
