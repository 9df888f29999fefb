"""What people see while they wait."""

from __future__ import annotations

import pytest

from starling_graph import Cluster
from starling_graph.jobs import Bar, NotebookBar, TerminalBar, line_of

RUNNING = {
    "id": 7,
    "status": "running",
    "progress": {
        "task": 2,
        "tasks": 4,
        "name": "graph.pagerank",
        "done": 5,
        "total": 10,
        "superstep": 11,
        "active": 12345,
        "etaSeconds": 3.4,
    },
}


def test_says_in_one_line_how_far_a_job_is() -> None:
    line = line_of(RUNNING)

    assert line.startswith("job 7 [" + "█" * 11 + " ")
    assert line.endswith("] graph.pagerank, superstep 12, 12,345 active, about 3 s more")
    assert line_of({"id": 3, "status": "queued", "waitsFor": "memory"}) == "job 3 queued, waits for memory"


def test_writes_over_one_line_of_the_terminal_and_takes_it_away(capsys: pytest.CaptureFixture[str]) -> None:
    bar = TerminalBar()
    bar.show(RUNNING)
    bar.show({"id": 7, "status": "succeeded"})
    bar.close()

    text = capsys.readouterr().err
    assert text.count("\r") == 4 and "\n" not in text
    assert text.endswith("\r" + " " * len("job 7 succeeded") + "\r")


def test_shows_nothing_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    assert type(Bar.fitting(None)) is Bar
    assert type(Bar.fitting(False)) is Bar
    assert type(Bar.fitting(True)) is TerminalBar


def test_shows_a_line_in_a_notebook() -> None:
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    InteractiveShell.instance()
    with capture_output() as shown:
        bar = NotebookBar()
        bar.show(RUNNING)
        bar.close()

    assert "graph.pagerank" in shown.outputs[1].data["text/plain"]
    assert shown.outputs[-1].data["text/plain"] == ""


def test_shows_a_real_job(cluster: Cluster, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_progress", True)

    with cluster.generate("grid", name, scale=6):
        assert "succeeded" in capsys.readouterr().err
