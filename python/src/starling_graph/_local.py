"""A cluster of one's own, on this machine."""

from __future__ import annotations

import atexit
import json
import logging
import os
import random
import re
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from .cluster import Cluster
from .errors import InvalidInputError, StarlingError, UnavailableError

LOG = logging.getLogger(__name__)
TRIES = 5
PORTS = 120
FIRST_PORT, LAST_PORT = 20_000, 32_000  # below those that systems hand out by themselves
PORT_TAKEN = re.compile("can't (be listened|listen) on")
START_SECONDS = 600
STOP_SECONDS = 120
LEAST_PEERS = 2


class LocalCluster(Cluster):
    """A cluster that ends with the ``with`` block, ``close()``, or the interpreter."""

    def __init__(self, launcher: Path, folder: Path, url: str, token: str, progress: bool | None) -> None:
        super().__init__([url], token, progress=progress)
        self._launcher = launcher
        self._folder: Path | None = folder
        atexit.register(self.close)

    def close(self) -> None:
        """Ends its processes and removes its folder."""
        folder, self._folder = self._folder, None
        if folder is not None:
            atexit.unregister(self.close)
            _stop(self._launcher, folder)
            shutil.rmtree(folder, ignore_errors=True)


def local(peers: int = LEAST_PEERS, *, superpeers: int = 1, progress: bool | None = None, **settings: Any) -> LocalCluster:
    """
    Starts a cluster on this machine, in a temporary folder. It ends with the ``with`` block or the interpreter.

    Arguments:
        peers: processes that compute, two or more: a graph stays in a cluster only with a copy
        progress: whether to show how jobs go on; where somebody looks, unless it is said
        settings: more of a cluster's configuration, such as memoryPerPeer="4GiB"

    ``./starling`` is taken from the variable STARLING_HOME, from the checkout that this package or the working
    directory lies in, or from the path.
    """
    if peers < LEAST_PEERS:
        raise InvalidInputError("a cluster keeps graphs only with a copy of each, on another peer; take two peers or more")
    launcher = find_launcher()
    folder = Path(tempfile.mkdtemp(prefix="starling-"))
    try:
        for tries in range(1, TRIES + 1):
            base = _free_ports()
            configuration = {
                "peers": peers,
                "superpeers": superpeers,
                "replication": min(3, peers - 1),
                "basePort": base,
                "restPort": base + 100,
                "dataDirectory": "cluster",
                **settings,
            }
            (folder / "starling.json").write_text(json.dumps(configuration), encoding="utf-8")
            try:
                view = _run(launcher, folder, START_SECONDS, "cluster", "start", "--json", "--no-supervisor")
                break
            except UnavailableError as taken:
                if tries == TRIES or not PORT_TAKEN.search(str(taken)):
                    raise
        token = (folder / "cluster" / "token").read_text(encoding="utf-8").strip()
        return LocalCluster(launcher, folder, json.loads(view)["urls"][0], token, progress)
    except BaseException:
        try:
            if (folder / "cluster").exists():  # some of its processes may run
                _stop(launcher, folder)
            shutil.rmtree(folder, ignore_errors=True)
        except (StarlingError, OSError) as runs:
            LOG.warning("%s", runs)
        raise


def find_launcher() -> Path:
    """The command ``starling``."""
    home = os.environ.get("STARLING_HOME")
    if home:
        places = [Path(home, "bin", "starling"), Path(home, "starling")]
    else:
        above = [*Path(__file__).resolve().parents, Path.cwd(), *Path.cwd().parents]
        places = [folder / "starling" for folder in above if (folder / "pom.xml").is_file()]
        found = shutil.which("starling")
        places += [Path(found)] if found else []
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return place
    raise InvalidInputError(
        f"there is no starling in {home}"
        if home
        else "no starling is found; set STARLING_HOME to the checkout, or to the folder of the package"
    )


def _stop(launcher: Path, folder: Path) -> None:
    """Ends a cluster's processes. Where that fails the folder stays: it is needed to end them by hand."""
    try:
        _run(launcher, folder, STOP_SECONDS, "cluster", "stop")
    except StarlingError as runs:
        raise UnavailableError(f"{runs}; the cluster in {folder} may still run: say cluster stop there") from runs


def _run(launcher: Path, folder: Path, seconds: int, *words: str) -> str:
    try:
        done = subprocess.run([launcher, *words], cwd=folder, text=True, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired as late:
        raise UnavailableError(f"starling {' '.join(words)} has not ended within {seconds} s") from late
    if done.returncode:
        sentence = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "no word of why")
        raise UnavailableError(f"starling {' '.join(words)}: {sentence.removeprefix('starling: ')}")
    return done.stdout


def _free_ports() -> int:
    """The first of some ports that nobody has, now."""
    for _ in range(100):
        base = random.randrange(FIRST_PORT, LAST_PORT, PORTS)
        if all(_is_free(base + offset) for offset in (0, 1, 2, 3, 20, 21, 22, 23, 24, 25, 100, 101, 102, 103, 104, 105, 106)):
            return base
    raise UnavailableError("there are no free ports")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
            return True
        except OSError:
            return False
