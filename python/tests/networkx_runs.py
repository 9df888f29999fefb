"""
A plugin for NetworkX' own tests: notes which of them passed while functions really ran on a cluster, and which
functions these were. ``pytest -p networkx_runs`` with the variable STARLING_RUNS writes it into that file.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from _starling_graph_info import FUNCTIONS
from starling_graph.backend import Backend

RAN: dict[str, set[str]] = {}
PASSED: set[str] = set()
NOW: list[str] = [""]


def _noted(name: str, function: Any) -> Any:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        RAN.setdefault(NOW[0], set()).add(name)
        return result

    return staticmethod(call)


for _name in FUNCTIONS:
    setattr(Backend, _name, _noted(_name, getattr(Backend, _name)))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    NOW[0] = item.nodeid
    yield


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" and report.passed:
        PASSED.add(report.nodeid)


def pytest_sessionfinish() -> None:
    counts: dict[str, int] = {}
    for test in PASSED & RAN.keys():
        for name in RAN[test]:
            counts[name] = counts.get(name, 0) + 1
    with open(os.environ["STARLING_RUNS"], "w", encoding="utf-8") as file:
        json.dump({"tests": len(PASSED & RAN.keys()), "functions": counts}, file)
