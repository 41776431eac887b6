"""The part of a `usage` answer that says which groups each buffer is in, by every grouping there is.

The page adds up the bytes of the rows that it shows; it works out no group by itself.
"""

from __future__ import annotations

import numpy as np

from tensorboard_plugin_memviewer.analysis.grouping.groups import Grouping
from tensorboard_plugin_memviewer.analysis.usage import SpaceUsage
from tensorboard_plugin_memviewer.service import LoadedModule
from tensorboard_plugin_memviewer.vocabulary.groupings import GROUPINGS
from tensorboard_plugin_memviewer.wire.columns import column
from tensorboard_plugin_memviewer.wire.module_payload import Json, ModulePayload, Table


def groupings_payload(loaded: LoadedModule, usage: SpaceUsage, shared: ModulePayload) -> Json:
    """The groupings, each with the path of every row of the answer's buffers."""
    scopes = {scope: row for row, scope in enumerate(shared.fields["strings"]["scopes"])}
    return {
        "groupings": [
            {"by": by, "word": grouping.word, **_tree(loaded.grouping(usage.space, by), scopes)}
            for by, grouping in GROUPINGS.items()
        ]
    }


def _tree(grouping: Grouping, scopes: dict[str, int]) -> Json:
    """Names as a prefix tree, whose node 0 is the root; by path the scope before it and the node; by row the
    path. Most names of a large program are in its scopes, which the answer has already.
    """
    labels, nodes = Table(""), Table((0, 0))

    def grow(names: tuple[str, ...]) -> int:
        node = 0
        for name in names:
            node = nodes.row((node, labels.row(name)))
        return node

    # Scopes that no buffer has may be missing from the answer.
    sent = np.array([*(scopes.get(scope, 0) for scope in grouping.scopes), 0], np.int64)
    path_node = np.array([grow(found.names) for found in grouping.names], np.int64)
    return {
        "labels": labels.values,
        "parent": column([parent for parent, _ in nodes.values]),
        "label": column([label for _, label in nodes.values]),
        "path_scope": column(sent[grouping.scope]),
        "path_node": column(path_node[grouping.below]),
        "path": column(grouping.code),
    }
