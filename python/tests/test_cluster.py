"""Graphs, columns, jobs and errors, on a real cluster."""

from __future__ import annotations

import asyncio
import csv
import gzip
import io
import json
import math
import sys
import urllib.request
from pathlib import Path

import networkx
import numpy as np
import pandas
import polars
import pytest
import scipy.sparse

import starling_graph
from starling_graph import Cluster, InvalidInputError

FRIENDS = [("Ann", "Bob"), ("Bob", "Cid"), ("Cid", "Ann"), ("Cid", "Dan")]


def test_ranks_names_and_reads_columns_back(cluster: Cluster, name: str) -> None:
    with cluster.load(FRIENDS, name) as graph:
        ranked = graph.pagerank(top=2, publish="rank")
        graph.bfs("Ann", publish=True)

        expected = networkx.pagerank(networkx.Graph(FRIENDS), tol=1e-12)
        assert [one for one, _ in ranked.top][0] == "Cid"
        assert ranked.table is not None and ranked.table.rows == 2
        assert graph.columns == {"level": "int", "parent": "vertex", "rank": "double"}
        assert graph.column("rank").to_dict() == pytest.approx(expected)
        best = sorted(expected, key=expected.__getitem__, reverse=True)
        assert list(graph.column("rank", sort="desc", limit=2).to_dict()) == best[:2]
        assert list(graph.column("rank", sort="desc", limit=1, offset=1).to_dict()) == best[1:2]
        least = expected[best[-1]]
        assert set(graph.column("rank", where=f"value > {least * 1.001}").to_dict()) == set(best[:-1])
        assert graph.column("parent").to_dict() == {"Ann": "Ann", "Bob": "Ann", "Cid": "Ann", "Dan": "Cid"}
        assert graph.value("level", "Dan") == 2
        assert sorted(graph.neighbours("Ann")) == ["Bob", "Cid"]
        assert graph.path("Ann", "Dan") == ["Ann", "Cid", "Dan"]
    assert name not in [one.name for one in cluster.graphs()]


def test_keeps_names_on_the_cluster(cluster: Cluster, name: str) -> None:
    traps = ["007", "7", "a b", " a", 'say "é", #1', "#", "%", "-1", "a/b?c", "e\u0301", "日本", "x" * 3_000, "😀"]
    drawn = networkx.Graph(zip(traps, traps[1:], strict=False))
    drawn.add_node("alone")
    cluster.load(drawn, name).bfs("007", publish=True)

    with cluster.graph(name) as graph:
        table = graph.table("level", "parent")
        assert graph.ids == "text" and "ids are texts" in graph._repr_html_()
        assert table.to_dict("level") == {**dict(zip(traps, range(20), strict=False)), "alone": -1}
        assert table.to_dict("parent") == {**dict(zip(traps[1:], traps, strict=False)), "007": "007", "alone": None}
        assert sorted(graph.nodes().tolist()) == sorted([*traps, "alone"])
        assert graph.neighbours("a/b?c") == ["-1", "e\u0301"] or graph.neighbours("a/b?c") == ["e\u0301", "-1"]
        assert graph.value("parent", "日本") == "e\u0301"
        assert graph.path("7", " a") == ["7", "a b", " a"]
        text = raw(cluster, f"/graphs/{name}/columns/parent", "text/csv").decode()
        assert 'say "é", #1' in [row[0] for row in csv.reader(io.StringIO(text))]
        page = json.loads(raw(cluster, f"/graphs/{name}/columns/level?limit=99", "application/json"))
        assert dict(zip(page["ids"], page["values"]["level"], strict=True)) == table.to_dict("level")
    with cluster.load([(1, 2)], name) as graph:
        assert graph.ids == "number"


def test_gives_columns_as_what_people_use(cluster: Cluster, name: str) -> None:
    with cluster.load(FRIENDS, name) as graph:
        graph.wcc(publish=True)
        graph.kcore(publish=True)
        table = graph.table("core", "component")

        frame = table.to_pandas()
        assert isinstance(frame, pandas.DataFrame)
        assert frame.loc["Dan", "core"] == 1 and frame.loc["Ann", "core"] == 2
        assert isinstance(table.to_polars(), polars.DataFrame)
        assert table.to_polars()["core"].to_list() == frame["core"].to_list()
        assert table.to_numpy("core").sum() == 7
        drawn = table.to_networkx(networkx.Graph(FRIENDS))
        assert drawn.nodes["Dan"]["core"] == 1
        assert "<table>" in table._repr_html_() and "Dan" in repr(table)


def test_reads_absent_vertices_as_missing(cluster: Cluster, name: str) -> None:
    with cluster.load([(1, 2), (3, 4)], name) as graph:
        graph.bfs(1, publish=True)
        table = graph.table("level", "parent")

        assert dict(zip(table.ids.tolist(), table["level"].tolist(), strict=True)) == {1: 0, 2: 1, 3: -1, 4: -1}
        assert table.to_dict("parent") == {1: 1, 2: 1, 3: None, 4: None}
        assert table.to_pandas()["parent"].isna().sum() == 2


def test_reads_properties_of_all_types(cluster: Cluster, name: str, tmp_path: Path) -> None:
    edges = tmp_path / "edges.csv.gz"
    edges.write_bytes(gzip.compress(b"source,target,weight:float\n7,18446744073709551615,0.5\n7,9,2\n"))
    people = tmp_path / "people.csv"
    people.write_text(
        "id,age:int,away:boolean,worth:long,place:float[2],score:double,name:string\n"
        '7,30,true,-5000000000,0.5 1.5,1e300,"Ann, ""A"""\n9,-1,false,0,0 0,0,日本\n18446744073709551615,0,false,1,2 3,-0.5,\n'
    )
    with cluster.load(edges, name, vertices=people) as graph:
        table = graph.table()

        assert graph.is_weighted() and not graph.is_directed() and graph.edge_count() == 2
        frame = table.take(np.argsort(table.ids))
        assert frame.ids.tolist() == [7, 9, 2**64 - 1]
        assert frame["age"].tolist() == [30, -1, 0]
        assert frame["away"].tolist() == [True, False, False]
        assert frame["worth"].tolist() == [-5000000000, 0, 1]
        assert frame["place"].tolist() == [[0.5, 1.5], [0, 0], [2, 3]]
        assert frame["score"].tolist() == [1e300, 0, -0.5]
        assert frame["name"].tolist() == ['Ann, "A"', "日本", ""]


def test_reads_the_same_as_arrow_csv_and_pages_of_json(cluster: Cluster, name: str) -> None:
    with cluster.generate("kronecker", name, scale=12) as graph:
        graph.pagerank(iterations=5, publish="rank")
        table = graph.column("rank")

        text = raw(cluster, f"/graphs/{name}/columns/rank", "text/csv").decode()
        rows = [line.split(",") for line in text.splitlines()[1:]]
        assert [int(row[0]) for row in rows] == table.ids.tolist()
        assert [float(row[1]) for row in rows] == table["rank"].tolist()
        ids, values = [], []
        for offset in range(0, table.rows, 1000):
            page = json.loads(raw(cluster, f"/graphs/{name}/columns/rank?offset={offset}&limit=1000", "application/json"))
            ids += page["ids"]
            values += page["values"]["rank"]
        assert (ids, values) == (table.ids.tolist(), table["rank"].tolist())
        assert table.rows == 4096 == graph.node_count()


def test_is_read_by_pyarrow_where_that_is_there(cluster: Cluster, name: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    with cluster.load(FRIENDS, name) as graph:
        graph.bfs("Ann", publish=True)
        table = graph.table("level", "parent")

        read = pyarrow.ipc.open_stream(raw(cluster, f"/graphs/{name}/columns", "application/vnd.apache.arrow.stream")).read_all()
        read.validate(full=True)
        assert read["level"].to_pylist() == table["level"].tolist()
        assert table.to_arrow().num_rows == 4


@pytest.mark.parametrize("directed", [False, True])
def test_loads_what_networkx_scipy_and_data_frames_hold(cluster: Cluster, name: str, directed: bool) -> None:
    kind = networkx.DiGraph if directed else networkx.Graph
    drawn = networkx.gnm_random_graph(60, 150, seed=3, directed=directed)
    drawn.add_node(60)
    assert isinstance(drawn, kind)
    matrix = networkx.to_scipy_sparse_array(drawn, dtype=bool)
    frame = networkx.to_pandas_edgelist(drawn)
    expected = {node: drawn.degree(node) for node in drawn}

    for data in (drawn, matrix, frame, list(drawn.edges), polars.from_pandas(frame)):
        with cluster.load(data, name, directed=directed) as graph:
            nodes = graph.nodes().tolist()
            assert graph.is_directed() is directed
            assert graph.edge_count() == 150
            degrees = {
                node: sum(len(graph.neighbours(node, direction=way)) for way in (("out", "in") if directed else ("out",)))
                for node in nodes[:5]
            }
            assert degrees == {node: expected[node] for node in nodes[:5]}
            if data is drawn or data is matrix:
                assert sorted(nodes) == list(range(61))


def test_says_what_the_cluster_says(cluster: Cluster, name: str) -> None:
    with pytest.raises(InvalidInputError, match=f'no graph "{name}" is kept'):
        cluster.graph(name)
    with cluster.load(FRIENDS, name) as graph:
        with pytest.raises(InvalidInputError, match='has no column "rnk" of vertices'):
            graph.column("rnk")
        with pytest.raises(InvalidInputError, match='has no vertex "Eve"') as unknown:
            graph.bfs("Eve")
        assert isinstance(unknown.value, starling_graph.JobFailedError)
        assert unknown.value.report["status"] == "failed"
        with pytest.raises(InvalidInputError, match=f'graph "{name}" already exists'):
            cluster.load(FRIENDS, name)
        with pytest.raises(InvalidInputError, match='"damping" is 7.0, must be from 0 to below 1'):
            graph.pagerank(damping=7)
        with pytest.raises(InvalidInputError, match='did you mean "damping"'):
            graph.start("graph.pagerank", dampin=0.5)
    assert json.loads(raw(cluster, "/uploads", "application/json"))["uploads"] == []


def test_names_line_and_remedy_of_a_bad_file(cluster: Cluster, name: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("1,2\n3,x\n")

    with pytest.raises(starling_graph.JobFailedError, match=r"bad\.csv:2"):
        cluster.load(bad, name)

    assert name not in [one.name for one in cluster.graphs()]
    with pytest.raises(InvalidInputError, match="none.csv can't be read"):
        cluster.load(tmp_path / "none.csv", name)


def test_leaves_addresses_to_the_cluster(cluster: Cluster, name: str) -> None:
    with pytest.raises(InvalidInputError, match="--allow-url s3://nowhere/in"):
        cluster.load("s3://nowhere/in/*.csv", name)
    with pytest.raises(InvalidInputError, match="may read nothing from nowhere.example"):
        cluster.load("https://nowhere.example/edges.csv", name)
    with (
        cluster.load([(1, 2)], name) as graph,
        pytest.raises(InvalidInputError, match=r"--allow-url s3\+write://nowhere/out"),
    ):
        graph.walk(2, "s3://nowhere/out/walks.txt")


def test_refuses_a_token_that_nobody_knows(cluster: Cluster) -> None:
    with pytest.raises(starling_graph.AccessError, match="does not know"):
        starling_graph.connect(cluster.url, token="slg_" + "0" * 64)
    with pytest.raises(starling_graph.UnavailableError, match="no cluster answers at http://127.0.0.1:9"):
        starling_graph.connect("http://127.0.0.1:9", token="slg_" + "0" * 64)


def test_waits_awaits_and_cancels(cluster: Cluster, name: str) -> None:
    with cluster.generate("kronecker", name, scale=12) as graph:
        assert graph.start("graph.wcc").wait().components > 0
        graph.start("graph.cdlp", iterations=2, state="label", publish=True).wait()
        assert "label" in graph.columns

        async def both() -> list[int]:
            jobs = [graph.start("graph.wcc"), graph.start("graph.kcore")]
            results = await asyncio.gather(*jobs)
            return [results[0].components, results[1].maxCore]

        assert asyncio.run(both())[1] > 10
        endless = graph.start("graph.pagerank", iterations=10_000_000)
        with pytest.raises(TimeoutError, match="it goes on"):
            endless.wait(timeout=0.2)
        endless.cancel()
        with pytest.raises(starling_graph.JobCancelledError):
            endless.wait()
        assert endless.status == "cancelled"


def test_fetches_what_a_task_writes(cluster: Cluster, name: str, tmp_path: Path) -> None:
    target = tmp_path / "walks.txt"
    with cluster.load(FRIENDS, name) as graph:
        result = graph.walk(3, target, walks_per_vertex=2)

        assert result.walks == 8
        assert len(target.read_text().splitlines()) == 8


def test_runs_scripts(cluster: Cluster, tmp_path: Path) -> None:
    script = tmp_path / "s.json"
    tasks = [
        {"task": "graph.generate", "graph": "g", "generator": "grid", "scale": "${scale}"},
        {"task": "graph.wcc", "graph": "g", "as": "cc"},
        {"task": "graph.degrees", "graph": "g"},
    ]
    script.write_text(json.dumps({"parameters": {"scale": 4}, "tasks": tasks}))

    report = cluster.submit(script, scale=6).wait()

    assert report["status"] == "succeeded"
    assert [one for one in report["tasks"] if one.get("as") == "cc"][0]["result"]["components"] == 1


def test_projects_renames_and_copies(cluster: Cluster, name: str) -> None:
    with cluster.load([(1, 2, 0.5), (2, 3, 2.0)], name) as graph:
        with graph.project(name + "-heavy", edges="weight >= 1") as heavy:
            assert heavy.edge_count() == 1
        with graph.copy(name + "-copy") as copy:
            copy.rename(name + "-other")
            assert cluster.graph(name + "-other").node_count() == 3


def test_brings_a_large_file_in_pieces(cluster: Cluster, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr("starling_graph._rest.PIECE_BYTES", 1000)
    count = 3000

    with cluster.load([(i, i + 1) for i in range(count)], name) as graph:
        assert graph.edge_count() == count


def test_takes_texts_of_graphs_whose_ids_are_texts(cluster: Cluster, name: str, tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("source,target\n" + "".join(f"{one},{other}\n" for one, other in [*FRIENDS, ("Dan", "a/b c")]))

    with cluster.load(people, name, ids="text"):
        graph = cluster.graph(name)

        assert graph.bfs("Ann").reached == 5
        assert sorted(graph.neighbours("Cid")) == ["Ann", "Bob", "Dan"]
        assert graph.path("Ann", "a/b c") == ["Ann", "Cid", "Dan", "a/b c"]
        assert graph.pagerank(top=1).table.ids.tolist() == ["Cid"]
        with pytest.raises(starling_graph.StarlingError, match="Eve"):
            graph.bfs("Eve")


def test_refuses_what_goes_with_files_alone(cluster: Cluster, name: str) -> None:
    with pytest.raises(InvalidInputError, match="vertices, ids: this goes with a file, and the edges are a list"):
        cluster.load(FRIENDS, name, vertices="people.csv", ids="text")


def test_keeps_ids_apart_from_a_column_that_is_called_so(cluster: Cluster, name: str, tmp_path: Path) -> None:
    edges, people = tmp_path / "edges.csv", tmp_path / "people.csv"
    edges.write_text("source,target\n7,9\n")
    people.write_text("id,id:int\n7,70\n9,90\n")

    with cluster.load(edges, name, vertices=people) as graph:
        assert graph.column("id").to_dict() == {7: 70, 9: 90}
        with pytest.raises(starling_graph.StarlingError, match="take another name"):
            graph.wcc(publish="id")


def test_says_that_tables_of_arrow_take_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(ImportError, match="a table of Arrow takes pyarrow"):
        starling_graph.Table({"id": np.arange(2)}).to_arrow()


def test_draws_a_small_picture(cluster: Cluster, name: str) -> None:
    with cluster.load([*FRIENDS, ("<b>", "Ann")], name) as graph:
        drawn = graph.picture()

        assert drawn.startswith("<svg") and drawn.count("<circle") == 5 and drawn.count("<line") == 5
        assert "&lt;b&gt;" in drawn and "<b>" not in drawn
        assert drawn == graph.picture()
        assert graph.picture("Dan", size=2).count("<circle") == 2
        assert "5 vertices" in graph._repr_html_() and "<svg" in graph._repr_html_()
        assert name in cluster._repr_html_()


def test_keeps_numbers_exact(cluster: Cluster, name: str) -> None:
    matrix = scipy.sparse.coo_array(([0.1, 0.25], ([0, 1], [1, 2])), shape=(3, 3))
    with cluster.load(matrix, name, directed=True) as graph:
        graph.sssp(0, publish=True)

        distances = graph.column("distance").to_dict()
        assert distances[2] == pytest.approx(np.float32(0.1) + 0.25)
        assert not any(math.isinf(one) for one in distances.values())


def raw(cluster: Cluster, path: str, accepted: str) -> bytes:
    request = urllib.request.Request(
        cluster.url + "/api/v1" + path,
        headers={"Accept": accepted, "Authorization": "Bearer " + cluster._rest._token},
    )
    with urllib.request.urlopen(request) as response:
        return bytes(response.read())
