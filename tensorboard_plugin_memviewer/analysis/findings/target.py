"""Which kind of device a program was compiled for, as far as its instructions show.

Advice about types and recomputation holds on TPU and GPU; XLA's compiler for CPU plans differently.
"""

from __future__ import annotations

from tensorboard_plugin_memviewer.model.module import Module

_GPU_NAMES = ("gemm_fusion", "input_", "loop_", "triton_")
_GPU_CALLS = ("__cublas", "__cudnn", "__triton")


def is_for_accelerator(module: Module) -> bool:
    """Whether a program is known to run on a TPU or GPU. A bare file of a GPU does not name its platform,
    but XLA names fusions and library calls after what they become there.
    """
    if module.platform is not None:
        return module.platform != "cpu"
    table = module.instructions
    return (
        "kInput" in table.fusion_kind.values()
        or any(name.startswith(_GPU_NAMES) for name in table.names)
        or any(target.startswith(_GPU_CALLS) for target in table.custom_call_target.values())
    )
