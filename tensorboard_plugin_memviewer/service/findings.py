"""The findings of a memory space of a module; what was found is kept."""

from __future__ import annotations

from tensorboard_plugin_memviewer.analysis.capacity import Capacity
from tensorboard_plugin_memviewer.analysis.findings import Finding, find_findings
from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.service.cache_sizes import size_of_records
from tensorboard_plugin_memviewer.service.loaded import LoadedModule
from tensorboard_plugin_memviewer.service.service import Service


def findings_of(
    service: Service, loaded: LoadedModule, usage: SpaceUsage, capacity: Capacity
) -> tuple[Finding, ...]:
    """Every finding for a device of this capacity, the most urgent first."""
    key = ("findings", loaded.fingerprint, usage.space, capacity)
    return service.kept(
        key,
        lambda: find_findings(loaded.plan, usage, loaded.readers, capacity),
        lambda found: size_of_records(len(found), sum(len(finding.rows) for finding in found)),
    )
