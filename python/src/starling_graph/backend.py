"""
The backend "starling" of NetworkX: ``nx.pagerank(G, backend="starling")``.

Which cluster: the one that ``nx.config.backends.starling.url`` and ``token`` name, or else the variables STARLING_URL
and STARLING_TOKEN; without either one is started on this machine, for as long as the interpreter lives. A ``Graph`` of
a cluster is a graph of this backend, too: nothing is converted then.
"""

from __future__ import annotations

import concurrent.futures
import functools
import itertools
import logging
import os
import threading
import uuid
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import networkx as nx
import numpy as np

from _starling_graph_info import FUNCTIONS

from ._edges import Edges, edges_of
from .cluster import Cluster
from .errors import StarlingError
from .graph import Graph

LOG = logging.getLogger(__name__)
COLUMN = "networkx-"
PROCESS = uuid.uuid4().hex[:8]
GUARD = threading.Lock()
DROPPING = concurrent.futures.ThreadPoolExecutor(1, "starling-drop")
LOCKS: weakref.WeakValueDictionary[tuple[str, ...], threading.Lock] = weakref.WeakValueDictionary()

# Below so many edges a trip to the cluster takes longer than the work; asked only where NetworkX chooses by itself.
LEAST_EDGES = 100_000


class ConvertedGraph:
    """A graph of NetworkX as it was when it was converted. It goes to the cluster when something first runs on it."""

    __networkx_backend__ = "starling"

    def __init__(self, graph: nx.Graph) -> None:
        self.__networkx_cache__: dict[str, Any] = {}
        self.nodes = list(graph)
        self.directed = bool(graph.is_directed())
        self.edges: Edges | None = edges_of(graph, weight=None) if graph.number_of_edges() else None
        self.name = "networkx-" + uuid.uuid4().hex
        self._kept: Graph | None = None

    def is_directed(self) -> bool:
        """Whether edges have a direction."""
        return self.directed

    def is_multigraph(self) -> bool:
        """Never."""
        return False

    def kept(self) -> Graph:
        """The graph on the cluster; it goes with this object. Whoever comes first loads it, others wait for that."""
        with _lock(self.name):
            if self._kept is None:
                if self.edges is None:
                    raise NotImplementedError("a graph on a cluster has one edge at least")
                self._kept = current_cluster().load(self.edges, self.name)
                weakref.finalize(self, _let_go, self._kept)
            return self._kept


def current_cluster() -> Cluster:
    """The cluster that the configuration names, or one of this process' own."""
    config: Any = nx.config.backends["starling"]
    return _cluster(config.url or os.environ.get("STARLING_URL"), config.token or os.environ.get("STARLING_TOKEN"))


@functools.cache
def _cluster(url: str | None, token: str | None) -> Cluster:
    from . import connect, local

    if url:
        return connect(url, token, progress=False)
    LOG.info("no cluster is named, so one is started on this machine")
    return local(progress=False)


def _let_go(graph: Graph) -> None:
    """Has it dropped, which nobody waits for but an interpreter that ends."""
    try:
        DROPPING.submit(_drop, graph)
    except RuntimeError:  # no thread begins any more
        _drop(graph)


def _drop(graph: Graph) -> None:
    try:
        graph.drop()
    except StarlingError as gone:
        LOG.info("graph %s stays, or went with its cluster: %s", graph.name, gone)


def _graph_of(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    return args[0] if args else kwargs.get("G")


def _argument(name: str, position: int, args: tuple[Any, ...], kwargs: Mapping[str, Any], otherwise: Any) -> Any:
    return args[position] if len(args) > position else kwargs.get(name, otherwise)


def _unfit(graph: Any) -> str | None:
    """Why a graph can't be on a cluster as it is; None if it can."""
    if isinstance(graph, (Graph, ConvertedGraph)):
        return None
    if graph.is_multigraph():
        return "a cluster keeps one edge between two vertices"
    if not any(graph._adj.values()):
        return "a graph on a cluster has one edge at least"
    if any(node in neighbours for node, neighbours in graph._adj.items()):
        return "a cluster leaves edges from a vertex to itself out"
    return None


def _has_weights(graph: Any, weight: str | None) -> bool:
    if weight is None or isinstance(graph, ConvertedGraph):
        return False
    if isinstance(graph, Graph):
        return graph.is_weighted()
    everything = itertools.chain.from_iterable(map(dict.values, graph._adj.values()))
    return any(data.get(weight, 1) != 1 for data in filter(None, everything))


def _pagerank_unfit(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str | None:
    for position, name in ((2, "personalization"), (7, "dangling")):
        if _argument(name, position, args, kwargs, None) is not None:
            return f"{name} is not known to the cluster"
    if not 0 <= _argument("alpha", 1, args, kwargs, 0.85) < 1:
        return "alpha is not from 0 to below 1"
    if _has_weights(_graph_of(args, kwargs), _argument("weight", 6, args, kwargs, "weight")):
        return "ranks on a cluster take no weights"
    return None


def _unweighted_unfit(position: int) -> Callable[..., str | None]:
    def check(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str | None:
        if _argument("weight", position, args, kwargs, None) is not None:
            return "weights are not taken into account on the cluster"
        return _directed_unfit(args, kwargs)

    return check


def _directed_unfit(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str | None:
    return "NetworkX means another thing on directed graphs" if _graph_of(args, kwargs).is_directed() else None


def _betweenness_unfit(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str | None:
    if _argument("k", 1, args, kwargs, None) is not None:
        return "NetworkX and a cluster draw other samples"
    if _argument("weight", 3, args, kwargs, None) is not None:
        return "weights are not taken into account on the cluster"
    return "endpoints are not counted on the cluster" if _argument("endpoints", 4, args, kwargs, False) else None


LIMITS: dict[str, Callable[..., str | None]] = {
    "pagerank": _pagerank_unfit,
    "clustering": _unweighted_unfit(2),
    "average_clustering": _unweighted_unfit(2),
    "core_number": _directed_unfit,
    "betweenness_centrality": _betweenness_unfit,
}


def _column(graph: Any, state: str) -> str:
    """
    Where values lie until they are read. Columns can't be dropped, so a graph that others use has one for each process
    that calls, and the calls of a process take turns; a converted graph is this process' own.
    """
    return COLUMN + state if isinstance(graph, ConvertedGraph) else f"{COLUMN}{state}-{PROCESS}-{os.getpid()}"


def _lock(*column: str) -> threading.Lock:
    with GUARD:
        return LOCKS.setdefault(column, threading.Lock())


def _run(graph: Any, task: str, state: str, **arguments: Any) -> tuple[Any, list[Any], np.ndarray, np.ndarray | None]:
    """Runs a task; its result, the vertices, and their values in that order, with a mask of those that have none."""
    kept = graph.kept() if isinstance(graph, ConvertedGraph) else graph
    column = _column(graph, state)
    with _lock(kept.cluster.url, kept.name, column):
        result = kept.start("graph." + task, {state: column}, **arguments).wait()
        table = (graph if isinstance(graph, Graph) else Graph(kept.cluster, kept.name)).column(column)
    if isinstance(graph, Graph):
        return result, table.ids.tolist(), table[column], table.missing.get(column)
    plain = table
    order = np.argsort(plain.ids)
    missing = plain.missing.get(column)
    return result, graph.nodes, plain[column][order], None if missing is None else missing[order]


def _components(graph: Any, task: str) -> tuple[list[Any], np.ndarray]:
    _, nodes, component, _ = _run(graph, task, "component")
    return nodes, component


def _sets(graph: Any, task: str) -> Iterator[set[Any]]:
    nodes, component = _components(graph, task)
    groups: dict[Any, set[Any]] = {}
    for node, one in zip(nodes, component.tolist(), strict=True):
        groups.setdefault(one, set()).add(node)
    yield from groups.values()


def _count(graph: Any, task: str) -> int:
    kept = graph.kept() if isinstance(graph, ConvertedGraph) else graph
    return int(kept.start("graph." + task).wait().components)


def _levels(graph: Any, source: Any) -> dict[Any, int]:
    known = graph.nodes if isinstance(graph, ConvertedGraph) else None
    if known is not None and source not in set(known):
        raise nx.NodeNotFound(f"Source {source} is not in G")
    _, nodes, levels, _ = _run(graph, "bfs", "level", source=source)
    order = np.argsort(levels, kind="stable")
    return {nodes[i]: level for i, level in zip(order.tolist(), levels[order].tolist(), strict=True) if level >= 0}


def _of(values: dict[Any, Any], nodes: Any) -> Any:
    """Values of all nodes, of some, or of one."""
    if nodes is None:
        return values
    try:
        if nodes in values:
            return values[nodes]
    except TypeError:
        pass  # a list, which is no node
    return {node: values[node] for node in nodes if node in values}


class Backend:
    """What NetworkX calls."""

    @staticmethod
    def convert_from_nx(graph: nx.Graph, **_: Any) -> Any:
        """Takes a graph of NetworkX."""
        return graph if isinstance(graph, Graph) else ConvertedGraph(graph)

    @staticmethod
    def convert_to_nx(result: Any, **_: Any) -> Any:
        """Gives results as they are; a graph that lies on a cluster is not pulled here."""
        if isinstance(result, Graph):
            raise NotImplementedError(
                f'graph "{result.name}" lies on a cluster and is not copied to this machine; the functions that run there '
                f"are {', '.join(FUNCTIONS)}"
            )
        return result

    @staticmethod
    def can_run(name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool | str:
        """Whether a call can run on a cluster; a sentence says why not."""
        if name not in FUNCTIONS:
            return f"{name} does not run on a cluster"
        graph = _graph_of(args, kwargs)
        reason = _unfit(graph) or LIMITS.get(name, lambda *_: None)(args, kwargs)
        if reason is not None:
            LOG.info("%s does not run on the cluster: %s", name, reason)
        return True if reason is None else reason

    @staticmethod
    def should_run(name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool | str:
        """Whether a call is worth the trip, where NetworkX may choose."""
        graph = _graph_of(args, kwargs)
        if isinstance(graph, nx.Graph) and graph.number_of_edges() < LEAST_EDGES:
            return f"with less than {LEAST_EDGES:,} edges the trip to a cluster takes longer than the work"
        return True

    @staticmethod
    def pagerank(
        G: Any,
        alpha: float = 0.85,
        personalization: None = None,
        max_iter: int = 100,
        tol: float = 1.0e-6,
        nstart: Mapping[Any, float] | None = None,
        weight: str | None = "weight",
        dangling: None = None,
    ) -> dict[Any, float]:
        """Ranks of vertices; they are the same wherever the search for them starts."""
        if nstart is not None and sum(nstart.values()) == 0:
            raise ZeroDivisionError("nstart sums to 0")
        count = len(G.nodes) if isinstance(G, ConvertedGraph) else G.node_count()
        result, nodes, ranks, _ = _run(G, "pagerank", "pagerank", damping=alpha, tolerance=count * tol, top=0)
        if result.iterations > max_iter:
            raise nx.PowerIterationFailedConvergence(max_iter)
        return dict(zip(nodes, ranks.tolist(), strict=True))

    @staticmethod
    def single_source_shortest_path_length(G: Any, source: Any, cutoff: float | None = None) -> dict[Any, int]:
        """Edges to each vertex that can be reached."""
        levels = _levels(G, source)
        return levels if cutoff is None else {node: level for node, level in levels.items() if level <= cutoff}

    @staticmethod
    def descendants(G: Any, source: Any) -> set[Any]:
        """All that can be reached from a vertex."""
        if isinstance(G, ConvertedGraph) and source not in set(G.nodes):
            raise nx.NetworkXError(f"The node {source} is not in the graph.")
        return set(_levels(G, source)) - {source}

    @staticmethod
    def connected_components(G: Any) -> Iterator[set[Any]]:
        """Sets of vertices."""
        return _sets(G, "wcc")

    @staticmethod
    def weakly_connected_components(G: Any) -> Iterator[set[Any]]:
        """Sets of vertices."""
        return _sets(G, "wcc")

    @staticmethod
    def strongly_connected_components(G: Any) -> Iterator[set[Any]]:
        """Sets of vertices."""
        return _sets(G, "scc")

    @staticmethod
    def number_connected_components(G: Any) -> int:
        """How many there are."""
        return _count(G, "wcc")

    @staticmethod
    def number_weakly_connected_components(G: Any) -> int:
        """How many there are."""
        return _count(G, "wcc")

    @staticmethod
    def number_strongly_connected_components(G: Any) -> int:
        """How many there are."""
        return _count(G, "scc")

    @staticmethod
    def is_connected(G: Any) -> bool:
        """Whether there is one component."""
        return _count(G, "wcc") == 1

    @staticmethod
    def is_weakly_connected(G: Any) -> bool:
        """Whether there is one component."""
        return _count(G, "wcc") == 1

    @staticmethod
    def is_strongly_connected(G: Any) -> bool:
        """Whether there is one component."""
        return _count(G, "scc") == 1

    @staticmethod
    def node_connected_component(G: Any, n: Any) -> set[Any]:
        """The component of a vertex."""
        nodes, component = _components(G, "wcc")
        mine = dict(zip(nodes, component.tolist(), strict=True))[n]
        return {node for node, one in zip(nodes, component.tolist(), strict=True) if one == mine}

    @staticmethod
    def triangles(G: Any, nodes: Any = None) -> Any:
        """Triangles at vertices."""
        _, all_nodes, counts, _ = _run(G, "triangles", "triangles")
        return _of(dict(zip(all_nodes, counts.tolist(), strict=True)), nodes)

    @staticmethod
    def clustering(G: Any, nodes: Any = None, weight: None = None) -> Any:
        """Local clustering coefficients."""
        _, all_nodes, values, _ = _run(G, "lcc", "clustering")
        return _of(dict(zip(all_nodes, values.tolist(), strict=True)), nodes)

    @staticmethod
    def average_clustering(G: Any, nodes: Iterable[Any] | None = None, weight: None = None, count_zeros: bool = True) -> float:
        """Their mean."""
        values = list(Backend.clustering(G, nodes).values())
        if not count_zeros:
            values = [value for value in values if abs(value) > 0]
        return float(sum(values) / len(values))

    @staticmethod
    def core_number(G: Any) -> dict[Any, int]:
        """Core numbers."""
        _, nodes, cores, _ = _run(G, "kcore", "core")
        return dict(zip(nodes, cores.tolist(), strict=True))

    @staticmethod
    def betweenness_centrality(
        G: Any, k: None = None, normalized: bool = True, weight: None = None, endpoints: bool = False, seed: Any = None
    ) -> dict[Any, float]:
        """Shares of shortest paths."""
        _, nodes, values, _ = _run(G, "betweenness", "betweenness", top=0)
        count = len(nodes)
        if normalized and count > 2:
            pairs = (count - 1) * (count - 2)
            values = values * ((1 if G.is_directed() else 2) / pairs)
        return dict(zip(nodes, values.tolist(), strict=True))
