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
        BufferColumn("factor", "Factor", "How many times as large as its elements the buffer is."),
        BufferColumn("source", "Source", "Innermost line of your code."),
        BufferColumn(
            "op_name",
            "Framework op",
            "Name that the framework gave the operation: scopes of your code, outermost first.",
        ),
        BufferColumn("shape", "Shape", "Type, dimensions and layout, as XLA writes them."),
        BufferColumn("dtype", "Data type", "Type of the elements."),
        BufferColumn("type", "Allocation", "Every type except Temporary is held for the whole program."),
        BufferColumn("opcode", "Opcode", "Operation of the instruction."),
        BufferColumn("start", "From", "Program point that allocates the buffer."),
        BufferColumn("end", "Until", "Last program point at which it is alive."),
        BufferColumn("points", "Points", "How many program points it lives."),
        BufferColumn(
            "last_read",
            "Last read",
            "Last program point that reads it, also where its memory goes on: in a loop or branch, after it, "
            "in the next pass.",
        ),
        BufferColumn(
            "readers", "Readers", "How many readers it has: program points whose instruction reads it."
        ),
        BufferColumn(
            "known_by",
            "Life known by",
            "Where From and Until come from: the compiler's trace, its readers in the schedule, or its "
            "allocation, which is held for the whole run.",
        ),
        BufferColumn("allocation", "Alloc. no.", "Number of its allocation."),
        BufferColumn("offset", "Address", "Its first byte in its allocation."),
        BufferColumn("aliased", "Aliased", "Whether an output reuses its memory."),
        BufferColumn("id", "Id", "Number of the logical buffer."),
    )
}

KNOWN_BY: Final = {"traced": "trace", "inferred": "readers", "unknown": "unknown", "indefinite": "allocation"}
"""The values of *Life known by*, by what the page calls a lifetime."""
