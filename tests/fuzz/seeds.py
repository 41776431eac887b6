"""Writes the seeds of the fuzzers anew: `python -m tests.fuzz.seeds`. Real files, and modules of a few lines.

Other files in the corpora are inputs that once broke a reader; this leaves them alone.
"""

from __future__ import annotations

import gzip
from pathlib import Path

from tensorboard_plugin_memviewer.protos import memviewer_saved_pb2 as pb
from tests import build
from tests.formats import hlo_texts, oom_texts

CORPUS = Path(__file__).parent / "corpus"
DATA = Path(__file__).parents[1] / "data"

MODULES = {
    "trace": """
        entry main:
          p = f32[16] parameter() op="x"
          a = f32[16] add(p, p) op="jit(f)/jvp(layer_1)/attn/add"
          b = f32[16] copy(a) op="jit(f)/transpose(jvp(layer_1))/rematted_computation/mul"
          r = f32[16] multiply(b, p) scoped=1:4096
        alloc parameter 64: p:64
        alloc output 64: r:64
        alloc temp 128: a:64@0 b:64@32
        alloc constant+thread_local 8 space=1:
        trace: +a ~b=a -a -b +a -a
    """,
    "loop": """
        computation condition:
          c = (f32[8],s32[]) parameter()
          n = pred[] compare(c, c)
        computation body:
          q = (f32[8],s32[]) parameter()
          e = f32[8] get-tuple-element(q) index=0
          t = (f32[8],s32[]) tuple(e, e)
        entry main:
          p = f32[8] parameter() number=0
          s = (f32[8],s32[]) tuple(p, p)
          w = (f32[8],s32[]) while(s) calls=body,condition
          r = f32[8] get-tuple-element(w) index=0
          k = f32[8] call(r) calls=main
        alloc parameter 32: p:32
        alloc temp 96: s{0}:32@0 w{0}:32@32 t{1}:4@64
        trace: +s{0} +w{0} -s{0} -w{0}
    """,
    "amiss": """
        unscheduled entry main:
          p = s4[7,3] parameter()
          x = bf16[9] custom-call(p)
        alloc temp 64: x:18@-8
        trace: -x +x +x +nobody ~x=x
    """,
}


def main() -> None:
    """Write them."""
    for name, text in MODULES.items():
        _write("hlo", name, build.hlo_bytes(text))
    for name in ("v5e_tiny", "v5e_scalar", "v5e_pallas_smem"):
        _write("hlo", name, (DATA / "modules" / f"{name}.hlo_proto.pb").read_bytes())
    for path in sorted((DATA / "dump_text").glob("*.txt")):
        _write("dump_text", "usage" if "usage" in path.name else "assignment", path.read_bytes())
    beside = (hlo_texts.MODULE, hlo_texts.MODULE, hlo_texts.VALUES, hlo_texts.LIVE_RANGES)
    _write("text_dump", "today", "\0".join((hlo_texts.ASSIGNMENT, *beside)).encode())
    whole = hlo_texts.ASSIGNMENT + hlo_texts.VALUES + "\n" + hlo_texts.LIVE_RANGES
    _write("text_dump", "older", "\0".join((whole, hlo_texts.OLD_MODULE)).encode())
    _write("text_dump", "flat", whole.encode())
    for name in ("TPU_LIST", "GPU_LIST"):
        _write("oom_text", name.lower(), getattr(oom_texts, name).encode())
    for path in sorted((DATA / "oom_texts").glob("*.txt")):
        _write("oom_text", path.stem, path.read_bytes())
    saved = gzip.decompress((DATA / "xprof" / "v5e_tiny.0.json.gz").read_bytes())
    _write("saved", "json", saved)
    _write("saved", "gzip", gzip.compress(saved, mtime=0))
    _write("saved", "message", pb.Result(module_name="f", heap_sizes=[1.0, 2.5, 1.0]).SerializeToString())


def _write(target: str, name: str, data: bytes) -> None:
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
