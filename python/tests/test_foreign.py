"""
The same graph written by other tools comes in with the same edges from every format, and what is written is read by
them to the same edges. All conversions of a kind run in one process of the checkout's launcher.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
import pytest
import scipy.io
import scipy.sparse

from starling_graph import _local

VERTICES = 300
XSD = "http://www.w3.org/2001/XMLSchema#"


def starling(*arguments: str, folder: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([str(_local.find_launcher()), *arguments], cwd=folder, capture_output=True, text=True, timeout=55, check=False)
    assert done.returncode == code, done.stderr
    return done


def made(directed: bool) -> pandas.DataFrame:
    """Edges without loops and repetitions, at each vertex one at least; weights are sums of powers of 2."""
    random = np.random.default_rng(5)
    pairs = {(v, (v + 1) % VERTICES) for v in range(VERTICES)}
    for source, target in random.integers(0, VERTICES, (1500, 2)).tolist():
        if source != target and (directed or (target, source) not in pairs):
            pairs.add((source, target))
    if not directed:
        pairs = {(min(pair), max(pair)) for pair in pairs}
    frame = pandas.DataFrame(sorted(pairs), columns=["source", "target"])
    frame["weight"] = random.integers(1, 64, len(frame)) / 8
    return frame


GRAPHS = {"directed": made(True), "undirected": made(False)}


def edge_hash(edges: Iterable[tuple[Any, Any, float]], directed: bool, weighted: bool = True) -> str:
    """One of all edges, whatever their order and, without directions, that of their ends."""
    lines = []
    for source, target, weight in edges:
        ends = (str(source), str(target)) if directed else sorted((str(source), str(target)))
        lines.append(f"{ends[0]} {ends[1]} {float(weight) if weighted else 1.0}\n")
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def hash_of(frame: pandas.DataFrame, directed: bool, weighted: bool = True) -> str:
    weights = frame["weight"] if "weight" in frame else [1.0] * len(frame)
    return edge_hash(zip(frame["source"], frame["target"], weights, strict=True), directed, weighted)


def network(frame: pandas.DataFrame, directed: bool) -> Any:
    kind = networkx.DiGraph if directed else networkx.Graph
    graph = kind()
    graph.add_nodes_from(range(VERTICES))  # GML counts them through, in this order
    graph.add_weighted_edges_from(frame.itertuples(index=False, name=None))
    return graph


def matrix(frame: pandas.DataFrame) -> Any:
    ends = (frame["source"].to_numpy(), frame["target"].to_numpy())
    return scipy.sparse.coo_array((frame["weight"].to_numpy(), ends), shape=(VERTICES, VERTICES))


def write_matrix(frame: pandas.DataFrame, directed: bool, path: Path) -> None:
    one = matrix(frame)
    scipy.io.mmwrite(path, one if directed else one + one.T, symmetry="general" if directed else "symmetric")


def write_graph500(frame: pandas.DataFrame, _: bool, path: Path) -> None:
    frame[["source", "target"]].to_numpy(dtype="<i8").tofile(path)
    frame["weight"].to_numpy(dtype="<f4").tofile(f"{path}.weights")


def write_roads(frame: pandas.DataFrame, directed: bool, path: Path) -> None:
    arcs = frame if directed else pandas.concat([frame, frame.rename(columns={"source": "target", "target": "source"})])
    lines = [f"a {s + 1} {t + 1} {w}" for s, t, w in zip(arcs["source"], arcs["target"], arcs["weight"], strict=True)]
    path.write_text("\n".join([f"p sp {VERTICES} {len(lines)}", *lines, ""]))


def write_triples(frame: pandas.DataFrame, _: bool, path: Path) -> None:
    rdflib = pytest.importorskip("rdflib", reason="N-Triples are written by rdflib")
    graph = rdflib.Graph()
    for source, target in zip(frame["source"], frame["target"], strict=True):
        ends = [rdflib.URIRef(f"http://example.org/é{end}") for end in (source, target)]
        graph.add((ends[0], rdflib.URIRef("urn:to"), ends[1]))
        graph.add((ends[0], rdflib.RDFS.label, rdflib.Literal(f'vertex "{source}"\n', lang="en")))
    graph.serialize(path, format="nt", encoding="utf-8")


def igraph_writer(kind: str) -> Callable[[pandas.DataFrame, bool, Path], None]:
    def write(frame: pandas.DataFrame, directed: bool, path: Path) -> None:
        igraph = pytest.importorskip("igraph", reason="igraph writes this file")
        graph = igraph.Graph(VERTICES, frame[["source", "target"]].values.tolist(), directed=directed)
        graph.es["weight"] = frame["weight"].tolist()
        graph.write(str(path), format=kind)

    return write


# What writes a file, what comes out of a vertex' id, and whether the file has weights.
FOREIGN: dict[str, tuple[Callable[[pandas.DataFrame, bool, Path], None], Callable[[str], str], bool]] = {
    "networkx.edges": (lambda f, d, p: networkx.write_weighted_edgelist(network(f, d), p), str, True),
    "networkx.tsv.gz": (lambda f, d, p: networkx.write_weighted_edgelist(network(f, d), p, delimiter="\t"), str, True),
    "networkx.graphml": (lambda f, d, p: networkx.write_graphml(network(f, d), p), str, True),
    "networkx.gml": (lambda f, d, p: networkx.write_gml(network(f, d), p), str, True),
    "scipy.mtx": (write_matrix, lambda v: str(int(v) - 1), True),
    "pandas.csv.bz2": (lambda f, _, p: f.to_csv(p, index=False), str, True),
    "pandas.parquet": (lambda f, _, p: f.to_parquet(p), str, True),
    "polars.csv": (lambda f, _, p: polars.from_pandas(f).write_csv(p), str, True),
    "pyarrow.feather": (
        lambda f, _, p: pyarrow.feather.write_feather(pyarrow.Table.from_pandas(f, preserve_index=False), p),
        str,
        True,
    ),
    "numpy.graph500": (write_graph500, str, True),
    "pandas.gr": (write_roads, lambda v: str(int(v) - 1), True),
    "igraph.graphml": (igraph_writer("graphml"), str, True),
    "igraph.gml": (igraph_writer("gml"), str, True),
    "rdflib.nt": (write_triples, lambda v: v.removeprefix("http://example.org/é"), False),
}


@pytest.mark.parametrize("kind", GRAPHS)
def test_files_of_other_tools_come_in_with_the_same_edges(kind: str, tmp_path: Path) -> None:
    directed, frame, left_out = kind == "directed", GRAPHS[kind], []
    tasks: list[dict[str, Any]] = []
    for name, (write, _, _) in FOREIGN.items():
        try:
            write(frame, directed, tmp_path / name)
        except pytest.skip.Exception as absent:
            left_out.append(f"{name}: {absent}")
            continue
        # a file that says nothing of directions would give each edge both ways to a graph that has some
        arcs = (directed and not name.endswith(".graph500")) or name.endswith(".gr")
        tasks.append({"task": "file.convert", "file": name, "output": f"{name}.out.csv", "directed": arcs})
    (tmp_path / "all.json").write_text(json.dumps({"name": "all", "tasks": tasks}))

    starling("run", "all.json", folder=tmp_path)

    for task in tasks:
        name = task["file"]
        _, to_number, weighted = FOREIGN[name]
        read = pandas.read_csv(tmp_path / task["output"], dtype={"source": str, "target": str})
        read = read.rename(columns={"weight:float": "weight"})
        read["source"], read["target"] = read["source"].map(to_number), read["target"].map(to_number)
        if name.endswith(".gr") and not directed:
            read = read[read["source"].astype(int) < read["target"].astype(int)]
        assert hash_of(read, directed, weighted) == hash_of(frame, directed, weighted), name
    if left_out:
        pytest.skip(f"all others came in, but not {'; '.join(left_out)}")


def read_matrix(path: Path) -> pandas.DataFrame:
    read = scipy.io.mmread(path).tocoo()
    return pandas.DataFrame({"source": read.row, "target": read.col, "weight": read.data})


def read_roads(path: Path) -> pandas.DataFrame:
    frame = pandas.read_csv(path, sep=" ", skiprows=1, names=["a", "source", "target", "weight"])
    return frame.assign(source=frame["source"] - 1, target=frame["target"] - 1)


def read_network(graph: Any) -> pandas.DataFrame:
    return networkx.to_pandas_edgelist(graph)


def read_serialized(path: Path) -> pandas.DataFrame:
    """As the GAP Benchmark Suite lays it out: rows of outgoing edges; whole weights."""
    bytes_ = path.read_bytes()
    edges, vertices = np.frombuffer(bytes_, "<i8", 2, 1)
    firsts = np.frombuffer(bytes_, "<i8", vertices + 1, 17)
    entries = np.frombuffer(bytes_, "<i4", 2 * edges, 17 + 8 * (vertices + 1)).reshape(-1, 2)
    sources = np.repeat(np.arange(vertices), np.diff(firsts))
    return pandas.DataFrame({"source": sources, "target": entries[:, 0], "weight": entries[:, 1]})


def read_graph500(path: Path) -> pandas.DataFrame:
    pairs = np.fromfile(path, "<i8").reshape(-1, 2)
    weights = np.fromfile(f"{path}.weights", "<f4")
    return pandas.DataFrame({"source": pairs[:, 0], "target": pairs[:, 1], "weight": weights})


READERS: dict[str, Callable[[Path], pandas.DataFrame]] = {
    "out.csv": lambda p: pandas.read_csv(p).rename(columns={"weight:float": "weight"}),
    "out.tsv.gz": lambda p: read_network(networkx.read_weighted_edgelist(p, create_using=networkx.DiGraph)),
    "out.mtx": read_matrix,
    "out.gr": read_roads,
    "out.graphml": lambda p: read_network(networkx.read_graphml(p)),
    "out.parquet": lambda p: polars.read_parquet(p).to_pandas(),
    "out.arrow": lambda p: pyarrow.feather.read_table(p).to_pandas(),
    "out.graph500": read_graph500,
    "out.sg": read_serialized,
}


@pytest.mark.parametrize("kind", GRAPHS)
def test_what_is_written_is_read_by_other_tools_to_the_same_edges(kind: str, tmp_path: Path) -> None:
    directed, frame = kind == "directed", GRAPHS[kind].assign(weight=lambda f: (f["weight"] * 8).astype(int))
    frame.to_csv(tmp_path / "in.csv", index=False)
    tasks = [{"task": "file.convert", "file": "in.csv", "output": name, "directed": directed} for name in READERS]
    (tmp_path / "all.json").write_text(json.dumps({"name": "all", "tasks": tasks}))

    starling("run", "all.json", folder=tmp_path)

    for name, reader in READERS.items():
        read = reader(tmp_path / name)
        if not directed and name in ("out.gr", "out.mtx", "out.sg"):  # both directions of an edge
            read = read[read["source"] < read["target"]]
        assert hash_of(read, directed) == hash_of(frame, directed), name


def test_a_folder_of_parts_is_one_table_to_other_tools(tmp_path: Path) -> None:
    GRAPHS["directed"].to_parquet(tmp_path / "in.parquet")
    write = {"task": "graph.write", "graph": "g", "columns": ["pagerank", "component"]}
    tasks: list[dict[str, Any]] = [
        {"task": "graph.load", "graph": "g", "edges": "in.parquet", "directed": True},
        {"task": "graph.pagerank", "graph": "g"},
        {"task": "graph.wcc", "graph": "g"},
        write | {"file": "one.parquet"},
        write | {"file": "many.parquet", "parts": True},
        write | {"file": "many.arrow", "parts": True},
        write | {"file": "many.csv", "parts": True},
        {"task": "graph.load", "graph": "h", "edges": "in.parquet", "directed": True, "vertices": "many.parquet"},
        {"task": "graph.write", "graph": "h", "columns": ["pagerank", "component"], "file": "again.parquet"},
    ]
    (tmp_path / "all.json").write_text(json.dumps({"name": "all", "tasks": tasks}))

    starling("run", "all.json", "--peers", "3", folder=tmp_path)

    expected = pandas.read_parquet(tmp_path / "one.parquet")
    parts = sorted((tmp_path / "many.csv").iterdir())
    assert len(parts) > 1
    for read in [
        pandas.read_parquet(tmp_path / "many.parquet"),
        polars.read_parquet(tmp_path / "many.parquet" / "*.parquet").to_pandas(),
        pyarrow.dataset.dataset(tmp_path / "many.parquet").to_table().to_pandas(),
        pyarrow.dataset.dataset(tmp_path / "many.arrow", format="arrow").to_table().to_pandas(),
        pandas.concat(pandas.read_csv(part) for part in parts),
        pandas.read_parquet(tmp_path / "again.parquet"),
    ]:
        ordered = read.sort_values("id").reset_index(drop=True)
        pandas.testing.assert_frame_equal(ordered, expected, check_exact=True, check_dtype=False)


def test_a_small_graph_is_read_by_networkx_with_its_attributes(tmp_path: Path) -> None:
    GRAPHS["undirected"].to_csv(tmp_path / "in.csv", index=False)
    tasks: list[dict[str, Any]] = [
        {"task": "graph.load", "graph": "g", "edges": "in.csv"},
        {"task": "graph.pagerank", "graph": "g"},
        {"task": "graph.bfs", "graph": "g", "source": 0},
        {"task": "graph.write", "graph": "g", "columns": ["pagerank", "level", "parent"], "file": "g.graphml"},
        {"task": "graph.write", "graph": "g", "columns": ["pagerank", "level"], "file": "t.parquet"},
    ]
    (tmp_path / "all.json").write_text(json.dumps({"name": "all", "tasks": tasks}))

    starling("run", "all.json", folder=tmp_path)

    graph = networkx.read_graphml(tmp_path / "g.graphml", node_type=int)
    table = pandas.read_parquet(tmp_path / "t.parquet").set_index("id")
    assert hash_of(read_network(graph), False) == hash_of(GRAPHS["undirected"], False)
    for vertex, attributes in graph.nodes(data=True):
        assert attributes["pagerank"] == table["pagerank"][vertex]
        assert attributes["level"] == table["level"][vertex]
        assert vertex == 0 or graph.has_edge(vertex, int(attributes["parent"]))


def test_triples_tell_what_they_are_and_where_they_are_wrong(tmp_path: Path) -> None:
    rows = ["<urn:a> <urn:p> <urn:b> .", f'<urn:a> <urn:p> "1"^^<{XSD}int> .', "<urn:b> <urn:p> _:c ."]
    (tmp_path / "good").write_text("\n".join(rows) + "\n")
    (tmp_path / "bad.nt").write_text("\n".join([*rows, "<urn:a> urn:p <urn:b> ."]) + "\n")

    told = json.loads(starling("inspect", "good", "--json", folder=tmp_path).stdout)
    starling("convert", "good", "good.csv", folder=tmp_path)
    refused = starling("convert", "bad.nt", "bad.csv", folder=tmp_path, code=3)

    assert (told["format"], told["rows"], told["directed"]) == ("ntriples", 2, True)
    assert (tmp_path / "good.csv").read_text().splitlines() == ["source,target", "urn:a,urn:b", "urn:b,_:c"]
    assert 'bad.nt:4:9: expected a predicate: <IRI>, found "urn:p <urn:b> ."' in refused.stderr
    assert not (tmp_path / "bad.csv").exists()
