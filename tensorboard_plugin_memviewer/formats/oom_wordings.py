"""The table of wordings: how XLA, its runtimes and frameworks report that memory ran out.

A wording says what ran out and which figures the sentence holds; it knows nothing of the lists that may
follow. Patterns are matched on text whose white space is collapsed and whose log prefixes are gone, and each
is linear in the text.
"""

from __future__ import annotations

from tensorboard_plugin_memviewer.formats import oom_wordings_gpu, oom_wordings_tpu
from tensorboard_plugin_memviewer.formats.oom_kinds import What, Wording, logged, sentence
from tensorboard_plugin_memviewer.model import space as spaces

_PINNED = r"(?:pinned|host|staging|page-locked)"

SENTENCES = (
    *oom_wordings_tpu.SENTENCES,
    *oom_wordings_gpu.SENTENCES,
    sentence(
        Wording.HOST_POOL,
        "run",
        What.HOST,
        "host memory",
        r"Out of (?:pinned )?host memory while trying to allocate @requested"
        r"(?: with allocator \S{1,80} on device (?P<device>\d{1,6}))?"
        r"(?:.{0,160}? than the default @capacity)?",
        space=spaces.HOST,
    ),
    sentence(
        Wording.HOST_POOL,
        "run",
        What.HOST,
        "failed to alloc",
        r"failed to alloc(?:ate)? (?:a |an )?"
        r"(?:[\d.]{1,20} ?\w{1,4} \(@requested\)|(?P<requested_too>\d{1,18})(?:-byte| bytes))"
        rf" (?:of |on |for |from the )?(?:\w{{1,12}} ){{0,2}}?{_PINNED}\b",
        space=spaces.HOST,
    ),
    logged(
        sentence(
            Wording.HOST_POOL,
            "run",
            What.HOST,
            "pinned host memory",
            r"could not allocate pinned host memory of size:? @requested",
            space=spaces.HOST,
        )
    ),
    sentence(
        Wording.HOST_POOL,
        "run",
        What.HOST,
        "pinned host allocator",
        r"OOM in pinned host allocator",
        space=spaces.HOST,
    ),
    sentence(
        Wording.HOST_POOL,
        "run",
        What.HOST,
        "buffer",
        r"Failed to allocate (?:host memory for )?(?:transfer|staging) buffer(?: of size @requested)?"
        r"|Failed to allocate buffer size (?P<requested_too>\d{1,18}) from mmap buffer with @free free",
        space=spaces.HOST,
    ),
    sentence(
        Wording.CPU_ALLOCATION,
        "run",
        What.PROCESS,
        "out of memory allocating",
        r"(?<!embedding: )Out of memory allocating @requested",
        space=spaces.HBM,
    ),
    sentence(
        Wording.CPU_ALLOCATION,
        "run",
        What.PROCESS,
        "for an array with shape",
        r"Unable to allocate @requested for an array with shape (?P<shape>\([\d, ]{0,200}\)"
        r" and data type \w{1,20})",
        space=spaces.HBM,
    ),
    sentence(
        Wording.PROCESS_KILLED,
        "run",
        What.PROCESS,
        "out of memory: kill",
        r"Out of memory: Kill(?:ed)? process \d{1,10} \([^)\n]{1,80}\)(?:.{0,200}?anon-rss:@required)?",
    ),
    sentence(
        Wording.TENSORFLOW_TENSOR,
        "run",
        What.ARRAYS,
        "oom when allocating",
        r"OOM when allocating (?:temporary )?tensor with shape ?(?P<shape>\[[\d, ]{0,200}\]"
        r" and type \w{1,20}) on (?P<device>\S{1,200}) by allocator \w{1,80}",
        space=spaces.HBM,
    ),
    sentence(
        Wording.TORCH,
        "run",
        What.TORCH,
        "tried to allocate",
        r"(?:CUDA|HIP|XPU) out of memory\. Tried to allocate @requested"
        r"(?:.{0,80}?total capacity of @capacity of which @free is free)?",
        space=spaces.HBM,
    ),
    # Its limit is the compiler's target for rematerialization, not what the device has.
    logged(
        sentence(
            Wording.REMATERIALIZATION,
            "compile",
            What.WARNING,
            "reduce memory use below",
            r"Can't reduce memory use below [\d.]{1,20}\w{0,4} ?\(@capacity\)"
            r"(?: by rematerialization)?; only reduced to (?:[\d.]{1,20}\w{1,4} \(@required\)"
            r"|(?P<required_too>[\d.]{1,20}\w{1,4}))",
        )
    ),
    logged(
        sentence(
            Wording.REMATERIALIZATION,
            "compile",
            What.WARNING,
            "reduce memory use below",
            r"Can't reduce memory use below @capacity(?: by rematerialization)?; only reduced to @required",
        )
    ),
)
