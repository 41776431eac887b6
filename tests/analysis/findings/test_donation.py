"""Arguments to donate: which, and what that frees at least and at most."""

from __future__ import annotations

from tests.analysis.findings.found import BF16, F32, MIB, found_in_text, names_of, planned, real


def test_arguments_to_donate() -> None:
    finding = real("v5e_mlp_nodonate")["undonated_arguments"]
    allocations = planned("v5e_mlp_nodonate").module.allocations
    # Without scalars and the tuple's table of pointers.
    assert finding.bytes == allocations.size[(allocations.type == 1) & (allocations.size > 4096)].sum()
    assert {"params_0__0_.1", "fusion.4"} <= names_of("v5e_mlp_nodonate", finding)
    assert "donate_argnums" in finding.advice
    assert "undonated_arguments" not in real("v5e_mlp_donated")


def test_temporaries_in_the_memory_of_outputs_need_room_elsewhere() -> None:
    finding = real("v5e_tf_scan_nodonate")["undonated_arguments"]
    assert finding.effect is not None and finding.effect.kind == "unknown"
    assert finding.effect.low == 0 and finding.effect.high >= finding.bytes
    assert "the peak drops by up to 1.22 GiB, or not at all." in finding.detail


TAKING_TURNS = f"""
entry main:
  p = {F32} parameter()
  a = {F32} add(p, p)
  b = {F32} negate(a)
  r = {F32} add(b, b)
alloc parameter {MIB}: p:{MIB}
alloc output {MIB}: a:{MIB} r:{MIB}
alloc temp {MIB}: b:{MIB}@0
trace: +b -b
"""


def test_memory_that_is_reused_until_the_output_is_written_frees_nothing_for_certain() -> None:
    finding = found_in_text(TAKING_TURNS)["undonated_arguments"]
    assert finding.effect is not None and (finding.effect.low, finding.effect.high) == (0, MIB)


def test_without_a_schedule_nothing_is_known_of_readers() -> None:
    assert "undonated_arguments" not in found_in_text(TAKING_TURNS.replace("entry", "unscheduled entry"))


CARRIED = f"""
computation body:
  b = ({F32}) parameter()
  c = {F32} get-tuple-element(b) index=0
  d = {F32} add(c, c)
  t = ({F32}) tuple(d)
computation cond:
  s = ({F32}) parameter()
entry main:
  p = {F32} parameter() op="acc"
  i = {F32} copy(p)
  o = ({F32}) tuple(i)
  l = ({F32}) while(o) calls=body,cond
alloc parameter {MIB}: p:{MIB}
alloc output {MIB}: i:{MIB} b{{0}}:{MIB} d:{MIB} l{{0}}:{MIB}
"""


def test_what_a_loop_carries_in_place_of_the_argument_needs_no_room() -> None:
    """The accumulator of gradients is copied into the output's memory, and updated there."""
    finding = found_in_text(CARRIED)["undonated_arguments"]
    assert finding.effect is not None and finding.effect.kind == "exact" and finding.effect.low == MIB
    assert "All of it is free at the peak once they are donated." in finding.detail
    # Another value in the output's memory before is no part of the argument.
    other = CARRIED.replace("copy(p)", "sine(p)")
    effect = found_in_text(other)["undonated_arguments"].effect
    assert effect is not None and effect.low == 0


def test_the_value_that_is_returned_decides_not_what_lies_in_its_memory_before() -> None:
    """The batch has the shape of an activation that lies in the memory of new parameters."""
    text = f"""
    entry main:
      x = f32[256,1024] parameter() number=0 op="x"
      p = {F32} parameter() number=1 op="params['w']"
      h = f32[256,1024] tanh(x)
      g = {F32} reshape(h)
      r = {F32} add(p, g)
      t = ({F32}) tuple(r)
    alloc parameter {MIB}: x:{MIB}
    alloc parameter {MIB}: p:{MIB}
    alloc output {MIB}: h:{MIB} r:{MIB}
    alloc temp {MIB}: g:{MIB}
    trace: +g -g
    """
    finding = found_in_text(text)["undonated_arguments"]
    assert "not donated: params['w']." in finding.detail and finding.title.startswith("1 argument ")


GRADIENT = f"""
entry main:
  w = {F32} parameter() op="w"
  h = {F32} dot(w, w) op="jit(loss)/jvp()/dot_general"
  g = {F32} dot(h, h) op="jit(loss)/transpose(jvp())/dot_general"
  r = {F32} copy(g)
alloc parameter {MIB}: w:{MIB}
alloc output {MIB}: r:{MIB}
alloc temp {2 * MIB}: h:{MIB}@0 g:{MIB}@{MIB}
trace: +h +g -h -g
"""


def test_a_gradient_does_not_take_the_place_of_what_it_is_for() -> None:
    assert "undonated_arguments" not in found_in_text(GRADIENT)
    assert "undonated_arguments" in found_in_text(GRADIENT.replace("transpose(jvp())", "sub"))


def test_an_output_is_matched_to_one_argument_only() -> None:
    text = f"""
    entry main:
      p = {F32} parameter() number=0
      q = {F32} parameter() number=1
      r = {F32} add(p, q)
      s = {BF16} convert(r)
      t = ({F32},{BF16}) tuple(r, s)
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
    assert finding.bytes == MIB and "not donated: q." in finding.detail
