"""The machine's multiply-add peak, measured: what no loop over doubles can exceed on one core."""

from __future__ import annotations

import ctypes
import time
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

LANES = 8
CHAINS = 10
"""Independent accumulators: enough to hide the latency of a multiply and an add."""
STEPS = 4_000_000


def multiply_add_peak() -> float:
    """Multiply-adds a second of one core, in vectors of doubles, without fused instructions."""
    engine, run = _compile()
    best = min(_seconds(run) for _ in range(3))
    del engine
    return STEPS * CHAINS * LANES / best


def _seconds(run: Any) -> float:
    begin = time.perf_counter()
    run(STEPS)
    return time.perf_counter() - begin


def _compile() -> tuple[Any, Any]:
    """double f(long steps): every chain does x ← x·a + b, steps times."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    vector: Any = ir.VectorType(ir.DoubleType(), LANES)
    module = ir.Module("peak")
    function = ir.Function(module, ir.FunctionType(ir.DoubleType(), [ir.IntType(64)]), "peak")
    entry, body, done = (function.append_basic_block(name) for name in ("entry", "body", "done"))
    ir.IRBuilder(entry).branch(body)
    builder: Any = ir.IRBuilder(body)
    count = builder.phi(ir.IntType(64))
    chains = [builder.phi(vector) for _ in range(CHAINS)]
    scale, shift = (ir.Constant(vector, [k] * LANES) for k in (0.999999, 1e-6))
    moved = [builder.fadd(builder.fmul(x, scale), shift) for x in chains]
    after = builder.add(count, ir.Constant(ir.IntType(64), 1))
    builder.cbranch(builder.icmp_signed("<", after, function.args[0]), body, done)
    count.add_incoming(ir.Constant(ir.IntType(64), 0), entry)
    count.add_incoming(after, body)
    for i, (x, y) in enumerate(zip(chains, moved, strict=True)):
        x.add_incoming(ir.Constant(vector, [1.0 + i] * LANES), entry)
        x.add_incoming(y, body)
    end: Any = ir.IRBuilder(done)
    total = moved[0]
    for y in moved[1:]:
        total = end.fadd(total, y)
    end.ret(end.extract_element(total, ir.Constant(ir.IntType(32), 0)))
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3
    )
    parsed = llvm.parse_assembly(str(module))
    engine: Any = llvm.create_mcjit_compiler(parsed, machine)
    engine.finalize_object()
    call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_long)
    return engine, call(engine.get_function_address("peak"))
