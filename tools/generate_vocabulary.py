"""Write the vocabulary of the package as TypeScript and in tables of docs/, or check that both are fresh.

The tables stand between `<!-- vocabulary: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from tensorboard_plugin_memviewer.vocabulary.allocation_types import ALLOCATION_TYPES, PARAMETER, TEMPORARY
from tensorboard_plugin_memviewer.vocabulary.capacity import CAPACITY_IN_CHARTS, NEARLY_FULL
from tensorboard_plugin_memviewer.vocabulary.categories import CATEGORIES
from tensorboard_plugin_memviewer.vocabulary.changes import CHANGES
from tensorboard_plugin_memviewer.vocabulary.columns import BUFFER_COLUMNS, KNOWN_BY
from tensorboard_plugin_memviewer.vocabulary.findings import FINDING_KINDS
from tensorboard_plugin_memviewer.vocabulary.groupings import DEFAULT_GROUPING, GROUPINGS, PAGE_GROUPINGS
from tensorboard_plugin_memviewer.vocabulary.headline import HEADLINE
from tensorboard_plugin_memviewer.vocabulary.spaces import DEFAULT_SPACE, SPACES

ROOT = Path(__file__).resolve().parent.parent
TYPESCRIPT = ROOT / "frontend" / "src" / "generated" / "vocabulary.ts"
_TABLE = re.compile(r"(<!-- vocabulary: (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def typescript() -> str:
    """The module that the page imports."""
    constants: dict[str, Any] = {
        "HEADLINE": {
            key: {"word": n.word, "sentence": n.sentence, "unit": n.unit, "moreIsBetter": n.more_is_better}
            for key, n in HEADLINE.items()
        },
        "SPACES": {number: {"name": s.name, "about": s.about} for number, s in SPACES.items()},
        "DEFAULT_SPACE": DEFAULT_SPACE,
        "GROUPINGS": {key: {"word": g.word} for key, g in {**GROUPINGS, **PAGE_GROUPINGS}.items()},
        "DEFAULT_GROUPING": DEFAULT_GROUPING,
        "ALLOCATION_TYPES": ALLOCATION_TYPES,
        "PARAMETER": PARAMETER,
        "TEMPORARY": TEMPORARY,
        "CATEGORIES": {c.key: {"word": c.word, "sentence": c.sentence} for c in CATEGORIES},
        "FINDING_KINDS": {
            key: {"word": k.word, "urgency": k.urgency, "needsCapacity": k.needs_capacity}
            for key, k in FINDING_KINDS.items()
        },
        "CHANGES": CHANGES,
        "BUFFER_COLUMNS": {key: {"word": c.word, "help": c.help} for key, c in BUFFER_COLUMNS.items()},
        "KNOWN_BY": KNOWN_BY,
        "CAPACITY_IN_CHARTS": CAPACITY_IN_CHARTS,
        "NEARLY_FULL": NEARLY_FULL,
    }
    types = {
        "HeadlineKey": "HEADLINE",
        "GroupBy": "GROUPINGS",
        "FindingKind": "FINDING_KINDS",
        "ChangeKind": "CHANGES",
        "BufferColumnKey": "BUFFER_COLUMNS",
    }
    return "\n".join(
        [
            "// Written by tools/generate_vocabulary.py from the package's vocabulary: change it there.",
            "",
            *(f"export const {name} = {_literal(value)} as const;\n" for name, value in constants.items()),
            *(f"export type {name} = keyof typeof {table};" for name, table in types.items()),
            "",
        ]
    )


def _literal(value: Any) -> str:
    """A value as TypeScript, a line for each entry of a table."""
    if not isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    lines = (f"  {key}: {json.dumps(entry, ensure_ascii=False)},\n" for key, entry in value.items())
    return f"{{\n{''.join(lines)}}}"


def _markdown(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, tuple("---" for _ in head), *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


TABLES: dict[str, Callable[[], str]] = {
    "headline": lambda: _markdown(
        ("name", "on the page", "meaning"),
        ((f"`{key}`", number.word, number.sentence) for key, number in HEADLINE.items()),
    ),
    "spaces": lambda: _markdown(
        ("number", "name", "also understood"),
        ((str(number), space.name, ", ".join(space.aliases)) for number, space in SPACES.items()),
    ),
    "findings": lambda: _markdown(
        ("finding", "`kind`", "reported from", "stated of its effect"),
        ((kind.word, f"`{kind.key}`", kind.reported, kind.effect) for kind in FINDING_KINDS.values()),
    ),
}


def documented(text: str) -> str:
    """A page of docs/ with its tables as the vocabulary has them."""
    return _TABLE.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n{found[3]}", text)


def wanted() -> dict[Path, str]:
    """Every file that is written from the vocabulary, with its text."""
    pages = {page: page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs").glob("*.md"))}
    return {TYPESCRIPT: typescript()} | {
        page: documented(text) for page, text in pages.items() if _TABLE.search(text)
    }


def main() -> int:
    """Exit status: 0 when all files are fresh."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail where something is stale")
    check = parser.parse_args().check
    stale = [
        (file, text)
        for file, text in wanted().items()
        if not file.exists() or file.read_text(encoding="utf-8") != text
    ]
    for file, text in stale:
        if check:
            print(
                f"{file.relative_to(ROOT)} is stale. Run python -m tools.generate_vocabulary", file=sys.stderr
            )
        else:
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
