"""The headline numbers of a memory space. analysis/usage.py computes them; docs/numbers.md has this table."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Number(NamedTuple):
    """One number: `key` names it in JSON and Python, `word` for people, and `sentence` explains it.

    `more_is_better` marks the number that costs nothing.
    """

    key: str
    word: str
    sentence: str
    unit: Literal["bytes", "point"] = "bytes"
    more_is_better: bool = False


HEADLINE = {
    number.key: number
    for number in (
        Number(
            "peak_bytes",
            "Peak usage",
            "The most memory in use at any program point. Shows what dominates; the required amount is "
            "larger.",
        ),
        Number("peak_point", "Peak point", "The first program point that reaches the peak.", "point"),
        Number(
            "required_bytes",
            "Required",
            "Allocated plus the largest scoped memory: the memory that the device must have. The capacity is "
            "compared with this, never with the peak.",
        ),
        Number(
            "capacity_bytes",
            "Capacity",
            "The size of the memory space on the device; absent if unknown.",
        ),
        Number(
            "allocated_bytes",
            "Allocated",
            "Sizes of the allocations: what XLA reserves. With thread-local memory it is “Total bytes” in "
            "XLA's own memory-usage report.",
        ),
        Number(
            "argument_bytes",
            "Arguments",
            "Inputs of the program: sizes of the Parameter allocations. Held for the whole run.",
        ),
        Number(
            "output_bytes",
            "Outputs",
            "Results that do not reuse an argument's memory: sizes of the Output allocations. Held for the "
            "whole run.",
        ),
        Number(
            "constant_bytes",
            "Constants",
            "Arrays that are part of the program: sizes of the Constant allocations.",
        ),
        Number(
            "temporary_bytes",
            "Temporaries",
            "Reserved for intermediate values: sizes of the Temporary allocations. Arguments, outputs, "
            "constants and temporaries sum to the allocated bytes exactly.",
        ),
        Number(
            "temporary_peak_bytes",
            "Temporaries at their peak",
            "The most memory that intermediate values occupy at once: the largest union of their addresses.",
        ),
        Number(
            "fragmentation_bytes",
            "Fragmentation",
            "Reserved for temporaries, but not in use even at their peak: gaps in the address space.",
        ),
        Number(
            "thread_local_bytes",
            "Thread-local",
            "Sizes of the Thread-local allocations, inside kernels and host calls. Counted in no other "
            "number.",
        ),
        Number("indefinite_bytes", "Held for the whole run", "Arguments, outputs and constants together."),
        Number(
            "untraced_bytes",
            "Not in the heap trace",
            "The most memory held at once by buffers that no heap trace lists.",
        ),
        Number(
            "aliased_bytes",
            "Aliased",
            "The part of the arguments whose memory is reused for an output, as donation does.",
            more_is_better=True,
        ),
        Number("unpadded_at_peak_bytes", "Peak without padding", "Usage at the peak without padding."),
        Number(
            "padding_bytes",
            "Padding at peak",
            "Bytes of the peak that hold no data, because the layout's tiles round dimensions up. Includes "
            "arguments.",
        ),
        Number(
            "scoped_at_peak_bytes",
            "Scoped at peak",
            "Scoped memory of the instruction at the peak point.",
        ),
        Number(
            "max_scoped_bytes",
            "Largest scoped",
            "The most memory that a single instruction reserves while it runs, at any point.",
        ),
    )
}
