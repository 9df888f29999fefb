"""Every cell of the notebooks runs, in order, on the cluster of these tests; what a cell ends with can show itself."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

import starling_graph
from starling_graph import Cluster

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(notebook: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starling_graph, "local", lambda: cluster)
    monkeypatch.setattr(cluster, "close", lambda: None)
    names: dict[str, Any] = {}
    html = []
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            shown = last_value("".join(cell["source"]), names)
            if hasattr(shown, "_repr_html_"):
                html.append(shown._repr_html_())

    assert len(html) > 1 and all(html)
    if notebook.stem == "people":
        assert set(names["path"]) & {"member 1", "member 34"}
        assert names["people"]["core"].max() == 4
    else:
        assert sum(names["search"].levels) == names["search"].reached > 1000
        assert 0.05 < names["share"] < 1


def test_are_there() -> None:
    assert len(NOTEBOOKS) == 2


def last_value(source: str, names: dict[str, Any]) -> Any:
    """Runs a cell; what its last line is worth, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(tree, "cell", "exec"), names)
        return None
    exec(compile(ast.Module(tree.body[:-1], []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)
