"""A real cluster for all tests, started from the checkout; or the one that STARLING_TEST_URL names."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator

import pytest

import starling_graph

NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def cluster() -> Iterator[starling_graph.Cluster]:
    url = os.environ.get("STARLING_TEST_URL")
    if url:
        yield starling_graph.connect(url, token=os.environ["STARLING_TOKEN"])
        return
    with starling_graph.local(memoryPerPeer="256MiB") as started:
        yield started


@pytest.fixture
def name() -> str:
    """A name that no other test takes."""
    return f"test-{os.getpid()}-{next(NUMBERS)}"
