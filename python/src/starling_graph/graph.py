"""Graphs that a cluster keeps."""

from __future__ import annotations

import mmap
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _arrow
from ._rest import ARROW, quoted
from ._tasks import STATES, GraphTasks
from .errors import InvalidInputError
from .jobs import Job, Result
from .picture import picture
from .table import Table

if TYPE_CHECKING:
    from .cluster import Cluster

PICTURE_VERTICES = 40


class Graph(GraphTasks):
    """
    A graph that a cluster keeps. It stays there when this object goes; ``drop()`` removes it, and so does the end of
    a ``with`` block.

    Vertices are called by numbers, or by texts, as ``ids`` says. Those that were neither have their own names here as
    long as this object is used: the cluster numbers them.
    """

    # so NetworkX takes it for a graph of its backend "starling"
    __networkx_backend__ = "starling"

    def __init__(self, cluster: Cluster, name: str, labels: Sequence[Any] | None = None) -> None:
        self.cluster = cluster
        self.name = name
        self.labels = labels
        self._number: dict[Any, int] | None = None
        self.__networkx_cache__: dict[str, Any] = {}

    def info(self) -> dict[str, Any]:
        """All that the cluster tells of it."""
        return dict(self.cluster._rest.json("GET", "/graphs/" + quoted(self.name)))

    def node_count(self) -> int:
        """Number of vertices."""
        return int(self.info()["vertices"])

    def edge_count(self) -> int:
        """Number of edges; an undirected one counts once."""
        return int(self.info()["edges"])

    def is_directed(self) -> bool:
        """Whether edges have a direction."""
        return bool(self.info()["directed"])

    def is_weighted(self) -> bool:
        """Whether edges have weights."""
        return bool(self.info()["weighted"])

    @property
    def ids(self) -> str:
        """What the cluster calls vertices by: "number" or "text"."""
        return str(self.info()["ids"])

    def is_multigraph(self) -> bool:
        """Never: between two vertices there is one edge at most."""
        return False

    @property
    def columns(self) -> dict[str, str]:
        """Types of its columns of vertices, by name."""
        return {one["name"]: one["type"] for one in self.info()["columns"] if one["of"] == "vertex"}

    def column(
        self,
        name: str,
        *,
        where: str | None = None,
        sort: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        offset: int = 0,
    ) -> Table:
        """
        A column: all vertices with their values, or some of them, which the cluster picks.

        Args:
            where: a condition on the value, in the language of ``project``: ``"value > 0.5"``
            sort: the order of values instead of the graph's own, for up to 100 000 rows
            limit: the most rows
            offset: rows to leave out first
        """
        said = {"where": where, "sort": sort, "limit": limit, "offset": offset or None}
        query = "&".join(f"{key}={quoted(str(value))}" for key, value in said.items() if value is not None)
        return self._read("/" + quoted(name) + ("?" + query if query else ""))

    def table(self, *columns: str) -> Table:
        """
        Columns together; all of them, if none is named. They come as a stream of Arrow, in the graph's own order:
        vertices with many edges come first.
        """
        if len(columns) == 1:
            return self._read("/" + quoted(columns[0]))
        if any("," in column for column in columns):
            raise InvalidInputError("a column with a comma in its name is read alone")
        return self._read("?columns=" + ",".join(quoted(column) for column in columns) if columns else "")

    def _read(self, rest: str) -> Table:
        path = f"/graphs/{quoted(self.name)}/columns{rest}"
        types = None if self.labels is None else self.columns
        with self.cluster._rest.open("GET", path, headers={"Accept": ARROW}) as response:
            table = _arrow.read(response)
        return table if types is None else self._named(table, types)

    def nodes(self) -> np.ndarray:
        """All vertices, in the graph's own order."""
        with self.cluster._rest.open("GET", f"/graphs/{quoted(self.name)}/columns?columns=", headers={"Accept": ARROW}) as response:
            return self._names(_arrow.read(response).ids)

    def neighbours(self, node: Any, direction: str = "out", limit: int = 100, offset: int = 0) -> list[Any]:
        """Neighbours of a vertex, those with many edges first."""
        told = self._ask("/vertices/-/neighbours", id=self.number(node), direction=direction, limit=limit, offset=offset)
        return [self.name_of(one) for one in told["neighbours"]]

    def value(self, column: str, node: Any) -> Any:
        """A vertex' value of a column."""
        told = self._ask("/vertices/-/value", id=self.number(node), column=column)
        return self.name_of(told["value"]) if told["type"] == "vertex" and told["value"] is not None else told["value"]

    def path(self, source: Any, target: Any) -> list[Any] | None:
        """Vertices along a path with the fewest edges; None if there is none."""
        told = self._ask("/path", **{"from": self.number(source), "to": self.number(target)})
        if not told["found"] and not told["complete"]:
            raise InvalidInputError('the search came to its bound before it found a path; graph.start("graph.path", …) takes a wider one')
        return [self.name_of(one) for one in told["path"]] if told["found"] else None

    def publish(self, state: str, as_: str | None = None, replace: bool = True) -> None:
        """Is no method of graphs: states go with their job. Every task that leaves one has ``publish=``."""
        raise InvalidInputError(f'states go with their job; say publish="{as_ or state}" where the task is called')

    def project(self, name: str, *, vertices: str | None = None, edges: str | None = None) -> Graph:
        """
        Makes a graph of the vertices and edges for which conditions hold, such as ``age > 30`` and ``weight >= 0.5``.
        """
        task = {"task": "graph.project", "graph": self.name, "as": name, "keep": True}
        task.update({key: value for key, value in (("vertices", vertices), ("edges", edges)) if value is not None})
        self.cluster.submit({"name": "graph.project", "tasks": [task]}).wait()
        return Graph(self.cluster, name, self.labels)

    def start(self, task: str, publish: bool | str | Mapping[str, str] = False, **arguments: Any) -> Job[Result]:
        """
        Begins a task, without waiting for it: ``await graph.start("graph.pagerank", iterations=20)``. The task and
        its arguments have the names that they have in scripts.
        """
        states = [arguments.get("state", one[1:]) if one[0] == "=" else one for one in STATES.get(task, ())]
        return self.cluster._start(task, arguments, publish, tuple(states), self)

    def drop(self) -> None:
        """Removes it from the cluster."""
        self.cluster._rest.json("DELETE", "/graphs/" + quoted(self.name))

    def rename(self, name: str) -> None:
        """Gives it another name."""
        self.cluster._rest.json("POST", f"/graphs/{quoted(self.name)}/rename", {"to": name})
        self.name = name

    def copy(self, name: str) -> Graph:
        """Copies it, with its columns."""
        self.cluster._rest.json("POST", f"/graphs/{quoted(self.name)}/copy", {"to": name})
        return Graph(self.cluster, name, self.labels)

    def to_networkx(self, *columns: str) -> Any:
        """Its vertices with columns as attributes, without edges: a graph of NetworkX to put them on is elsewhere."""
        return self.table(*columns).to_networkx()

    def number(self, node: Any) -> Any:
        """By what the cluster knows a vertex: a number, or, in a graph whose ids are texts, the text itself."""
        if self.labels is None:
            if isinstance(node, str):
                return str(node)
            if isinstance(node, (int, np.integer)) and not isinstance(node, bool):
                return int(node)
            raise InvalidInputError(f'vertices of graph "{self.name}" are numbers or texts, not {node!r}')
        if self._number is None:
            self._number = {label: i for i, label in enumerate(self.labels)}
        try:
            return self._number[node]
        except (KeyError, TypeError):
            raise InvalidInputError(f'graph "{self.name}" has no vertex {node!r}') from None

    def name_of(self, number: Any) -> Any:
        """What people call a vertex."""
        return number if self.labels is None else self.labels[number]

    def __enter__(self) -> Graph:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()

    def __repr__(self) -> str:
        return f'<graph "{self.name}" at {self.cluster.url}>'

    def _repr_html_(self) -> str:
        import html

        info = self.info()
        kind = ("directed" if info["directed"] else "undirected") + (", weighted" if info["weighted"] else "")
        kind += ", ids are texts" if info["ids"] == "text" else ""
        columns = ", ".join(html.escape(f"{one['name']}: {one['type']}") for one in info["columns"]) or "none"
        drawn = self.picture() if info["vertices"] <= PICTURE_VERTICES else ""
        return (
            f"<div><b>{html.escape(self.name)}</b> · {info['vertices']:,} vertices · {info['edges']:,} edges · {kind}"
            f"<br>columns: {columns}{drawn}</div>"
        )

    def picture(self, around: Any = None, size: int = PICTURE_VERTICES) -> str:
        """
        A small picture as SVG: a vertex with those near it, or, without one, the vertices with the most edges.
        The same graph always looks the same.
        """
        nodes = self.nodes()[:size].tolist() if around is None else self._near(around, size)
        kept = set(nodes)
        edges = {
            tuple(sorted((node, other), key=str))
            for node in nodes
            for other in self.neighbours(node, limit=size)
            if other in kept and other != node
        }
        return picture(nodes, sorted(edges, key=str), around)

    def _near(self, node: Any, size: int) -> list[Any]:
        near = [node]
        for one in near:
            if len(near) >= size:
                break
            near += [other for other in self.neighbours(one, limit=size) if other not in near][: size - len(near)]
        return near

    def _ask(self, path: str, **query: Any) -> dict[str, Any]:
        return dict(self.cluster._rest.json("GET", f"/graphs/{quoted(self.name)}{path}", **query))

    def _call(self, task: str, arguments: dict[str, Any], publish: Any, states: tuple[str, ...]) -> Result:
        return self.cluster._start(task, arguments, publish, states, self).wait()

    def _names(self, numbers: np.ndarray) -> np.ndarray:
        if self.labels is None:
            return numbers
        names = np.empty(len(self.labels), object)
        names[:] = self.labels
        return names[numbers.astype(np.int64)]

    def _named(self, table: Table, types: Mapping[str, str]) -> Table:
        columns = {}
        for name, values in table.items():
            is_vertex = name == "id" or types.get(name) == "vertex"
            columns[name] = self._names(values) if is_vertex else values
        return Table(columns, table.missing)


def is_address(name: object) -> bool:
    """Whether the cluster reads or writes it itself: what web servers and object stores hold."""
    return isinstance(name, str) and name.lower().startswith(("http://", "https://", "s3://"))


def local_file(path: str | os.PathLike[str]) -> tuple[str, bytes | memoryview]:
    """A file's name and bytes, which are read when they are needed."""
    try:
        with open(path, "rb") as file:
            name = os.path.basename(os.fspath(path))
            if os.fstat(file.fileno()).st_size == 0:
                return name, b""
            return name, memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as unreadable:
        reason = getattr(unreadable, "strerror", None) or str(unreadable)
        raise InvalidInputError(f"{os.fspath(path)} can't be read: {reason}") from unreadable
