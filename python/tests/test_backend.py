"""The backend of NetworkX against NetworkX itself, on a real cluster."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import networkx as nx
import pytest

from _starling_graph_info import FUNCTIONS, get_info
from starling_graph import Cluster
from starling_graph.backend import Backend

HERE = Path(__file__).resolve().parent
SUITES = (
    "components.tests.test_connected",
    "components.tests.test_strongly_connected",
    "components.tests.test_weakly_connected",
    "link_analysis.tests.test_pagerank",
    "tests.test_cluster",
)

# Tests of NetworkX that call it, of those suites, which pass with nothing but the cluster.
OWN_TESTS = {
    "average_clustering": 2,
    "clustering": 4,
    "connected_components": 1,
    "is_connected": 1,
    "is_strongly_connected": 1,
    "is_weakly_connected": 1,
    "number_connected_components": 1,
    "number_strongly_connected_components": 1,
    "number_weakly_connected_components": 1,
    "pagerank": 2,
    "strongly_connected_components": 1,
    "triangles": 2,
    "weakly_connected_components": 1,
}

ARGUMENTS = {
    "single_source_shortest_path_length": {"source": 0},
    "descendants": {"source": 0},
    "node_connected_component": {"n": 0},
}


@pytest.fixture(autouse=True)
def backend(cluster: Cluster) -> Iterator[None]:
    config = nx.config.backends.starling
    config.url, config.token = cluster.url, cluster._rest._token
    nx.config.warnings_to_ignore.add("cache")
    yield


def graphs() -> Iterator[nx.Graph]:
    for directed in (False, True):
        graph = nx.gnm_random_graph(60, 130, seed=4, directed=directed)
        graph.add_edge("x", ("y", 1))
        graph.add_node("alone")
        yield graph
    yield nx.les_miserables_graph()


@pytest.mark.parametrize("function", sorted(FUNCTIONS))
def test_agrees_with_networkx(function: str) -> None:
    ran = 0
    for graph in graphs():
        arguments = dict(ARGUMENTS.get(function, {}))
        if "n" in arguments or "source" in arguments:
            arguments = {key: next(iter(graph)) for key in arguments}
        if function == "pagerank":
            arguments = {"weight": None, "tol": 1e-9}
        call = getattr(nx, function)
        try:
            expected = call(graph, **arguments)
        except nx.NetworkXNotImplemented:
            continue
        if Backend.can_run(function, (graph,), arguments) is not True:
            continue
        found = call(graph, backend="starling", **arguments)
        assert same(found, expected), function
        ran += 1
    assert ran > 0


def same(found: object, expected: object) -> bool:
    if isinstance(expected, dict) and isinstance(found, dict):
        return found == pytest.approx(expected, abs=1e-7)
    if hasattr(expected, "__next__"):
        return {frozenset(one) for one in found} == {frozenset(one) for one in expected}  # type: ignore[attr-defined]
    return found == expected


def test_gives_pythons_own_numbers() -> None:
    graph = nx.path_graph(4)

    assert {type(one) for one in nx.pagerank(graph, backend="starling").values()} == {float}
    assert {type(one) for one in nx.core_number(graph, backend="starling").values()} == {int}
    assert nx.triangles(graph, 1, backend="starling") == 0
    assert nx.clustering(graph, [1, 2], backend="starling") == {1: 0, 2: 0}
    assert list(nx.single_source_shortest_path_length(graph, 1, cutoff=1, backend="starling")) == [1, 0, 2]


def test_runs_on_a_graph_that_is_on_the_cluster(cluster: Cluster, name: str) -> None:
    with cluster.load([("a", "b"), ("b", "c"), ("d", "e")], name) as graph:
        assert nx.number_connected_components(graph) == 2
        assert {frozenset(one) for one in nx.connected_components(graph)} == {frozenset("abc"), frozenset("de")}
        assert nx.pagerank(graph)["b"] == pytest.approx(nx.pagerank(nx.Graph([("a", "b"), ("b", "c"), ("d", "e")]))["b"])
        with pytest.raises(NotImplementedError, match="diameter"):
            nx.diameter(graph)


def test_gives_each_of_two_calls_at_once_its_own_values(cluster: Cluster, name: str) -> None:
    drawn = nx.les_miserables_graph()
    alphas = [0.1, 0.5, 0.85, 0.9]
    with cluster.load(drawn, name, weight=None) as graph, ThreadPoolExecutor(len(alphas)) as threads:
        for one in (graph, drawn):
            found = list(threads.map(lambda alpha: nx.pagerank(one, alpha=alpha, tol=1e-9, weight=None, backend="starling"), alphas))  # noqa: B023

            for alpha, ranks in zip(alphas, found, strict=True):
                assert ranks == pytest.approx(nx.pagerank(nx.Graph(drawn), alpha=alpha, weight=None, tol=1e-10), abs=1e-7)
        assert len(graph.columns) == 1


@pytest.mark.parametrize(
    ("graph", "function", "arguments", "reason"),
    [
        (nx.MultiGraph([(1, 2), (1, 2)]), "connected_components", {}, "one edge between two vertices"),
        (nx.empty_graph(3), "connected_components", {}, "one edge at least"),
        (nx.Graph([(1, 1), (1, 2)]), "triangles", {}, "from a vertex to itself"),
        (nx.les_miserables_graph(), "pagerank", {}, "take no weights"),
        (nx.path_graph(3), "pagerank", {"personalization": {1: 1}}, "personalization is not known"),
        (nx.DiGraph([(1, 2)]), "clustering", {}, "another thing on directed graphs"),
        (nx.path_graph(3), "betweenness_centrality", {"k": 2}, "draw other samples"),
        (nx.path_graph(3), "diameter", {}, "diameter does not run on a cluster"),
    ],
)
def test_says_why_it_does_not_run(graph: nx.Graph, function: str, arguments: dict, reason: str) -> None:
    assert reason in str(Backend.can_run(function, (graph,), arguments))


def test_leaves_small_graphs_to_networkx_where_it_may_choose() -> None:
    assert "the trip to a cluster" in str(Backend.should_run("pagerank", (nx.path_graph(3),), {}))


def test_takes_its_graphs_away(cluster: Cluster) -> None:
    before = converted(cluster)  # those of other tests may go meanwhile
    graph = nx.path_graph(5)
    nx.is_connected(graph, backend="starling")
    (own,) = converted(cluster) - before

    graph.__networkx_cache__.clear()

    end = time.monotonic() + 30
    while own in converted(cluster) and time.monotonic() < end:
        time.sleep(0.05)  # nobody waits for that
    assert own not in converted(cluster)


def test_takes_its_graphs_away_when_the_interpreter_ends(cluster: Cluster) -> None:
    code = "import networkx as nx; graph = nx.path_graph(5); print(nx.is_connected(graph, backend='starling'))"
    before = converted(cluster)

    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "STARLING_URL": cluster.url, "STARLING_TOKEN": cluster._rest._token},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert run.stdout == "True\n", run.stderr
    assert not converted(cluster) - before  # of this interpreter's own, some may be gone by now


def converted(cluster: Cluster) -> set[str]:
    return {one.name for one in cluster.graphs() if one.name.startswith("networkx-")}


def test_tells_networkx_what_it_runs() -> None:
    assert set(get_info()["functions"]) == set(FUNCTIONS)
    assert all(callable(getattr(Backend, name)) for name in FUNCTIONS)
    code = "import sys, _starling_graph_info as i; i.get_info(); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_passes_networkx_own_tests_without_falling_back(cluster: Cluster, tmp_path: Path) -> None:
    runs = tmp_path / "runs.json"
    environment = {
        **os.environ,
        "NETWORKX_TEST_BACKEND": "starling",
        "STARLING_URL": cluster.url,
        "STARLING_TOKEN": cluster._rest._token,
        "STARLING_RUNS": str(runs),
        "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]),
    }
    environment.pop("NETWORKX_FALLBACK_TO_NX", None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "networkx_runs", "-W", "ignore"]
    modules = ["networkx.algorithms." + suite for suite in SUITES]

    done = subprocess.run([*command, "--pyargs", *modules], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=300)

    assert done.returncode == 0, done.stdout[-3000:]
    told = json.loads(runs.read_text())
    fewer = {name: (told["functions"].get(name, 0), least) for name, least in OWN_TESTS.items() if told["functions"].get(name, 0) < least}
    assert not fewer, f"found, expected at least: {fewer}"


def test_loads_a_converted_graph_once_for_all_threads(cluster: Cluster) -> None:
    converted = Backend.convert_from_nx(nx.gnm_random_graph(200, 600, seed=5))
    before = {one.name for one in cluster.graphs()}

    with ThreadPoolExecutor(4) as threads:
        kept = list(threads.map(lambda _: converted.kept(), range(4)))

    assert len({id(one) for one in kept}) == 1
    assert {one.name for one in cluster.graphs()} - before == {kept[0].name}
