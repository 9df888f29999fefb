"""Every block of Python in docs/guide/python.md runs, one after the other, on the cluster of these tests."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

import starling_graph
from starling_graph import Cluster

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "python.md"


def test_runs_as_it_stands(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = GUIDE.read_text(encoding="utf-8")
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    blocks = [block for language, block in fenced if language == "python"]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STARLING_URL", cluster.url)
    monkeypatch.setenv("STARLING_TOKEN", cluster._rest._token)
    monkeypatch.setattr(starling_graph, "local", lambda: cluster)
    monkeypatch.setattr(cluster, "close", lambda: None)
    names: dict[str, object] = {}
    printed = []
    for block in blocks:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(block, str(GUIDE), "exec"), names)
        printed.append(out.getvalue())

    told = [block for language, block in fenced if not language]
    assert len(blocks) > 10
    assert printed[0] == told[0]
    assert any(out == told[-1] for out in printed)
    cluster.graph("friends").drop()


def test_begins_with_five_lines() -> None:
    first = GUIDE.read_text(encoding="utf-8").split("```python\n", 1)[1].split("```", 1)[0]

    assert len([line for line in first.splitlines() if line.strip()]) <= 5
