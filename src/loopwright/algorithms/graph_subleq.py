"""Graph-SUBLEQ: one program that runs programs. [P App. C.7, Alg. graphleq_proof]"""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.language import Program, given, nodes, ops, single, step

FIRST = 1
"""The position of the first instruction; position 0 is no row, and a jump there halts."""


def paper() -> Program:
    """Each iteration executes one instruction, M[b] ← M[b] − a, maybe jump.

    Memory, instructions and the graph each begin in row 1; all that is shorter than the longest of
    them is padded with zeros. What is computed is what the caller puts into the rows:
    `loopwright.subleq.run` does, from a program's text.

    Departs: P loops forever. Here a jump to nowhere halts, as does running past the last
    instruction; each instruction says by a flag whether it jumps nowhere, or is the last.
    """
    # memory, and the instruction list
    memory = nodes.value("M", start=given("memory"), signed=True)
    i_a1 = nodes.position("I_a1", start=given("a1"))
    i_a2 = nodes.position("I_a2", start=given("a2"))
    i_b = nodes.position("I_b", start=given("b"))
    i_c = nodes.position("I_c", start=given("c"))
    i_gamma = nodes.flag("I_gamma", start=given("gamma"))
    i_halts = nodes.flag("I_halts", start=given("halts"))
    i_last = nodes.flag("I_last", start=given("last"))
    # the instruction that is executed
    k = single.position("k", start=FIRST)
    z_a1, z_a2 = single.position("Z_a1"), single.position("Z_a2")
    z_b, z_c = single.position("Z_b"), single.position("Z_c")
    z_gamma = single.flag("Z_gamma")
    z_halts, z_last = single.flag("Z_halts"), single.flag("Z_last")
    # its operands and its result
    m_graph = nodes.value("m_G")
    m_a_graph = single.value("m_aG")
    m_a_memory = single.value("m_aX", signed=True)
    m_a = single.value("m_a", signed=True)
    m_b = single.value("m_b", signed=True)
    diff = single.value("diff", signed=True)
    k_next = single.position("k_next")
    cond = single.flag("cond_k")
    term = single.flag("term")

    return Program(
        name="graph-subleq",
        bound=(),
        steps=(
            step(
                "read instruction",
                ops.ReadX(z_a1, k, i_a1),
                ops.ReadX(z_a2, k, i_a2),
                ops.ReadX(z_b, k, i_b),
                ops.ReadX(z_c, k, i_c),
                ops.ReadX(z_gamma, k, i_gamma),
                ops.ReadX(z_halts, k, i_halts),
                ops.ReadX(z_last, k, i_last),
                paper=1,
            ),
            step("read row of the graph", ops.ReadRow(m_graph, z_a1), paper=2),
            step("read a from the graph", ops.ReadX(m_a_graph, z_a2, m_graph), paper=3),
            step("read a from memory", ops.ReadX(m_a_memory, z_a1, memory), paper=4),
            step("select a", ops.Where(m_a, z_gamma, m_a_graph, m_a_memory), paper=5),
            step("read b from memory", ops.ReadX(m_b, z_b, memory), paper=6),
            step("subtract", ops.Subtract(diff, m_b, m_a), paper=7),
            step("write to memory", ops.SubtractAt(memory, z_b, m_a), paper=8),
            step("find next instruction", ops.Increment(k_next, k), paper=9),
            step("compare with zero", ops.LessOrEqual(cond, diff, 0), paper=10),
            step(
                "jump or go on",
                ops.Where(k, cond, z_c, k_next),
                ops.Set(term, (cond & z_halts) | (~cond & z_last)),
                paper=11,
            ),
        ),
        outputs={"M": memory},
        halt=term,
    )


graph_subleq = Algorithm(
    "graph-subleq", "a computer whose programs are data, with the graph to read", {"paper": paper}
)
