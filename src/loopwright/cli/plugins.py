"""Algorithms of other packages, which offer them as entry points of the group below.

In the package's pyproject.toml:

    [project.entry-points."loopwright.algorithms"]
    hops = "their_package.hops:hops"

A package is imported when one of its algorithms is asked for, and not before.
"""

from __future__ import annotations

from functools import partial
from importlib.metadata import EntryPoint, EntryPoints, distributions, entry_points

from loopwright.algorithms.registry import Algorithm
from loopwright.cli.own_algorithm import algorithm_of, blaming
from loopwright.errors import LoopwrightError, brief

GROUP = "loopwright.algorithms"


def offered() -> dict[str, list[EntryPoint]]:
    """Name → who offers it, from what is installed; nothing is imported.

    Raises:
        LoopwrightError: naming a package whose list of entry points cannot be read.
    """
    found: dict[str, list[EntryPoint]] = {}
    for point in _points():
        if point not in found.setdefault(point.name, []):
            found[point.name].append(point)
    return dict(sorted(found.items()))


def _points() -> EntryPoints:
    try:
        return entry_points(group=GROUP)
    except Exception:  # whatever a malformed file makes of it
        for package in distributions():
            with blaming(f"package {brief(package.name)}, entry_points.txt"):
                _ = package.entry_points
        raise


def package_of(point: EntryPoint) -> str:
    """The package that an entry point belongs to, as `pip` calls it."""
    return brief(point.dist.name if point.dist else point.module)


def algorithm_of_package(name: str, points: list[EntryPoint]) -> Algorithm:
    """The algorithm of this name.

    Raises:
        LoopwrightError: naming the package that is broken, or those that both have the name.
    """
    packages = sorted({package_of(point) for point in points})
    if len(packages) > 1:
        raise LoopwrightError(
            f"'{brief(name)}' is offered by several packages, {', '.join(packages)}: uninstall all "
            "but one, or name the file that it is in, as file.py:name."
        )
    point = points[0]
    where = f"package {packages[0]}, algorithm '{brief(name)}'"
    reading = partial(blaming, where)
    with reading():
        thing: object = point.load()
    return algorithm_of(thing, where, reading)
