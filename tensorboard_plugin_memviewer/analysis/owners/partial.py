"""Which arguments a program writes a part of: caches, histories, tables with rows set anew.

What replaces such an argument is made by a dynamic-update-slice or scatter. Within a fusion those show by
what is written: apart from the old content it reads far less than it makes.
"""

from __future__ import annotations

from tensorboard_plugin_memviewer.analysis.lifetimes.positions import Positions
from tensorboard_plugin_memviewer.analysis.owners.flow import MOVES, Flow
from tensorboard_plugin_memviewer.analysis.owners.replaced import Arguments
from tensorboard_plugin_memviewer.model.module import Ints, Module

_WRITES_A_PART = ("dynamic-update-slice", "scatter")
# Loops within loops, and copies between them, that are looked through.
_MOST_STEPS = 8
# New content is less than this part of the whole.
_PART = 4
_SCAN = 64


def partly_written(
    module: Module, flow: Flow, positions: Positions, arguments: Arguments, origin: Ints
) -> frozenset[int]:
    """The arguments of which the program writes a part."""
    writers = _Writers(module, flow, positions, origin, arguments)
    return frozenset(
        argument for argument, output in arguments.replaced.items() if writers.writes_a_part(output)
    )


class _Writers:
    def __init__(
        self, module: Module, flow: Flow, positions: Positions, origin: Ints, arguments: Arguments
    ) -> None:
        self._module = module
        self._flow = flow
        self._positions = positions
        self._origin = origin
        self._replaced = arguments.replaced
        meeting = positions.meeting
        row = module.buffers.instruction
        leaves = module.instructions.has_opcode("while")[row[meeting.target]]
        # By the result of a loop what its body returns: it is defined last.
        self._returned: dict[int, int] = {}
        for source, target in zip(
            meeting.source[leaves].tolist(), meeting.target[leaves].tolist(), strict=True
        ):
            known = self._returned.get(target)
            if known is None or flow.point[source] > flow.point[known]:
                self._returned[target] = source

    def writes_a_part(self, output: int) -> bool:
        writer = self._writer(output)
        table, row = self._module.instructions, int(self._module.buffers.instruction[writer])
        opcode = table.opcodes[table.opcode[row]]
        if opcode in _WRITES_A_PART:
            return True
        if opcode != "fusion" or table.fusion_kind.get(row) == "kOutput":
            return False
        return self._new_bytes(row, writer) * _PART < int(self._module.buffers.size[writer])

    def _writer(self, output: int) -> int:
        """The buffer that is made, not moved, behind an output."""
        table, at = self._module.instructions, output
        for _ in range(_MOST_STEPS):
            row = int(self._module.buffers.instruction[at])
            opcode = table.opcodes[table.opcode[row]]
            before = self._returned.get(at) if opcode == "while" else None
            if opcode in MOVES and table.operand_start[row] < table.operand_start[row + 1]:
                before = self._standing(int(table.operands[table.operand_start[row]]))
            if before is None or before == at or before < 0:
                break
            at = before
        return at

    def _new_bytes(self, row: int, writer: int) -> int:
        """The bytes that an instruction reads apart from what its result replaces."""
        buffers, table = self._module.buffers, self._module.instructions
        place = buffers.allocation[writer], buffers.offset[writer]
        new = 0
        operands = table.operands[table.operand_start[row] : table.operand_start[row + 1]]
        for operand in operands[:_SCAN].tolist():
            read = self._standing(operand)
            if read < 0:
                continue
            node = self._flow.node[read]
            old = node >= 0 and int(self._origin[node]) in self._replaced
            if not old and self._is_carried(read):
                old = (buffers.allocation[read], buffers.offset[read]) == place
            if not old:
                new += int(buffers.size[read])
        return new

    def _is_carried(self, buffer: int) -> bool:
        """Whether a loop carries it: its memory is then that of what is put in its place."""
        table, row = self._module.instructions, int(self._module.buffers.instruction[buffer])
        opcode: str = table.opcodes[table.opcode[row]]
        return opcode == "parameter"

    def _standing(self, row: int) -> int:
        return int(self._positions.buffer[self._positions.base[row]]) if self._positions.size[row] else -1
