"""How near the native machine comes to what the processor can do: the work, and the peak.

The work is what is left of the MLPs once zeros, carrying and erasing have vanished. The peak, which
no loop over doubles can exceed on one core, is measured.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from functools import reduce
from timeit import repeat
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from loopwright.model.layout import Scope
from loopwright.model.weights import Weights
from loopwright.runtime.machines.native import code
from loopwright.runtime.machines.native.assume import guess
from loopwright.runtime.machines.native.build import compile_module
from loopwright.runtime.machines.native.forms import Atom, Form
from loopwright.runtime.machines.native.sparse import sparsify

CHAINS = (4, 6, 8, 12)
"""How many accumulators are tried: few do not hide the latency of a multiply and an add, many do
not fit into the registers, and which is best depends on the processor."""
STEPS = 1_000_000


def multiply_adds_a_node(model: Weights) -> int:
    """Terms that the native code adds up for each node in one iteration, all layers together."""
    analysis = guess(model, sparsify(model))
    return sum(_terms(layer.new[Scope.NODES].values(), set()) for layer in analysis.layers)


def _terms(forms: Iterable[Form], seen: set[Atom]) -> int:
    """Each ReLU is computed once, however often it is used."""
    total = 0
    for form in forms:
        total += len(form)
        for atom in form:
            if isinstance(atom.content, Mapping) and atom not in seen:
                seen.add(atom)
                total += _terms([atom.content], seen)
    return total


def multiply_add_peak() -> float:
    """Multiply-adds a second of one core, in packs of doubles, without fused instructions."""
    return max(map(_rate, CHAINS))


def _rate(chains: int) -> float:
    """Multiply-adds a second where every one of so many chains does x ← x·a + b."""
    module: Any = ir.Module("peak")
    module.triple = llvm.get_process_triple()
    function = ir.Function(module, ir.FunctionType(code.REAL, [code.COUNT]), "peak")
    builder: Any = ir.IRBuilder(function.append_basic_block())

    def step(_: Any, values: list[Any]) -> list[Any]:
        products = [builder.fmul(x, code.pack(0.999999)) for x in values]
        return [builder.fadd(product, code.pack(1e-6)) for product in products]

    starts = [code.pack(1.0 + i) for i in range(chains)]
    values = code.loop(builder, function.args[0], step, starts)
    builder.ret(code.across(builder, reduce(builder.fadd, values), code.add))
    engine = compile_module(module)  # owns the code that is run
    run = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64)(engine.get_function_address("peak"))
    return STEPS * chains * code.LANES / min(repeat(lambda: run(STEPS), number=1, repeat=3))
