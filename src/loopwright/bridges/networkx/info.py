"""What NetworkX reads when it is imported; nothing else of this package is imported for it."""

from __future__ import annotations

from typing import Any

FUNCTIONS = {
    "shortest": (
        "all_pairs_bellman_ford_path all_pairs_bellman_ford_path_length all_pairs_dijkstra "
        "all_pairs_dijkstra_path all_pairs_dijkstra_path_length bellman_ford_path "
        "bellman_ford_path_length bellman_ford_predecessor_and_distance bidirectional_dijkstra "
        "dijkstra_path dijkstra_path_length dijkstra_predecessor_and_distance "
        "multi_source_dijkstra multi_source_dijkstra_path multi_source_dijkstra_path_length "
        "negative_edge_cycle single_source_bellman_ford single_source_bellman_ford_path "
        "single_source_bellman_ford_path_length single_source_dijkstra "
        "single_source_dijkstra_path single_source_dijkstra_path_length"
    ),
    "hops": (
        "all_pairs_shortest_path all_pairs_shortest_path_length bidirectional_shortest_path "
        "has_path predecessor shortest_path shortest_path_length single_source_shortest_path "
        "single_source_shortest_path_length single_target_shortest_path "
        "single_target_shortest_path_length"
    ),
    "searches": (
        "ancestors bfs_edges bfs_layers bfs_predecessors bfs_successors bfs_tree descendants "
        "descendants_at_distance dfs_edges dfs_labeled_edges dfs_postorder_nodes dfs_predecessors "
        "dfs_preorder_nodes dfs_successors dfs_tree generic_bfs_edges"
    ),
    "parts": (
        "connected_components is_connected is_strongly_connected is_weakly_connected "
        "node_connected_component number_connected_components "
        "number_strongly_connected_components number_weakly_connected_components "
        "strongly_connected_components weakly_connected_components"
    ),
    "acyclic": (
        "has_cycle is_directed_acyclic_graph lexicographical_topological_sort "
        "topological_generations topological_sort"
    ),
    "cuts": "articulation_points bridges has_bridges is_biconnected",
    "trees": (
        "maximum_spanning_edges maximum_spanning_tree minimum_spanning_edges minimum_spanning_tree"
    ),
    "measures": (
        "average_shortest_path_length center color core_number diameter eccentricity is_bipartite "
        "k_core k_shell periphery radius sets"
    ),
}
"""Module → the functions of NetworkX that it answers, by the names that they are dispatched by."""


def backend_info() -> dict[str, Any]:
    """What `nx.config.backends.loopwright` and the documentation of NetworkX's functions show."""
    from networkx.utils.configs import Config

    class LoopwrightConfig(Config):
        """How the backend `loopwright` answers.

        Parameters
        ----------
        construction : str
            "default", for each algorithm's own default, or the one by which all must answer:
            "paper", "compact", …. A function whose programs do not have it is refused.
        machine : str
            What executes the weights: "native", "reference", "torch" or "exact".
        """

        construction: str
        machine: str

    return {
        "backend_name": "loopwright",
        "project": "loopwright",
        "package": "loopwright",
        "short_summary": "Answers come from the weights of a looped transformer, exactly.",
        "description": "Graph algorithms compiled into transformers; used only where it is named.",
        "default_config": LoopwrightConfig(construction="default", machine="native"),
        "functions": {
            name: {"additional_docs": "Answered by running a compiled looped transformer."}
            for names in FUNCTIONS.values()
            for name in names.split()
        },
    }
