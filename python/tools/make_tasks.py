"""
Makes src/starling_graph/_tasks.py of the signatures that the checkout tells.

    python3 tools/make_tasks.py             writes the file
    python3 tools/make_tasks.py --check     ends with 1 if it would be another one
    python3 tools/make_tasks.py --tasks F   takes what `starling tasks --json` has written into F
"""

from __future__ import annotations

import argparse
import json
import keyword
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "src" / "starling_graph" / "_tasks.py"
CHECKOUT = HERE.parent.parent

# These have methods written by hand: they make, name or remove graphs and columns, or need no job. Those of
# jars (build, run) are for scripts, which are submitted with their jars.
BY_HAND = {
    "graph.build",
    "graph.run",
    "graph.load",
    "graph.generate",
    "graph.project",
    "graph.publish",
    "graph.drop",
    "graph.write",
    "graph.join",
    "graph.info",
    "graph.neighbours",
    "graph.value",
    "graph.path",
}

TYPES = {
    "text": "str",
    "integer": "int",
    "id": "Any",
    "id_list": "Sequence[Any]",
    "unsigned_list": "Sequence[Any]",
    "number": "float",
    "flag": "bool",
    "graph": "GraphLike",
    "text_list": "Sequence[str]",
    "graph_list": "Sequence[GraphLike]",
    "input_file": "PathLike",
    "input_file_list": "Sequence[PathLike]",
    "input_files": "PathLike | Sequence[PathLike]",
    "column_types": "dict[str, str]",
    "output_file": "PathLike",
    "condition": "str",
}

HEAD = '''"""Every task as a method. Made by tools/make_tasks.py of what `./starling tasks --json` tells; do not edit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from .jobs import Result

if TYPE_CHECKING:
    from .graph import Graph

PathLike: TypeAlias = "str | os.PathLike[str]"
GraphLike: TypeAlias = "Graph | str"
'''


def main() -> int:
    words = argparse.ArgumentParser(description="Makes the methods of tasks.")
    words.add_argument("--check", action="store_true")
    words.add_argument("--tasks", type=Path)
    options = words.parse_args()
    text = module(tasks(options.tasks))
    if options.check:
        same = TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text
        if not same:
            print(f"{TARGET} is not what the tasks say; run python3 {Path(__file__).name}", file=sys.stderr)
        return 0 if same else 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


def tasks(file: Path | None) -> list[dict[str, Any]]:
    """The signatures."""
    if file is not None:
        told = file.read_text(encoding="utf-8")
    else:
        told = subprocess.run([CHECKOUT / "starling", "tasks", "--json"], check=True, text=True, stdout=subprocess.PIPE).stdout
    return json.loads(told)["tasks"]


def module(signatures: list[dict[str, Any]]) -> str:
    """The text of the module."""
    mine = [task for task in signatures if task["task"] not in BY_HAND]
    of_graph = [task for task in mine if is_of_graph(task)]
    others = [task for task in mine if not is_of_graph(task)]
    parts = [
        HEAD + "\n" + states_table(mine),
        klass("GraphTasks", "Tasks on a graph.", of_graph),
        klass("ClusterTasks", "Tasks that are not on one graph.", others),
    ]
    return "\n\n".join(parts)


def states_table(some: list[dict[str, Any]]) -> str:
    lines = []
    for task in some:
        names = ", ".join(f'"{state}"' for state in states(task))
        if names:
            lines.append(f'    "{task["task"]}": ({names},),\n')
    head = '# What tasks leave; with = before it, what the argument "state" is without being said.\n'
    return head + "STATES: dict[str, tuple[str, ...]] = {\n" + "".join(lines) + "}\n"


def is_of_graph(task: dict[str, Any]) -> bool:
    return any(one["name"] == "graph" and one["type"] == "graph" for one in task["arguments"])


def klass(name: str, summary: str, some: list[dict[str, Any]]) -> str:
    text = f'class {name}:\n    """{summary}"""\n\n'
    text += "    def _call(self, task: str, arguments: dict[str, Any], publish: Any, states: tuple[str, ...]) -> Result:\n"
    text += "        raise NotImplementedError\n"
    for task in some:
        text += "\n" + method(task)
    return text


def method(task: dict[str, Any]) -> str:
    arguments = [one for one in task["arguments"] if not (is_of_graph(task) and one["name"] == "graph")]
    needed = [one for one in arguments if one["required"]]
    others = [one for one in arguments if not one["required"]]
    left = states(task) if is_of_graph(task) else []
    words = ["self"] + [f"{python_name(one['name'])}: {type_of(one)}" for one in needed]
    optional = [f"{python_name(one['name'])}: {optional_type(one)} = {default(one)}" for one in others]
    if left:
        optional.append("publish: bool | str | dict[str, str] = False")
    if optional:
        words += ["*", *optional]
    text = f"    def {method_name(task['task'])}(\n" + "".join(f"        {word},\n" for word in words) + "    ) -> Result:\n"
    text += docstring(task, arguments, left)
    values = "".join(f'            "{one["name"]}": {python_name(one["name"])},\n' for one in arguments)
    values = f"{{\n{values}        }}" if values else "{}"
    told = ", ".join(f'"{state}"' if not state.startswith("=") else "str(state)" for state in left)
    text += f"        arguments: dict[str, Any] = {values}\n"
    text += f'        return self._call("{task["task"]}", arguments, {"publish" if left else "False"}, ({told}{"," if left else ""}))\n'
    return text


def states(task: dict[str, Any]) -> list[str]:
    """Names of the states that it leaves; one with "=" before it is what the argument "state" is without being said."""
    for one in task["arguments"]:
        if one["name"] == "state" and one["default"] is not None:
            return ["=" + one["default"]]
    found = re.search(r"leaves the states? (\w+)(?:(?:, (\w+))* and (\w+))?", task["summary"])
    return [name for name in found.groups() if name] if found else []


def docstring(task: dict[str, Any], arguments: list[dict[str, Any]], left: list[str]) -> str:
    lines = [task["summary"], ""]
    if arguments or left:
        lines.append("Arguments:")
        for one in arguments:
            lines += wrapped(f"{python_name(one['name'])}: {one['summary']}")
        if left:
            lines += wrapped(
                "publish: whether what it leaves becomes columns of the graph, under the same names (True), under this "
                "name, or under names by state; what had the name is replaced"
            )
        lines.append("")
    if task["results"]:
        lines.append("Tells:")
        for one in task["results"]:
            lines += wrapped(f"{one['name']}: {one['summary']} ({one['type']})")
        lines.append("")
    body = "\n".join(("        " + line).rstrip() for line in textwrap.wrap(lines[0], 100) + lines[1:-1])
    return f'        """\n{body}\n        """\n'.replace("\\", "\\\\")


def wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent="    ", subsequent_indent="        ")


def method_name(task: str) -> str:
    return python_name(task.removeprefix("graph.").replace(".", "_"))


def python_name(name: str) -> str:
    snake = re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: "_" + match.group(1).lower(), name)
    return snake + "_" if keyword.iskeyword(snake) else snake


def type_of(argument: dict[str, Any]) -> str:
    if argument["type"] == "choice":
        return "Literal[" + ", ".join(f'"{choice}"' for choice in argument["choices"]) + "]"
    return TYPES.get(argument["type"], "Any")


def optional_type(argument: dict[str, Any]) -> str:
    kind = type_of(argument)
    return kind if argument["default"] is not None or kind == "Any" else kind + " | None"


def default(argument: dict[str, Any]) -> str:
    value = argument["default"]
    return repr(tuple(value)) if isinstance(value, list) else repr(value)


if __name__ == "__main__":
    sys.exit(main())
