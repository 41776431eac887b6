"""Two memory spaces of modules of one logdir, one against the other; what was found is kept."""

from __future__ import annotations

from tensorboard_plugin_memviewer.analysis.compare import Comparison, compare
from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.service.cache_sizes import size_of_records
from tensorboard_plugin_memviewer.service.loaded import LoadedModule
from tensorboard_plugin_memviewer.service.service import Service

Side = tuple[LoadedModule, SpaceUsage]


def compared(service: Service, subject: Side, baseline: Side) -> Comparison:
    """The subject against the baseline."""
    key = ("compare", *((loaded.fingerprint, usage.space) for loaded, usage in (subject, baseline)))
    (plan, usage), other = ((loaded.plan, usage) for loaded, usage in (subject, baseline))
    return service.kept(
        key, lambda: compare((plan, usage), other), lambda made: size_of_records(len(made.changes))
    )
