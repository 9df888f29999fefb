"""Every task as a method. Made by tools/make_tasks.py of what `./starling tasks --json` tells; do not edit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from .jobs import Result

if TYPE_CHECKING:
    from .graph import Graph

PathLike: TypeAlias = "str | os.PathLike[str]"
GraphLike: TypeAlias = "Graph | str"

# What tasks leave; with = before it, what the argument "state" is without being said.
STATES: dict[str, tuple[str, ...]] = {
    "example.friendship": ("friendsOfFriends",),
    "graph.betweenness": ("betweenness",),
    "graph.bfs": ("level", "parent",),
    "graph.cdlp": ("=community",),
    "graph.kcore": ("core",),
    "graph.lcc": ("clustering",),
    "graph.maximumClique": ("maximumClique",),
    "graph.pagerank": ("pagerank",),
    "graph.scc": ("component",),
    "graph.sssp": ("=distance",),
    "graph.triangles": ("triangles", "clustering",),
    "graph.wcc": ("component",),
    "roads.farthest": ("distance",),
}


class GraphTasks:
    """Tasks on a graph."""

    def _call(self, task: str, arguments: dict[str, Any], publish: Any, states: tuple[str, ...]) -> Result:
        raise NotImplementedError

    def benchmark_queries(
        self,
        *,
        seconds: int = 5,
    ) -> Result:
        """
        Measures questions about single vertices of a graph whose ids are dense.

        Arguments:
            seconds: how long to ask questions of each kind

        Tells:
            neighbours: how many, and microseconds of each (object)
            paths: the same of paths (object)
        """
        arguments: dict[str, Any] = {
            "seconds": seconds,
        }
        return self._call("benchmark.queries", arguments, False, ())

    def example_contract(
        self,
    ) -> Result:
        """
        Takes vertices with two neighbours out of a graph, and puts edges in their place; a kept graph stays
        as it is.

        Tells:
            vertices: vertices that are left (number)
            edges: edges that are left (number)
            supersteps: supersteps that it took (number)
        """
        arguments: dict[str, Any] = {}
        return self._call("example.contract", arguments, False, ())

    def example_friendship(
        self,
        *,
        publish: bool | str | dict[str, str] = False,
    ) -> Result:
        """
        Compares how many friends people and their friends have; leaves the state friendsOfFriends.

        Arguments:
            publish: whether what it leaves becomes columns of the graph, under the same names (True), under
                this name, or under names by state; what had the name is replaced

        Tells:
            friends: neighbours of a vertex, on average (number)
            friendsOfFriends: neighbours of a vertex's neighbours, on average for the vertex, and these
                averaged over all vertices; 0 for one without neighbours (number)
            holds: whether the second is larger (boolean)
        """
        arguments: dict[str, Any] = {}
        return self._call("example.friendship", arguments, publish, ("friendsOfFriends",))

    def examples_tally(
        self,
        *,
        many: int = 10,
    ) -> Result:
        """
        Keeps the largest degree of each vertex.

        Arguments:
            many: a vertex of more neighbours is a hub

        Tells:
            known: vertices seen so far, in all jobs (integer)
            hubs: those that have had many neighbours (integer)
        """
        arguments: dict[str, Any] = {
            "many": many,
        }
        return self._call("examples.tally", arguments, False, ())

    def betweenness(
        self,
        *,
        sources: Sequence[Any] | None = None,
        samples: int | None = None,
        seed: int = 1,
        top: int = 10,
        verify: bool = False,
        publish: bool | str | dict[str, str] = False,
    ) -> Result:
        """
        Finds over how many shortest paths every vertex lies, edges counting 1; leaves the state
        betweenness.

        Arguments:
            sources: ids of the vertices that paths begin at; without them and without samples, all
            samples: instead of sources: how many vertices to draw, for an estimate
            seed: what the draw depends on
            top: how many of the best vertices to report
            verify: whether to check the result; the task fails if it is wrong
            publish: whether what it leaves becomes columns of the graph, under the same names (True), under
                this name, or under names by state; what had the name is replaced

        Tells:
            sources: number of vertices that paths began at (integer)
            sum: sum of all scores (number)
            top: the best vertices, best first (list of [id, score])
            verified: whether the result was checked (boolean)
        """
        arguments: dict[str, Any] = {
            "sources": sources,
            "samples": samples,
            "seed": seed,
            "top": top,
            "verify": verify,
        }
        return self._call("graph.betweenness", arguments, publish, ("betweenness",))

    def bfs(
        self,
        source: Any,
        *,
        verify: bool = False,
        publish: bool | str | dict[str, str] = False,
    ) -> Result:
        """
        Searches breadth-first from one vertex; leaves the states level and parent, -1 for vertices that
        were not reached; the source is its own parent.

        Arguments:
            source: id of the vertex to start from
            verify: whether to check the result; the task fails if it is wrong
            publish: whether what it leaves becomes columns of the graph, under the same names (True), under
                this name, or under names by state; what had the name is replaced

        Tells:
            source: the vertex it started from (id)
            reached: vertices reached, the source included (integer)
            levels: vertices by level, from 0 (list of integers)
            verified: whether the result was checked (boolean)
        """
        arguments: dict[str, Any] = {
            "source": source,
            "verify": verify,
        }
        return self._call("graph.bfs", arguments, publish, ("level", "parent",))

    def cdlp(
        self,
        iterations: int,
        *,
        state: str = 'community',
        verify: bool = False,
        publish: bool | str | dict[str, str] = False,
    ) -> Result:
        """
        Finds communities by label propagation; leaves the state community, or as it is named: an id for
        each vertex.

        Arguments:
            iterations: number of rounds, at least 1
            state: name of the state to leave
            verify: whether to check the result; the task fails if it is wrong
            publish: whether what it leaves becomes columns of the graph, under the same names (True), under
                this name, or under names by state; what had the name is replaced

        Tells:
            communities: number of different labels (integer)
            largest: vertices that have the most frequent one (integer)
        """
        arguments: dict[str, Any] = {
            "iterations": iterations,
            "state": state,
            "verify": verify,
        }
        return self._call("graph.cdlp", arguments, publish, (str(state),))

    def cliques(
        self,
        *,
        minimum_size: int = 1,
        file: PathLike | None = None,
        verify: bool = False,
    ) -> Result:
        """
        Finds all maximal cliques.

        Arguments:
            minimum_size: smaller cliques are left out
            file: where to write them: one clique per line, ids ascending
            verify: whether to check the result; the task fails if it is wrong

        Tells:
            maximalCliques: number of maximal cliques (integer)
            maximumSize: vertices of the largest one (integer)
            sizeHistogram: number of cliques by size (object)
            file: the file that was written, if one was asked for (text)
        """
        arguments: dict[str, Any] = {
            "minimumSize": minimum_size,
            "file": file,
            "verify": verify,
        }
        return self._call("graph.cliques", arguments, False, ())

    def degrees(
        self,
        *,
        direction: Literal["outgoing", "incoming", "both"] = 'outgoing',
        verify: bool = False,
    ) -> Result:
        """
        Counts vertices by degree.

        Arguments:
            direction: which edges of a directed graph count; both adds up the two
            verify: whether to check the result; the task fails if it is wrong

        Tells:
            minimum: smallest degree (integer)
            maximum: largest degree (integer)
            average: average degree (number)
            histogram: number of vertices by degree (object)
        """
        arguments: dict[str, Any] = {
            "direction": direction,
            "verify": verify,
        }
        return self._call("graph.degrees", arguments, False, ())

    def groups(
        self,
        state: str,
        *,
        limit: int = 20,
        verify: bool = False,
    ) -> Result:
        """
        Puts vertices with equal values of a state or column together, as communities, and counts the edges
        between such groups.

        Arguments:
            state: the state or published column: whole numbers, booleans or vertices
            limit: how many of the largest groups stay apart, at most 200; all others are put together
            verify: whether to check the result; the task fails if it is wrong

        Tells:
            values: number of different values (integer)
            groups: value and number of vertices of each group, the largest first (list of lists)
            others: vertices of all other groups (integer)
            edges: from, to and number of edges: from and to count through groups, from 0 on, and are -1 for
                all others; pairs without edges are left out (list of lists)
        """
        arguments: dict[str, Any] = {
            "state": state,
            "limit": limit,
            "verify": verify,
        }
        return self._call("graph.groups", arguments, False, ())

    def kcore(
        self,
        *,
        verify: bool = False,
        publish: bool | str | dict[str, str] = False,
    ) -> Result:
        """
        Finds every vertex's core number; leaves the state core.

        Arguments:
            verify: whether to check the result; the task fails if it is wrong
            publish: whether what it leaves becomes columns of the graph, under the same names (True), under
                this name, or under names by state; what had the name is replaced

        Tells:
            maxCore: the largest core number (integer)
            inMaxCore: vertices that have it (integer)
        """
        arguments: dict[str, Any] = {
            "verify": verify,
        }
        return self._call("graph.kcore", arguments, publish, ("core",))

    def lcc(
        self,
        *,
        verify: bool = False,
        publish: bool | str | dict[str, str] = False,
    ) -> Result:
        """
        Computes every vertex's local clustering coefficient; leaves the state clustering.

        Arguments:
            verify: whether to check the result; the task fails if it is wrong
            publish: whether what it leaves becomes columns of the graph, under the same names (True), under
                this name, or under names by state; what had the name is replaced

        Tells:
            average: mean of the coefficients of all vertices (number)
        """
        arguments: dict[str, Any] = {
            "verify": verify,
        }
        return self._call("graph.lcc", arguments, publish, ("clustering",))

    def maximum_clique(
        self,
        *,
        verify: bool = False,
        publish: bool | str | dict[str, str] = False,
    ) -> Result:
        """
        Finds a largest clique; leaves the state maximumClique.

        Arguments:
            verify: whether to check the result; the task fails if it is wrong
            publish: whether what it leaves becomes columns of the graph, under the same names (True), under
                this name, or under names by state; what had the name is replaced

        Tells:
            size: number of its members (integer)
            members: ids of its members, ascending (list of ids)
            proven: whether verify showed that there is no larger one (boolean)
        """
        arguments: dict[str, Any] = {
            "verify": verify,
        }
        return self._call("graph.maximumClique", arguments, publish, ("maximumClique",))

    def pagerank(
        self,
        *,
        damping: float = 0.85,
        iterations: int | None = None,
        tolerance: float | None = None,
        top: int = 10,
        verify: bool = False,
        publish: bool | str | dict[str, str] = False,
    ) -> Result:
        """
        Ranks vertices; leaves the state pagerank.

        Arguments:
            damping: share of its rank that a vertex passes on
            iterations: number of sweeps, at least 1
            tolerance: instead of iterations: stop when a sweep changes no more than this, summed over all
                vertices; 1.0E-9 if neither is given
            top: how many of the best vertices to report
            verify: whether to check the result; the task fails if it is wrong
            publish: whether what it leaves becomes columns of the graph, under the same names (True), under
                this name, or under names by state; what had the name is replaced

        Tells:
            iterations: sweeps made (integer)
            sum: sum of all ranks, 1 but for rounding (number)
            top: the best vertices, best first (list of [id, score])
        """
        arguments: dict[str, Any] = {
            "damping": damping,
            "iterations": iterations,
            "tolerance": tolerance,
            "top": top,
            "verify": verify,
        }
        return self._call("graph.pagerank", arguments, publish, ("pagerank",))

    def scc(
        self,
        *,
        verify: bool = False,
        publish: bool | str | dict[str, str] = False,
    ) -> Result:
        """
        Finds strongly connected components; leaves the state component: one of its vertices, the same for
        all of them.

        Arguments:
            verify: whether to check the result; the task fails if it is wrong
            publish: whether what it leaves becomes columns of the graph, under the same names (True), under
                this name, or under names by state; what had the name is replaced

        Tells:
            components: number of components (integer)
            largest: vertices of the largest one (integer)
        """
        arguments: dict[str, Any] = {
            "verify": verify,
        }
        return self._call("graph.scc", arguments, publish, ("component",))

    def sssp(
        self,
        source: Any,
        *,
        state: str = 'distance',
        parents: bool = False,
        verify: bool = False,
        publish: bool | str | dict[str, str] = False,
    ) -> Result:
        """
        Finds the lengths of shortest paths from one vertex; leaves them as a state, infinite where there is
        no path.

        Arguments:
            source: id of the vertex to start from
            state: name of the state of distances
            parents: whether to leave the state parent, too: the vertex before on a shortest path
            verify: whether to check the result; the task fails if it is wrong
            publish: whether what it leaves becomes columns of the graph, under the same names (True), under
                this name, or under names by state; what had the name is replaced

        Tells:
            source: the vertex it started from (id)
            reached: vertices reached, the source included (integer)
            maxDistance: largest distance of a vertex reached (number)
            sumDistance: sum of the distances of all vertices reached (number)
            verified: whether the result was checked (boolean)
        """
        arguments: dict[str, Any] = {
            "source": source,
            "state": state,
            "parents": parents,
            "verify": verify,
        }
        return self._call("graph.sssp", arguments, publish, (str(state),))

    def triangles(
        self,
        *,
        verify: bool = False,
        publish: bool | str | dict[str, str] = False,
    ) -> Result:
        """
        Counts triangles; leaves the states triangles and clustering.

        Arguments:
            verify: whether to check the result; the task fails if it is wrong
            publish: whether what it leaves becomes columns of the graph, under the same names (True), under
                this name, or under names by state; what had the name is replaced

        Tells:
            triangles: number of triangles (integer)
            averageLocalClustering: mean of the local clustering coefficients of all vertices (number)
        """
        arguments: dict[str, Any] = {
            "verify": verify,
        }
        return self._call("graph.triangles", arguments, publish, ("triangles", "clustering",))

    def walk(
        self,
        length: int,
        file: PathLike,
        *,
        walks_per_vertex: int = 1,
        seed: int = 1,
        weighted: bool = False,
        verify: bool = False,
    ) -> Result:
        """
        Walks at random from every vertex.

        Arguments:
            length: steps of a walk; it is shorter where no edge leads on
            walks_per_vertex: walks that begin at each vertex
            seed: another one gives other walks
            weighted: whether edges are as likely as they weigh, not all alike
            file: where to write them: one walk per line, in the order of their first vertices
            verify: whether to check the result; the task fails if it is wrong

        Tells:
            walks: number of walks (integer)
            steps: number of steps of all walks (integer)
            file: the file that was written (text)
        """
        arguments: dict[str, Any] = {
            "length": length,
            "walksPerVertex": walks_per_vertex,
            "seed": seed,
            "weighted": weighted,
            "file": file,
            "verify": verify,
        }
        return self._call("graph.walk", arguments, False, ())

    def wcc(
        self,
        *,
        verify: bool = False,
        publish: bool | str | dict[str, str] = False,
    ) -> Result:
        """
        Finds weakly connected components; leaves the state component: one of its vertices, the same for all
        of them.

        Arguments:
            verify: whether to check the result; the task fails if it is wrong
            publish: whether what it leaves becomes columns of the graph, under the same names (True), under
                this name, or under names by state; what had the name is replaced

        Tells:
            components: number of components (integer)
            largest: vertices of the largest one (integer)
        """
        arguments: dict[str, Any] = {
            "verify": verify,
        }
        return self._call("graph.wcc", arguments, publish, ("component",))

    def roads_farthest(
        self,
        source: Any,
        *,
        publish: bool | str | dict[str, str] = False,
    ) -> Result:
        """
        Finds the vertex that is farthest from a source; leaves the state distance.

        Arguments:
            source: where all paths begin
            publish: whether what it leaves becomes columns of the graph, under the same names (True), under
                this name, or under names by state; what had the name is replaced

        Tells:
            reached: vertices that paths lead to, the source included (number)
            farthest: the vertex with the longest of the shortest paths (id)
            distance: the length of that path (number)
        """
        arguments: dict[str, Any] = {
            "source": source,
        }
        return self._call("roads.farthest", arguments, publish, ("distance",))


class ClusterTasks:
    """Tasks that are not on one graph."""

    def _call(self, task: str, arguments: dict[str, Any], publish: Any, states: tuple[str, ...]) -> Result:
        raise NotImplementedError

    def benchmark_graph500(
        self,
        scale: int,
        *,
        edgefactor: int = 16,
        roots: int = 64,
        sssp: bool = False,
        skip_validation: bool = False,
    ) -> Result:
        """
        Runs the Graph500 benchmark by its rules.

        Arguments:
            scale: logarithm of the number of vertices
            edgefactor: edges per vertex
            roots: number of searches
            sssp: shortest paths (kernel 3), too
            skip_validation: leaves the checks out

        Tells:
            scale: as given (integer)
            edgefactor: as given (integer)
            peers: number of peers (integer)
            processes: whether each peer was a process of its own (flag)
            generationSeconds: time until the edges were in memory (number)
            constructionSeconds: kernel 1 (number)
            roots: number of searches (integer)
            validated: whether all results were checked (flag)
            bfs: traversed edges per second, and mean time (object)
            sssp: the same of shortest paths; null if not run (object)
            peakResidentBytes: largest memory of each process (list)
            block: the output block of the reference (text)
        """
        arguments: dict[str, Any] = {
            "scale": scale,
            "edgefactor": edgefactor,
            "roots": roots,
            "sssp": sssp,
            "skipValidation": skip_validation,
        }
        return self._call("benchmark.graph500", arguments, False, ())

    def benchmark_graphalytics(
        self,
        properties: PathLike,
        *,
        algorithms: str | None = None,
        output: str | None = None,
    ) -> Result:
        """
        Runs algorithms of the LDBC Graphalytics suite on one of its datasets, and compares results with
        reference outputs beside it.

        Arguments:
            properties: the dataset's properties; NAME.v and NAME.e lie beside it, perhaps NAME-BFS and so
                on, too
            algorithms: which to run, with commas between: some of bfs, cdlp, lcc, pr, sssp, wcc; otherwise
                those that the properties list
            output: folder for results, as NAME-BFS and so on

        Tells:
            graph: the dataset's name (text)
            algorithms: algorithm, seconds (without reading and writing), valid (null without a reference
                output), problem (null if there is none) (list)
        """
        arguments: dict[str, Any] = {
            "properties": properties,
            "algorithms": algorithms,
            "output": output,
        }
        return self._call("benchmark.graphalytics", arguments, False, ())

    def file_convert(
        self,
        file: PathLike,
        output: PathLike,
        *,
        format: Literal["auto", "edgelist", "metis", "graphalytics", "mtx", "dimacs", "gap", "graph500", "graph500-packed", "graphml", "gml", "ligra", "webgraph", "parquet", "arrow", "ntriples"] = 'auto',
        to: Literal["auto", "edgelist", "metis", "mtx", "dimacs", "gap", "graph500", "graph500-packed", "graphml", "parquet", "arrow", "dot"] = 'auto',
        directed: bool | None = None,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
        separator: str | None = None,
        ids: Literal["number", "text"] = 'number',
    ) -> Result:
        """
        Writes a graph's file in another format, with ids and weights, on one machine and in its memory.

        Arguments:
            file: the file, or an http or s3 address
            output: where to; replaced if there, and packed if it ends in .gz, .bz2 or .zst
            format: its format; auto goes by the first bytes and by the ending (.graph, .mtx, .gr, .sg and
                so on)
            to: format of the output; auto goes by its ending
            directed: whether edges have directions; otherwise as the file says, and false where it says
                nothing
            source: the column of sources, if it is not source
            target: the column of targets, if it is not target
            weight: the column or attribute of weights, if it is not weight; none leaves weights out
            separator: what separates the ids of an edge list; otherwise taken from its first edge
            ids: what the ids of an edge list or a table are: whole numbers from 0 to 2^64 - 1, or texts;
                those of triples are texts

        Tells:
            file: the file that was written (text)
            format: its format (text)
            vertices: number of vertices (integer)
            edges: number of edges; an undirected one counts once (integer)
            directed: whether edges have a direction (boolean)
            weighted: whether edges have weights (boolean)
            renumbered: whether vertices have other numbers now, because the format counts them through;
                their order stayed (boolean)
            skippedSelfLoops: edges the format has no room for (integer)
            skippedDuplicates: the same of repeated ones (integer)
            leftOut: names of properties, which are not written (list)
        """
        arguments: dict[str, Any] = {
            "file": file,
            "output": output,
            "format": format,
            "to": to,
            "directed": directed,
            "source": source,
            "target": target,
            "weight": weight,
            "separator": separator,
            "ids": ids,
        }
        return self._call("file.convert", arguments, False, ())

    def file_inspect(
        self,
        file: PathLike,
        *,
        format: Literal["auto", "edgelist", "metis", "graphalytics", "mtx", "dimacs", "gap", "graph500", "graph500-packed", "graphml", "gml", "ligra", "webgraph", "parquet", "arrow", "ntriples"] = 'auto',
        source: str | None = None,
        target: str | None = None,
        separator: str | None = None,
    ) -> Result:
        """
        Tells what a file is: format, columns, about how large, and what memory its graph takes.

        Arguments:
            file: the file, or an http or s3 address
            format: its format; auto goes by the first bytes and by the ending (.graph, .mtx, .gr, .sg and
                so on)
            source: the column of sources, if it is not source
            target: the column of targets, if it is not target
            separator: what separates the ids of an edge list; otherwise taken from its first edge

        Tells:
            format: its format (text)
            compression: none, gzip, bzip2, zstd or lz4 (text)
            columns: name and type of what an edge has (list)
            vertexColumns: the same of what a vertex has beside its id (list)
            rows: edges, or lines of a table of which no more is known (integer)
            rowsEstimated: whether that is a guess (boolean)
            vertices: vertices, exact or guessed; 0 if not known (integer)
            directed: whether the file says that edges have directions (boolean)
            weighted: whether edges have weights (boolean)
            graphBytes: about what memory the graph takes, without replicas and properties (integer)
            first: the first edges or lines (list)
            hint: what to say when it is loaded; may be empty (text)
        """
        arguments: dict[str, Any] = {
            "file": file,
            "format": format,
            "source": source,
            "target": target,
            "separator": separator,
        }
        return self._call("file.inspect", arguments, False, ())

    def generate_grid(
        self,
        scale: int,
        *,
        file: PathLike | None = None,
        format: Literal["tsv"] = 'tsv',
    ) -> Result:
        """
        Generates the edges of a grid.

        Arguments:
            scale: the graph has 2^scale vertices
            file: where to write edges
            format: how edges are written

        Tells:
            edges: number of edges (integer)
            sumSource: sum of all sources, decimal (text)
            sumTarget: sum of all targets, decimal (text)
            edgeHash: hash of all edges, hexadecimal (text)
            weightHash: hash of all weights, hexadecimal (text)
        """
        arguments: dict[str, Any] = {
            "scale": scale,
            "file": file,
            "format": format,
        }
        return self._call("generate.grid", arguments, False, ())

    def generate_kronecker(
        self,
        scale: int,
        *,
        edgefactor: int = 16,
        seeds: Sequence[Any] | None = None,
        weights: bool = False,
        file: PathLike | None = None,
        format: Literal["tsv", "graph500", "graph500-packed"] = 'tsv',
    ) -> Result:
        """
        Generates the edges of a Graph500 Kronecker graph.

        Arguments:
            scale: logarithm of the number of vertices
            edgefactor: edges per vertex
            seeds: two numbers; 2 and 3 for the benchmark's graph
            weights: whether weights are written, too
            file: where to write edges
            format: how edges are written

        Tells:
            edges: number of edges (integer)
            sumSource: sum of all sources, decimal (text)
            sumTarget: sum of all targets, decimal (text)
            edgeHash: hash of all edges, hexadecimal (text)
            weightHash: hash of all weights, hexadecimal (text)
        """
        arguments: dict[str, Any] = {
            "scale": scale,
            "edgefactor": edgefactor,
            "seeds": seeds,
            "weights": weights,
            "file": file,
            "format": format,
        }
        return self._call("generate.kronecker", arguments, False, ())

    def generate_uniform(
        self,
        scale: int,
        *,
        edgefactor: int = 16,
        seeds: Sequence[Any] = (2, 3),
        weights: bool = False,
        file: PathLike | None = None,
        format: Literal["tsv"] = 'tsv',
    ) -> Result:
        """
        Generates the edges of a uniform random graph.

        Arguments:
            scale: the graph has 2^scale vertices
            edgefactor: edges per vertex
            seeds: two numbers that the edges depend on
            weights: whether edges have weights
            file: where to write edges
            format: how edges are written

        Tells:
            edges: number of edges (integer)
            sumSource: sum of all sources, decimal (text)
            sumTarget: sum of all targets, decimal (text)
            edgeHash: hash of all edges, hexadecimal (text)
            weightHash: hash of all weights, hexadecimal (text)
        """
        arguments: dict[str, Any] = {
            "scale": scale,
            "edgefactor": edgefactor,
            "seeds": seeds,
            "weights": weights,
            "file": file,
            "format": format,
        }
        return self._call("generate.uniform", arguments, False, ())

    def common_substructure(
        self,
        graphs: Sequence[GraphLike],
        *,
        labels: Sequence[PathLike] | None = None,
        connected: bool = False,
        verify: bool = False,
    ) -> Result:
        """
        Finds a largest common induced substructure of two graphs.

        Arguments:
            graphs: the two graphs
            labels: two files of lines "id label"; only vertices with the same label are paired
            connected: whether the substructure must be connected
            verify: whether to check the result; the task fails if it is wrong

        Tells:
            size: number of pairs (integer)
            pairs: ids in the first and in the second graph (list of lists)
            proven: whether verify showed that there is no larger one (boolean)
        """
        arguments: dict[str, Any] = {
            "graphs": graphs,
            "labels": labels,
            "connected": connected,
            "verify": verify,
        }
        return self._call("graph.commonSubstructure", arguments, False, ())
