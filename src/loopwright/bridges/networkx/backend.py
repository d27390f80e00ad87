"""What NetworkX calls: the entry point `networkx.backends`."""

# NetworkX has no complete types.
# pyright: reportUnknownParameterType=false, reportMissingTypeArgument=false

from __future__ import annotations

from importlib import import_module
from typing import Any

import networkx as nx

from loopwright.bridges.networkx.declare import ANSWERED
from loopwright.bridges.networkx.info import FUNCTIONS
from loopwright.bridges.networkx.snapshot import Snapshot, convert

for module in FUNCTIONS:
    import_module(f"loopwright.bridges.networkx.{module}")

CHANGES_WHILE_ITERATING = "test_dag.py::TestDAG::test_topological_sort6"


class Backend:
    """Finds functions by the names that NetworkX dispatches by."""

    def __getattr__(self, name: str) -> Any:
        try:
            return ANSWERED[name].function
        except KeyError:
            raise AttributeError(name) from None

    @staticmethod
    def convert_from_nx(graph: Any, **asked: Any) -> Snapshot:
        """A snapshot, with all attributes, whichever are asked for: they are not copied."""
        return convert(graph)

    @staticmethod
    def convert_to_nx(obj: Any, **asked: Any) -> Any:
        """Answers are NetworkX's already; a snapshot becomes a graph of its own kind."""
        return obj.to_networkx() if isinstance(obj, Snapshot) else obj

    @staticmethod
    def on_start_tests(items: Any) -> None:
        """Mark those of NetworkX's own tests that no backend with snapshots can pass."""
        import pytest

        for item in items:
            if item.nodeid.endswith(CHANGES_WHILE_ITERATING):
                reason = "a snapshot does not see that its graph changes while it is iterated"
                item.add_marker(pytest.mark.xfail(reason=reason))

    @staticmethod
    def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """True, or a sentence that says why not."""
        if name not in ANSWERED:
            return f"no algorithm of Loopwright answers '{name}'."
        return ANSWERED[name].reason(args, kwargs) or True

    @staticmethod
    def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """Nobody's program changes by an installation: it must be asked for by name, in the call
        (then NetworkX does not ask here) or in `nx.config.backend_priority`."""
        asked: Any = nx.config.backend_priority
        named = asked.get(name, [*asked.algos, *asked.generators])
        if "loopwright" in named:
            return True
        return "Loopwright runs where it is asked for by name: backend='loopwright'."


backend = Backend()
