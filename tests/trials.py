"""Random cases on every machine, against what they mean: what `random_programs.py` and
`random_statements.py` have in common.

A case is a program with a few graphs. Compared are the program's own answer (`lw.interpret`) and
those of its weights, label by label, with what an oracle says that the program means. What the
certificate guarantees must be right; what is refused must be refused with a `LoopwrightError`, and
a run may stop where a value leaves its range. All else is a mismatch, a warning included.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import islice
from math import isfinite
from typing import Any, Literal, NamedTuple

import loopwright as lw
from loopwright.compiler.pack import pack
from loopwright.errors import DidNotHalt, Divergence, GraphError
from second_meaning import (
    NO_ANSWER,
    UNDEFINED,
    BrokenPromise,
    Meaning,
    NeverHalts,
    Problem,
    Undecided,
)

CHUNK = 25
"""Programs that a process runs at a time."""
SHRUNK = 20
"""Mismatches that are made small before they are shown, each in at most so many attempts:"""
ATTEMPTS = 200


class Run(NamedTuple):
    machine: str
    attention: Literal["hardmax", "softmax"] = "hardmax"
    packed: bool = False
    every: int = 1
    """One seed in so many."""
    lockstep: bool = False
    """Whether `lw.verify` runs it, which compares every variable after every layer as well."""


RIGHT, STOPPED, UNSURE, REFUSED, MEANINGLESS, WRONG = OUTCOMES = (
    "right",
    "stopped",
    "not guaranteed",
    "refused",
    "no meaning",
    "wrong",
)
"""What becomes of a run; `no meaning`: the program broke a promise, or asks how far Ω̂ is."""


class Verdict(NamedTuple):
    outcome: str
    why: str = ""


# ── what is run ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Instance:
    """A graph, and what else a run needs."""

    labels: list[Any]
    edges: dict[tuple[int, int], int | Fraction]
    """(tail, head), numbered from 1; an undirected edge once."""
    directed: bool
    source: int | None
    inputs: dict[str, Any]
    most: int | None
    """`max_iterations`, for a program that has no bound."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """A program that may yet be refused, and the instances to run it on."""

    outputs: dict[str, Any]
    bound: tuple[int, ...]
    edges: Literal["weights", "ones"]
    source: Literal["required", "optional", "none"]
    limits: lw.Limits
    instances: tuple[Instance, ...]

    def program(self) -> lw.Program:
        raise NotImplementedError

    def meaning(self, problem: Problem) -> Meaning:
        """What the program says, by an oracle.

        Raises:
            BrokenPromise: if it breaks one, so that no answer is right or wrong.
            NeverHalts: if it does not halt in time.
        """
        raise NotImplementedError

    def parts(self) -> set[str]:
        """The names of what it is made of, for the record."""
        raise NotImplementedError

    def less(self) -> Iterator[Case]:
        """The same case with a little less of a program."""
        raise NotImplementedError

    def lines(self) -> list[str]:
        """Declarations and program, to be read."""
        raise NotImplementedError

    def smaller(self) -> Iterator[Case]:
        """The same case with less of a program, without an output, or on a smaller instance."""
        yield from self.less()
        for name in self.outputs:
            rest = {other: v for other, v in self.outputs.items() if other != name}
            if rest:
                yield replace(self, outputs=rest)
        (instance,) = self.instances
        for less in less_of(instance):
            yield replace(self, instances=(less,))

    def listing(self) -> str:
        """Declarations, program and graph."""
        (instance,) = self.instances
        edges = {arc: str(weight) for arc, weight in instance.edges.items()}
        kind = "directed" if instance.directed else "undirected"
        lines = [
            *self.lines(),
            f"labels {instance.labels}, {kind} edges {edges}, source {instance.source}",
            f"inputs {instance.inputs}, {self.limits}",
        ]
        return "\n".join(f"    {line}" for line in lines)


class Family(NamedTuple):
    """What cases are drawn, and how they are run."""

    draw: Callable[[int], Case]
    """Seed → case."""
    runs: Mapping[str, Run]
    """Column of the record → how a program is run for it."""
    parts: Sequence[str]
    """All that a case may have among its parts."""


# ── one run ─────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Trial:
    """A case, with the models that were compiled of it."""

    case: Case

    def __post_init__(self) -> None:
        self.program = cache(self.case.program)
        self.model = cache(self.compiled)

    def compiled(self, attention: Literal["hardmax", "softmax"], packed: bool) -> lw.Model:
        program = pack(self.program()) if packed else self.program()
        return lw.compile(program, limits=self.case.limits, attention=attention)

    def verdict(self, run: Run, instance: Instance) -> Verdict:
        """What becomes of one run; whatever is raised but a `LoopwrightError` is wrong."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                return self.judged(run, instance)
        except lw.LoopwrightError as error:
            return Verdict(REFUSED, brief_of(error))
        except Exception as error:  # a crash is a mismatch, of whatever class it is
            return Verdict(WRONG, brief_of(error))

    def judged(self, run: Run, instance: Instance) -> Verdict:
        """Raises what the run raises before it is guaranteed."""
        program, graph = self.program(), graph_of(instance)
        if run.machine == "none":
            return verdict_on(
                lambda: interpreted(program, instance), lambda: self.wanted(instance), 0
            )
        model = self.model(run.attention, run.packed)
        certificate = model.check(
            graph, machine=run.machine, max_iterations=instance.most, **instance.inputs
        )
        options = options_of(instance) | {"machine": run.machine}
        if not certificate.guaranteed:
            return not_guaranteed(model, graph, options)
        epsilon, scale = model.constants.resolution, certificate.scale
        rounded = None if certificate.rounding == 0 else (epsilon, scale)
        tolerance = epsilon / 4 / scale if run.attention == "softmax" else Fraction(0)
        wanted = partial(self.wanted, instance, rounded)
        if run.lockstep:
            return verdict_on(lambda: lw.verify(model, graph, **options), wanted, tolerance)
        return verdict_on(lambda: model.run(graph, **options), wanted, tolerance)

    def wanted(
        self, instance: Instance, rounded: tuple[Fraction, Fraction] | None = None
    ) -> Meaning | BrokenPromise | NeverHalts:
        """The right answer, with the weights as they are, or rounded to (resolution, scale)."""
        n = len(instance.labels)
        edges = dict(instance.edges)
        if not instance.directed:
            edges |= {(head, tail): weight for (tail, head), weight in edges.items()}
        if rounded:
            step, scale = rounded
            edges = {arc: round(w * scale / step) * step / scale for arc, w in edges.items()}
        bound = sum(k * n**power for power, k in enumerate(self.case.bound))
        most = instance.most or bound
        problem = Problem(instance.labels, edges, instance.source, instance.inputs, most)
        try:
            return self.case.meaning(problem)
        except (BrokenPromise, NeverHalts) as nothing:
            return nothing


def graph_of(instance: Instance) -> lw.Graph:
    labels = instance.labels
    edges = [(labels[t - 1], labels[h - 1], weight) for (t, h), weight in instance.edges.items()]
    return lw.Graph.from_edges(edges, nodes=labels, directed=instance.directed)


def options_of(instance: Instance) -> dict[str, Any]:
    source = None if instance.source is None else instance.labels[instance.source - 1]
    return {"source": source, "max_iterations": instance.most, **instance.inputs}


def interpreted(program: lw.Program, instance: Instance) -> lw.Answer:
    return lw.interpret(program, graph_of(instance), **options_of(instance))


def not_guaranteed(model: lw.Model, graph: lw.Graph, options: dict[str, Any]) -> Verdict:
    """It must be refused; and whoever insists may get anything, but no foreign exception."""
    try:
        model.run(graph, **options)
        return Verdict(WRONG, "it is not guaranteed, and was run all the same")
    except lw.LoopwrightError as error:
        refusal = brief_of(error)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # numbers out of range are what was asked for
            model.run(graph, checked=False, **options)
    except lw.LoopwrightError:
        pass
    return Verdict(UNSURE, refusal)


def verdict_on(
    run: Callable[[], Any], meant: Callable[[], Any], tolerance: Fraction | int
) -> Verdict:
    """A run that is guaranteed: it must be right, or stop. What is refused need not mean anything,
    so only then what is right is asked for."""
    stopped: lw.LoopwrightError | None = None
    answer: Any = None
    try:
        answer = run()
    except GraphError as error:
        return Verdict(REFUSED, brief_of(error))
    except lw.LoopwrightError as error:
        stopped = error
    wanted = meant()
    if stopped is not None:
        return verdict_on_stop(stopped, wanted)
    if isinstance(wanted, Undecided):
        return Verdict(MEANINGLESS, str(wanted))
    if isinstance(wanted, BrokenPromise):
        return Verdict(WRONG, f"{wanted}, and nobody noticed")
    if isinstance(wanted, NeverHalts):
        return Verdict(WRONG, f"it never halts, but did after {answer.iterations} iterations")
    return compared(answer, wanted, tolerance)


def verdict_on_stop(error: lw.LoopwrightError, wanted: Any) -> Verdict:
    if isinstance(error, DidNotHalt):
        halts = isinstance(wanted, Meaning)
        return Verdict(WRONG if halts else RIGHT, f"{brief_of(error)} It should.")
    if isinstance(wanted, BrokenPromise):
        return Verdict(MEANINGLESS, brief_of(error))
    contradicts = any(words in str(error) for words in ("no whole number", "is not guaranteed"))
    wrong = contradicts or isinstance(error, Divergence)
    return Verdict(WRONG if wrong else STOPPED, brief_of(error))


def compared(answer: lw.Answer, wanted: Meaning, tolerance: Fraction | int) -> Verdict:
    """Label by label."""
    if answer.iterations != wanted.iterations:
        return Verdict(
            WRONG, f"halts after {answer.iterations} iterations, not {wanted.iterations}"
        )
    found = {name: dict(column) for name, column in answer.result.items()}
    if {name: [*column] for name, column in found.items()} != {
        name: [*column] for name, column in wanted.result.items()
    }:
        return Verdict(WRONG, f"outputs or labels: {found}, not {wanted.result}")
    for name, column in wanted.result.items():
        for label, right in column.items():
            if not same(found[name][label], right, tolerance):
                return Verdict(WRONG, f"{name}[{label!r}] is {found[name][label]!r}, not {right!r}")
    undefined = all(x == UNDEFINED for column in wanted.result.values() for x in column.values())
    return Verdict(MEANINGLESS if undefined else RIGHT)


def same(found: Any, right: Any, tolerance: Fraction | int) -> bool:
    """Floats may be off by the tolerance, or where they cannot hold the number; nothing else."""
    if right == UNDEFINED or right == NO_ANSWER:
        return right == UNDEFINED
    if isinstance(found, float) and isinstance(right, int | Fraction):
        return found == float(right) or (
            isfinite(found) and abs(Fraction(found) - right) <= tolerance
        )
    return type(found) is bool and found is right if isinstance(right, bool) else found == right


def brief_of(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200]


# ── many ────────────────────────────────────────────────────────────────────────────────────────


class Mismatch(NamedTuple):
    seed: int
    column: str
    instance: int
    why: str


class Record(NamedTuple):
    """What was done, to be added up."""

    runs: Counter[tuple[str, str]]
    """By column and outcome."""
    reasons: Counter[str]
    """The classes of what was raised, where a run was refused, stopped or not guaranteed."""
    parts: Counter[str]
    """Of so many programs that were not refused at once, by the part that is in them."""
    wrong: list[Mismatch]


def trials(seeds: range, family: Family) -> Record:
    """Run the programs of these seeds."""
    record = Record(Counter(), Counter(), Counter(), [])
    for seed in seeds:
        trial = Trial(family.draw(seed))
        accepted = False
        for column, run in family.runs.items():
            if seed % run.every:
                continue
            for number, instance in enumerate(trial.case.instances):
                outcome, why = trial.verdict(run, instance)
                record.runs[column, outcome] += 1
                if outcome == WRONG:
                    record.wrong.append(Mismatch(seed, column, number, why))
                elif outcome in (REFUSED, STOPPED, UNSURE):
                    record.reasons[f"{outcome}: {why.split(':')[0]}"] += 1
                accepted |= outcome not in (REFUSED, UNSURE)
        if accepted:
            record.parts.update(trial.case.parts())
    return record


# ── making a mismatch small ─────────────────────────────────────────────────────────────────────


def less_of(instance: Instance) -> Iterator[Instance]:
    n = len(instance.labels)
    if n > 1 and instance.source != n:
        yield replace(
            instance,
            labels=instance.labels[:-1],
            edges={arc: weight for arc, weight in instance.edges.items() if n not in arc},
            inputs={
                name: given[: n - 1] if isinstance(given, list) else given
                for name, given in instance.inputs.items()
            },
        )
    for name in instance.inputs:
        yield replace(instance, inputs={k: v for k, v in instance.inputs.items() if k != name})
    for arc, weight in instance.edges.items():
        rest = {other: w for other, w in instance.edges.items() if other != arc}
        yield replace(instance, edges=rest)
        if weight != 1:
            yield replace(instance, edges=rest | {arc: 1})


def shrunk(case: Case, run: Run, attempts: int = ATTEMPTS) -> tuple[Case, str]:
    """As little of the case as still goes wrong, and how it does."""

    def wrong(tried: Case) -> str | None:
        outcome, why = Trial(tried).verdict(run, tried.instances[0])
        return why if outcome == WRONG else None

    why = wrong(case) or ""
    sort, left = sort_of(why), attempts
    while left > 0:
        for tried in islice(case.smaller(), left):
            left -= 1
            found = wrong(tried)
            if found and sort_of(found) == sort:
                case, why = tried, found
                break
        else:
            break
    return case, why


def sort_of(why: str) -> str:
    """Which exception it was, or a wrong answer."""
    first = why.split(" ")[0]
    return first if first.endswith("Error:") else "answer"


# ── the record ──────────────────────────────────────────────────────────────────────────────────


def table(record: Record, family: Family) -> str:
    """A line for each column, with its runs by outcome; then parts, and the reasons of refusals."""
    lines = [f"{'':18}" + "".join(f"{outcome:>16}" for outcome in OUTCOMES)]
    for column in family.runs:
        cells = (f"{record.runs[column, outcome]:>16,}" for outcome in OUTCOMES)
        lines.append(f"{column:18}" + "".join(cells))
    parts = ", ".join(f"{part} {record.parts[part]:,}" for part in family.parts)
    reasons = ", ".join(f"{why} {count:,}" for why, count in record.reasons.most_common())
    return "\n".join([*lines, f"programs with each part: {parts}", f"reasons: {reasons}"])


def shown(mismatch: Mismatch, family: Family) -> str:
    """Small, with all that is needed to see it again."""
    case = family.draw(mismatch.seed)
    one = replace(case, instances=(case.instances[mismatch.instance],))
    small, why = shrunk(one, family.runs[mismatch.column])
    return f"seed {mismatch.seed}, {mismatch.column}: {why}\n{small.listing()}"


def one_thread() -> None:
    """For PyTorch: the processes fill the cores already."""
    import torch

    torch.set_num_threads(1)


def main(family: Family, description: str) -> None:
    """The command line: run many cases, print the record, and every mismatch with its seed."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--programs", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    given = parser.parse_args()
    begin = time.time()
    total = Record(Counter(), Counter(), Counter(), [])
    last = given.seed + given.programs
    chunks = [range(s, min(s + CHUNK, last)) for s in range(given.seed, last, CHUNK)]
    programs = 0
    with ProcessPoolExecutor(given.processes, initializer=one_thread) as pool:
        for start in range(0, len(chunks), 2 * given.processes):
            several = chunks[start : start + 2 * given.processes]
            if time.time() - begin > given.minutes * 60:
                break
            try:
                records = [*pool.map(partial(trials, family=family), several)]
            except BrokenProcessPool:
                first, end = several[0].start, several[-1].stop
                raise SystemExit(
                    f"a process crashed at one of the seeds {first}…{end - 1}"
                ) from None
            for record in records:
                for mine, more in zip(total[:3], record[:3], strict=True):
                    mine.update(more)
                total.wrong.extend(record.wrong)
                for seed, column, number, why in record.wrong:
                    print(f"seed {seed}, {column}, graph {number}: {why}", flush=True)
            programs += sum(map(len, several))
            print(f"{programs:,} programs, {len(total.wrong):,} mismatches", flush=True)
    seconds = time.time() - begin
    print(table(total, family))
    print(f"{programs:,} programs, {total.runs.total():,} runs in {seconds:.0f} s")
    print(f"{len(total.wrong):,} mismatches")
    first_of_each = {mismatch.seed: mismatch for mismatch in reversed(total.wrong)}
    for seed in sorted(first_of_each)[:SHRUNK]:
        print(shown(first_of_each[seed], family))
    raise SystemExit(bool(total.wrong))
