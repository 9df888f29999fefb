"""
Requests that a program makes up from the description of the interface, at a real cluster: no answer is of a kind that
the description does not tell of, none is a failure of the cluster's. Takes minutes, so it runs only when it is asked for:

    pip install './python[fuzz]'
    STARLING_HOME=$PWD python -m pytest -m fuzz python/tests/test_openapi.py

The variable STARLING_FUZZ_EXAMPLES says how many requests are made up for each operation (50), STARLING_FUZZ_SEED gives
back a seed that was printed.
"""

from __future__ import annotations

import copy
import json
import os
import secrets
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import starling_graph

SECONDS = 1500

# An endless stream, and what takes the cluster's peers away, which then is none to go on with.
LEFT_OUT = ("/events", "/nodes/{node}/drain")

# Jars are bytes, which the tool has to be told.
HOOKS = """
import schemathesis

@schemathesis.serializer("application/java-archive")
def jar(context, value):
    return value if isinstance(value, bytes) else str(value).encode()
"""

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def known(*values: Any) -> dict[str, Any]:
    """One of the values that there are, or one that there is not, so that requests come through to something."""
    return {"enum": list(values)}


def narrowed(description: dict[str, Any]) -> dict[str, Any]:
    """The description, with names that there are among those that are made up; but where it drops or renames a graph."""
    told = copy.deepcopy(description)
    for path in LEFT_OUT:
        del told["paths"][path]
    for path, item in told["paths"].items():
        for parameter in item.get("parameters", []):
            if parameter["name"] == "name" and path.startswith("/graphs"):
                parameter["schema"] = known("nobody") if path.endswith("/rename") else known("people", "nobody")
            elif parameter["name"] == "column":
                parameter["schema"] = known("rank", "component", "nothing")
            elif parameter["name"] == "id" and path.startswith("/jobs"):
                parameter["schema"] = known(1, 2, 3, 1 << 40)
            elif parameter["name"] == "id":
                parameter["schema"] = known("Ann", "Bob", "nobody")
    drop = told["paths"]["/graphs/{name}"]["delete"]
    drop["parameters"] = [parameter | {"schema": known("nobody")} for parameter in told["paths"]["/graphs/{name}"]["parameters"]]
    return told


@pytest.mark.fuzz
def test_every_answer_is_described_and_none_is_the_clusters_failure(tmp_path: Path) -> None:
    with starling_graph.local(memoryPerPeer="256MiB") as cluster:
        graph = cluster.load([("Ann", "Bob"), ("Bob", "Cid"), ("Cid", "Ann"), ("Cid", "Dan")], name="people")
        graph.pagerank(publish="rank")
        graph.wcc(publish="component")
        url = cluster.url + "/api/v1"
        with urllib.request.urlopen(url + "/openapi.json") as answer:
            description = json.load(answer)
        file = tmp_path / "openapi.json"
        file.write_text(json.dumps(narrowed(description)), encoding="utf-8")
        (tmp_path / "hooks.py").write_text(HOOKS, encoding="utf-8")
        seed = os.environ.get("STARLING_FUZZ_SEED") or str(secrets.randbelow(1 << 31))
        words = [sys.executable, "-m", "schemathesis.cli", "run", str(file), "--url", url, "--checks", CHECKS, "--seed", seed]
        words += ["--max-examples", os.environ.get("STARLING_FUZZ_EXAMPLES", "50"), "--phases", "coverage,fuzzing"]
        words += ["--header", f"Authorization: Bearer {cluster._rest._token}", "--request-timeout", "30", "--no-color"]
        words += ["--generation-database", "none"]
        environment = os.environ | {"SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(words, cwd=tmp_path, env=environment, text=True, capture_output=True, timeout=SECONDS)
        assert done.returncode == 0, f"seed {seed}\n{done.stdout}\n{done.stderr}"
