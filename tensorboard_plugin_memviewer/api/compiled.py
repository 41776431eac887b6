"""`memviewer.from_compiled` and `from_lowered`: the memory plan of a JAX program in this process."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tensorboard_plugin_memviewer.analysis.capacity import Capacity, capacity_of
from tensorboard_plugin_memviewer.api.logdir import Logdir
from tensorboard_plugin_memviewer.api.module import Module, Origin
from tensorboard_plugin_memviewer.api.oom import dump_options, keep_error
from tensorboard_plugin_memviewer.errors import BadParameter, NotFound, Unsupported
from tensorboard_plugin_memviewer.model.device import DeviceFacts
from tensorboard_plugin_memviewer.service import LoadedModule, Service
from tensorboard_plugin_memviewer.service.live import (
    MemorySums,
    from_assignment,
    from_capture,
    from_sums,
)
from tensorboard_plugin_memviewer.service.service import Digest

if TYPE_CHECKING:
    from jax.stages import Compiled, Lowered


def from_compiled(compiled: Compiled) -> Module:
    """The module of `jax.jit(f).lower(…).compile()`.

    Asks the profiler first, which tells all of a live program (on CPU always); where it does not know this
    one, the compiled object itself, which may lack lifetimes or even buffers: `problems` says so. What
    `from_lowered` gives is whole on every platform.

    Raises BadParameter for another kind of object, Unsupported where it has no HLO.
    """
    module = _hlo_module(compiled)
    devices = _devices(compiled)
    loaded = _from_profiler(module, devices) or _from_itself(compiled, module, devices)
    facts = [_facts(device) for device in devices]
    return _module(loaded, lambda space: capacity_of(facts, space))


def from_lowered(lowered: Lowered, compiler_options: dict[str, Any] | None = None) -> Module:
    """The module of `jax.jit(f).lower(…)`, compiled here with a dump that is read and thrown away.

    Works on every platform, ahead of time too, and for a program that the compiler refuses because it does
    not fit. `compiler_options` go to the compiler. Raises BadParameter for another kind of object; what else
    the compiler raises goes through.
    """
    if not hasattr(lowered, "compile"):
        raise BadParameter(
            f"{type(lowered).__name__} is not a lowered program", "Pass the result of jax.jit(f).lower(…)."
        )
    with tempfile.TemporaryDirectory(prefix="memviewer-") as folder:
        devices: Sequence[Any] = ()
        try:
            devices = _devices(lowered.compile({**(compiler_options or {}), **dump_options(folder)}))
        except Exception as error:
            if not keep_error(error, folder):
                raise
        dumped = Logdir(Service(folder)).modules
        if not dumped:
            raise NotFound(
                "the compiler wrote no dump: it took the program from its persistent cache",
                "Disable the cache (jax_enable_compilation_cache) and compile again.",
            )
        module = dumped[0]
        loaded = module._loaded
        facts = [_facts(device) for device in devices]
        known = {space: module._origin.capacity(space) for space in loaded.plan.spaces}
    return _module(loaded, lambda space: known[space] if known[space].bytes else capacity_of(facts, space))


def _module(loaded: LoadedModule, capacity: Callable[[int], Capacity]) -> Module:
    digest = Digest.of(loaded)
    return Module(Origin(digest.name, digest, None, (), loaded.fingerprint, None, lambda: loaded, capacity))


def _hlo_module(compiled: Compiled) -> bytes:
    runtime = getattr(compiled, "runtime_executable", None)
    if runtime is None:
        raise BadParameter(
            f"{type(compiled).__name__} is not a compiled program",
            "Pass the result of jax.jit(f).lower(…).compile().",
        )
    executable = runtime()
    modules = executable.hlo_modules() if executable is not None else []
    if not modules:
        raise Unsupported(
            "the compiled program does not provide its HLO", "Use memviewer.from_lowered instead."
        )
    content: bytes = modules[0].as_serialized_hlo_module_proto()
    return content


def _from_profiler(module: bytes, devices: Sequence[Any]) -> LoadedModule | None:
    """The content of an empty capture: the runtime puts every live program in."""
    if not any(hasattr(device, "client") and device.client is not None for device in devices):
        return None  # Compiled ahead of time: no runtime has it.
    import jax.profiler  # noqa: PLC0415 - only who has a compiled program has jax

    with tempfile.TemporaryDirectory(prefix="memviewer-") as folder:
        try:
            jax.profiler.start_trace(folder)
        except RuntimeError:
            return None  # A profile is being taken.
        jax.profiler.stop_trace()
        return from_capture(folder, module)


def _from_itself(compiled: Compiled, module: bytes, devices: Sequence[Any]) -> LoadedModule:
    statistics = compiled.memory_analysis()
    if statistics is None:
        raise Unsupported("the runtime has no memory statistics", "Use memviewer.from_lowered instead.")
    platform = _platform(devices)
    assignment = getattr(statistics, "serialized_buffer_assignment_proto", b"")
    if assignment:
        return from_assignment(module, assignment, platform)
    return from_sums(module, _sums(statistics, ""), _sums(statistics, "host_"), platform)


def _sums(statistics: Any, prefix: str) -> MemorySums:
    def of(name: str) -> int:
        return int(getattr(statistics, f"{prefix}{name}_size_in_bytes", 0))

    return MemorySums(of("argument"), of("output"), of("alias"), of("temp"))


def _devices(compiled: Compiled) -> list[Any]:
    """The devices that the program is for: real ones, or descriptions where it was compiled ahead of time."""
    import jax  # noqa: PLC0415

    shardings = jax.tree.leaves((compiled.input_shardings, compiled.output_shardings))
    found = {device for sharding in shardings for device in getattr(sharding, "device_set", ())}
    return sorted(found, key=lambda device: int(device.id))


def _platform(devices: Sequence[Any]) -> str | None:
    names = {"cpu": "cpu", "gpu": "gpu", "cuda": "gpu", "rocm": "gpu", "tpu": "tpu"}
    return next((names[device.platform] for device in devices if device.platform in names), None)


def _facts(device: Any) -> DeviceFacts:
    """Facts about a device. Only a GPU's runtime reports how much memory it has for programs."""
    memory = None
    if _platform([device]) == "gpu":
        statistics = device.memory_stats() or {}
        memory = statistics.get("bytes_limit")
    return DeviceFacts(str(device), device.device_kind, memory)
