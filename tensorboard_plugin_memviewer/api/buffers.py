"""Buffers as columns: a table of logical buffers in the Python API."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from tensorboard_plugin_memviewer.analysis.buffer_facts import known_by
from tensorboard_plugin_memviewer.analysis.live_set import metadata_of
from tensorboard_plugin_memviewer.analysis.owners.owner import Owner
from tensorboard_plugin_memviewer.analysis.padding import PaddingExplanation, explain
from tensorboard_plugin_memviewer.analysis.replay import SpanSource
from tensorboard_plugin_memviewer.analysis.scope import parse_scope
from tensorboard_plugin_memviewer.analysis.sources import source_of, stack_of
from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.api.frames import frame_of
from tensorboard_plugin_memviewer.api.notebook import MOST_ROWS, LargestBuffers, buffers_html
from tensorboard_plugin_memviewer.model.module import AllocationType, Ints, StackFrame
from tensorboard_plugin_memviewer.service import LoadedModule
from tensorboard_plugin_memviewer.units import format_bytes
from tensorboard_plugin_memviewer.vocabulary.categories import CATEGORIES, OUTPUT

if TYPE_CHECKING:
    from pandas import DataFrame

Texts = NDArray[np.object_]


@dataclass(frozen=True)
class Buffer:
    """One row of Buffers; see there. None stands where a column has -1 or "". In JSON, `id` is text."""

    row: int
    id: int | None
    instruction: str
    shape_index: str
    opcode: str
    op_name: str
    scope: str
    source: str | None
    owner: Owner
    shape: str
    dtype: str
    bytes: int
    unpadded_bytes: int
    type: str
    aliased: bool
    allocation: int
    offset: int
    start: int
    end: int
    known_by: str
    live_at_peak: bool
    last_read: int | None
    category: str


class Buffers:
    """A table of buffers of one memory space, a row a span of program points in which one is alive.

    Columns are numpy arrays of equal length, sizes in bytes. Indexing by a number gives a Buffer, by a slice,
    a mask or numbers another table.
    """

    def __init__(self, loaded: LoadedModule, usage: SpaceUsage, rows: Ints) -> None:
        self._loaded = loaded
        self._usage = usage
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, key: int) -> Buffer: ...

    @overload
    def __getitem__(self, key: slice | list[int] | NDArray[np.generic]) -> Buffers: ...

    def __getitem__(self, key: int | slice | list[int] | NDArray[np.generic]) -> Buffer | Buffers:
        if isinstance(key, int | np.integer):
            return self._record(int(key))
        return Buffers(self._loaded, self._usage, self._rows[key])

    def __iter__(self) -> Iterator[Buffer]:
        return (self._record(at) for at in range(len(self)))

    @property
    def row(self) -> Ints:
        """The row in the usage's own `buffers`: what findings and comparisons count by."""
        return self._rows

    @cached_property
    def id(self) -> Ints:
        """The compiler's id of the logical buffer; -1 for an allocation that holds none."""
        known = self._buffer >= 0
        ids = np.full(len(self), -1, np.int64)
        ids[known] = self._loaded.module.buffers.ids[self._buffer[known]]
        return ids

    @cached_property
    def instruction(self) -> Texts:
        """The instruction that defines it."""
        names = self._loaded.module.instructions.names
        return _texts(names[row] if row >= 0 else "" for row in self._instruction)

    @cached_property
    def shape_index(self) -> Texts:
        """Which element of that instruction's tuple it is, "{1}"; "" where it is no tuple."""
        index_text = self._loaded.module.buffers.index_text
        return _texts(index_text(row) if row >= 0 else "" for row in self._buffer.tolist())

    @cached_property
    def opcode(self) -> Texts:
        """That instruction's opcode."""
        table = self._loaded.module.instructions
        return _texts(table.opcodes[table.opcode[row]] if row >= 0 else "" for row in self._instruction)

    @cached_property
    def op_name(self) -> Texts:
        """The framework's name of the operation, "" where it gave none."""
        return _texts(self._metadata(lambda metadata: metadata.op_name))

    @cached_property
    def scope(self) -> Texts:
        """The user's scope in that name, `train_step/layer_3/attn`."""
        return _texts(parse_scope(op)[0].scope for op in self.op_name)

    @cached_property
    def source(self) -> Texts:
        """`file:line` of the innermost line outside of libraries; `framework code: file:line` where the stack
        has none, "" where the file has no line at all.
        """
        module = self._loaded.module

        def text(metadata: Any) -> str:
            source = source_of(module, metadata)
            return "" if source is None else source.text()

        return _texts(self._metadata(text))

    @cached_property
    def owner(self) -> NDArray[np.object_]:
        """Whose memory it is: an Owner for each, empty where nothing tells."""
        owners = self._loaded.owners
        column = np.empty(len(self), dtype=object)
        for at, buffer in enumerate(self._buffer.tolist()):
            column[at] = owners.of(buffer)
        return column

    @cached_property
    def shape(self) -> Texts:
        """The shape with its layout, as XLA writes it."""
        return _texts(self._shapes(lambda shape: shape.text()))

    @cached_property
    def dtype(self) -> Texts:
        """The element type, "bf16"."""
        return _texts(self._shapes(lambda shape: shape.type_name))

    @cached_property
    def bytes(self) -> Ints:
        """Bytes as stored, padding included."""
        return self._usage.buffers.size[self._rows]

    @cached_property
    def unpadded_bytes(self) -> Ints:
        """Bytes without padding."""
        return self._usage.buffers.unpadded[self._rows]

    @cached_property
    def type(self) -> Texts:
        """ "Parameter", "Output", "Thread-local", "Constant" or "Temporary"."""
        types = self._loaded.module.allocations.type[self._usage.buffers.allocation[self._rows]]
        return _texts(AllocationType(kind).label for kind in types.tolist())

    @cached_property
    def category(self) -> Texts:
        """What kind of memory it is, by the flow of values: "parameter", "activation" and so on; "output" for
        an allocation that holds no buffer.
        """
        rows = self._loaded.plan.categories.row
        words = [CATEGORIES[row].word for row in rows.tolist()]
        return _texts(words[row] if row >= 0 else OUTPUT.word for row in self._buffer.tolist())

    @cached_property
    def aliased(self) -> NDArray[np.bool_]:
        """Whether it lies in an argument whose memory is used again for an output."""
        return self._loaded.module.allocations.aliased[self._usage.buffers.allocation[self._rows]]

    @cached_property
    def allocation(self) -> Ints:
        """The index of its allocation."""
        return self._loaded.module.allocations.index[self._usage.buffers.allocation[self._rows]]

    @cached_property
    def offset(self) -> Ints:
        """Where in the allocation it lies."""
        return self._usage.buffers.offset[self._rows]

    @cached_property
    def start(self) -> Ints:
        """The first program point at which it is alive."""
        return self._usage.buffers.start[self._rows]

    @cached_property
    def end(self) -> Ints:
        """The program point after the last at which it is alive."""
        return self._usage.buffers.end[self._rows]

    @cached_property
    def known_by(self) -> Texts:
        """How it is known when it lives: "trace", "readers", "allocation" or, where it counts at every point,
        "unknown".
        """
        temporary, sources = self.type == AllocationType.TEMPORARY.label, self._usage.buffers.source
        pairs = zip(temporary.tolist(), sources[self._rows].tolist(), strict=True)
        return _texts(known_by(SpanSource(source), held=not free) for free, source in pairs)

    @cached_property
    def live_at_peak(self) -> NDArray[np.bool_]:
        """Whether it is part of the live set at the peak."""
        peak = self._usage.headline.peak_point
        return self.counts & (self.start <= peak) & (peak < self.end)

    @cached_property
    def counts(self) -> NDArray[np.bool_]:
        """Whether it is part of live sets: others lie in an allocation that one buffer stands for."""
        return self._usage.buffers.represents[self._rows]

    @cached_property
    def last_read(self) -> Ints:
        """The last program point that reads it, which keeps it alive; -1 if none does."""
        readers = self._loaded.readers
        last = [readers.of(b)[-1:].tolist() if b >= 0 else [] for b in self._buffer.tolist()]
        return np.array([points[0] if points else -1 for points in last], np.int64)

    def readers(self, at: int) -> Ints:
        """The program points that read the buffer in row `at` of this table, ascending."""
        buffer = int(self._buffer[at])
        return self._loaded.readers.of(buffer).astype(np.int64) if buffer >= 0 else np.zeros(0, np.int64)

    def stack(self, at: int) -> tuple[StackFrame, ...]:
        """The Python stack that made the buffer in row `at` of this table, innermost frame first."""
        metadata = metadata_of(self._loaded.plan, self._usage, int(self._rows[at]))
        return stack_of(self._loaded.module, metadata)

    def padding(self, at: int) -> PaddingExplanation | None:
        """Why the buffer in row `at` of this table is so large; None if its shape does not explain it."""
        buffer = int(self._buffer[at])
        if buffer < 0:
            return None
        buffers = self._loaded.module.buffers
        return explain(self._loaded.module.shapes[buffers.shape[buffer]], int(buffers.size[buffer]))

    def to_pandas(self) -> DataFrame:
        """A DataFrame of all columns. Raises Unsupported without pandas."""
        return frame_of({field.name: getattr(self, field.name) for field in fields(Buffer)})

    @cached_property
    def _buffer(self) -> NDArray[np.int32]:
        return self._usage.buffers.buffer[self._rows]

    @cached_property
    def _instruction(self) -> list[int]:
        instruction, buffers = self._loaded.module.buffers.instruction, self._buffer.tolist()
        return [int(instruction[buffer]) if buffer >= 0 else -1 for buffer in buffers]

    def _metadata(self, of: Callable[[Any], str]) -> Iterator[str]:
        plan, usage = self._loaded.plan, self._usage
        return (of(metadata_of(plan, usage, row)) for row in self._rows.tolist())

    def _shapes(self, of: Callable[[Any], str]) -> Iterator[str]:
        module = self._loaded.module
        known: dict[int, str] = {-1: ""}
        for buffer in self._buffer.tolist():
            shape = int(module.buffers.shape[buffer]) if buffer >= 0 else -1
            if shape not in known:
                known[shape] = of(module.shapes[shape])
            yield known[shape]

    def _record(self, at: int) -> Buffer:
        values = {field.name: getattr(self, field.name)[at] for field in fields(Buffer)}
        plain = {name: value.item() if hasattr(value, "item") else value for name, value in values.items()}
        for name in ("id", "last_read"):
            plain[name] = None if plain[name] < 0 else plain[name]
        return Buffer(**{**plain, "source": plain["source"] or None})

    def __repr__(self) -> str:
        return f"<memviewer.Buffers: {len(self)} rows>"

    def _repr_html_(self) -> str:
        return buffers_html(largest(self))


def largest(buffers: Buffers) -> LargestBuffers:
    """The largest of a table, as a notebook shows them."""
    shown = buffers[np.argsort(-buffers.bytes, kind="stable")[:MOST_ROWS]]
    return LargestBuffers(
        len(buffers),
        [(format_bytes(b.bytes), b.shape, b.type, b.op_name or b.instruction, b.source or "") for b in shown],
    )


def _texts(values: Iterator[str]) -> Texts:
    """A column of strings; numpy's own string type would pad each to the longest."""
    listed = list(values)
    column = np.empty(len(listed), dtype=object)
    column[:] = listed
    return column
