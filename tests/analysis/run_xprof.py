"""XProf's answers for every program of captures: `python run_xprof.py ANSWERS.json SPACES RUN_FOLDER...`.

In a process of its own, because XProf ends the process where a module breaks its rules. It writes into the
folders.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

_SUFFIX = ".hlo_proto.pb"


def answers(run: Path, spaces: list[str]) -> dict[str, dict[str, object]]:
    """By program, by memory space; None where XProf does not answer."""
    from xprof.convert import raw_to_tool_data as xprof

    captures = [str(path) for path in sorted(run.glob("*.xplane.pb"))]
    xprof.xspace_to_tool_names(captures)
    found: dict[str, dict[str, object]] = {}
    for program in sorted(path.name.removesuffix(_SUFFIX) for path in run.glob(f"*{_SUFFIX}")):
        found[program] = {}
        for space in spaces:
            parameters = {"module_name": program, "memory_space": space}
            data, _ = xprof.xspace_to_tool_data(captures, "memory_viewer", parameters)
            found[program][space] = json.loads(data) if data else None
    return found


if __name__ == "__main__":
    target, spaces, *runs = sys.argv[1:]
    everything = {run: answers(Path(run), spaces.split(",")) for run in runs}
    Path(target).write_text(json.dumps(everything), encoding="utf-8")
