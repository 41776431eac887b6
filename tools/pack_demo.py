"""Makes the packed captures of the demo from the compiled modules in tests/data; `--check` only compares.

A packed capture is an XSpace as jax.profiler writes it, with its programs, what its device plane says of the
device's memory, and no trace.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from tools.wire_writer import message

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
DEMO = ROOT / "tensorboard_plugin_memviewer" / "demo"

# Run, host, and the modules of tests/data/modules that the capture holds.
CAPTURES = {
    ("tpu_v5e_transformer", "host0"): ("v5e_tf_scan", "v5e_tf_remat"),
    ("tpu_v5e_kernels", "host0"): ("v5e_pallas_smem", "v5e_while_cond", "v5e_padding", "v5e_host_optstate"),
    ("tpu_v4_cmem", "host0"): ("v4_mlp",),
    ("tpu_v7x_sparsecore", "host0"): ("v7x_sc_gather", "v7x_mlp"),
    ("gpu_h100", "gpu-node-0"): ("h100_tf_scan", "h100_mlp"),
}

# Plane and stat that tell a device's memory in a capture by jax.profiler: of a TPU the type as libtpu spells
# it, of a GPU the bytes, here as XLA describes the H100 that the programs are compiled for.
DEVICES: dict[str, tuple[str, str, str | int]] = {
    "tpu_v5e_transformer": ("/device:TPU:0", "device_type_string", "TPU v5 Lite"),
    "tpu_v5e_kernels": ("/device:TPU:0", "device_type_string", "TPU v5 Lite"),
    "tpu_v4_cmem": ("/device:TPU:0", "device_type_string", "TPU v4"),
    "tpu_v7x_sparsecore": ("/device:TPU:0", "device_type_string", "TPU v7x"),
    "gpu_h100": ("/device:GPU:0", "memory_size", 84_942_979_072),
}

_HLO_PROTO, _PROGRAM_ID, _JAX, _JAXLIB = 1, 2, 3, 4
_STATS = {_HLO_PROTO: "Hlo Proto", _PROGRAM_ID: "program_id", _JAX: "jax_version", _JAXLIB: "jaxlib_version"}
_VERSION = "0.10.2"


def program_names() -> dict[str, str]:
    """Name of each program in a capture, `module(program id)`, by module file."""
    expected = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
    return {module: name for name, module in expected["names_in_demo"].items()}


def event_metadata(key: int, name: str, hlo_proto: bytes) -> bytes:
    """A program as an entry of the metadata plane's map."""
    program_id = int(name[name.rindex("(") + 1 : -1])
    hlo = message((1, _HLO_PROTO), (6, hlo_proto))
    number = message((1, _PROGRAM_ID), (3, program_id))
    return message((1, key), (2, message((1, key), (2, name), (4, name), (5, hlo), (5, number))))


def metadata_plane(programs: Iterable[tuple[str, bytes]]) -> bytes:
    """The plane that holds the programs, given as (name, bytes of its HloProto)."""
    entries = [(4, event_metadata(key, name, hlo)) for key, (name, hlo) in enumerate(programs, start=1)]
    stats = [(5, message((1, key), (2, message((1, key), (2, name))))) for key, name in _STATS.items()]
    versions = [(6, message((1, key), (5, _VERSION))) for key in (_JAX, _JAXLIB)]
    return message((2, "/host:metadata"), *entries, *stats, *versions)


def device_plane(name: str, stat: str, value: str | int) -> bytes:
    """The plane of a device, with one stat that is text or an unsigned integer."""
    stat_name = message((1, 1), (2, message((1, 1), (2, stat))))
    fact = message((1, 1), (5 if isinstance(value, str) else 3, value))
    return message((1, 2), (2, name), (5, stat_name), (6, fact))


def packed(host: str, programs: Iterable[tuple[str, bytes]], devices: Iterable[bytes] = ()) -> bytes:
    """A whole XSpace; `devices` are its device planes."""
    planes = (*devices, metadata_plane(programs), message((1, 1), (2, "/host:CPU")))
    return message(*((1, plane) for plane in planes), (4, host))


def captures() -> dict[Path, bytes]:
    """Every packed capture of the demo, by path."""
    names = program_names()
    made = {}
    for (run, host), modules in CAPTURES.items():
        programs = [
            (names[module], (DATA / "modules" / f"{module}.hlo_proto.pb").read_bytes()) for module in modules
        ]
        path = DEMO / "plugins" / "profile" / run / f"{host}.xplane.pb"
        made[path] = packed(host, programs, [device_plane(*DEVICES[run])])
    return made


def main() -> int:
    """Write the captures, or say which are not what this script would write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a capture differs")
    check = parser.parse_args().check
    stale = [path for path, data in captures().items() if not path.is_file() or path.read_bytes() != data]
    for path in stale:
        print(f"{'stale' if check else 'written'}: {path.relative_to(ROOT)}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(captures()[path])
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
