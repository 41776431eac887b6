"""The passes of a program that trains: forward, backward, and what the backward pass computes once more.

Theory of operation. The loss depends on all weights, so a value made of something that does is made after
it, or on the last steps of the way to it. Those last steps are told from the backward pass by what they
reach: the loss itself, where the program returns it, and all weights. A loop counts as run once (flow.py), so
a loop over layers that completes the set of weights is forward, and the one behind it backward.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_plugin_memviewer.analysis.owners.flow import Flow, bit_counts
from tensorboard_plugin_memviewer.analysis.owners.training import Training
from tensorboard_plugin_memviewer.model.module import Flags, Ints

# A weight's new value, and those of the states that go with it.
_FEW = 2


@dataclass(frozen=True, slots=True)
class Passes:
    """By node of the flow. `recomputed` marks what is made of several values: a slice of what was kept,
    or another form of it, is of one. `few` marks what reaches the new values of few weights, or of all alike
    because their gradients are scaled together.
    """

    backward: Flags
    recomputed: Flags
    few: Flags


def find_passes(flow: Flow, training: Training, nodes: Ints) -> Passes:
    """The pass of every node; `nodes` are the buffers to look at."""
    every = training.all_weights
    complete = training.depends & every == every
    after = np.zeros(len(flow.node), np.bool_)
    after[flow.target[complete[flow.source]]] = True
    toward_loss = training.loss & (training.reach & every == every)
    backward = after & ~toward_loss
    points = flow.point[nodes[backward[flow.node[nodes]]]]
    cut = int(points.min()) if len(points) else int(flow.point.max(initial=0)) + 1
    recomputed = ~after & ~training.loss & (flow.point > cut) & (_sources(flow) > 1)
    counts = bit_counts(training.reach)
    few = (counts <= _FEW) | (counts == len(training.weights))
    return Passes(backward, recomputed, few)


def _sources(flow: Flow) -> Ints:
    """By node the number of reads that it is made of."""
    return np.bincount(flow.target, minlength=len(flow.node))
