"""Whether a module is a kernel that the TPU compiler cut out of another program, by what is in it.

From libtpu 0.0.51 on, each SparseCore kernel of a program is compiled and dumped as a module of its own, with
a plan of what the program's own plan has already. Its entry does nothing but call computations of another
execution thread, or the module is configured for a SparseCore.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from google.protobuf.message import DecodeError

from tensorboard_plugin_memviewer.errors import Damaged
from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.formats.hlo_text import parse_module
from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as pb

_HLO_MODULE, _COMPUTATION, _ENTRY_ID, _CONFIG = 1, 3, 6, 25
_THREAD: Final = 8
_SPARSE_CORE: Final = b"sparse_core_config"
_MAIN: Final = ("", "main")
_CALLS: Final = frozenset(("call", "async-start"))
_HANDS_ON: Final = frozenset(
    ("parameter", "async-update", "async-done", "tuple", "get-tuple-element", "bitcast")
)


def is_kernel(data: bytes) -> bool:
    """Whether a serialized HloProto holds no more than a kernel of another program."""
    try:
        return _is_kernel(data)
    except (Damaged, DecodeError):
        return False


def is_kernel_text(text: str) -> bool:
    """The same for a module's text."""
    module = parse_module(text)
    if module is None or module.entry is None:
        return False
    threads = [one.thread for one in module.computations if not one.is_entry]
    return _runs_elsewhere({one.opcode for one in module.entry.instructions}, threads)


def _runs_elsewhere(entry: set[str], threads: Iterable[str]) -> bool:
    """`entry` has the opcodes of the entry, `threads` the execution threads of all other computations."""
    only_calls = bool(entry & _CALLS) and entry <= _CALLS | _HANDS_ON
    return only_calls and all(thread not in _MAIN for thread in threads)


def _is_kernel(data: bytes) -> bool:
    tops = {number: (a, b) for number, kind, a, b in wire.fields(data) if kind == wire.BYTES}
    if _HLO_MODULE not in tops:
        return False
    entry_id: int | None = None
    found: dict[int, tuple[str, pb.Computation]] = {}
    for number, kind, start, end in wire.fields(data, *tops[_HLO_MODULE]):
        if number == _ENTRY_ID and kind == wire.VARINT:
            entry_id = wire.signed(start)
        elif number == _CONFIG and kind == wire.BYTES and _SPARSE_CORE in data[start:end]:
            return True
        elif number == _COMPUTATION and kind == wire.BYTES:
            computation = pb.Computation.FromString(data[start:end])
            found[computation.id] = _thread(data, start, end), computation
    if entry_id not in found:
        return False
    _, entry = found.pop(entry_id)
    opcodes = {pb.Instruction.FromString(one).opcode for one in entry.instructions}
    return _runs_elsewhere(opcodes, (thread for thread, one in found.values() if not one.is_fusion))


def _thread(data: bytes, start: int, end: int) -> str:
    for number, kind, a, b in wire.fields(data, start, end):
        if number == _THREAD and kind == wire.BYTES:
            return wire.text(data, a, b)
    return ""
