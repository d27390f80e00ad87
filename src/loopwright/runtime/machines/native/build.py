"""What every layer comes to → machine code."""

# llvmlite has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from loopwright.model.layout import Scope
from loopwright.model.weights import Over
from loopwright.runtime.machines.native import kept
from loopwright.runtime.machines.native.alike import likeness
from loopwright.runtime.machines.native.analyse import Analysis
from loopwright.runtime.machines.native.anew import REVERSE
from loopwright.runtime.machines.native.code import Value, count, real
from loopwright.runtime.machines.native.edges import emit_layout
from loopwright.runtime.machines.native.frame import EDGES, Slot
from loopwright.runtime.machines.native.layer import LayerCode, PartName
from loopwright.runtime.machines.native.load import HALTED, Build, load, target_machine
from loopwright.runtime.machines.native.routine import Routine
from loopwright.runtime.machines.native.survey import Surveys


def make(analysis: Analysis, halt: int, key: str) -> Build:
    """Write every layer, the surveys they need, and the loop; compile it all, and keep it.

    `halt` is the column of the halting flag, and `key` stands for all that this follows from.
    """
    assumptions, surveys = analysis.assumptions, Surveys()
    module: Any = ir.Module(name="model")  # its own name comes from a file, and this is code
    module.triple = llvm.get_process_triple()
    numbers = {numbering.number for numbering in assumptions.numberings}
    like, layers, scratch = likeness(analysis), list[list[PartName]](), 0
    changing = {s: {c for forms in analysis.layers for c in forms.new[s]} for s in Scope}
    keeps = any(head.chooses for head in assumptions.plans)  # for the next iteration
    for index, (forms, known) in enumerate(zip(analysis.layers, like, strict=True)):
        routine = Routine(module, f"layer{index}", alike=known.before, numbers=numbers)
        taken = scratch if keeps else 0
        layer = LayerCode(routine, forms, assumptions, known, surveys, changing, taken)
        parts, columns = layer.emit()
        layers.append(parts)
        scratch = max(scratch, taken + columns)
    seen: set[Over] = {head.over for head in assumptions.plans if head.over != "I"}
    seen |= {REVERSE[over] for over in seen if over in REVERSE and assumptions.plain_edges}
    orders = {EDGES[over][0] for over in seen}
    by_tail, by_head = (slot in orders for slot in (Slot.BY_TAIL_STARTS, Slot.BY_HEAD_STARTS))
    emit_layout(module, by_tail=by_tail, by_head=by_head, plain=assumptions.plain_edges)
    surveys.emit(module, assumptions)
    emit_loop(module, layers, halt)
    facts = {
        "plain_edges": assumptions.plain_edges,
        "layers": layers,
        "alike": [sorted(known.after) for known in like],
        "stores": surveys.stores,
        "scratch": scratch,
        "surveys": len(surveys),
        "by_tail": by_tail,
        "by_head": by_head,
    }
    code = compile_module(module)
    kept.keep(key, facts, code)
    return load(facts, code)


def emit_loop(module: ir.Module, layers: Sequence[Sequence[PartName]], halt: int) -> None:
    """Write `run`: all layers, until row 0's halting flag is set or the iterations are used up."""
    routine = Routine(module, "run")
    body = routine.body

    def call(function: Value, share: Value) -> None:
        body.call(function, [routine.frame, share])

    def iterate(iteration: Value) -> None:
        for name, shared in chain.from_iterable(layers):
            shares = routine.slot(Slot.SHARES) if shared else count(1)
            body.loop(shares, partial(call, module.get_global(name)))
        flag = body.load_at(routine.slot(Slot.ROW_ZERO), count(halt))
        with body.if_then(body.fcmp_ordered(">", flag, real(HALTED))):
            body.ret(body.add(iteration, count(1)))

    body.loop(routine.argument, iterate)
    routine.finish(count(-1))


def compile_module(module: ir.Module) -> bytes:
    """Optimise for this very processor; returns an object file."""
    target = target_machine()
    parsed = llvm.parse_assembly(str(module))
    # The code is written in packs and says nothing twice, so LLVM's usual pipeline gains nothing
    # over this one pass, but takes longer than all the rest.
    passes = llvm.create_new_module_pass_manager()
    passes.add_instruction_combine_pass()
    passes.run(parsed, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options()))
    return target.emit_object(parsed)
