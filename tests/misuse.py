"""Thousands of random misuses of the public API: each is refused, or does what it should.

    python tests/misuse.py --calls 10000

A call goes through one of the doors that `public_surface` finds, with valid arguments but for one
or two, which are hostile: both are in `misuse_values`. A `LoopwrightError` is right. If the call is
accepted, what it gives is used as people would use it, and that must work, or be refused as well;
and an argument that only says how to run must not change the answer. Anything else is a violation:
another exception, a wrong answer, a process that dies, hangs, or takes too much memory.

Prints a table of what was done, and every violation with its call, which runs if it is pasted after
`from misuse_values import *`. The call of seed 17 is made again by `--seed 17 --calls 1`.
"""

from __future__ import annotations

import argparse
import inspect
import multiprocessing
import random
import resource
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import loopwright as lw
from loopwright.language import Formula, Op, Step, Variable
from misuse_values import (
    EDGES,
    HALT,
    HOSTILE,
    INSTANCES,
    KEPT,
    KEYWORDS,
    LAST,
    MODEL,
    example,
    value_of,
)
from public_surface import Door, doors, queries_of

PATIENCE = 10.0
"""Seconds for one call; the slowest valid one takes some tenths."""

ADDRESS_SPACE = 4 * 2**30
"""Bytes of a process that makes calls."""

HOW = {"machine", "observers", "max_iterations", "rows", "checked", "scale", "workers", "progress"}
"""Arguments that may be refused, but do not change what is right."""

SOME = 20
"""As much is read of an iterator that a call gives."""

Verdict = Literal["refused", "refused in use", "accepted", "violation"]


class Outcome(NamedTuple):
    """What came of a call."""

    verdict: Verdict
    problem: str = ""
    """Of a violation, what happened and where."""


# ── a call ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Call:
    """A door, and the expressions of its arguments by parameter."""

    door: Door
    arguments: dict[str, str]
    hostile: frozenset[str] = frozenset()
    """The parameters whose arguments are not the valid ones."""

    def bound(self, argument: Callable[[str], Any]) -> inspect.BoundArguments:
        """Its arguments in order, each made of its expression."""
        bound = inspect.signature(self.door.call).bind_partial()
        for name, parameter in bound.signature.parameters.items():
            if name not in self.arguments:
                made = argument(instance(self.door))
            else:
                made = argument(self.arguments[name])
            if parameter.kind is parameter.VAR_POSITIONAL:
                made = (made,)
            elif parameter.kind is parameter.VAR_KEYWORD:
                made = {KEYWORDS[name]: made}
            bound.arguments[name] = made
        return bound

    def __str__(self) -> str:
        bound, called = self.bound(str), f"lw.{self.door.name}"
        positional = list(bound.args)
        if self.door.of:
            called = f"({positional.pop(0)}).{self.door.name.rpartition('.')[2]}"
        keywords = [f"{name}={argument}" for name, argument in bound.kwargs.items()]
        return f"{called}({', '.join([*positional, *keywords])})"

    def make(self) -> Any:
        bound = self.bound(value_of)
        return self.door.call(*bound.args, **bound.kwargs)


def instance(door: Door) -> str:
    """The object of a method."""
    assert door.of
    return INSTANCES[door.of.__name__]


def valid(door: Door) -> Call:
    """Raises KeyError if some parameter has no example."""
    return Call(door, {each.name: example(door, each) for each in door.parameters})


@cache
def slots() -> list[tuple[Door, str]]:
    """Every parameter of every door."""
    return [(door, each.name) for door in doors().values() for each in door.parameters]


def draw(seed: int) -> Call:
    """One misuse; every parameter is as likely as any other."""
    rng = random.Random(seed)
    door, first = rng.choice(slots())
    call = valid(door)
    hostile = {first} | ({rng.choice([*call.arguments])} if rng.random() < 0.25 else set())
    replaced = {name: rng.choice(HOSTILE) for name in sorted(hostile)}
    return replace(call, arguments=call.arguments | replaced, hostile=frozenset(hostile))


# ── what comes of it ────────────────────────────────────────────────────────────────────────────


class Wrong(Exception):
    """A call was accepted, but what it gave is not right."""


def attempt(call: Call) -> Outcome:
    """Make a call, use what it gives, and judge; in a folder of its own."""
    made: Any = None
    accepted = False
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        try:
            made = call.make()
            accepted = True
            made = list(islice(made, SOME)) if isinstance(made, Iterator) else made
            compare(call, made)
            use(made)
        except lw.LoopwrightError as refusal:
            if not str(refusal).strip():
                return Outcome("violation", "an error without a message")
            return Outcome("refused in use" if accepted else "refused")
        except BaseException as failure:  # whatever it is, the record must say of which call
            return Outcome("violation", described(failure, "in use, " if accepted else ""))
    return Outcome("accepted")


def described(failure: BaseException, when: str) -> str:
    """The exception, and the last line of ours that it came through."""
    frames = traceback.extract_tb(failure.__traceback__)
    ours = [frame for frame in frames if "loopwright" in Path(frame.filename).parts]
    last = (ours or frames)[-1]
    place = "/".join(Path(last.filename).parts[-3:])
    message = "".join(traceback.format_exception_only(failure)).strip().splitlines()[-1]
    return f"{when}{place}:{last.lineno} in {last.name}: {message[:200]}"


@cache
def right_answer(door: str) -> Any:
    """What the valid call gives, as far as runs agree on it: not how long it took."""
    made = valid(doors()[door]).make()
    return results(list(made) if isinstance(made, Iterator) else made)


def results(made: Any) -> Any:
    if isinstance(made, list):
        return [results(each) for each in made]
    return dict(made.result) if isinstance(made, lw.Answer) else made


def compare(call: Call, made: Any) -> None:
    """An argument that only says how to run does not change the answer.

    A scale may, by as much as the certificate says that weights are rounded; then other outputs may
    differ too, where paths are no longer as long as each other.
    """
    several = made if isinstance(made, list) else [made]
    if not (call.hostile <= HOW and all(isinstance(each, lw.Answer) for each in several)):
        return
    found, wanted = results(made), right_answer(call.door.name)
    if "scale" in call.hostile:
        off = MODEL.check(EDGES, scale=value_of(call.arguments["scale"])).rounding
        pairs = [(found["dists"][node], length) for node, length in wanted["dists"].items()]
        right = all(abs(one - other) <= off for one, other in pairs) if off else found == wanted
    else:
        right = found == wanted
    if not right:
        raise Wrong(f"{found} is not {wanted}")


def use(made: Any) -> None:
    """Do what people do with such a thing.

    An op and a variable are put into a program, a program is compiled, a model is run next to its
    program; of everything, all is asked that can be.
    """
    if isinstance(made, list):
        for each in made:
            use(each)
        return
    if isinstance(made, Variable):
        other = replace(made, name="another", start=0, at_source=None)
        use(alone(lw.ops.Copy(other, made), lw.ops.Copy(made, other)))
    elif isinstance(made, Formula):
        use(alone(lw.ops.Set(lw.nodes.flag("set"), made)))
    elif isinstance(made, Op):
        use(alone(made))
    elif isinstance(made, Step):
        given: Any = {"source": "optional"}
        if any(op.along_edges for op in made.ops):
            given |= {"edges": "ones"}
        use(lw.Program("misused", (made, LAST), {"kept": KEPT}, HALT, (1,), **given))
    elif isinstance(made, lw.Program):
        use(lw.compile(made))
    elif isinstance(made, lw.Limits):
        use(lw.compile(lw.algorithms.dijkstra(), limits=made))
    elif isinstance(made, lw.Model) and made.bound:  # others run as long as their input says
        graph = lw.Graph.of(EDGES)
        suited = graph.undirected() if "undirected" in made.needs else graph
        lw.verify(made, suited, source=None if made.source == "none" else "a")
    elif isinstance(made, lw.Graph):
        lw.verify(MODEL, made, source=made.labels[0])
    elif isinstance(made, lw.Trace):
        list(islice(made, SOME))
    elif isinstance(made, lw.algorithms.Algorithm):
        use(made())
    elif isinstance(made, lw.TraceWriter):
        MODEL.run(EDGES, source="a", machine="reference", observers=[made])
    ask(made)


def alone(*ops: Op) -> Step:
    return lw.step("misused", *ops)


def ask(made: Any) -> None:
    """Print it, read its properties, call what needs no argument."""
    str(made), repr(made)
    properties, methods = queries_of(type(made))
    for name in properties:
        getattr(made, name)
    for name in methods:
        answer = getattr(made, name)()
        if isinstance(answer, Iterator):
            list(islice(answer, SOME))


# ── processes ───────────────────────────────────────────────────────────────────────────────────


def misuse(seed: int) -> Outcome:
    return attempt(draw(seed))


def serve(seeds: range, make: Callable[[int], Outcome], parent: Connection) -> None:
    """Make the calls of these seeds, and send their outcomes; in a process of its own."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    parent.send("ready")
    for seed in seeds:
        parent.send(make(seed))


def outcomes(
    seeds: range, make: Callable[[int], Outcome] = misuse, patience: float = PATIENCE
) -> Iterator[tuple[int, Outcome]]:
    """What came of the call of each seed; one that ends or holds up its process is found by that,
    and the next begins in another process."""
    context = multiprocessing.get_context("spawn")
    while seeds:
        ours, theirs = context.Pipe(duplex=False)
        child = context.Process(target=serve, args=(seeds, make, theirs), daemon=True)
        child.start()
        theirs.close()
        ours.recv()
        for seed in seeds:
            seeds = range(seed + 1, seeds.stop)
            try:
                if not ours.poll(patience):
                    yield seed, Outcome("violation", f"no end after {patience:g} seconds")
                    break
                yield seed, ours.recv()
            except EOFError:
                child.join()
                yield seed, Outcome("violation", f"the process ended with code {child.exitcode}")
                break
        child.kill()
        child.join()


# ── the record ──────────────────────────────────────────────────────────────────────────────────


def table(done: Counter[tuple[str, str]]) -> str:
    """A line for each door: how many calls, and what came of them."""
    verdicts = get_args(Verdict)
    lines = [["", "calls", *verdicts]]
    for door in [*doors(), None]:
        counts = [
            sum(done[name, verdict] for name in doors() if door in (name, None))
            for verdict in verdicts
        ]
        lines.append([door or "all", *(f"{count:,}" for count in [sum(counts), *counts])])
    return "\n".join(f"{name:34}" + "".join(f"{cell:>16}" for cell in row) for name, *row in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    begin, done, wrong = time.time(), Counter[tuple[str, str]](), list[str]()
    for seed, outcome in outcomes(range(given.seed, given.seed + given.calls)):
        call = draw(seed)
        done[call.door.name, outcome.verdict] += 1
        if outcome.verdict == "violation":
            wrong.append(f"seed {seed}: {call}\n  {outcome.problem}")
    print(table(done))
    print(f"{done.total():,} calls in {time.time() - begin:.0f} s")
    print(f"{len(wrong)} violations")
    for line in wrong:
        print(line)
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
