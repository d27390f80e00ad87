"""A function of statements → a program: what is not needed goes, and what is left gets its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from typing import Any, cast

import numpy as np

from loopwright.errors import ProgramError, brief
from loopwright.language import ops
from loopwright.language.op import Malformed, Op, with_variables
from loopwright.language.program import Choices, Program, Step, Values
from loopwright.language.source import Place
from loopwright.language.statements import Statements
from loopwright.language.terms import Term
from loopwright.language.variables import (
    Variable,
)
from loopwright.language.writing import UNNAMED
from loopwright.model.weights import Edges, Need, Source

Outputs = Mapping[str, Term]
"""Result name → what each node has at the end; what is one for all, every node is told."""
Function = Callable[[Statements], Outputs]
Polynomial = Callable[[Any], Any] | tuple[int, ...] | int
"""How many, as a function of the number of nodes: `lambda n: n + 1`, or its coefficients."""


def statements(
    *,
    name: str,
    iterations: Polynomial,
    edges: Edges = "weights",
    source: Source = "none",
    source_unless: str | None = None,
    needs: tuple[Need, ...] = (),
    counts: Polynomial | None = None,
    values: Values | None = None,
    choices: Choices | None = None,
    construction: str = "own",
) -> Callable[[Function], Callable[[], Program]]:
    """Make a function that writes statements into one that gives a program; see `Program`.

    Args:
        iterations: the most that it takes on n nodes, as `lambda n: n + 1`; () if only the caller
            can know.
    """
    bound, most = coefficients("iterations", iterations), coefficients("counts", counts)

    def decorate(function: Function) -> Callable[[], Program]:
        def program() -> Program:
            p = Statements(name, edges, source)
            outputs = function(p)
            return Program(
                name=name,
                edges=edges,
                source=source,
                source_unless=source_unless,
                needs=needs,
                bound=bound,
                counts=most or None,
                values=values,
                choices=choices,
                construction=construction,
                layers="find",
                **finished(p, outputs, place_of(function)),
            )

        program.__name__, program.__doc__ = function.__name__, function.__doc__
        return program

    return decorate


def coefficients(what: str, given: Polynomial | None) -> tuple[int, ...]:
    """A polynomial in the number of nodes as its coefficients, constant first.

    >>> coefficients("iterations", lambda n: 2 * n + 1), coefficients("iterations", 5)
    ((1, 2), (5,))

    Raises:
        ProgramError: if it is no polynomial with whole coefficients.
    """
    if given is None:
        return ()
    shown = "what the function returns" if callable(given) else brief(given)
    if isinstance(given, tuple):
        return cast("tuple[int, ...]", given)
    try:
        made: Any = given(np.polynomial.Polynomial([0, 1])) if callable(given) else given
        found = [float(k) for k in getattr(made, "coef", [made])]
        if all(k >= 0 and k.is_integer() for k in found):
            return tuple(map(int, found))
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        pass
    raise ProgramError(
        f"{what}: {shown} is no polynomial in n with whole coefficients that are not "
        "negative, as lambda n: n * n + 1; round it up to one."
    )


def place_of(function: Function) -> str:
    """A function, with the line of the author's file that it begins on."""
    code = getattr(function, "__code__", None)
    called = f"'{getattr(function, '__name__', brief(function))}'"
    return f"{Place(code.co_filename, code.co_firstlineno)}, {called}" if code else called


def finished(p: Statements, outputs: Any, function: str) -> dict[str, Any]:
    """What a program needs of the statements that a function has written.

    Raises:
        ProgramError: if it returned no outputs, never says when to halt, or took the name of a
            variable for another term.
    """

    def error(problem: str) -> ProgramError:
        return ProgramError(f"{function}: {p.with_names(problem)}.")

    p.places.have_ended = True
    if not isinstance(outputs, Mapping) or not outputs:
        returned = p.shown(cast("Any", outputs))
        raise error(f"returned {returned}, no outputs: end it with return {{'name': variable}}")
    chosen: dict[str, Variable] = {}
    for name, term in cast("Mapping[Any, Any]", outputs).items():
        called = f"output {brief(name, code=True)}"
        if not isinstance(term, Term):
            remedy = f"return {{{brief(name, code=True)}: variable}}"
            raise error(f"{called} is {p.shown(term)}, which is no term: {remedy}")
        if term.p is not p:
            raise error(f"{called} is a term of '{term.p.name}', not of this program")
        chosen[name] = p.at_nodes(term)
    if p.halting is None:
        raise error("never halts: say when, with p.halt_when(p.all(…)) or p.halt_unless(…)")
    used = {v for op in p.ops.values() for v in (*op.reads(), op.out)}
    for name, variable in chosen.items():
        if variable not in used:
            remedy = "assign to it, as in x[:] = …"
            raise error(f"output {brief(name, code=True)} is '{variable}' as it begins: {remedy}")
    names = p.places.names()
    require_assigned(p, names)
    p.is_finished, p.places.have_ended = True, False
    for name, variable in chosen.items():
        names.setdefault(variable.name, name)
    lasting = {p.halting, *chosen.values()}
    written = [(p.ops[when], when.place) for when in sorted(p.ops)]
    written = in_their_places(written, lasting, names.keys())
    written = without_waste(written, lasting)
    last = written[-1][1]
    for name, variable in chosen.items():  # a program knows of what its ops read or write
        if variable not in mentioned(written):
            chosen[name] = p.temporary(variable.kind, variable.scope, signed=variable.signed)
            written.append((ops.Copy(chosen[name], variable), last))
    for variable in p.inputs:
        if variable not in mentioned(written):
            written.append((ops.Copy(variable, variable), last))
    called = final_names(written, names, p.given_names)
    return {
        "steps": tuple(
            Step(
                place.text, (with_variables(op, called, called.get(op.out, op.out)),), at=str(place)
            )
            for op, place in written
        ),
        "outputs": {name: called.get(v, v) for name, v in chosen.items()},
        "halt": called.get(p.halting, p.halting),
    }


def require_assigned(p: Statements, names: Mapping[str, str]) -> None:
    """`x = x + 1` makes another term of that name, and the variable stays what it was.

    Raises:
        ProgramError: if a variable is read but never assigned, and has no name any more.
    """
    written = {op.out for op in p.ops.values()}
    read = {v for op in p.ops.values() for v in op.reads()}
    for variable, place in p.declared.items():
        lost = UNNAMED.fullmatch(variable.name) and variable.name not in names
        if lost and variable in read - written and not isinstance(variable.start, str):
            raise ProgramError(
                f"{place}: a variable is declared here that nothing assigns, and its name stands "
                "for another term at the end: write x[:] = x + 1 in the place of x = x + 1."
            )


Written = list[tuple[Op, Place]]


def mentioned(written: Written) -> dict[Variable, None]:
    """The variables that statements read or write, in order of first mention."""
    return dict.fromkeys(v for op, _ in written for v in (*op.reads(), op.out))


def in_their_places(written: Written, lasting: set[Variable], named: Set[str]) -> Written:
    """What is made for one assignment alone is made there: `x ← a + b`, not `t ← a + b; x ← t`."""
    reads = Counter(v for op, _ in written for v in set(op.reads()))
    made: dict[Variable, int] = {}
    found: list[tuple[Op, Place] | None] = []
    for op, place in written:
        source = copied(op)
        maker = made.get(source) if source is not None else None
        if source is not None and maker is not None and reads[source] == 1:
            moved = found[maker]
            assert moved is not None
            between = [each[0].out for each in found[maker + 1 :] if each is not None]
            free = source not in lasting and source.name not in named
            if (
                free
                and not set(moved[0].reads()) & set(between)
                and (whole := onto(moved[0], op.out))
            ):
                found[maker] = None
                op = whole
        made[op.out] = len(found)
        found.append((op, place))
    return [each for each in found if each is not None]


def copied(op: Op) -> Variable | None:
    """The variable that an op only copies, if so."""
    if isinstance(op, ops.Copy) and isinstance(op.source, Variable):
        return op.source
    return op.formula if isinstance(op, ops.Set) and isinstance(op.formula, Variable) else None


def onto(op: Op, out: Variable) -> Op | None:
    """The op with another variable to write, if that can hold what it makes."""
    moved = with_variables(op, {}, out)
    try:
        moved.check()
    except Malformed:
        return None
    return moved


def without_waste(written: Written, lasting: set[Variable]) -> Written:
    """Without temporary variables that nobody reads."""
    needed = set(lasting)
    found: Written = []
    for op, place in reversed(written):
        if op.out in needed or op.out.start is not None:
            needed.update(op.reads())
            found.append((op, place))
    return found[::-1]


def final_names(
    written: Written, names: Mapping[str, str], taken: Set[str]
) -> dict[Variable, Variable]:
    """Variable → the same with the name that its function has for it, with primes if that is
    another's already; a number, if there is none."""
    used = set(taken)
    found: dict[Variable, Variable] = {}
    unnamed = 0
    for variable in mentioned(written):
        if not UNNAMED.fullmatch(variable.name):
            continue
        name = names.get(variable.name)
        if name is None:
            unnamed += 1
            name = f"t{unnamed}"
        while name in used:
            name += "′"
        used.add(name)
        found[variable] = replace(variable, name=name)
    return found
