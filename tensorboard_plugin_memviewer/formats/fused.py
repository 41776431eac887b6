"""Serialized fused computations → what makes each array of a fusion's result.

A walk from the root through what only moves data. Instructions are parsed from the end of the computation, no
more of them than the walk meets: most fusions end in an operation that computes, under the fusion's own name.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from tensorboard_plugin_memviewer.formats.instructions import decode_metadata
from tensorboard_plugin_memviewer.model.fused import Fused, FusedEnd, FusedEnds, Making
from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as pb

_MOVES: Final = frozenset(
    {
        *("bitcast", "bitcast-convert", "reshape", "copy", "transpose", "convert", "get-tuple-element"),
        *("optimization-barrier", "all-gather", "pad", "reverse"),
    }
)
_SLICES: Final = frozenset({"dynamic-slice", "slice"})
_REPEATS: Final = _MOVES | {"broadcast"}
_FILLS: Final = frozenset({"constant", "iota", "rng-bit-generator", "partition-id", "replica-id"})
_UPDATE: Final = "dynamic-update-slice"
_MIXES: Final = frozenset(
    {*("dot", "convolution", "reduce", "reduce-window", "scatter", "gather", "sort"), "custom-call", "map"}
)
_COLLECTIVES: Final = ("all-gather", "reduce-scatter", "all-reduce", "all-to-all", "collective-permute")
# As an opcode is written on the wire.
_WRITTEN_MIXES: Final = tuple(b"\x12" + bytes([len(name)]) + name.encode() for name in _MIXES)
_WRITTEN_COLLECTIVES: Final = tuple(
    (name, b"\x12" + bytes([len(name)]) + name.encode()) for name in _COLLECTIVES
)
# The usual ends, which nothing has to be known of.
_COMPUTING_ROOTS: Final = frozenset(name.encode() for name in _MIXES if name != "custom-call")
_NAME_TAG: Final = 0x0A
_OPCODE_TAG: Final = b"\x12"
# What a broadcast that fills an array repeats.
_REPEATED: Final = ("constant", "parameter")
# The operands of an update that have to be there: the array, and what is stored.
_WITH_STORED: Final = 2
# How many instructions inside are looked at for the name of an unnamed one.
_MOST_NEAR: Final = 64
# A damaged file may have a chain that goes round.
_LONGEST_WALK: Final = 1000


class FusedTable:
    """The insides of fused computations, collected while a module is decoded."""

    def __init__(self) -> None:
        self._metadata: dict[bytes, int] = {}
        self._of: dict[int, Fused] = {}

    def add(self, computation: pb.Computation, whole: bytes) -> None:
        """Looks into a fused computation; `whole` are its bytes."""
        if not computation.instructions or _opcode(computation.instructions[-1]) in _COMPUTING_ROOTS:
            return
        body = _Body(computation.instructions)
        root = body.of(computation.root_id)
        if root is None:
            return
        if root.opcode == "tuple":
            ends = tuple(self._end(body, body.of(operand)) for operand in root.operand_ids)
        else:
            ends = (self._end(body, root),)
        mixes = any(written in whole for written in _WRITTEN_MIXES)
        collective = next((name for name, written in _WRITTEN_COLLECTIVES if written in whole), "")
        self._of[computation.id] = Fused(ends, mixes, collective)

    def finish(self, called: dict[int, int], frame_count: int) -> FusedEnds:
        """The insides by row of the instruction; `called` maps rows of fusions to ids of what they run."""
        of = {row: self._of[computation] for row, computation in called.items() if computation in self._of}
        return FusedEnds(of, tuple(decode_metadata(written, frame_count) for written in self._metadata))

    def _end(self, body: _Body, root: pb.Instruction | None) -> FusedEnd:
        update = None if root is None else body.through(root, _MOVES)
        if update is None or update.opcode != _UPDATE or len(update.operand_ids) < _WITH_STORED:
            return self._made(body, root)
        into = body.parameter_behind(update.operand_ids[0], _MOVES | _SLICES)
        stored = self._made(body, body.of(update.operand_ids[1]))
        return stored._replace(update=self._row(update), into=into)

    def _made(self, body: _Body, value: pb.Instruction | None) -> FusedEnd:
        """What makes a value; an array that a part is stored into is still that array."""
        named = -1
        at = value
        for _ in range(_LONGEST_WALK):
            if at is None:
                break
            if at.opcode not in _MOVES and at.opcode != _UPDATE:
                return self._maker(body, at, named)
            named = self._row(at) if named < 0 else named
            at = next((body.of(operand) for operand in at.operand_ids), None)
        return FusedEnd(Making.COMPUTES, named, -1)

    def _maker(self, body: _Body, at: pb.Instruction, named: int) -> FusedEnd:
        """The end that an instruction is which does not only move; `named` is what moves its value on."""
        if at.opcode == "parameter":
            return FusedEnd(Making.MOVES, named, at.parameter_number)
        source = body.behind(at.operand_ids[0], _REPEATS) if at.operand_ids else None
        if at.opcode in _FILLS or (
            at.opcode == "broadcast" and source is not None and source.opcode in _REPEATED
        ):
            number = source.parameter_number if source is not None and source.opcode == "parameter" else -1
            return FusedEnd(Making.FILLS, self._row(at), number)
        if at.opcode in _SLICES and source is not None and source.opcode == "parameter":
            return FusedEnd(Making.SLICES, self._row(at), source.parameter_number)
        return FusedEnd(Making.COMPUTES, self._row(at) if at.metadata else self._first_named(body, at), -1)

    def _first_named(self, body: _Body, unnamed: pb.Instruction) -> int:
        """The nearest operation with a name that an unnamed one computes from, -1 for none near."""
        pending = list(unnamed.operand_ids)
        seen = set(pending)
        for key in islice(pending, _MOST_NEAR):
            at = body.of(key)
            if at is None or at.opcode == "parameter" or at.opcode in _FILLS:
                continue
            if at.metadata and at.opcode not in _REPEATS and at.opcode not in _SLICES:
                return self._row(at)
            pending += [operand for operand in at.operand_ids if operand not in seen]
            seen.update(at.operand_ids)
        return -1

    def _row(self, instruction: pb.Instruction) -> int:
        written = instruction.metadata
        return self._metadata.setdefault(written, len(self._metadata)) if written else -1


def _opcode(instruction: bytes) -> bytes:
    """The opcode of a serialized instruction without parsing it, b"" where it is not written as usual: right
    behind a name of fewer than 128 bytes.
    """
    if len(instruction) > 3 and instruction[0] == _NAME_TAG and instruction[1] < 0x80:
        at = 2 + instruction[1]
        if instruction[at : at + 1] == _OPCODE_TAG:
            return instruction[at + 2 : at + 2 + instruction[at + 1]]
    return b""


class _Body:
    """Instructions of one computation by id, parsed from the last on as they are asked for."""

    def __init__(self, written: Sequence[bytes]) -> None:
        self._written = written
        self._left = len(written)
        self._known: dict[int, pb.Instruction] = {}

    def of(self, key: int) -> pb.Instruction | None:
        """The instruction with an id, None where the computation lacks it."""
        found = self._known.get(key)
        while found is None and self._left:
            self._left -= 1
            parsed = pb.Instruction.FromString(self._written[self._left])
            self._known[parsed.id] = parsed
            found = parsed if parsed.id == key else None
        return found

    def behind(self, key: int, through: frozenset[str]) -> pb.Instruction | None:
        """The instruction that an operand comes from, looking through these opcodes."""
        at = self.of(key)
        return None if at is None else self.through(at, through)

    def through(self, start: pb.Instruction, through: frozenset[str]) -> pb.Instruction | None:
        """The instruction that a value comes from, looking through these opcodes."""
        at: pb.Instruction | None = start
        for _ in range(_LONGEST_WALK):
            if at is None or at.opcode not in through or not at.operand_ids:
                break
            at = self.of(at.operand_ids[0])
        return at

    def parameter_behind(self, key: int, through: frozenset[str]) -> int | None:
        """The number of the parameter that an operand comes from, None where it is computed."""
        found = self.behind(key, through)
        return found.parameter_number if found is not None and found.opcode == "parameter" else None
