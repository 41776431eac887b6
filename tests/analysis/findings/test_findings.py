"""Each finding on a module that has it and on one that has not, and on the real modules that show it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.analysis.capacity import Capacity, capacity_of
from tensorboard_plugin_memviewer.analysis.findings import Finding, find_findings
from tensorboard_plugin_memviewer.analysis.readers import find_readers
from tensorboard_plugin_memviewer.analysis.usage import Plan, plan, space_usage
from tensorboard_plugin_memviewer.formats.hlo_proto import decode_module
from tensorboard_plugin_memviewer.model.device import DeviceFacts
from tests.build import module

MODULES = Path(__file__).resolve().parents[2] / "data" / "modules"
NAMES = sorted(file.name.partition(".")[0] for file in MODULES.glob("*.hlo_proto.pb"))
MIB = 1 << 20
UNKNOWN = Capacity()
# 1 MiB of f32, and half a MiB of bf16.
F32, BF16 = "f32[512,512]", "bf16[512,512]"


@cache
def planned(name: str) -> Plan:
    return plan(decode_module((MODULES / f"{name}.hlo_proto.pb").read_bytes()))


def found_in(found: Plan, space: int = 0, capacity: Capacity = UNKNOWN) -> dict[str, Finding]:
    findings = find_findings(
        found, space_usage(found, space), find_readers(found.module, found.order), capacity
    )
    return {finding.kind: finding for finding in findings}


def found_in_text(text: str, capacity: int | None = None) -> dict[str, Finding]:
    return found_in(plan(module(text)), capacity=Capacity(capacity, "a test says so"))


def real(name: str, space: int = 0) -> dict[str, Finding]:
    devices = [DeviceFacts("/device:TPU:0", name.partition("_")[0])]
    return found_in(planned(name), space, capacity_of(devices, space))


def names_of(name: str, finding: Finding, space: int = 0) -> set[str]:
    found = planned(name)
    buffers = space_usage(found, space).buffers.buffer[list(finding.rows)]
    return {found.module.instructions.names[row] for row in found.module.buffers.instruction[buffers]}


def test_program_that_needs_more_than_the_compiler_allows() -> None:
    finding = real("v5e_oom")["over_capacity"]
    assert finding.bytes == 18 * 2**30 + 512 - 1575 * 2**30 // 100
    assert "18.00 GiB" in finding.detail and "15.75 GiB" in finding.detail
    assert "the line that made most of it is /tmp/corpus/progs.py:334, 14.00 GiB" in finding.detail
    assert finding.points == (49,)
    assert "over_capacity" not in found_in(planned("v5e_oom")), "nothing is known of the device"
    assert "near_capacity" not in real("v5e_oom")


def test_points_to_look_at_are_named_once() -> None:
    assert real("v5e_oom")["activations"].points == (49,)


def one_argument(size: int) -> str:
    return f"""
    entry main:
      p = f32[{size // 4}] parameter()
      r = f32[] constant()
    alloc parameter {size}: p:{size}
    """


@pytest.mark.parametrize(
    ("capacity", "kind", "at_stake"),
    [
        (99 * MIB, "over_capacity", MIB),
        (100 * MIB, "near_capacity", 5 * MIB),
        (105 * MIB, "near_capacity", 100 * MIB - 19 * 105 * MIB // 20),
    ],
)
def test_distance_to_capacity(capacity: int, kind: str, at_stake: int) -> None:
    findings = found_in_text(one_argument(100 * MIB), capacity)
    assert findings[kind].bytes == at_stake
    assert len({"over_capacity", "near_capacity"} & findings.keys()) == 1


def test_room_enough_is_no_finding() -> None:
    assert not found_in_text(one_argument(100 * MIB), 201 * MIB).keys() - {"wide_floats"}


def test_one_buffer_over_half_of_the_capacity() -> None:
    finding = found_in_text(one_argument(100 * MIB), 199 * MIB)["dominant_buffer"]
    assert finding.bytes == 100 * MIB and "sharding" in finding.advice
    assert "dominant_buffer" not in found_in_text(one_argument(100 * MIB), 200 * MIB)


def test_buffer_of_a_debug_print_over_half_of_the_capacity() -> None:
    text = f"""
    entry main:
      p = {F32} parameter()
      g = f32[512,512,8] custom-call(p) op="jit(f)/debug_print"
    alloc temp {8 * MIB}: g:{8 * MIB}@0
    trace: +g -g
    """
    assert "print" in found_in_text(text, 15 * MIB)["dominant_buffer"].advice


def test_scoped_memory_over_what_is_left() -> None:
    text = """
    entry main:
      p = f32[16] parameter()
      k = f32[16] custom-call(p) scoped=0:6291456
    alloc temp 4194304: k:4194304@0
    trace: +k -k
    """
    finding = found_in_text(text, 8 * MIB)["scoped_over_capacity"]
    assert finding.bytes == 2 * MIB and finding.points == (1,)
    assert finding.detail.startswith("k reserves up to 6.00 MiB")
    assert "scoped_over_capacity" not in found_in_text(text, 10 * MIB)
    assert "over_capacity" not in found_in_text(text, 8 * MIB)


def test_arguments_to_donate() -> None:
    finding = real("v5e_mlp_nodonate")["undonated_arguments"]
    assert (
        finding.bytes
        == planned("v5e_mlp_nodonate")
        .module.allocations.size[planned("v5e_mlp_nodonate").module.allocations.type == 1]
        .sum()
        - 1024
    )
    assert {"params_0__0_.1", "fusion.4"} <= names_of("v5e_mlp_nodonate", finding)
    assert "donate_argnums" in finding.advice
    assert "undonated_arguments" not in real("v5e_mlp_donated")


def test_an_output_is_matched_to_one_argument_only() -> None:
    text = f"""
    entry main:
      p = {F32} parameter() number=0
      q = {F32} parameter() number=1
      r = {F32} add(p, q)
      s = {BF16} convert(r)
    alloc parameter {MIB}: p:{MIB}
    alloc parameter {MIB}: q:{MIB}
    alloc output {MIB}: r:{MIB}
    alloc output {MIB // 2}: s:{MIB // 2}
    """
    finding = found_in_text(text)["undonated_arguments"]
    assert finding.bytes == MIB and len(finding.rows) == 2
    donated = text.replace(f"alloc parameter {MIB}: q", f"alloc parameter+output {MIB}: q").replace(
        f"alloc parameter {MIB}: p", f"alloc parameter+output {MIB}: p"
    )
    assert "undonated_arguments" not in found_in_text(donated)


def undonated(operation: str, result: str = "r") -> bool:
    text = f"""
    entry main:
      p = {F32} parameter()
      {operation}
    alloc parameter {MIB}: p:{MIB}
    alloc output {MIB}: {result}:{MIB}
    """
    return "undonated_arguments" in found_in_text(text)


def test_argument_that_is_read_once_its_output_is_written() -> None:
    assert undonated(f"r = {F32} sine(p)")
    assert undonated(f"x = {F32} sine(p)\nr = {F32} dot(x, x)")
    assert not undonated(f"r = {F32} sine(p)\nx = {F32} cosine(p)")
    assert not undonated(f"r = {F32} dot(p, p)"), "the old value is needed until the last element"


def test_argument_that_a_loop_reads_while_it_writes() -> None:
    loop = f"""
    computation body:
      b = ({F32},{F32}) parameter()
      w = {F32} get-tuple-element(b) index=0
      c = {F32} get-tuple-element(b) index=1
      d = {F32} add(c, w)
      t = ({F32},{F32}) tuple(w, d)
    computation cond:
      s = ({F32},{F32}) parameter()
    entry main:
      p = {F32} parameter()
      q = {F32} parameter()
      x = {F32} sine(q)
      i = ({F32},{F32}) tuple(p, x)
      l = ({F32},{F32}) while(i) calls=body,cond
    alloc parameter {MIB}: p:{MIB}
    alloc output {MIB}: x:{MIB} d:{MIB}
    """
    assert "undonated_arguments" not in found_in_text(loop)
    both = loop + f"alloc parameter {MIB}: q:{MIB}"
    finding = found_in_text(both)["undonated_arguments"]
    assert finding.bytes == MIB and finding.detail.endswith("such as q.")


def test_padding_by_its_worst_dimension() -> None:
    finding = real("v5e_padding")["padding"]
    assert finding.bytes == space_usage(planned("v5e_padding"), 0).headline.padding_bytes
    assert "f32[160000,3] (dimension 1: 3 stored as 128)" in finding.detail
    assert "padding" not in real("v5e_tf_scan")


def test_padding_of_what_has_no_dimensions() -> None:
    text = f"entry main:\n  p = f32[] parameter()\nalloc parameter {MIB}: p:{MIB}"
    assert "padding" not in found_in_text(text)
    assert "padding" in found_in_text(text.replace("f32[]", "f32[1]"))


def test_padding_at_addresses_that_buffers_share() -> None:
    """Each loses 960 KiB, both together 1408: the parts are no parts of the whole."""
    text = f"""
    entry main:
      a = f32[16384] iota()
      b = f32[128,128] bitcast-convert(a)
    alloc temp {3 * MIB // 2}: a:{MIB}@0 b:{MIB}@{MIB // 2}
    trace: +a +b -a -b
    """
    finding = found_in_text(text)["padding"]
    assert finding.bytes == 3 * MIB // 2 - 2 * 65536
    assert "same addresses" in finding.detail and "KiB" not in finding.detail


def test_activations_kept_for_the_backward_pass() -> None:
    finding = real("v5e_tf_scan")["activations"]
    assert "while.7" in names_of("v5e_tf_scan", finding)
    kept, recomputed = finding.bytes, real("v5e_tf_remat")["activations"].bytes
    assert kept > 5 * recomputed, "checkpoint keeps less"
    assert real("v5e_oom")["activations"].bytes == 13 * 2**30
    for inference in ("v5e_old_decode", "h100_decode", "v5e_padding"):
        assert "activations" not in real(inference)


def test_activations_of_a_few_lines() -> None:
    text = f"""
    entry main:
      p = {F32} parameter()
      h = {F32} tanh(p) op="jit(f)/jvp(layer)/tanh"
      y = {F32} sine(h) op="jit(f)/jvp(loss)/sin"
      g = {F32} multiply(y, h) op="jit(f)/transpose(jvp(layer))/mul"
    alloc temp {2 * MIB}: h:{MIB}@0 y:{MIB}@{MIB}
    trace: +h +y -h -y
    """
    finding = found_in_text(text)["activations"]
    assert finding.bytes == 2 * MIB and finding.points == (2, 3)
    assert "activations" not in found_in_text(text.replace("transpose(jvp(layer))", "update"))


def test_the_largest_is_one_of_several_as_large() -> None:
    """Whoever is told to make it smaller learns that it alone will not do."""
    names = ["a", "b", "c"]
    makes = "\n".join(f'      {name} = {F32} tanh(p) op="jit(f)/jvp({name})/tanh"' for name in names)
    text = f"""
    entry main:
      p = {F32} parameter()
{makes}
      d = {BF16} sine(a)
      g = {F32} add(a, b, c, d) op="jit(f)/transpose(jvp(f))/add"
    alloc temp {7 * MIB // 2}: a:{MIB}@0 b:{MIB}@{MIB} c:{MIB}@{2 * MIB} d:{MIB // 2}@{3 * MIB}
    trace: +a +b +c +d -a -b -c -d
    """
    findings = found_in_text(text, capacity=3 * MIB)
    assert (
        "The largest buffer at the peak is a, 1.00 MiB (one of 3 as large)."
        in findings["over_capacity"].detail
    )
    assert "the largest is a, 1.00 MiB (one of 3 as large)." in findings["activations"].detail
    assert "the largest is a f32[512,512] (one of 3 as large)." in findings["wide_floats"].detail
    assert (
        "a f32[512,512] (one of 3 as large): 1.00 MiB" in found_in_text(text, MIB)["dominant_buffer"].detail
    )
    assert "as large" not in real("v5e_tf_scan")["activations"].detail


def test_copy_of_an_argument_is_no_activation() -> None:
    text = f"""
    entry main:
      p = {F32} parameter()
      s = ({F32},{F32},u32[]) copy-start(p) op="jit(f)/jvp(layer)/dot"
      d = {F32} copy-done(s)
      g = {F32} multiply(d, d) op="jit(f)/transpose(jvp(layer))/mul"
    alloc parameter {MIB}: p:{MIB}
    alloc temp {MIB}: s{{0}}:{MIB}
    trace: +s{{0}} -s{{0}}
    """
    assert "activations" not in found_in_text(text)
    assert "copies" in found_in_text(text)
    assert "activations" in found_in_text(text.replace("parameter()", "iota()"))


def test_most_of_the_peak_in_f32() -> None:
    assert real("v5e_convnet_f32")["wide_floats"].bytes > 800 * MIB
    assert "wide_floats" not in real("v5e_mlp_nodonate")
    assert "bfloat16" in found_in_text(one_argument(MIB))["wide_floats"].advice
    assert "wide_floats" not in found_in_text(one_argument(MIB).replace("f32", "s32"))


def test_most_of_the_peak_in_f64() -> None:
    finding = found_in_text(one_argument(MIB).replace("f32", "f64"))["wide_floats"]
    assert finding.title == "100 % of the peak is f64: a narrower type halves it"
    assert "f32 takes half of f64" in finding.detail


def fragmented(reserved: int) -> str:
    return f"""
    entry main:
      p = {F32} parameter()
      a = {F32} tanh(p)
      b = {F32} tanh(a)
    alloc temp {reserved}: a:{MIB}@0 b:{MIB}@{reserved - MIB}
    trace: +a -a +b -b
    """


def test_gaps_between_temporaries() -> None:
    finding = found_in_text(fragmented(4 * MIB))["fragmentation"]
    assert finding.bytes == 3 * MIB and len(finding.rows) == 1
    assert "fragmentation" not in found_in_text(fragmented(MIB))


def test_gaps_between_small_buffers() -> None:
    """Each is aligned: nothing that a user could do."""
    small = fragmented(4 * MIB).replace(f":{MIB}@", ":512@").replace(F32, "f32[128]")
    assert "fragmentation" not in found_in_text(small)


@pytest.mark.parametrize(("size", "there"), [(2 * MIB, True), (MIB // 2, False)])
def test_large_constants(size: int, there: bool) -> None:
    text = f"""
    entry main:
      c = f32[{size // 4}] constant()
      r = f32[] parameter()
    alloc constant {size}: c:{size}
    """
    findings = found_in_text(text)
    assert ("large_constants" in findings) == there
    assert not there or findings["large_constants"].bytes == size


def test_buffers_of_one_operation_side_by_side() -> None:
    finding = real("v5e_tf_scan")["duplicates"]
    assert finding.bytes == 5 * 150994944 and len(finding.rows) == 6
    assert "jit(train_step)/jvp()/while" in finding.detail
    assert "duplicates" not in real("v5e_tf_remat")


def test_sentences_are_short_where_names_are_long() -> None:
    """As those of collectives that the compiler combines."""
    op = ";".join(f"jit(f)/transpose(jvp(layer_{at}))/psum" for at in range(50))
    text = f"""
    entry main:
      p = {F32} parameter()
      a = {F32} tanh(p) op="{op}"
      b = {F32} tanh(p) op="{op}"
      c = {F32} add(a, b)
    alloc temp {2 * MIB}: a:{MIB}@0 b:{MIB}@{MIB}
    trace: +a +b -a -b
    """
    detail = found_in_text(text)["duplicates"].detail
    assert detail.startswith("jit(f)/transpose(jvp(layer_0))/psum;") and len(op) > 1000 > len(detail)
    assert "layer_49))/psum makes f32[512,512] 2 times" in detail and "…" in detail
    tuples = text.replace(f"a = {F32}", f"a = ({', '.join(100 * [F32])})").replace(
        f"b = {F32}", f"b = ({', '.join(100 * [F32])})"
    )
    assert all(len(finding.detail) < 500 for finding in found_in_text(tuples).values())


def test_copies_beside_their_originals() -> None:
    text = f"""
    entry main:
      p = {F32} parameter()
      a = {F32} tanh(p)
      b = {F32} copy(a)
      c = {F32} add(a, b)
    alloc temp {2 * MIB}: a:{MIB}@0 b:{MIB}@{MIB}
    trace: +a +b -a -b
    """
    finding = found_in_text(text)["copies"]
    assert finding.bytes == MIB and len(finding.rows) == 2
    assert "copies" not in found_in_text(text.replace("copy(a)", "cosine(a)"))


@pytest.mark.parametrize("name", ["v5e_old_decode", "h100_decode"])
def test_donated_cache_that_is_written_anew(name: str) -> None:
    """The program has 2 GiB of cache as donated argument, and stacks a loop's outputs to its new value."""
    finding = real(name)["not_in_place"]
    assert finding.bytes == 2**31 and "cache" in finding.detail
    assert "cache.1" in names_of(name, finding)
    assert "not_in_place" not in real("v5e_tf_scan")


def donated(new_value: str) -> str:
    return f"""
    entry main:
      p = {F32} parameter()
      {new_value}
      c = {F32} copy(n)
    alloc parameter+output {MIB}: p:{MIB} c:{MIB}
    alloc temp {MIB}: n:{MIB}
    trace: +n -n
    """


def test_copies_of_copies() -> None:
    """Out of the chip again in another layout: the argument is there twice, and no loop is at fault."""
    text = donated(f"v = {F32} copy(p)\nn = {F32} copy(v)") + f"alloc temp {MIB} space=1: v:{MIB}\ntrace: +v"
    findings = found_in_text(text)
    assert findings["copies"].bytes == MIB and findings["copies"].detail.endswith("of p.")
    assert "not_in_place" not in findings


def test_donated_argument_that_is_needed_until_its_new_value_is_done() -> None:
    finding = found_in_text(donated(f"n = {F32} dot(p, p)"))["not_in_place"]
    assert finding.bytes == MIB and "loop" not in finding.advice
    assert "loop" in real("h100_decode")["not_in_place"].advice


@pytest.mark.parametrize("name", NAMES)
def test_every_finding_has_bytes_evidence_and_advice(name: str) -> None:
    found = planned(name)
    for space in found.spaces:
        usage = space_usage(found, space)
        capacity = Capacity(usage.headline.required_bytes, "exactly what it needs")
        for finding in found_in(found, space, capacity).values():
            assert finding.bytes > 0 and finding.title and finding.detail and finding.advice
            assert finding.rows or finding.points
            assert all(0 <= row < len(usage.buffers) for row in finding.rows)
            assert len(set(finding.rows)) == len(finding.rows)
            assert all(0 <= point < usage.points for point in finding.points)


def test_urgent_ones_come_first_then_the_most_bytes() -> None:
    found = planned("v5e_oom")
    readers = find_readers(found.module, found.order)
    capacity = Capacity(1575 * 2**30 // 100, "what the compiler allows")
    findings = find_findings(found, space_usage(found, 0), readers, capacity)
    assert findings[0].kind == "over_capacity"
    rest = [finding.bytes for finding in findings[1:]]
    assert rest == sorted(rest, reverse=True)
