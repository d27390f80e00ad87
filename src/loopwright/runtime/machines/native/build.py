"""Weights and assumptions → machine code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from loopwright.model.layout import Scope
from loopwright.model.weights import Over, Weights
from loopwright.runtime.machines.native import code
from loopwright.runtime.machines.native.analyse import (
    Analysis,
    Assumptions,
    LayerForms,
    Plan,
)
from loopwright.runtime.machines.native.assume import reach
from loopwright.runtime.machines.native.attention import Scored
from loopwright.runtime.machines.native.check import Check
from loopwright.runtime.machines.native.code import Value
from loopwright.runtime.machines.native.layer import LayerCode, PlannedHead
from loopwright.runtime.machines.native.routine import Routine
from loopwright.runtime.machines.native.sparse import SparseLayer
from loopwright.runtime.machines.native.survey import Surveys

HALTED = 0.5
"""The halting flag is set above this, as in the reference."""

Function = Callable[[int, int], int]
"""(address of the frame, one more number) → a number. Runs without Python's lock."""
SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)


@dataclass(frozen=True, eq=False)
class Build:
    """Machine code for one model under some assumptions, and what a run must lay out for it.

    It holds no state of any run, so that runs can share it between threads.
    """

    assumptions: Assumptions
    check: Check
    """Whether a problem is as assumed, as far as X₀ and the edges tell."""
    run: Function
    """Loops until halted; the iterations done, or −1."""
    layers: tuple[Function, ...]
    survey: Function | None
    """Prepares scratch from X₀; 0 if the plans hold. None if there is nothing to prepare."""
    fill: Function
    scratch: int
    stored: int
    edges: frozenset[Over]
    engine: Any
    """Owns the code: it lives as long as this does."""


def make(model: Weights, layers: Sequence[SparseLayer], analysis: Analysis) -> Build:
    """Emit every layer, the surveys they need, and the loop; compile it all."""
    assumptions = analysis.assumptions
    module: Any = ir.Module(name="model")  # its own name comes from a file, and this is code
    module.triple = llvm.get_process_triple()
    surveys = Surveys()
    codes = [
        LayerCode(
            Routine(module, f"layer{index}"),
            forms,
            plan_heads(model, layers[index], forms, assumptions.plans[index]),
            surveys,
            plain_edges=assumptions.plain_edges,
        )
        for index, forms in enumerate(analysis.layers)
    ]
    scratch = max((layer.emit(surveys.columns) for layer in codes), default=0)
    surveys.emit(module)
    names = [layer.routine.function.name for layer in codes]
    emit_loop(module, names, model.layout[model.layout.halt].first)
    engine = compile_module(module)

    def function(name: str) -> Function:
        return SIGNATURE(engine.get_function_address(name))

    return Build(
        assumptions,
        check=Check(assumptions),
        run=function("run"),
        layers=tuple(map(function, names)),
        survey=function("survey") if surveys.any else None,
        fill=function("fill"),
        scratch=scratch,
        stored=surveys.stored,
        edges=frozenset(head.over for layer in layers for head in layer.heads if head.over != "I"),
        engine=engine,
    )


def plan_heads(
    model: Weights, layer: SparseLayer, forms: LayerForms, plans: Sequence[Plan]
) -> list[PlannedHead]:
    """A layer's heads: their forms, weighing and plans."""
    return [
        PlannedHead(
            head.over,
            Scored(
                {scope: forms.heads[scope][index] for scope in Scope},
                softmax=model.attention == "softmax",
                temperature=head.temperature,
                reach=reach(model, head),
            ),
            plan,
        )
        for index, (head, plan) in enumerate(zip(layer.heads, plans, strict=True))
    ]


def emit_loop(module: ir.Module, layers: Sequence[str], halt: int) -> None:
    """`run`: all layers, until row 0's halting flag is set or the iterations are used up."""
    routine = Routine(module, "run")
    body = routine.body

    def iterate(iteration: Value, _: list[Value]) -> None:
        for name in layers:
            body.call(module.get_global(name), [routine.frame, code.count(0)])
        flag = code.load(body, routine.row_zero_address(body, halt))
        with body.if_then(body.fcmp_ordered(">", flag, code.real(HALTED))):
            body.ret(body.add(iteration, code.count(1)))

    code.loop(body, routine.argument, iterate)
    routine.finish(code.count(-1))


def compile_module(module: ir.Module) -> Any:
    """Optimise for this very processor, and make the code callable."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    parsed = llvm.parse_assembly(str(module))
    target = llvm.Target.from_triple(parsed.triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3
    )
    # The code is written in packs and says nothing twice, so LLVM's usual pipeline gains nothing
    # over this one pass, but takes longer than all the rest.
    passes = llvm.create_new_module_pass_manager()
    passes.add_instruction_combine_pass()
    passes.run(parsed, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options()))
    engine = llvm.create_mcjit_compiler(parsed, target)
    engine.finalize_object()
    return engine
