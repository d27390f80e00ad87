"""What every layer comes to → machine code."""

# llvmlite has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from loopwright.model.weights import Over
from loopwright.runtime.machines.native.analyse import Analysis
from loopwright.runtime.machines.native.check import Check
from loopwright.runtime.machines.native.code import Slot, Value, count, real
from loopwright.runtime.machines.native.layer import LayerCode
from loopwright.runtime.machines.native.routine import Routine
from loopwright.runtime.machines.native.survey import Surveys

HALTED = 0.5
"""The halting flag is set if it is above this, as in the reference."""

Function = Callable[[int, int], int]
"""Machine code: it takes the address of a frame and one more number, returns a number, and runs
without Python's lock."""
SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)


@dataclass(frozen=True, eq=False)
class Build:
    """Machine code for one model under some assumptions, and what a run must lay out for it.

    It holds no state of any run, so that runs can share it between threads.
    """

    check: Check
    """Says whether a problem is as assumed, as far as the edges tell."""
    run: Function
    """Loops for at most so many iterations; returns how many it took to halt, or −1."""
    layers: tuple[Function, ...]
    """Each does one layer."""
    survey: Function
    """Computes what never changes from X₀, and returns 0 if that is as assumed."""
    fill: Function | None
    """Stores the entries that the survey counted; None if there never are any."""
    scratch: int
    """How many columns of scratch the layers need."""
    surveys: int
    """How many surveys there are."""
    edges: frozenset[Over]
    """In which orders the edges are needed."""
    engine: Any
    """Owns the code, which lives as long as this does."""


def make(analysis: Analysis, halt: int) -> Build:
    """Write every layer, the surveys they need, and the loop; compile it all.

    `halt` is the column of the halting flag.
    """
    assumptions, surveys = analysis.assumptions, Surveys()
    module: Any = ir.Module(name="model")  # its own name comes from a file, and this is code
    module.triple = llvm.get_process_triple()
    names = [f"layer{index}" for index in range(len(analysis.layers))]
    scratch = [
        LayerCode(Routine(module, name), forms, assumptions, surveys).emit()
        for name, forms in zip(names, analysis.layers, strict=True)
    ]
    surveys.emit(module, assumptions)
    emit_loop(module, names, halt)
    engine = compile_module(module)

    def function(name: str) -> Function:
        return SIGNATURE(engine.get_function_address(name))

    return Build(
        check=Check(assumptions),
        run=function("run"),
        layers=tuple(map(function, names)),
        survey=function("survey"),
        fill=function("fill") if surveys.stores else None,
        scratch=max(scratch, default=0),
        surveys=len(surveys),
        edges=frozenset(head.over for head in assumptions.plans if head.over != "I"),
        engine=engine,
    )


def emit_loop(module: ir.Module, layers: Sequence[str], halt: int) -> None:
    """Write `run`: all layers, until row 0's halting flag is set or the iterations are used up."""
    routine = Routine(module, "run")
    body = routine.body

    def iterate(iteration: Value) -> None:
        for name in layers:
            body.call(module.get_global(name), [routine.frame, count(0)])
        flag = body.load_at(routine.slot(Slot.ROW_ZERO), count(halt))
        with body.if_then(body.fcmp_ordered(">", flag, real(HALTED))):
            body.ret(body.add(iteration, count(1)))

    body.loop(routine.argument, iterate)
    routine.finish(count(-1))


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
