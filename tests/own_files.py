"""A program of somebody's own, as a file that the command line is given, and the commands."""

PROGRAM = "\n\nhops = make_hops()\n"
ALGORITHM = "\n\nhops = lw.algorithms.Algorithm('hops', 'hops away', {'mine': make_hops})\n"
HOPS = '''"""How many hops is each node away from a source? In steps of the author's own."""

import loopwright as lw
from loopwright import ops


def make_hops() -> lw.Program:
    """All nodes of a level at once: each counts its edges from nodes that are reached."""
    reached = lw.nodes.flag("reached", start=0, at_source=1)
    hops = lw.nodes.value("hops", start=lw.UNREACHED, at_source=0)
    round_ = lw.nodes.value("round", start=0)
    into = lw.nodes.value("into")
    none, new, quiet = (lw.nodes.flag(name) for name in ("none", "new", "quiet"))
    term = lw.single.flag("term")
    return lw.Program(
        name="hops",
        edges="ones",
        source="required",
        bound=(1, 1),
        steps=(
            lw.step(
                "look for new nodes",
                ops.SumFrom(into, reached),
                ops.Add(round_, round_, 1),
                ops.MarkZeros(none, into),
                ops.Set(new, ~none & ~reached),
                ops.Set(quiet, ~new),
            ),
            lw.step(
                "count them in",
                ops.AllOne(term, quiet),
                ops.Where(hops, new, round_, hops),
                ops.Set(reached, reached | new),
            ),
        ),
        outputs={"hops": hops},
        halt=term,
    )
'''
"""The function that makes the program; behind it may stand one of those above."""

ROADS = "Ulm Bonn 2\nBonn Mainz 1\nUlm Trier 4\nAlone\n"
HOPS_AWAY = {"Ulm": 0.0, "Bonn": 1.0, "Mainz": 2.0, "Trier": 1.0, "Alone": None}

COMMANDS = {
    "run": ("run", "IT", "GRAPH", "--source", "Ulm"),
    "show": ("show", "IT"),
    "check": ("check", "IT", "GRAPH"),
    "verify": ("verify", "IT", "GRAPH", "--source", "Ulm"),
    "limits": ("limits", "IT", "--axis", "omega"),
    "bench": ("bench", "IT", "--sizes", "4,8", "--patience", "1"),
    "traces": ("traces", "IT", "GRAPH", "--source", "Ulm", "--out", "FOLDER"),
}
"""Every command that takes an algorithm."""


def words(command, it, roads):
    """A command with its places filled."""
    places = {"IT": it, "GRAPH": roads, "FOLDER": roads.parent / "out"}
    return [places.get(word, word) for word in COMMANDS[command]]


def hops():
    """The program, as the file makes it."""
    space = {}
    exec(HOPS, space)
    return space["make_hops"]()
