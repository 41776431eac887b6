"""Tables of a module of whose instructions little more than the names is known: text reports, saved results.

They have no operands and no schedule, and all lie in one computation without a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tensorboard_plugin_memviewer.model.module import Computations, Instructions


def named_instructions(
    names: Iterable[str],
    shape: Sequence[int],
    opcode: Sequence[str] | None = None,
    metadata: Sequence[int] | None = None,
) -> Instructions:
    """One row a name; the other columns are of equal length.

    `shape` and `metadata` hold rows of the module's tables, `opcode` opcodes themselves; None: it has none.
    """
    all_names = tuple(names)
    count = len(all_names)
    opcodes = {"": 0}
    empty = np.zeros(0, np.int32)
    return Instructions(
        ids=np.arange(count, dtype=np.int64),
        names=all_names,
        opcode=np.array([opcodes.setdefault(one, len(opcodes)) for one in opcode or [""] * count], np.int32),
        opcodes=tuple(opcodes),
        shape=np.array(shape, np.int32),
        metadata=np.array(metadata or [0] * count, np.int32),
        computation=np.zeros(count, np.int32),
        operand_start=np.zeros(count + 1, np.int32),
        operands=empty,
        called_start=np.zeros(count + 1, np.int32),
        called=empty,
        parameter_number=np.zeros(count, np.int64),
        tuple_index=np.zeros(count, np.int64),
        fusion_kind={},
        custom_call_target={},
    )


def one_computation(instruction_count: int) -> Computations:
    """The one computation that holds all instructions, without a name or a schedule."""
    return Computations((0,), ("",), (0, instruction_count), (-1,), (None,))
