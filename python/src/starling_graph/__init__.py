"""
Graphs on a Starling cluster.

    import starling_graph

    with starling_graph.local() as cluster:
        graph = cluster.load([("Ann", "Bob"), ("Bob", "Cid"), ("Cid", "Ann")], name="friends")
        print(graph.pagerank(top=3))
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from ._local import LocalCluster, local
from .cluster import Cluster
from .errors import (
    AccessError,
    InvalidInputError,
    InvalidJobError,
    JobCancelledError,
    JobFailedError,
    StarlingError,
    UnavailableError,
)
from .graph import Graph
from .jobs import Job, Result
from .table import Table

__version__ = "0.1.0"

DEFAULT_TOKEN = ".starling/cluster/token"
TOKEN = re.compile("[0-9a-f]{64}", re.IGNORECASE)

__all__ = [
    "AccessError",
    "Cluster",
    "Graph",
    "InvalidInputError",
    "InvalidJobError",
    "Job",
    "JobCancelledError",
    "JobFailedError",
    "LocalCluster",
    "Result",
    "StarlingError",
    "Table",
    "UnavailableError",
    "connect",
    "local",
]


def connect(
    url: str | Sequence[str] = "http://127.0.0.1:7500",
    token: str | os.PathLike[str] | None = None,
    *,
    ca: str | None = None,
    progress: bool | None = None,
) -> Cluster:
    """
    Connects to a cluster.

    Arguments:
        url: of a superpeer, or of several: where one is lost, the next one is asked
        token: the token itself, or a file with it; without it, what the variable STARLING_TOKEN holds or names, or
            the file .starling/cluster/token
        ca: a file with the certificate of the authority, where the cluster has one of its own
        progress: whether to show how jobs go on; where somebody looks, unless it is said
    """
    cluster = Cluster([url] if isinstance(url, str) else list(url), _token(token), ca, progress)
    cluster.status()
    return cluster


def _token(given: str | os.PathLike[str] | None) -> str:
    word = os.fspath(given) if given is not None else os.environ.get("STARLING_TOKEN", DEFAULT_TOKEN)
    word = word.strip()
    if word.startswith("slg_") or TOKEN.fullmatch(word):
        return word
    try:
        with open(word, encoding="utf-8") as file:
            return file.read().strip()
    except (OSError, ValueError) as none:
        # what is no file may be a token with a slip in it, so it is not repeated, not even as a cause
        reason = getattr(none, "strerror", None) or "it is no text"
    where = f"the file {DEFAULT_TOKEN}" if word == DEFAULT_TOKEN else "token= or STARLING_TOKEN"
    raise AccessError(f"there is no token in {where}: {reason}; say token=, a token or a file with it")
