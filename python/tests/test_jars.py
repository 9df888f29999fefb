"""Jars of one's own, compiled here, brought to a real cluster."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from starling_graph import Cluster, InvalidInputError
from starling_graph._local import find_launcher

RELEASE = 25
TASK = """
package my;
import org.starling.graph.*;
public final class Count implements Task {
    @Override public TaskSignature signature() {
        return TaskSignature.of("my.count", "Counts vertices, WORD.")
                .with(Argument.required("graph", Argument.Type.GRAPH, "the graph"))
                .returns("vertices", "integer", "how many")
                .returns("said", "text", "a word");
    }
    @Override public TaskResult run(TaskContext context, Parameters arguments) {
        return new TaskResult()
                .put("vertices", context.graphs().info(arguments.text("graph")).vertices())
                .put("said", "WORD");
    }
}
"""


def find_javac() -> Path | None:
    homes = [Path(os.environ["JAVA_HOME"])] if "JAVA_HOME" in os.environ else []
    on_path = shutil.which("javac")
    homes += [Path(on_path).resolve().parent.parent] if on_path else []
    homes += sorted(Path("/usr/lib/jvm").glob("*"))
    for home in homes:
        release = home / "release"
        if (home / "bin/javac").is_file() and release.is_file() and f'JAVA_VERSION="{RELEASE}' in release.read_text():
            return home / "bin/javac"
    return None


def find_api() -> Path | None:
    root = find_launcher().resolve().parent
    for folder in (root / "cli/target/starling/lib", root.parent / "lib"):
        for jar in sorted(folder.glob("starling-graph-api-*.jar")):
            return jar
    return None


def build(folder: Path, word: str) -> Path:
    """A jar with a task ``my.count`` that says a word."""
    javac, api = find_javac(), find_api()
    if javac is None or api is None:
        pytest.skip(f"no JDK {RELEASE} and graph-api to compile a jar with")
    classes = folder / word
    source = classes / "my/Count.java"
    source.parent.mkdir(parents=True)
    source.write_text(TASK.replace("WORD", word))
    subprocess.run([javac, "-d", classes, "-cp", api, "-proc:none", source], check=True, timeout=60)
    target = folder / f"count {word}.jar"
    with zipfile.ZipFile(target, "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
        jar.write(classes / "my/Count.class", "my/Count.class")
        jar.writestr("META-INF/services/org.starling.graph.Task", "my.Count\n")
    return target


def script(name: str) -> dict[str, object]:
    return {
        "name": name,
        "parameters": {"scale": 5},
        "tasks": [
            {"task": "graph.generate", "graph": "g", "generator": "grid", "scale": "${scale}"},
            {"task": "my.count", "graph": "g"},
        ],
    }


def digests(cluster: Cluster) -> list[str]:
    return [one["digest"] for one in cluster._rest.json("GET", "/jars")["jars"]]


def test_runs_tasks_of_jars_and_brings_each_once(cluster: Cluster, name: str, tmp_path: Path) -> None:
    jar = build(tmp_path, "once")
    digest = hashlib.sha256(jar.read_bytes()).hexdigest()
    assert digest not in digests(cluster)

    report = cluster.submit(script(name), jars=[jar, str(jar)], scale=6).wait()

    assert report["tasks"][-1]["result"] == {"vertices": 64, "said": "once"}
    assert report["jars"] == [digest]
    assert digests(cluster).count(digest) == 1
    again = cluster.submit(script(name), jars=[jar]).wait()
    assert again["tasks"][-1]["result"] == {"vertices": 32, "said": "once"}
    assert digests(cluster).count(digest) == 1


def test_takes_the_jar_that_this_job_brings(cluster: Cluster, name: str, tmp_path: Path) -> None:
    for word in ("left", "right"):
        report = cluster.submit(script(name), jars=[build(tmp_path, word)]).wait()

        assert report["tasks"][-1]["result"]["said"] == word


def test_refuses_in_one_sentence(cluster: Cluster, name: str, tmp_path: Path) -> None:
    no_jar = tmp_path / "no.jar"
    no_jar.write_text("no jar")

    with pytest.raises(InvalidInputError, match=r"none\.jar can't be read: No such file"):
        cluster.submit(script(name), jars=[tmp_path / "none.jar"])
    with pytest.raises(InvalidInputError, match=r"no\.jar"):
        cluster.submit(script(name), jars=[no_jar])
    with pytest.raises(InvalidInputError, match="jars is a list of files, found one"):
        cluster.submit(script(name), jars=str(no_jar))
    with pytest.raises(InvalidInputError, match=r'unknown task "my\.count"'):
        cluster.submit(script(name))
    assert hashlib.sha256(no_jar.read_bytes()).hexdigest() not in digests(cluster)
