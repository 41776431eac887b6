"""Small modules in which XProf's rules show that no real module of tests/data exercises.

Where XProf refuses a module, it answers nothing; such modules stand apart.
"""

from __future__ import annotations

_BUFFERS = """
entry main:
  p = f32[16384] parameter()
  a = f32[16384] add(p, p)
  b = f32[16384] add(p, a)
  c = f32[16384] add(p, b)
  d = (f32[4],(f32[4096],f32[8192])) fusion(c)
"""

ONE_HEAP = (
    _BUFFERS + "alloc parameter 65536: p:65536\nalloc temp 1048576: a:65536 b:131072@65536 c:32768@196608\n"
)

ANSWERED = {
    "ALLOC and FREE": ONE_HEAP + "trace: +a +b -a +c -b -c",
    "never freed": ONE_HEAP + "trace: +a +b",
    "allocated again after its FREE": ONE_HEAP + "trace: +a -a +b -b +a",
    "allocated twice": ONE_HEAP + "trace: +a +a -a +b -a",
    "SHARE_WITH a live buffer": ONE_HEAP + "trace: +a ~b=a -a +c -b -c",
    "SHARE_WITH a dead buffer": ONE_HEAP + "trace: +a -a ~b=a +c -b -c",
    "SHARE_WITH a dead buffer, twice": ONE_HEAP + "trace: +a -a ~b=a ~c=a -b -c",
    "SHARE_WITH, step by step": ONE_HEAP + "trace: +a ~b=a ~c=b -a -b -c",
    "SHARE_WITH before any ALLOC": ONE_HEAP + "trace: ~b=a -b +a -a",
    "ALLOC of a buffer that shares": ONE_HEAP + "trace: +a ~b=a +b -a -b -b +c",
    "ALLOC in a place that another is shown in": ONE_HEAP + "trace: +a -a ~b=a +a -a -b +c",
    "more taken away than was added": ONE_HEAP + "trace: +b +a ~c=a -a -c +c -c",
    "an unknown buffer inside a trace": ONE_HEAP + "trace: +a +nobody -a",
    "two traces of one allocation": ONE_HEAP + "trace: +a -a\ntrace: +b +c -b",
    "two heaps in a space": _BUFFERS
    + "alloc temp 131072: b:131072\nalloc temp 65536: a:65536 c:32768\ntrace: +a +c\ntrace: +b",
    "a heap without bytes": _BUFFERS + "alloc temp 0: a:0 b:0\ntrace: +a +b -a -b",
    "a heap without bytes beside another": _BUFFERS
    + "alloc temp 0: a:0 c:0\nalloc temp 131072: b:131072\ntrace: +a +c -a\ntrace: +b",
    "the trace of an argument": _BUFFERS
    + "alloc parameter 131072: p:65536 a:65536@65536\nalloc temp 131072: b:131072\ntrace: +p +a",
    "the trace of another space's buffers": _BUFFERS
    + "alloc temp 131072 space=1: b:131072\nalloc temp 65536: a:65536\ntrace: +b",
    "every kind of indefinite allocation": _BUFFERS + "alloc parameter+output 65536: p:65536\n"
    "alloc output 65536: a:65536\nalloc constant 131072: b:131072\nalloc thread_local 32768: c:32768",
    "an indefinite allocation without a buffer": _BUFFERS
    + "alloc output 65536:\nalloc parameter 65536: p:65536\nalloc temp 65536: a:65536\ntrace: +a -a",
    "indefinite allocations outside device memory": _BUFFERS
    + "alloc parameter 65536 space=5: p:65536\nalloc temp 65536 space=5: a:65536\ntrace: +a -a",
    "shape indexes": _BUFFERS + "alloc temp 1048576: d:65536 d{1}:65536@65536 d{1,0}:65536@131072 "
    "d{1,1}:65536@196608\ntrace: +d +d{1} +d{1,0} +d{1,1}",
    "scoped memory": _BUFFERS.replace("add(p, b)", "add(p, b) scoped=1:4096")
    + "unscheduled computation fused:\n  f = f32[4] add() scoped=1:8192\nalloc temp 65536 space=1: a:65536\n"
    + "trace: +a -a",
    "more buffers than colors": "entry main:\n"
    + "".join(f"x{n} = f32[4096] add()\n" for n in range(230))
    + "alloc temp 3768320: "
    + " ".join(f"x{n}:16384@{n * 16384}" for n in range(230))
    + "\ntrace: "
    + " ".join(f"+x{n}" for n in range(230)),
    "blocks too flat or too narrow to be seen": "entry main:\n"
    + "".join(f"x{n} = f32[4096] add()\n" for n in range(2050))
    + "alloc temp 80000000: x0:40000000 x1:19000@40000000 x2:20000@40100000 "
    + " ".join(f"x{n}:20000@{41000000 + n * 16000}" for n in range(3, 2050))
    + "\ntrace: +x0 -x0 +x1 +x2 "
    + " ".join(f"+x{n} -x{n}" for n in range(3, 2050))
    + " -x1 -x2",
}

REFUSED = {
    "one trace in two allocations": _BUFFERS
    + "alloc temp 65536: a:65536\nalloc temp 131072: b:131072\ntrace: +a +b",
    "freed twice": ONE_HEAP + "trace: +a -a -a",
    "freed before its ALLOC": ONE_HEAP + "trace: -a",
    "more taken away than temporaries hold": ONE_HEAP + "trace: +a ~c=a -a -c +c -c",
    "less than nothing": ONE_HEAP + "trace: +b ~c=b -b -c +c -c",
}
