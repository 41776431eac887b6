"""Which module is shown and how near to the limit it is, in one line."""

from __future__ import annotations

from tensorboard_plugin_memviewer.cli.safe_text import safe_markdown
from tensorboard_plugin_memviewer.cli.selection import Chosen
from tensorboard_plugin_memviewer.cli.terminal import styled
from tensorboard_plugin_memviewer.model.space import space_name
from tensorboard_plugin_memviewer.units import format_bytes, format_share
from tensorboard_plugin_memviewer.visible import visible


def headline_line(chosen: Chosen, kind: str) -> str:
    """`run · module · HBM: required 12.00 GiB, 76 % of 15.75 GiB`."""
    names = [chosen.run, chosen.program.key, space_name(chosen.usage.space)]
    required = chosen.usage.headline.required_bytes
    capacity = chosen.service.capacity(chosen.program, chosen.usage.space).bytes
    needed = f"required {format_bytes(required)}{_against(required, capacity)}"
    if kind == "markdown":
        return f"# {' · '.join(map(safe_markdown, names))}\n\n{needed[0].upper()}{needed[1:]}."
    over = capacity is not None and required > capacity
    return styled(f"{' · '.join(map(visible, names))}: {needed}", "red" if over else "bold")


def _against(required: int, capacity: int | None) -> str:
    if capacity is None:
        return ""
    if required > capacity:
        return f", {format_bytes(required - capacity)} over {format_bytes(capacity)}"
    return f", {format_share(required, capacity)} of {format_bytes(capacity)}"
