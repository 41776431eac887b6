"""Explains captures that cannot be read to the end, or that have no program.

Knows how files are damaged in transit, but nothing of their content.
"""

from __future__ import annotations

from tensorboard_plugin_memviewer.errors import Damaged, Problem
from tensorboard_plugin_memviewer.formats.range_hop import RangeReader

_SAMPLE = 1 << 16
_REPLACEMENT = b"\xef\xbf\xbd"


def judged(reader: RangeReader, damage: Damaged | None, missing: int) -> tuple[Damaged, bool]:
    """What is wrong with a file, and whether then nothing that was read of it can be believed.

    `damage` is what the walk met first, None where the file only ends `missing` bytes too early.
    """
    if _is_reencoded(reader):
        error = Damaged(
            "the file was converted from binary to UTF-8 text, which destroyed it",
            "Copy the original again in binary mode, or capture it again.",
        )
        return error, True
    if damage is not None:
        return damage, False
    error = Damaged(
        f"the file is cut short: at least {missing} bytes are missing at its end",
        "If the capture is still being written, wait for its end; otherwise copy or capture it again.",
    )
    return error, False


def nothing_found(has_metadata_plane: bool) -> Problem:
    """Why a whole capture shows no program."""
    if not has_metadata_plane:
        return Problem(
            "no_metadata_plane",
            "the capture has no programs: it has no metadata plane",
            "Either the profiler's option enable_hlo_proto was off (jax.profiler.ProfileOptions), or no "
            "compiled program ran while it was on, or it is from before 2021. Capture again, or open "
            "an XLA dump of the program.",
        )
    return Problem(
        "no_programs",
        "the capture has no programs: its metadata plane has no HLO",
        "Either no compiled program ran while the profiler was on, or its option enable_hlo_proto was off "
        "(jax.profiler.ProfileOptions). Capture again, or open an XLA dump of the program.",
    )


def _is_reencoded(reader: RangeReader) -> bool:
    """Every byte over 0x7f that was not UTF-8 has become the replacement character."""
    sample = reader.read(0, min(reader.size, _SAMPLE))
    others = sum(byte >= 0x80 for byte in sample) - 3 * sample.count(_REPLACEMENT)
    return sample.count(_REPLACEMENT) > max(8, others)
