"""
How much faster NetworkX's functions are on a cluster of this machine than in NetworkX, on the same graph in one run:

    python python/tools/bench_networkx.py --edges 1000000

Each call on the cluster gets a fresh graph, so that its time has all of the conversion in it: out of NetworkX, to the
cluster, the load there, the run, and the values back. Median of the repetitions, and the ratio of the medians. What
takes NetworkX longer than --patience seconds is measured once.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np

from starling_graph import backend

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "pagerank": nx.pagerank,
    "connected_components": lambda graph, **where: list(nx.connected_components(graph, **where)),
    "single_source_shortest_path_length": lambda graph, **where: nx.single_source_shortest_path_length(graph, 0, **where),
    "core_number": nx.core_number,
    "triangles": nx.triangles,
    "clustering": nx.clustering,
}


def graph_of(edges: int, seed: int) -> nx.Graph:
    """A graph with few vertices that have many neighbours, by the quadrants of Kronecker graphs."""
    scale = max(1, int(np.log2(edges / 16)))
    random = np.random.default_rng(seed)
    wanted = int(edges * 1.12)  # some come twice, or from a vertex to itself
    ends = np.zeros((2, wanted), np.int64)
    for _ in range(scale):
        draw = random.random(wanted)
        ends = 2 * ends + np.array([draw >= 0.76, ((draw >= 0.57) & (draw < 0.76)) | (draw >= 0.95)])
    graph = nx.Graph()
    graph.add_nodes_from(range(1 << scale))
    graph.add_edges_from((a, b) for a, b in ends.T.tolist() if a != b)
    return graph


def seconds(call: Callable[[], Any]) -> float:
    """Of one call."""
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--patience", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    graph = graph_of(options.edges, options.seed)
    print(f"{graph.number_of_nodes():,} vertices, {graph.number_of_edges():,} edges; seconds, median (least to most)")
    backend.current_cluster()
    print(f"{'function':36} {'NetworkX':>24} {'cluster':>24} {'ratio':>7}")
    for name, function in FUNCTIONS.items():
        here = [seconds(lambda: function(graph))]
        while here[0] < options.patience and len(here) < options.repetitions:
            here.append(seconds(lambda: function(graph)))
        # the first warms the cluster up
        there = [seconds(lambda: function(backend.ConvertedGraph(graph))) for _ in range(options.repetitions + 1)][1:]
        ratio = statistics.median(here) / statistics.median(there)
        print(f"{name:36} {shown(here):>24} {shown(there):>24} {ratio:>7.1f}", flush=True)


def shown(times: list[float]) -> str:
    """Median, least and most."""
    return f"{statistics.median(times):.2f} ({min(times):.2f} to {max(times):.2f})"


if __name__ == "__main__":
    main()
