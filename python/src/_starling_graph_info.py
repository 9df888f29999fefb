"""What NetworkX is told of the backend before anything of it is needed. Imports nothing."""

from __future__ import annotations

from typing import Any

# Functions of NetworkX that run on a cluster, and for which graphs and arguments.
FUNCTIONS = {
    "average_clustering": "undirected graphs, without weights",
    "betweenness_centrality": "all vertices as sources (no k), without weights and endpoints",
    "clustering": "undirected graphs, without weights",
    "connected_components": "all; in any order",
    "core_number": "undirected graphs",
    "descendants": "all",
    "is_connected": "all",
    "is_strongly_connected": "all",
    "is_weakly_connected": "all",
    "node_connected_component": "all",
    "number_connected_components": "all",
    "number_strongly_connected_components": "all",
    "number_weakly_connected_components": "all",
    "pagerank": "no personalization and no dangling, and no weights but 1",
    "single_source_shortest_path_length": "all",
    "strongly_connected_components": "all; in any order",
    "triangles": "all",
    "weakly_connected_components": "all; in any order",
}


def get_info() -> dict[str, Any]:
    """The answer to NetworkX."""
    return {
        "backend_name": "starling",
        "project": "Starling",
        "package": "starling_graph",
        "short_summary": "Runs algorithms on a cluster that survives the loss of machines.",
        "functions": {name: {"additional_docs": "Runs for " + whom + "."} for name, whom in FUNCTIONS.items()},
        "default_config": {"url": None, "token": None},
    }
