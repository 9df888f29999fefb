"""Edges as people have them, and the files of text that clusters read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from .errors import InvalidInputError

BLOCK_ROWS = 1 << 19
SOURCES = ("source", "src", "sourceNodeId", "from")
TARGETS = ("target", "dst", "targetNodeId", "to")
WEIGHT = "weight"
MAX_TEXT_BYTES = 65_520
PLAIN = re.compile(r"[A-Za-z0-9_.:/@-]+")


@dataclass
class Edges:
    """
    Edges between vertices that have numbers. ``labels`` says what number ``i`` stands for; without it numbers are
    what people call the vertices. ``vertices`` are those that have to be there even without edges. With ``texts`` the
    labels go to the cluster, which keeps them as ids.
    """

    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray | None = None
    labels: list[Any] | None = None
    vertices: np.ndarray | None = None
    directed: bool = False
    columns: dict[str, np.ndarray] = field(default_factory=dict)
    texts: bool = False
    _written: list[str] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.source) == 0:
            raise InvalidInputError("there is no edge; a graph on a cluster has one at least")

    def edge_file(self) -> bytes:
        """A header, and a line for each edge."""
        for name in self.columns:
            _check_name(name)
        header = "source,target" + (",weight:float" if self.weight is not None else "")
        header += "".join(f",{name}:{_type(name, values)}" for name, values in self.columns.items())
        whole = self.weight is None or _are_small_naturals(self.weight)
        if self.texts or self.columns or not whole:
            return self._slowly(header)
        fields = [self.source, self.target]
        if self.weight is not None:
            fields.append(self.weight.astype(np.uint64))
        return header.encode() + b"\n" + decimal_lines(fields)

    def vertex_file(self) -> bytes | None:
        """A header and a line for each vertex that has no edge; nothing if all have."""
        if self.vertices is None:
            return None
        has_edge = np.zeros(len(self.vertices), bool)  # they are numbered from 0 on
        has_edge[self.source] = True
        has_edge[self.target] = True
        alone = self.vertices[~has_edge]
        if len(alone) == 0:
            return None
        if self.texts:
            return "\n".join(["id", *self._called(alone), ""]).encode()
        return b"id\n" + decimal_lines([alone])

    def take_texts(self) -> None:
        """From now on the names of vertices are ids on the cluster, too, if all of them are texts that can be such."""
        self.texts = self.labels is not None and all(map(_can_be_id, self.labels))
        self._written = list(map(_quoted, self.labels or ())) if self.texts else []

    def _called(self, vertices: np.ndarray) -> list[str]:
        """Names as they stand in a file."""
        return list(map(self._written.__getitem__, vertices.tolist()))

    def _slowly(self, header: str) -> bytes:
        ends = (self.source, self.target)
        fields = [self._called(end) if self.texts else list(map(str, end.tolist())) for end in ends]
        if self.weight is not None:
            fields.append([repr(value) for value in self.weight.tolist()])
        for values in self.columns.values():
            listed = values.tolist()
            if values.dtype.kind == "b":
                fields.append(["true" if one else "false" for one in listed])
            else:
                fields.append(["" if one is None or one == "" else _quoted(one) if isinstance(one, str) else str(one) for one in listed])
        return "\n".join([header, *map(",".join, zip(*fields, strict=True)), ""]).encode()


def edges_of(data: Any, directed: bool | None = None, weight: str | None = WEIGHT) -> Edges:
    """Edges of a data frame, a sparse matrix, a graph of NetworkX, a table of Arrow, an array or a list of pairs."""
    if hasattr(data, "adjacency") and hasattr(data, "is_multigraph"):
        return _of_networkx(data, weight)
    if hasattr(data, "tocoo"):
        return _of_matrix(data, directed)
    named = _columns(data)
    if named is not None:
        return _of_columns(named, bool(directed), weight)
    if isinstance(data, np.ndarray):
        return _of_rows(data, bool(directed))
    if isinstance(data, Iterable) and not isinstance(data, (str, bytes, dict)):
        return _of_rows(list(data), bool(directed))
    raise InvalidInputError(
        f"edges come as a file, a data frame, a sparse matrix, a graph of NetworkX, a table of Arrow, an array or a "
        f"list of pairs, not as {type(data).__name__}"
    )


def _can_be_id(name: Any) -> bool:
    """Whether a cluster can take a name as an id: a text that is UTF-8, not empty, not endless, and on one line."""
    if type(name) is not str or not name or "\n" in name or "\r" in name:
        return False
    if name.isascii():
        return len(name) <= MAX_TEXT_BYTES
    try:
        return len(name.encode()) <= MAX_TEXT_BYTES
    except UnicodeEncodeError:
        return False


def _quoted(text: str) -> str:
    """A text as a field of a file of lines."""
    return text if PLAIN.fullmatch(text) else '"' + text.replace('"', '""') + '"'


def decimal_lines(fields: Sequence[np.ndarray]) -> bytes:
    """Lines of numbers with commas between them."""
    parts = []
    for first in range(0, len(fields[0]), BLOCK_ROWS):
        parts.append(_decimal_block([values[first : first + BLOCK_ROWS].astype(np.uint64) for values in fields]))
    return b"".join(parts)


def _decimal_block(fields: Sequence[np.ndarray]) -> bytes:
    """Digits of all rows in one matrix, without the zeros before numbers."""
    rows = len(fields[0])
    widths = [len(str(int(values.max()))) for values in fields]
    text = np.empty((rows, sum(widths) + len(widths)), np.uint8)
    kept = np.ones(text.shape, bool)
    end = 0
    for values, width in zip(fields, widths, strict=True):
        rest = values.copy()
        for place in range(end + width - 1, end - 1, -1):
            text[:, place] = (rest % np.uint64(10)).astype(np.uint8) + ord("0")
            if place < end + width - 1:
                kept[:, place] = rest > 0
            rest //= np.uint64(10)
        end += width + 1
        text[:, end - 1] = ord(",")
    text[:, -1] = ord("\n")
    return text[kept].tobytes()


def _columns(data: Any) -> dict[str, np.ndarray] | None:
    if hasattr(data, "column_names") and hasattr(data, "column"):  # pyarrow
        return {name: data.column(name).to_numpy() for name in data.column_names}
    if hasattr(data, "columns") and hasattr(data, "__getitem__"):  # pandas, polars
        return {str(name): data[name].to_numpy() for name in data.columns}
    if isinstance(data, dict):
        return {str(name): np.asarray(values) for name, values in data.items()}
    if hasattr(data, "__arrow_c_stream__"):
        import nanoarrow

        array = nanoarrow.Array(data)
        return {array.schema.field(i).name: np.asarray(array.child(i).to_pylist()) for i in range(array.schema.n_fields)}
    return None


def _of_columns(named: dict[str, np.ndarray], directed: bool, weight: str | None) -> Edges:
    if len(named) < 2:
        raise InvalidInputError(f"edges have two columns at least, source and target; found {', '.join(named) or 'none'}")
    names = list(named)
    source = next((name for name in SOURCES if name in named), names[0])
    target = next((name for name in TARGETS if name in named and name != source), names[1])
    weights = named.get(weight) if weight else None
    others = {name: values for name, values in named.items() if name not in (source, target, weight)}
    sources, targets, labels = _numbered(named[source], named[target])
    return Edges(sources, targets, _weights(weights), labels, None, directed, others)


def _of_rows(rows: Any, directed: bool) -> Edges:
    if len(rows) == 0:
        raise InvalidInputError("there is no edge; a graph on a cluster has one at least")
    width = len(rows[0])
    if width not in (2, 3) or any(len(row) != width for row in rows):
        raise InvalidInputError("each edge has a source, a target, and perhaps a weight, all of them alike")
    fields = list(rows.T) if isinstance(rows, np.ndarray) else [array_of(values) for values in zip(*rows, strict=True)]
    weights = fields[2] if width == 3 else None
    if isinstance(rows, np.ndarray) and rows.dtype.kind == "f":
        fields = [_whole(values) for values in fields[:2]]
    sources, targets, labels = _numbered(fields[0], fields[1])
    return Edges(sources, targets, _weights(weights), labels, None, directed)


def _of_matrix(matrix: Any, directed: bool | None) -> Edges:
    rows, columns = matrix.shape
    if rows != columns:
        raise InvalidInputError(f"a matrix of a graph is square, this one has {rows} rows and {columns} columns")
    if directed is None:
        directed = (matrix != matrix.T).nnz > 0
    coo = matrix.tocoo()
    data = np.asarray(coo.data)
    weights = None if data.dtype.kind == "b" or bool((data == 1).all()) else data
    vertices = np.arange(rows, dtype=np.uint64)
    return Edges(
        np.asarray(coo.row).astype(np.uint64),
        np.asarray(coo.col).astype(np.uint64),
        _weights(weights),
        None,
        vertices,
        directed,
    )


def _of_networkx(graph: Any, weight: str | None) -> Edges:
    if graph.is_multigraph():
        raise InvalidInputError("a cluster keeps one edge between two vertices; make a Graph or DiGraph of the multigraph")
    nodes = list(graph)
    rows = graph._adj.values()
    degrees = np.fromiter(map(len, rows), np.int64, len(nodes))
    entries = int(degrees.sum())
    source = np.repeat(np.arange(len(nodes), dtype=np.uint64), degrees)
    target = _targets(nodes, rows, entries)
    weights = None
    if weight is not None and any(weight in data for row in rows for data in row.values()):
        weights = np.fromiter((data.get(weight, 1) for row in rows for data in row.values()), np.float64, entries)
    if not graph.is_directed():  # each edge stands in two rows
        once = source <= target
        source, target = source[once], target[once]
        weights = None if weights is None else weights[once]
    return Edges(
        source,
        target,
        _weights(weights),
        nodes,
        np.arange(len(nodes), dtype=np.uint64),
        graph.is_directed(),
    )


def _targets(nodes: list[Any], rows: Iterable[Iterable[Any]], entries: int) -> np.ndarray:
    """The number of each neighbour in all rows: its place among the nodes."""
    if set(map(type, nodes)) == {int} and -(1 << 63) <= min(nodes) and max(nodes) < 1 << 63:
        ids = np.fromiter(nodes, np.int64, len(nodes))
        met = np.fromiter(chain.from_iterable(rows), np.int64, entries)
        if (ids == np.arange(len(ids))).all():
            return met.astype(np.uint64)
        order = np.argsort(ids)
        return order[np.searchsorted(ids[order], met)].astype(np.uint64)
    number = {node: i for i, node in enumerate(nodes)}
    return np.fromiter(map(number.__getitem__, chain.from_iterable(rows)), np.uint64, entries)


def _numbered(source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[Any] | None]:
    """Numbers from 0 on stay what they are; all else gets a number in the order in which it comes."""
    if all(values.dtype.kind in "iu" and (len(values) == 0 or values.min() >= 0) for values in (source, target)):
        return source.astype(np.uint64), target.astype(np.uint64), None
    index: dict[Any, int] = {}
    pairs = []
    for values in (source, target):
        listed = values.tolist()
        missing = next((i for i, one in enumerate(listed) if one is None or one != one), None)
        if missing is not None:
            raise InvalidInputError(f"edge {missing}: a vertex is missing")
        pairs.append(np.fromiter((index.setdefault(one, len(index)) for one in listed), np.uint64, len(listed)))
    return pairs[0], pairs[1], list(index)


def _weights(values: Any) -> np.ndarray | None:
    if values is None:
        return None
    weights = np.asarray(values, dtype=np.float64)
    if not np.isfinite(weights).all() or (len(weights) and weights.min() < 0):
        first = int(np.argmax(~np.isfinite(weights) | (weights < 0)))
        raise InvalidInputError(f"edge {first}: weights are finite and not negative, found {weights[first]}")
    return weights


def _are_small_naturals(weights: np.ndarray) -> bool:
    return bool((weights == np.floor(weights)).all() and (len(weights) == 0 or weights.max() < 1 << 53))


def _check_name(name: str) -> None:
    if not name or any(sign in name for sign in ',":\r\n'):
        raise InvalidInputError(f"column {name!r}: names of columns of edges have no comma, quote, colon or line break; rename it")


def _type(name: str, values: np.ndarray) -> str:
    kinds = {"b": "boolean", "f": "double", "i": "long", "u": "long", "O": "string", "U": "string", "T": "string"}
    if values.dtype.kind not in kinds or values.ndim > 1:
        raise InvalidInputError(f'column "{name}" has the type {values.dtype}; edges can have numbers, texts, true and false')
    return kinds[values.dtype.kind]


def _whole(values: np.ndarray) -> np.ndarray:
    """Vertices of an array of floats."""
    exact = np.isfinite(values) & (values == np.floor(values)) & (np.abs(values) <= 1 << 53)
    if not exact.all():
        first = int(np.argmin(exact))
        raise InvalidInputError(
            f"edge {first}: vertices in an array of floats are whole numbers up to 2^53, found {values[first]}; "
            f"take an array of integers, or a list of pairs"
        )
    return values.astype(np.int64)


def array_of(values: Sequence[Any]) -> np.ndarray:
    """Numbers as they are, up to 2^64 - 1; all else as objects."""
    if all(isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_)) for value in values):
        if len(values) == 0 or (min(values) >= 0 and max(values) < 1 << 64):
            return np.fromiter(map(int, values), np.uint64, len(values))
        if -(1 << 63) <= min(values) and max(values) < 1 << 63:
            return np.fromiter(map(int, values), np.int64, len(values))
    elif all(isinstance(value, (int, float)) for value in values):
        return np.asarray(values)
    array = np.empty(len(values), object)
    array[:] = values
    return array
