"""The findings of a memory space of a module in a logdir, with what is known of the device."""

from __future__ import annotations

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.findings import Finding, find_findings
from tensorboard_plugin_memviewer.service.cache_sizes import size_of_records
from tensorboard_plugin_memviewer.service.service import Service


def findings_of(
    service: Service, names: tuple[str, str | None, str], space: str, capacity: int | None = None
) -> tuple[Finding, ...]:
    """Every finding, the most urgent first. `names` are run, host and module; `capacity`, in bytes, goes
    before what is known of the device.

    Raises NotFound, Damaged, Unsupported.
    """
    program, loaded, usage = service.usage(*names, space)
    given = None if capacity is None else Capacity(capacity, "given by the user")
    known = given or service.capacity(program, usage.space)
    key = ("findings", loaded.fingerprint, usage.space, known)
    return service.kept(
        key,
        lambda: find_findings(loaded.plan, usage, loaded.readers, known),
        lambda found: size_of_records(len(found), sum(len(finding.rows) for finding in found)),
    )
