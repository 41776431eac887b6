"""The facts of a buffer as columns of tables and CSV files."""

from __future__ import annotations

from typing import Final, NamedTuple


class BufferColumn(NamedTuple):
    """A column's `key` in files, its `word` at the head of a table and what it holds."""

    key: str
    word: str
    help: str


BUFFER_COLUMNS: Final = {
    column.key: column
    for column in (
        BufferColumn("name", "Buffer", "Defining instruction, with the index of a tuple element."),
        BufferColumn("bytes", "Size", "As stored, tiles and padding included."),
        BufferColumn("unpadded_bytes", "Unpadded", "What the elements need."),
        BufferColumn("padding_bytes", "Padding", "Stored beyond what the elements need."),
        BufferColumn("factor", "Factor", "Stored size divided by the size of the elements."),
        BufferColumn("source", "Source", "Innermost line of your code."),
        BufferColumn(
            "op_name",
            "Framework op",
            "The framework's name for the operation, with the scopes of your code, outermost first.",
        ),
        BufferColumn("shape", "Shape", "Type, dimensions and layout, as XLA writes them."),
        BufferColumn("dtype", "Data type", "Type of the elements."),
        BufferColumn("type", "Allocation", "Every type except Temporary is held for the whole program."),
        BufferColumn("opcode", "Opcode", "Operation of the instruction."),
        BufferColumn("start", "From", "Program point that allocates the buffer."),
        BufferColumn("end", "Until", "Last program point at which the buffer is alive."),
        BufferColumn("points", "Points", "Number of program points at which the buffer is alive."),
        BufferColumn(
            "last_read",
            "Last read",
            "Last program point that reads the buffer's memory, including under its other names in and after "
            "loops and branches.",
        ),
        BufferColumn("readers", "Readers", "Number of program points whose instruction reads the buffer."),
        BufferColumn(
            "known_by",
            "Life known by",
            "Source of From and Until: the compiler's trace, the readers in the schedule, or the allocation, "
            "which is held for the whole run.",
        ),
        BufferColumn("allocation", "Alloc. no.", "Number of its allocation."),
        BufferColumn("offset", "Address", "Its first byte in its allocation."),
        BufferColumn("aliased", "Aliased", "Whether an output reuses its memory."),
        BufferColumn("id", "Id", "Number of the logical buffer."),
    )
}

KNOWN_BY: Final = {"traced": "trace", "inferred": "readers", "unknown": "unknown", "indefinite": "allocation"}
"""The values of *Life known by*, by what the page calls a lifetime."""
