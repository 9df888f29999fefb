"""Files of other libraries come in, and what is written is read by them, to the same values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

from starling_graph import Cluster, JobFailedError
from starling_graph.cluster import Uploads

def test_a_file_of_names_says_which_columns_are_ends(cluster: Cluster, name: str, tmp_path: Path) -> None:
    path = tmp_path / "friends.csv"
    path.write_text('since,who,whom\n2019,Ada,"Sofja K."\n2021,"Sofja K.",Émilie\n', "utf-8")

    with pytest.raises(JobFailedError, match='if it names columns, say which are "source" and "target"'):
        cluster.load(path, name)
    with cluster.load(path, name, source="who", target="whom", ids="text") as graph:
        assert sorted(graph.neighbours("Sofja K.")) == ["Ada", "Émilie"]


COLUMNS = ["pagerank", "component", "parent", "level"]


@pytest.fixture(scope="module")
def edges() -> pandas.DataFrame:
    random = np.random.default_rng(11)
    return pandas.DataFrame(
        {
            "source": random.integers(0, 500, 20_000),
            "target": random.integers(0, 500, 20_000),
            "weight": random.integers(1, 64, 20_000) / 8,
            "since": random.integers(-(2**40), 2**40, 20_000),
            "note": [f"nöte {i % 7}" for i in range(20_000)],
        }
    )


def write_feather_uncompressed(table: pyarrow.Table, path: Path) -> None:
    pyarrow.feather.write_feather(table, path, compression="uncompressed", chunksize=512)


def write_stream(table: pyarrow.Table, path: Path) -> None:
    with pyarrow.ipc.new_stream(path, table.schema) as stream:
        stream.write_table(table, max_chunksize=700)


def parquet(**options: Any) -> Any:
    return lambda table, path: pyarrow.parquet.write_table(table, path, row_group_size=700, **options)


WRITERS = {
    "snappy.parquet": parquet(),
    "plain.parquet": parquet(use_dictionary=False, compression="none"),
    "gzip.parquet": parquet(compression="gzip"),
    "zstd.parquet": parquet(compression="zstd"),
    "lz4.parquet": parquet(compression="lz4"),
    "pages-2.parquet": parquet(data_page_version="2.0", data_page_size=500),
    "pandas.parquet": lambda table, path: table.to_pandas().to_parquet(path),
    "polars.parquet": lambda table, path: polars.from_arrow(table).write_parquet(path),
    "plain.arrow": write_feather_uncompressed,
    "lz4.feather": pyarrow.feather.write_feather,
    "zstd.feather": lambda table, path: pyarrow.feather.write_feather(table, path, compression="zstd"),
    "views.arrow": lambda table, path: polars.from_arrow(table).write_ipc(path),
    "stream.arrows": write_stream,
}


def converted(cluster: Cluster, name: str, path: Path, folder: Path) -> pandas.DataFrame:
    """The edges that the cluster's ranks and a job's copy of the graph show."""
    cluster.load(path, name, directed=True)
    tasks = [
        {"task": "graph.pagerank", "graph": name, "iterations": 20},
        {"task": "graph.write", "graph": name, "columns": ["pagerank"], "file": "ranks.parquet"},
    ]
    job = cluster.submit({"name": f"ranks of {name}", "tasks": tasks})
    job.wait()
    cluster.results(job, folder)
    return pandas.read_parquet(folder / "ranks.parquet")


@pytest.mark.parametrize("kind", WRITERS)
def test_edges_of_other_libraries_make_the_same_graph(
    cluster: Cluster, name: str, kind: str, edges: pandas.DataFrame, tmp_path: Path
) -> None:
    path = tmp_path / kind
    WRITERS[kind](pyarrow.Table.from_pandas(edges, preserve_index=False), path)
    whole = tmp_path / "list.csv"
    edges[["source", "target", "weight"]].to_csv(whole, index=False)

    ranks = converted(cluster, name, path, tmp_path / "a")
    same = converted(cluster, f"{name}-list", whole, tmp_path / "b")

    pandas.testing.assert_frame_equal(ranks, same, check_exact=True)
    assert ranks["id"].tolist() == sorted(set(edges["source"]) | set(edges["target"]))


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_conversion_keeps_every_edge(cluster: Cluster, name: str, ending: str, edges: pandas.DataFrame, tmp_path: Path) -> None:
    source = tmp_path / "e.csv"
    edges[["source", "target", "weight"]].to_csv(source, index=False)
    with Uploads(cluster._rest) as uploads:
        task = {"task": "file.convert", "file": uploads.bring("e.csv", source.read_bytes())}
        task |= {"output": f"e.{ending}", "directed": True}
        job = cluster.submit({"name": name, "tasks": [task]})
        job.wait()
    cluster.results(job, tmp_path)

    table = polars.read_parquet(tmp_path / "e.parquet") if ending == "parquet" else polars.read_ipc(tmp_path / "e.arrow")

    assert table["source"].to_list() == edges["source"].tolist()
    assert table["target"].to_list() == edges["target"].tolist()
    assert table["weight"].to_list() == edges["weight"].tolist()


def test_columns_are_read_to_the_same_values(cluster: Cluster, name: str, edges: pandas.DataFrame, tmp_path: Path) -> None:
    cluster.load(edges[["source", "target"]], name, directed=True)
    endings = ["parquet", "arrow", "csv", "tsv", "jsonl", "csv.gz"]
    tasks: list[dict[str, Any]] = [
        {"task": "graph.pagerank", "graph": name},
        {"task": "graph.wcc", "graph": name},
        {"task": "graph.bfs", "graph": name, "source": int(edges["source"][0])},
    ]
    for ending in endings:
        tasks.append({"task": "graph.write", "graph": name, "columns": COLUMNS, "file": f"t.{ending}"})
    tasks.append(
        {"task": "graph.write", "graph": name, "columns": COLUMNS, "file": "top.parquet"}
        | {"sort": "pagerank", "descending": True, "top": 10}
    )
    job = cluster.submit({"name": name, "tasks": tasks})
    job.wait()
    cluster.results(job, tmp_path)

    table = pyarrow.parquet.read_table(tmp_path / "t.parquet")
    with pyarrow.ipc.open_file(tmp_path / "t.arrow") as file:
        arrow = file.read_all()
    table.validate(full=True)
    arrow.validate(full=True)

    assert table.schema.field("id").type == pyarrow.uint64()
    assert arrow.to_pydict() == table.to_pydict()
    frame = table.to_pandas()
    for other in [
        pandas.read_csv(tmp_path / "t.csv"),
        pandas.read_csv(tmp_path / "t.tsv", sep="\t"),
        pandas.read_csv(tmp_path / "t.csv.gz"),
        pandas.read_json(tmp_path / "t.jsonl", lines=True, precise_float=True),
    ]:
        pandas.testing.assert_frame_equal(other, frame, check_dtype=False, check_exact=True)
    best = frame.sort_values(["pagerank", "id"], ascending=[False, True]).head(10).reset_index(drop=True)
    pandas.testing.assert_frame_equal(pandas.read_parquet(tmp_path / "top.parquet"), best)
    assert frame["id"].tolist() == sorted(set(edges["source"]) | set(edges["target"]))


def test_ids_that_are_texts_come_and_go(cluster: Cluster, name: str, tmp_path: Path) -> None:
    people = pandas.DataFrame({"source": ["Ann", 'Bób, "B"', "\U0001f426"], "target": ['Bób, "B"', "Ann", "007"]})
    people.to_parquet(tmp_path / "people.parquet")
    cluster.load(tmp_path / "people.parquet", name, directed=True, ids="text")
    tasks = [
        {"task": "graph.wcc", "graph": name},
        {"task": "graph.write", "graph": name, "columns": ["component"], "file": "c.arrow"},
    ]
    job = cluster.submit({"name": name, "tasks": tasks})
    job.wait()
    cluster.results(job, tmp_path)

    with pyarrow.ipc.open_file(tmp_path / "c.arrow") as file:
        components = dict(zip(*file.read_all().to_pydict().values(), strict=True))

    assert set(components) == set(people["source"]) | set(people["target"])
    assert components["Ann"] == components['Bób, "B"'] != components["007"]
    assert components["\U0001f426"] == components["007"]


def test_says_what_is_not_read(cluster: Cluster, name: str, edges: pandas.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "e.parquet"
    edges.to_parquet(path, compression="brotli")

    with pytest.raises(JobFailedError, match="Brotli, which is not read; Snappy, gzip, zstd and LZ4 are"):
        cluster.load(path, name)
