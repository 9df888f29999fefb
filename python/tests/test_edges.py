"""Edges as people have them become what a cluster reads."""

from __future__ import annotations

import math

import networkx
import numpy as np
import pandas
import polars
import pytest
import scipy.sparse

from starling_graph import InvalidInputError
from starling_graph._edges import array_of, decimal_lines, edges_of


def test_writes_numbers_of_all_lengths() -> None:
    first = np.array([0, 7, 10, 999, 1000, 2**64 - 1], np.uint64)
    second = np.array([5, 0, 123, 4, 10**19, 1], np.uint64)

    text = decimal_lines([first, second])

    assert text == b"0,5\n7,0\n10,123\n999,4\n1000,10000000000000000000\n18446744073709551615,1\n"


def test_writes_many_random_numbers_as_python_does() -> None:
    numbers = np.random.default_rng(7).integers(0, 2**40, 1000).astype(np.uint64)

    text = decimal_lines([numbers, numbers[::-1].copy()])

    assert text.decode() == "".join(f"{a},{b}\n" for a, b in zip(numbers.tolist(), numbers.tolist()[::-1], strict=True))


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, dict])
def test_takes_columns_by_their_names(make: type) -> None:
    edges = edges_of(make({"weight": [1.5, 2.0], "target": [4, 5], "source": [1, 2], "since": [1999, 2001]}))

    assert edges.edge_file() == b"source,target,weight:float,since:long\n1,4,1.5,1999\n2,5,2.0,2001\n"
    assert edges.labels is None


def test_numbers_texts_in_their_order() -> None:
    edges = edges_of(pandas.DataFrame({"a": ["Ann", "Bob"], "b": ["Cid", "Ann"]}))

    assert edges.labels == ["Ann", "Bob", "Cid"]
    assert edges.edge_file() == b"source,target\n0,2\n1,0\n"


def test_keeps_texts_as_ids_where_a_cluster_can() -> None:
    drawn = networkx.DiGraph([("007", "a b"), ("a b", 'say "é", #1')])
    drawn.add_node("alone ")
    edges = edges_of(drawn)
    edges.take_texts()

    assert edges.edge_file().decode() == 'source,target\n007,"a b"\n"a b","say ""é"", #1"\n'
    assert edges.vertex_file() == b'id\n"alone "\n'
    for other in [("a", 7), ("a", "b\nc"), ("a", ""), ("a", "\ud800"), ("a", "x" * 65_521)]:
        edges = edges_of([other])
        edges.take_texts()
        assert not edges.texts
        assert edges.edge_file() == b"source,target\n0,1\n"


def test_keeps_texts_of_edges_with_commas_and_quotes() -> None:
    edges = edges_of({"source": [1, 2], "target": [2, 3], "kind": ['a "b", c', ""]})

    assert edges.edge_file().decode() == 'source,target,kind:string\n1,2,"a ""b"", c"\n2,3,\n'


def test_takes_a_matrix_as_undirected_if_it_is_symmetric() -> None:
    symmetric = scipy.sparse.csr_array(np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]]))
    other = scipy.sparse.coo_array(np.array([[0, 2.5], [0, 0]]))

    assert not edges_of(symmetric).directed
    assert edges_of(symmetric).vertex_file() == b"id\n3\n"
    assert edges_of(other).directed
    assert edges_of(other).edge_file() == b"source,target,weight:float\n0,1,2.5\n"


def test_takes_a_graph_of_networkx_with_nodes_that_have_no_edge() -> None:
    graph = networkx.DiGraph([("x", 3), (3, ("t", 1))])
    graph.add_node("alone")
    graph["x"][3]["weight"] = 4

    edges = edges_of(graph)

    assert edges.labels == ["x", 3, ("t", 1), "alone"]
    assert edges.directed
    assert edges.edge_file() == b"source,target,weight:float\n0,1,4\n1,2,1\n"
    assert edges.vertex_file() == b"id\n3\n"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([], "there is no edge"),
        ([(1,)], "each edge has a source, a target"),
        ([(1, 2), (1, 2, 3)], "each edge has a source, a target"),
        ([(1, 2, -1.0)], "edge 0: weights are finite and not negative, found -1.0"),
        ([("a", None)], "edge 0: a vertex is missing"),
        ({"source": [1]}, "edges have two columns at least"),
        (scipy.sparse.csr_array((2, 3)), "a matrix of a graph is square, this one has 2 rows and 3 columns"),
        (networkx.MultiGraph([(1, 2)]), "a cluster keeps one edge between two vertices"),
        (7, "edges come as a file, a data frame"),
    ],
)
def test_says_what_is_wrong_with_edges(data: object, sentence: str) -> None:
    with pytest.raises(InvalidInputError, match=sentence):
        edges_of(data)


def test_keeps_vertices_on_both_sides_of_2_to_the_63_apart() -> None:
    edges = edges_of([(1, 2**63), (2**63 + 1, 2**64 - 1)])

    assert edges.labels is None
    assert edges.edge_file() == b"source,target\n1,9223372036854775808\n9223372036854775809,18446744073709551615\n"
    assert array_of([2**63 + 1, 5]).tolist() == [2**63 + 1, 5]
    assert array_of([]).dtype == np.uint64
    assert array_of([2**64, -1]).dtype == object


def test_takes_whole_numbers_alone_of_an_array_of_floats() -> None:
    assert edges_of(np.array([[1.0, 2.0, 0.5]])).edge_file() == b"source,target,weight:float\n1,2,0.5\n"
    for wrong in (1.5, math.nan, math.inf, 2.0**60):
        with pytest.raises(InvalidInputError, match="edge 1: vertices in an array of floats are whole numbers"):
            edges_of(np.array([[1.0, 2.0], [1.0, wrong]]))


@pytest.mark.parametrize("name", ["a,b", 'a"b', "a:b", "a\nb"])
def test_refuses_names_of_columns_that_no_header_can_have(name: str) -> None:
    with pytest.raises(InvalidInputError, match="names of columns of edges have no comma"):
        edges_of({"source": [1], "target": [2], name: [3]}).edge_file()


def test_numbers_what_is_below_zero() -> None:
    assert edges_of([(-1, 2)]).labels == [-1, 2]
