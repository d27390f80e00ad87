"""Code that is compiled, now or by an earlier process → functions that Python can call."""

# llvmlite has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding as llvm

from loopwright.runtime.machines.native import kept

HALTED = 0.5
"""The halting flag is set if it is above this, as in the reference."""

Function = Callable[[int, int], int]
"""Machine code: it takes the address of a frame and one more number, returns a number, and runs
without Python's lock."""
SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)


class Part(NamedTuple):
    """A function that does one layer, or a part of one."""

    function: Function
    shared: bool
    """Whether it does the share of the nodes that its argument says, at once with others."""


@dataclass(frozen=True, eq=False)
class Build:
    """Machine code for one model under some assumptions, and what a run must lay out for it.

    It holds no state of any run, so that runs can share it between threads.
    """

    plain_edges: bool
    """Whether it counts on edges that join nodes, never row 0, none of which weighs less than 0."""
    lay_out: Function
    """Counts the edges into the orders that are needed, unless flaws of them stand against it;
    returns these: see `frame.Flaw`."""
    place: Function | None
    """The part of this that does the rows of a share; None if no order needs it."""
    run: Function
    """Loops for at most so many iterations; returns how many it took to halt, or −1."""
    layers: tuple[Sequence[Part], ...]
    """The parts of each layer, one after the other."""
    alike: tuple[Sequence[int], ...]
    """For each layer: columns that may now be written at the first node alone, for all nodes."""
    survey: Function
    """Computes what never changes from X₀, and returns 0 if that is as assumed."""
    fill: Function | None
    """Stores the entries that the survey counted; None if there never are any."""
    scratch: int
    """How many columns of scratch the layers need."""
    surveys: int
    """How many surveys there are."""
    by_tail: bool
    """Whether edges are needed by the rows that they leave …"""
    by_head: bool
    """… and by those that they enter."""
    engine: Any
    """Owns the code, which lives as long as this does."""


def load(facts: Mapping[str, Any], code: bytes) -> Build:
    """Have code where it can be called. `facts` is what a run must know of it."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()

    def function(name: str) -> Function:
        return SIGNATURE(engine.get_function_address(name))

    return Build(
        plain_edges=facts["plain_edges"],
        lay_out=function("lay_out"),
        place=function("place") if facts["by_head"] else None,
        run=function("run"),
        layers=tuple([Part(function(n), s) for n, s in parts] for parts in facts["layers"]),
        alike=tuple(facts["alike"]),
        survey=function("survey"),
        fill=function("fill") if facts["stores"] else None,
        scratch=facts["scratch"],
        surveys=facts["surveys"],
        by_tail=facts["by_tail"],
        by_head=facts["by_head"],
        engine=engine,
    )


def kept_build(key: str) -> Build | None:
    """The build that was kept under a key, if there is one."""
    entry = kept.find(key)
    return None if entry is None else load(*entry)


def processor() -> tuple[str, str, str]:
    """What this machine is to LLVM: its triple, the processor's name, and what that can do."""
    features = llvm.get_host_cpu_features().flatten()
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), features


def compiler() -> str:
    """Which LLVM makes code here, and for which processor: code of another is of no use."""
    return repr((llvmlite.__version__, llvm.llvm_version_info, processor()))


def target_machine() -> Any:
    """This very processor, as something to compile for."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple, name, features = processor()
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(cpu=name, features=features, opt=3, jit=True)
