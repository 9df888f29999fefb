"""Methods of tasks are those that the checkout tells."""

from __future__ import annotations

import inspect
import runpy
import subprocess
from pathlib import Path

import pytest

from starling_graph import Graph
from starling_graph._local import find_launcher

MAKER = Path(__file__).resolve().parents[1] / "tools" / "make_tasks.py"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("tasks") / "tasks.json"
    done = subprocess.run([find_launcher(), "tasks", "--json"], check=True, capture_output=True, text=True)
    file.write_text(done.stdout)
    return file


def test_are_made_of_the_signatures_of_the_checkout(told: Path) -> None:
    maker = runpy.run_path(str(MAKER))

    text = maker["module"](maker["tasks"](told))

    assert maker["TARGET"].read_text() == text, "run python3 python/tools/make_tasks.py"


def test_every_task_has_a_method_or_is_made_by_hand(told: Path) -> None:
    maker = runpy.run_path(str(MAKER))
    for task in maker["tasks"](told):
        if task["task"] in maker["BY_HAND"]:
            continue
        if maker["is_of_graph"](task):
            method = getattr(Graph, maker["method_name"](task["task"]))
            assert method.__doc__


def test_are_typed_and_described() -> None:
    signature = inspect.signature(Graph.pagerank)

    assert signature.parameters["damping"].default == 0.85
    assert signature.parameters["top"].annotation == "int"
    assert "share of its rank" in str(Graph.pagerank.__doc__)
