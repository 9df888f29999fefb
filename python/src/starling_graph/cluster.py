"""A cluster: what it keeps, and what it is asked to do."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._edges import Edges, array_of, edges_of
from ._rest import Rest, quoted
from ._tasks import ClusterTasks
from .errors import InvalidInputError, StarlingError
from .graph import Graph, is_address, local_file
from .jobs import Job, Result
from .table import Table

LOG = logging.getLogger(__name__)
INPUTS = ("file", "vertices", "labels", "properties")
OUTPUTS = ("file",)
RESULT = "result"


class Cluster(ClusterTasks):
    """A running cluster, as ``connect`` and ``local`` give it."""

    def __init__(self, urls: Sequence[str], token: str, ca: str | None = None, progress: bool | None = None) -> None:
        self._rest = Rest(urls, token, ca)
        self._progress = progress

    @property
    def url(self) -> str:
        """Where it answers."""
        return self._rest.url

    def status(self) -> dict[str, Any]:
        """Its nodes, copies and promise."""
        return dict(self._rest.json("GET", "/status"))

    def graphs(self) -> list[Graph]:
        """The graphs that it keeps."""
        return [Graph(self, one["name"]) for one in self._rest.json("GET", "/graphs")["graphs"]]

    def graph(self, name: str) -> Graph:
        """A graph that it keeps. Raises ``InvalidInputError`` if there is none of that name."""
        graph = Graph(self, name)
        graph.info()
        return graph

    def load(
        self,
        data: Any,
        name: str,
        *,
        directed: bool | None = None,
        weight: str | None = "weight",
        vertices: Any = None,
        format: str | None = None,
        separator: str | None = None,
        source: str | None = None,
        target: str | None = None,
        ids: str | None = None,
        incoming: bool = True,
    ) -> Graph:
        """
        Makes a graph that the cluster keeps under a name.

        Arguments:
            data: a file (a path), an address (``s3://…``, ``https://…``) that the cluster may read, a data frame of
                pandas or polars or a table of Arrow with columns source and target (else the first two), a dictionary
                of such columns, a sparse matrix of SciPy, a graph of NetworkX, an array or a list of pairs or triples
            directed: whether edges keep their direction; a graph of NetworkX, a matrix that is not symmetric, and
                files of some formats say so themselves
            weight: the column or attribute with weights; None for none. Weights are kept as 32-bit floats
            vertices: beside a file: a file of vertices and their properties
            format, separator: of a file, where they can't be seen
            source, target: the columns of a file that hold the ends of edges, if they have other names than these
            ids: "text" if the ids of a file are texts: the cluster keeps them then, and all tasks take and give them
            incoming: whether to store incoming edges, too; False halves the memory of a directed graph

        Vertices are numbers from 0 to 2^64 - 1, or texts, which the cluster keeps as ids. All else (and texts with line
        breaks) is numbered, and called by its name through the graph that this gives. The edges go to the cluster as a
        file, which is removed when it has been read.
        """
        task: dict[str, Any] = {"task": "graph.load", "graph": name, "keep": True, "incoming": incoming}
        labels: Sequence[Any] | None = None
        of_file = {"format": format, "separator": separator, "source": source, "target": target, "ids": ids}
        if isinstance(data, (str, os.PathLike)):
            given: dict[str, Any] = {"edges" if is_address(data) else "file": data}
            if vertices is not None:
                given["vertices"] = vertices
            task.update({argument: one for argument, one in given.items() if is_address(one)})
            files: dict[str, tuple[str, bytes | memoryview]] = {
                argument: local_file(one) for argument, one in given.items() if not is_address(one)
            }
            task.update({key: value for key, value in [("directed", directed), *of_file.items()] if value is not None})
        else:
            beside = [key for key, value in [("vertices", vertices), *of_file.items()] if value is not None]
            if beside:
                raise InvalidInputError(f"{', '.join(beside)}: this goes with a file, and the edges are a {type(data).__name__}")
            edges = data if isinstance(data, Edges) else edges_of(data, directed, weight)
            if edges is not data:
                edges.take_texts()
            if edges.texts:
                task["ids"] = "text"
            else:
                labels = edges.labels
            task["directed"] = edges.directed
            files = {"file": ("edges.csv", edges.edge_file())}
            alone = edges.vertex_file()
            if alone is not None:
                files["vertices"] = ("vertices.csv", alone)
        with Uploads(self._rest) as uploads:
            task.update({argument: uploads.bring(*file) for argument, file in files.items()})
            self.submit({"name": f"load {name}", "tasks": [task]}).wait()
        return Graph(self, name, labels)

    def generate(self, generator: str, name: str, *, scale: int, edgefactor: int = 16, seeds: Sequence[int] = (2, 3)) -> Graph:
        """Makes an undirected graph of 2^scale vertices: ``kronecker``, ``uniform`` or ``grid``."""
        task = {
            "task": "graph.generate",
            "graph": name,
            "generator": generator,
            "scale": scale,
            "edgefactor": edgefactor,
            "seeds": list(seeds),
            "keep": True,
        }
        self.submit({"name": f"generate {name}", "tasks": [task]}).wait()
        return Graph(self, name)

    def submit(
        self,
        script: Mapping[str, Any] | str | os.PathLike[str],
        *,
        jars: Sequence[str | os.PathLike[str]] = (),
        **parameters: Any,
    ) -> Job[dict[str, Any]]:
        """
        Runs a script. ``wait()`` gives its report. What it writes is fetched by ``results(job, folder)``.

        Arguments:
            script: a dictionary, or a file
            jars: files of jars whose tasks, programs and edge sources the script names. Those that the cluster does
                not have are brought, which needs a token of role ``admin``; it keeps them, and knows them by their bytes
            parameters: of the script, instead of its defaults

        Raises ``InvalidInputError`` if a jar can't be read or is none, or the script makes no sense with them.
        """
        if isinstance(jars, (str, os.PathLike)):
            raise InvalidInputError(f"jars is a list of files, found one: say jars=[{os.fspath(jars)!r}]")
        if isinstance(script, Mapping):
            text, label = json.dumps(script), str(script.get("name", "script"))
        else:
            label, data = local_file(script)
            text = bytes(data).decode()
        digests = self._rest.bring_jars([local_file(jar) for jar in jars])
        return self._job(label, text, parameters, lambda report: report, jars=digests)

    def jobs(self) -> list[Job[dict[str, Any]]]:
        """All jobs that wait or run, and the last that have ended."""
        return [Job(self._rest, int(one["id"]), lambda report: report) for one in self._rest.json("GET", "/jobs")["jobs"]]

    def results(self, job: Job[Any], folder: str | os.PathLike[str]) -> list[Path]:
        """Fetches what a job has written into a folder."""
        there = []
        for one in self._rest.json("GET", f"/jobs/{job.id}/results")["results"]:
            target = Path(folder, one["file"])
            if Path(folder).resolve() not in target.resolve().parents:
                raise InvalidInputError(f"a result leads out of the folder: {one['file']}")
            target.parent.mkdir(parents=True, exist_ok=True)
            self._fetch(job.id, one["file"], int(one["bytes"]), target)
            there.append(target)
        return there

    def _fetch(self, job: int, file: str, size: int, target: Path) -> None:
        with self._rest.open("GET", f"/jobs/{job}/results/file?name={quoted(file)}") as response, open(target, "wb") as out:
            received = 0
            while block := response.read(1 << 20):
                received += len(block)
                out.write(block)
        if received != size:
            target.unlink()
            raise InvalidInputError(f"{file} broke off after {received} of {size} bytes")

    def close(self) -> None:
        """Ends nothing: the cluster was there before."""

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<cluster at {self.url}>"

    def _repr_html_(self) -> str:
        import html

        status = self.status()
        rows = "".join(
            f"<tr><td>{one['node']}</td><td>{html.escape(one['role'])}</td><td>{html.escape(one['address'])}</td></tr>"
            for one in status["nodes"]
        )
        names = ", ".join(html.escape(graph.name) for graph in self.graphs()) or "none"
        head = "<tr><th>node</th><th>role</th><th>address</th></tr>"
        return f"<div><b>{html.escape(self.url)}</b><br>graphs: {names}<table>{head}{rows}</table></div>"

    def _job(
        self,
        label: str,
        script: str,
        parameters: Mapping[str, Any],
        finish: Any,
        tidy: Any = None,
        jars: Sequence[str] = (),
    ) -> Job[Any]:
        request = {
            "label": label,
            "script": script,
            "parameters": {name: str(value) for name, value in parameters.items()},
            "folder": "/",
            "fetch": True,
            "jars": list(jars),
        }
        return Job(self._rest, self._rest.submit(request), finish, self._progress, tidy)

    def _call(self, task: str, arguments: dict[str, Any], publish: Any, states: tuple[str, ...]) -> Result:
        return self._start(task, arguments, publish, states, None).wait()

    def _start(self, task: str, arguments: Mapping[str, Any], publish: Any, states: tuple[str, ...], graph: Graph | None) -> Job[Result]:
        columns = _published(publish, states)
        call: dict[str, Any] = {"task": task, "as": RESULT}
        if graph is not None:
            call["graph"] = graph.name
        uploads = Uploads(self._rest)
        target: Path | None = None
        for name, value in arguments.items():
            if value is None:
                continue
            if name in OUTPUTS + INPUTS and is_address(value):
                call[name] = value
            elif name in OUTPUTS and isinstance(value, (str, os.PathLike)):
                target = Path(value)
                call[name] = target.name
            elif name in INPUTS:
                call[name] = (
                    [one if is_address(one) else uploads.bring(*local_file(one)) for one in value]
                    if isinstance(value, (list, tuple))
                    else uploads.bring(*local_file(value))
                )
            else:
                call[name] = _argument(name, value, graph)
        tasks = [call] + [
            {"task": "graph.publish", "graph": call.get("graph"), "state": state, "as": column, "replace": True}
            for state, column in columns.items()
        ]
        script = json.dumps({"name": task, "tasks": tasks})

        def finish(report: dict[str, Any]) -> Result:
            if target is not None:
                self._fetch_into(job.id, target)
            return _result(task, report, graph, tuple(columns.values()))

        try:
            job: Job[Result] = self._job(task, script, {}, finish, uploads.remove)
        except StarlingError:
            uploads.remove()
            raise
        return job

    def _fetch_into(self, job: int, target: Path) -> None:
        for one in self._rest.json("GET", f"/jobs/{job}/results")["results"]:
            if one["file"] == target.name:
                self._fetch(job, one["file"], int(one["bytes"]), target)
        try:
            self._rest.json("DELETE", f"/jobs/{job}/results")
        except StarlingError as stays:
            LOG.info("results of job %d stay: %s", job, stays)


class Uploads:
    """Files that were brought along; they go when they have been read."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest
        self._ids: list[str] = []

    def bring(self, name: str, data: bytes | memoryview) -> str:
        """Brings one along; what scripts call it."""
        upload = self._rest.upload(name.lstrip(".") or "file", data)
        self._ids.append(upload["id"])
        return str(upload["file"])

    def remove(self) -> None:
        """Removes them. What can't be removed now goes after a day."""
        while self._ids:
            upload = self._ids.pop()
            try:
                self._rest.json("DELETE", "/uploads/" + upload)
            except StarlingError as stays:
                LOG.info("upload %s stays for a day: %s", upload, stays)

    def __enter__(self) -> Uploads:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def _argument(name: str, value: Any, graph: Graph | None) -> Any:
    if isinstance(value, Graph):
        return value.name
    if graph is not None and name in ("source", "id", "from", "to"):
        return graph.number(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple, set, np.ndarray)):
        whose = graph if name == "sources" else None
        return [whose.number(one) if whose else _argument("", one, None) for one in list(value)]
    return value


def _published(publish: Any, states: tuple[str, ...]) -> dict[str, str]:
    if not publish:
        return {}
    if not states:
        raise InvalidInputError("this task leaves nothing that could be published")
    if publish is True:
        return {state: state for state in states}
    if isinstance(publish, str):
        return {states[0]: publish}
    unknown = [state for state in publish if state not in states]
    if unknown:
        raise InvalidInputError(f"the task leaves {', '.join(states)}, not {', '.join(unknown)}")
    return dict(publish)


def _result(task: str, report: Mapping[str, Any], graph: Graph | None, columns: tuple[str, ...]) -> Result:
    values = next((dict(one.get("result") or {}) for one in report["tasks"] if one.get("as") == RESULT), {})
    name_of = (lambda one: one) if graph is None else graph.name_of
    table = None
    top = values.get("top")
    if isinstance(top, list) and all(isinstance(row, list) and len(row) == 2 for row in top):
        values["top"] = [(name_of(row[0]), row[1]) for row in top]
        ids = [row[0] for row in values["top"]]
        kinds = array_of(ids) if graph is None or graph.labels is None else np.array([None, *ids], object)[1:]
        table = Table({"id": kinds, "score": np.array([row[1] for row in top])})
    for name in ("path", "neighbours", "members"):
        if isinstance(values.get(name), list):
            values[name] = [name_of(one) for one in values[name]]
    for name in ("source", "farthest"):
        if isinstance(values.get(name), int):
            values[name] = name_of(values[name])
    return Result(task, values, table, columns)
