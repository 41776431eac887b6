"""What each argument of a program is to it: a parameter, a state, an input. From the graph, never from names.

| argument | category |
| --- | --- |
| a weight that the program trains (training.py), or that reaches most of their new values | parameter |
| read only, in the forward pass and again where what comes of it is passed back to many weights | parameter |
| another that an output replaces, in a program that trains | optimizer state |
| one that an output replaces in part, in a program that does not train | KV cache |
| one that an output replaces as a whole, in a program that does not train | state |
| numbers that are only read, in a program that has a cache or a state, or looks tokens up | parameter |
| the rest | input |
"""

from __future__ import annotations

from tensorboard_plugin_memviewer.analysis.owners.flow import Flow
from tensorboard_plugin_memviewer.analysis.owners.replaced import (
    SMALL_BYTES,
    Arguments,
    dimensions,
    is_number,
)
from tensorboard_plugin_memviewer.analysis.owners.training import Training
from tensorboard_plugin_memviewer.model.module import Module
from tensorboard_plugin_memviewer.vocabulary import categories as category
from tensorboard_plugin_memviewer.vocabulary.categories import Category


def find_roles(
    module: Module, flow: Flow, arguments: Arguments, partly: frozenset[int], training: Training | None
) -> dict[int, Category]:
    """The category of every argument, by row of LogicalBuffers."""
    if training is not None:
        return {one: _while_training(module, flow, arguments, training, one) for one in arguments.arguments}
    return _without_training(module, arguments, partly)


def _while_training(
    module: Module, flow: Flow, arguments: Arguments, training: Training, argument: int
) -> Category:
    reached = int(training.reach[flow.node[argument]]).bit_count()
    common = 2 * reached > len(training.weights)
    numbers = is_number(module, argument) and bool(dimensions(module, argument))
    if argument in training.weights:
        return category.PARAMETER
    if argument in arguments.replaced:
        return (
            category.PARAMETER
            if numbers and common and len(training.weights) > 1
            else category.OPTIMIZER_STATE
        )
    return category.PARAMETER if argument in training.passed_back else category.INPUT


def _without_training(module: Module, arguments: Arguments, partly: frozenset[int]) -> dict[int, Category]:
    kept = {one for one in arguments.replaced if module.buffers.size[one] >= SMALL_BYTES}
    kept &= {*arguments.in_place, *partly}
    looked_up = any(
        not is_number(module, one) and dimensions(module, one) and one not in arguments.replaced
        for one in arguments.arguments
    )
    roles: dict[int, Category] = {}
    for one in arguments.arguments:
        if one in kept:
            roles[one] = category.KV_CACHE if one in partly else category.STATE
        elif is_number(module, one) and one not in arguments.replaced and (kept or looked_up):
            roles[one] = category.PARAMETER
        else:
            roles[one] = category.INPUT
    return roles
