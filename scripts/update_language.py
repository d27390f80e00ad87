"""Write docs/language.md: the reference of the language, from docstrings and examples that run.

python scripts/update_language.py            write it
python scripts/update_language.py --check    exit 1 if it is out of date
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import loopwright as lw
from loopwright.compiler.lower import LOWERINGS
from loopwright.language import ops
from loopwright.language.declare import KINDS, Declare
from loopwright.language.op import Op, Phase, Takes, declarations
from loopwright.language.statements import WORDS, Statements
from loopwright.language.write import without_waste
from loopwright.model.layout import Kind, Scope

PAGE = Path(__file__).parents[1] / "docs" / "language.md"

INTRODUCTION = """# The language of statements

*Made by `scripts/update_language.py` from docstrings. Every example is run by the tests.*

A program is a function. It is called once, with `p`, and what it writes is the body of a loop:
statements that mean what they say, one after the other, for all nodes at once. How to begin:
[write-your-own.md](write-your-own.md). Whole programs:
[`examples/algorithms`](../examples/algorithms). Here are all words:

{contents}

They become [ops](#ops-that-work-row-by-row), which say why their weights do what they mean.

The examples are terms on one small graph, with a number `x`, a flag `f` and a pointer `to` at each
node. `show` makes a program of a term, compiles it, runs weights and program side by side, and
gives what each node has:

```python
{preamble}
```
"""

PREAMBLE = """
>>> import loopwright as lw
>>> graph = [("a", "b", 3), ("b", "c", 1), ("a", "c", 10), ("c", "d", 2)]
>>> given = {"x": [4, 1, 3, 1], "f": [1, 0, 1, 0], "to": [2, 3, 4, 0]}
>>> def show(term, graph=graph, **options):
...     @lw.algorithm(iterations=1, **options)
...     def example(p):
...         x = p.nodes.count(start=lw.given("x"), signed=True)
...         f = p.nodes.flag(start=lw.given("f"))
...         to = p.nodes.index(start=lw.given("to"))
...         it = term(p, x, f, to)
...         p.halt_when(p.all(1))
...         return {"it": it}
...     return lw.verify(lw.compile(example()), graph, **given).it

""".strip("\n")

ONES = 'edges="ones"'
EXAMPLES: dict[str, tuple[str, str]] = {
    "index": ("p.where(f, p.index, 0)", ""),
    "is_least": ("p.is_least(x, unless=f)", ""),
    "least": ("p.least(x, unless=p.index == 2)", ""),
    "first": ("p.first(p.is_least(x))", ""),
    "least_where": ("p.least_where(x, to, p.index)", ""),
    "all": ("p.where(p.all(x > 0), 7, 0)", ""),
    "any": ("p.where(p.any(x > 3) & f, 7, 0)", ""),
    "edge_from": ("p.edge_from(p.index == 1)", ""),
    "edge_to": ("p.edge_to(p.index == 3)", ""),
    "edges_from": ("p.edges_from(x < 4)", ""),
    "edges_to": ("p.edges_to(f)", ONES),
    "sum_from": ("p.sum_from(x)", ONES),
    "sum_to": ("p.sum_to(x)", ONES),
    "successor": (
        "p.successor()",
        f'graph=[("a", "b"), ("b", "c"), ("c", "d")], needs=["functional"], {ONES}',
    ),
    "least_from": ("p.least_from(x, unless=f)", ""),
    "least_to": ("p.least_to(p.index, otherwise=0)", ""),
    "nearest_from": ("p.nearest_from(0, otherwise=0)", ""),
    "nearest_to": ("p.nearest_to(0, across=f, otherwise=0)", ""),
    "heaviest_from": ("p.heaviest_from()", ""),
    "heaviest_to": ("p.heaviest_to(unless=f)", ""),
    "via": ("p.via(p.nearest_from(0))", ""),
    "where": ("p.where(f, x, 0)", ""),
    "min": ("p.min(x, 2)", ""),
    "max": ("p.max(x, to)", ""),
}
"""Word → a term that uses it, and what its program says of itself."""

OPERATORS = {
    "x + y, x - y": (
        "x + 1",
        "Sums and differences. What may be negative can be kept in a variable with `signed=True`.",
    ),
    "abs(x - y)": ("abs(x - to)", "How far two numbers are apart."),
    "3 * x": ("3 * x", "A multiple of a number, by a whole number that the weights know."),
    "x < y, <=, >, >=, ==, !=": (
        "(1 < x) & (x < 4)",
        "True or false, on each row. Python would make something else of `1 < x < 4`.",
    ),
    "f & g, f | g, ~f": (
        "f | ~(x == 1)",
        "And, or, not. Python's own words for these do not wait for a run.",
    ),
    "x[to]": ("x[to]", "What the node that an index points to has; 0 where that is no node."),
}
"""What is written → an example, and what it means."""

ASSIGNMENTS = """
| statement | meaning |
| --- | --- |
| `x[:] = …` | `x` gets a new value, on every row |
| `x[flag] = …` | on the rows where the flag is set; other rows keep what they have |
| `x += …`, `x -= …`, `x *= 3` | `x[:] = x + …`, for numbers |
| `f \\|= …`, `f &= …` | `f[:] = f \\| …`, for flags |
| `y = …` | a name for a term, which is worth what it was where it was written |

What a statement reads is what those before it have written. A variable lasts from one iteration to
the next; a term does not. Both are called what the function calls them.

```python
>>> @lw.algorithm(iterations=lambda n: n)
... def count(p):
...     done = p.nodes.count()
...     done += 1
...     last = done == 3
...     done[last & (p.index > 2)] = 100
...     p.halt_when(p.all(last))
...     return {"done": done}
>>> answer = lw.verify(lw.compile(count()), graph)
>>> answer.iterations, answer.done
(3, {'a': 3, 'b': 3, 'c': 100, 'd': 100})

```
"""

VARIABLES = """
`p.nodes.…` declares a variable with an entry for each node, `p.single.…` one with one entry in all.
`start` is what it holds before the first iteration: a number, `lw.UNREACHED` (more than any
distance; None in an answer), `lw.OWN` (each node's own number), or `lw.given("name")`, which the
caller passes by that name when the model is run. `at_source` is what it holds at the source.
"""

STEPS = """
An op is declared once, has a meaning in plain Python, and weights with a proof. The compiler puts
ops into layers. Who wants to say what each layer does, as the paper's programs do, writes in ops:
`lw.step("name", lw.ops.Add(out, a, b), …)` is a layer. Capital letters are those of
[notation.md](notation.md): ε is the resolution, Ω more than any number.
"""

SECTIONS = {
    "Variables": ("nodes", "single", "index"),
    "What other nodes have": ("is_least", "least", "first", "least_where", "all", "any"),
    "The graph": WORDS[WORDS.index("edge_from") : WORDS.index("least_from")],
    "One edge of many": WORDS[WORDS.index("least_from") : WORDS.index("where")],
    "Row by row": ("where", "min", "max"),
    "The end of the loop": ("halt_when", "halt_unless"),
}
OPTIONS = ("edges", "source", "needs", "counts", "values", "choices")
"""Those of `Program` that `@lw.algorithm` takes as they are."""


# ── words ───────────────────────────────────────────────────────────────────────────────────────


def signature(function: Callable[..., Any]) -> str:
    """Names and defaults, without types."""
    made = inspect.signature(function)
    parameters = [
        p.replace(annotation=inspect.Parameter.empty) for p in list(made.parameters.values())[1:]
    ]
    return str(made.replace(parameters=parameters, return_annotation=inspect.Signature.empty))


def entry(name: str, method: Callable[..., Any]) -> str:
    return f"**`{name}{signature(method)}`** {doc(method)}"


def doc(of: Any) -> str:
    """A docstring as a paragraph, or several."""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", inspect.getdoc(of) or "")


def example(term: str, options: str = "") -> str:
    """A block of the page, with what it really gives."""
    space: dict[str, Any] = {}
    exec(re.sub(r"^(>>>|\.\.\.) ?", "", PREAMBLE, flags=re.MULTILINE), space)
    call = f"show(lambda p, x, f, to: {term}{', ' + options if options else ''})"
    return f"```python\n>>> {call}\n{eval(call, space)!r}\n\n```"


def made_of(term: str, options: str = "") -> list[str]:
    """The ops that a term needs."""
    p = Statements("example", "ones" if ONES in options else "weights")
    space = {"p": p, "x": p.nodes.count(signed=True), "f": p.nodes.flag(), "to": p.nodes.index()}
    made = eval(term, space).variable()
    written = without_waste([(p.ops[when], when.place) for when in sorted(p.ops)], {made})
    return list(dict.fromkeys(type(op).__name__ for op, _ in written))


def linked(names: list[str]) -> str:
    return ", ".join(f"[`{name}`](#{name.lower()})" for name in names)


def words() -> Iterator[str]:
    for title, names in SECTIONS.items():
        yield f"## {title}"
        if title == "Variables":
            yield VARIABLES
            for kind in KINDS:
                yield entry(f"p.nodes.{kind}", getattr(Declare, kind))
            yield "**`p.index`** Each node's own number, from 1 on; in an answer, its label."
            yield example(*EXAMPLES["index"])
            continue
        for name in names:
            method = getattr(Statements, name)
            yield entry(f"p.{name}", method)
            if name in EXAMPLES:
                yield example(*EXAMPLES[name])
                yield f"Ops: {linked(made_of(*EXAMPLES[name]))}."
        if title == "Row by row":
            for written, (term, meaning) in OPERATORS.items():
                yield f"**`{written}`** {meaning}"
                yield example(term)
                yield f"Ops: {linked(made_of(term))}."


def options() -> Iterator[str]:
    """Of `@lw.algorithm`, in the words of `Program`."""
    told = inspect.getdoc(lw.Program) or ""
    for name in OPTIONS:
        found = re.search(rf"^    {name}: ((?:.*\n)(?:        .*\n)*)", told, re.MULTILINE)
        assert found, name
        yield f"- `{name}`: {' '.join(found[1].split())}"


# ── ops ─────────────────────────────────────────────────────────────────────────────────────────


def operand(takes: Takes, optional: bool) -> str:
    """What may be given, in words."""
    every = len(takes.kinds) == len(Kind)
    found = "any kind" if every else " or ".join(takes.kinds)
    found += " or constant" if takes.constant else ""
    found += " or formula" if takes.formula else ""
    found += {None: "", Scope.NODES: ", of nodes", Scope.SINGLE: ", single"}[takes.scope]
    return found + (", may be left out" if optional else "")


def taken(op: type[Op]) -> str:
    """All operands of an op; those that are alike together."""
    found: dict[str, list[str]] = {}
    for name, takes, optional in declarations(op):
        found.setdefault(operand(takes, optional), []).append(f"`{name}`")
    plain = [f.name for f in fields(op) if "takes" not in f.metadata and f.name != "out"]
    if plain:
        found["a number"] = [f"`{name}`" for name in plain]
    return "; ".join(f"{', '.join(names)}: {what}" for what, names in found.items()) + "."


def proof(op: type[Op]) -> Iterator[str]:
    """Formula, why, exact range and cost: what the docstring of the lowering says."""
    text = inspect.getdoc(LOWERINGS[op]) or ""
    head, _, body = text.partition("\n")
    reference = re.search(r"\[P [^\]]*\]", head)
    parts = re.split(r"(?:^|   )(Why|Exact|Cost|Departs): ", body, flags=re.MULTILINE)
    yield f"```\n{inspect.cleandoc(parts[0])}\n```"
    for name, said in zip(parts[1::2], parts[2::2], strict=True):
        yield f"- **{name}**: {' '.join(said.split())}"
    if reference:
        yield f"- {reference[0]}"


def reference() -> Iterator[str]:
    phases = {
        "Ops that work row by row": Phase.MLP,
        "Ops that read other rows, or the graph": Phase.ATTENTION,
    }
    for title, phase in phases.items():
        yield f"## {title}"
        if phase is Phase.MLP:
            yield STEPS
        for op in ops.ALL:
            if op.phase is phase:
                yield f"### {op.__name__}"
                effect, _, more = doc(op).partition("\n\n")
                yield f"`{effect.replace('`', '').rstrip('.')}`"
                yield f"{more} {taken(op)}".strip()
                formula, *rest = proof(op)
                yield formula
                yield "\n".join(rest)


# ── the page ────────────────────────────────────────────────────────────────────────────────────


def contents() -> str:
    titles = [*SECTIONS, "Assignments", "Options"]
    lines = [f"- [{title}](#{anchor(title)}): {listed(title)}" for title in titles]
    return "\n".join(lines)


def anchor(title: str) -> str:
    return title.lower().replace(" ", "-").replace(",", "")


def listed(title: str) -> str:
    if title == "Assignments":
        return "`x[:] = …`, `x[flag] = …`, `+=`, `-=`, `*=`, `|=`, `&=`"
    if title == "Options":
        return ", ".join(f"`{name}`" for name in ("iterations", *OPTIONS))
    operators = [*OPERATORS] if title == "Row by row" else []
    return ", ".join(f"`{name}`" for name in [*SECTIONS[title], *operators])


def page() -> str:
    parts = [
        INTRODUCTION.format(contents=contents(), preamble=PREAMBLE),
        *words(),
        "## Assignments",
        ASSIGNMENTS.strip(),
        "## Options",
        "What `@lw.algorithm(…)` takes. All but `iterations` can be left out.",
        "- `iterations`: the most that it takes on n nodes, as `lambda n: n + 1`.\n"
        + "\n".join(options()),
        *reference(),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def main() -> None:
    made = page()
    if "--check" in sys.argv:
        same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == made
        sys.exit(0 if same else "docs/language.md is out of date: run scripts/update_language.py")
    PAGE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
