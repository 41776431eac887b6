"""Which rule a module's compiler has for values of asynchronous computations.

XLA from libtpu 0.0.50 and jaxlib 0.12 on lets such a value begin at the chain's async-start where that comes
later than its own point. A module does not name its compiler; that age shows in other fields only: newer ones
write no comparison_type of a compare, and a dot_config of a dot or convolution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tensorboard_plugin_memviewer.formats import wire
from tensorboard_plugin_memviewer.model.module import Instructions
from tensorboard_plugin_memviewer.protos import memviewer_hlo_pb2 as pb

_PRODUCTS = ("dot", "convolution")


def has_late_async_values(
    data: wire.Buffer, computations: Iterable[tuple[int, int]], instructions: Instructions
) -> bool:
    """Whether values of asynchronous computations begin late; False for a module that has none.

    `computations` are the spans in `data` of all computations, fused ones too.
    """
    if not instructions.has_opcode("async-start").any():
        return False
    compares = 0
    products: list[bool] = []
    for age in _ages(data, computations):
        if age.opcode == "compare":
            if age.comparison_type:
                return False
            compares += 1
        elif age.opcode in _PRODUCTS:
            products.append(age.HasField("dot_config"))
    return bool(compares) or not products or any(products)


def _ages(data: wire.Buffer, computations: Iterable[tuple[int, int]]) -> Iterator[pb.InstructionAge]:
    for start, end in computations:
        whole = bytes(data[start:end])
        if not any(opcode in whole for opcode in (b"compare", b"dot", b"convolution")):
            continue
        for instruction in pb.Computation.FromString(whole).instructions:
            yield pb.InstructionAge.FromString(instruction)
