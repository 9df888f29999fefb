"""How a cluster of one's own is found and started."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import starling_graph
from starling_graph import _local


def test_asks_for_two_peers() -> None:
    with pytest.raises(starling_graph.InvalidInputError, match="take two peers or more"):
        starling_graph.local(peers=1)


def test_says_where_it_has_looked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STARLING_HOME", str(tmp_path))

    with pytest.raises(starling_graph.InvalidInputError, match=f"there is no starling in {tmp_path}"):
        starling_graph.local()


def test_takes_the_launcher_of_an_unpacked_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    launcher = tmp_path / "bin" / "starling"
    launcher.parent.mkdir()
    launcher.write_text("#!/bin/sh\necho 'starling: no room on this machine' >&2\nexit 3\n")
    launcher.chmod(0o755)
    monkeypatch.setenv("STARLING_HOME", str(tmp_path))

    assert _local.find_launcher() == launcher
    with pytest.raises(starling_graph.UnavailableError, match="^starling cluster start .*: no room on this machine$"):
        starling_graph.local()


@pytest.mark.parametrize("stops", [True, False])
def test_stops_what_has_begun_before_it_gives_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, stops: bool) -> None:
    launcher, said = tmp_path / "starling", tmp_path / "said"
    launcher.write_text(
        f"#!/bin/sh\necho $PWD $2 >> {said}\nmkdir -p cluster\n"
        f"case $2 in stop) exit {0 if stops else 3};; esac\necho 'starling: one peer has not come' >&2\nexit 3\n"
    )
    launcher.chmod(0o755)
    monkeypatch.setenv("STARLING_HOME", str(tmp_path))

    with pytest.raises(starling_graph.UnavailableError, match="one peer has not come"):
        starling_graph.local()

    (folder, first), (_, second) = [line.split() for line in said.read_text().splitlines()]
    assert (first, second) == ("start", "stop")
    assert Path(folder).exists() is not stops
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize(
    "sentence",
    [
        "peer-1: node 3 could not open its network: node 3 can't listen on /127.0.0.1:24382: Address already in use",
        "port 24382, meant for peer-1, can't be listened on (Address already in use); set basePort or restPort",
    ],
)
def test_takes_other_ports_where_somebody_was_faster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sentence: str) -> None:
    launcher, said = tmp_path / "starling", tmp_path / "said"
    launcher.write_text(
        f"#!/bin/sh\nmkdir -p cluster\n[ $2 = stop ] && exit 0\ncat starling.json >> {said}; echo >> {said}\n"
        f'[ "$(wc -l < {said})" -lt 3 ] && {{ echo "starling: {sentence}" >&2; exit 4; }}\n'
        """echo 0a > cluster/token; echo '{"urls": ["http://127.0.0.1:1"]}'\n"""
    )
    launcher.chmod(0o755)
    monkeypatch.setenv("STARLING_HOME", str(tmp_path))

    starling_graph.local().close()

    bases = [json.loads(line)["basePort"] for line in said.read_text().splitlines()]
    assert len(bases) == 3 and len(set(bases)) > 1
    assert all(base + _local.PORTS <= 32_768 for base in bases)  # no connection of the system's choice takes one


def test_takes_a_token_or_a_file_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("slg_abc\n")
    monkeypatch.setenv("STARLING_TOKEN", str(file))

    assert starling_graph._token(None) == starling_graph._token(file) == starling_graph._token("slg_abc") == "slg_abc"
    assert starling_graph._token(" slg_abc\n") == "slg_abc" and starling_graph._token("0a" * 32) == "0a" * 32
    with pytest.raises(starling_graph.AccessError, match="there is no token"):
        starling_graph._token(tmp_path / "none")
    with pytest.raises(starling_graph.AccessError) as slip:
        starling_graph._token("lsg_secret")
    assert "secret" not in str(slip.value)
    assert slip.value.__cause__ is None and slip.value.__context__ is None
    with pytest.raises(starling_graph.InvalidInputError, match="expected the URL of a superpeer"):
        starling_graph.connect("ftp://x", token="slg_abc")
