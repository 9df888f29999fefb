"""Jobs of a cluster: wait, await, cancel, see how far they are."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, Generic, TypeVar

from ._rest import Rest
from .errors import InvalidJobError, JobCancelledError, JobFailedError, StarlingError, UnavailableError
from .table import Table

T = TypeVar("T")
FIRST_PAUSE_SECONDS = 0.01
LONGEST_PAUSE_SECONDS = 0.5
MOST_TRIES = 20
ENDS = ("succeeded", "failed", "cancelled")
BAR_CHARACTERS = 30


class Job(Generic[T]):
    """
    A job. ``wait()`` gives its result, ``await job`` does, too, beside other work of an event loop; ``cancel()``
    stops it within a superstep.
    """

    def __init__(
        self,
        rest: Rest,
        number: int,
        finish: Callable[[dict[str, Any]], T],
        progress: bool | None = None,
        tidy: Callable[[], None] | None = None,
    ) -> None:
        self._rest = rest
        self._finish = finish
        self._progress = progress
        self._tidy = tidy
        self.id = number

    def view(self) -> dict[str, Any]:
        """How it is now: status, what it does, for what it waits."""
        return dict(self._rest.json("GET", f"/jobs/{self.id}"))

    @property
    def status(self) -> str:
        """queued, running, succeeded, failed or cancelled."""
        return str(self.view()["status"])

    def report(self) -> dict[str, Any]:
        """All that is told of it once it has ended."""
        return dict(self._rest.json("GET", f"/jobs/{self.id}/report"))

    def cancel(self) -> None:
        """Asks it to stop."""
        self._rest.json("DELETE", f"/jobs/{self.id}")

    def wait(self, timeout: float | None = None) -> T:
        """
        Waits for its end and gives its result. Ctrl-C cancels it.

        Raises ``JobFailedError`` (which is an ``InvalidInputError``, too, if that is why) or ``JobCancelledError``
        with the cluster's sentence, and ``TimeoutError`` when the time (in seconds) is over; the job goes on then.
        """
        bar = Bar.fitting(self._progress)
        end = None if timeout is None else time.monotonic() + timeout
        begun = time.monotonic()
        try:
            while True:
                view = self._patiently()
                bar.show(view)
                if view["status"] in ENDS:
                    return self._ended(str(view["status"]))
                if end is not None and time.monotonic() > end:
                    raise TimeoutError(f"job {self.id} has not ended within {timeout} s; it goes on")
                time.sleep(_pause(begun))
        except KeyboardInterrupt:
            with contextlib.suppress(StarlingError):
                self.cancel()
            raise
        finally:
            bar.close()

    def __await__(self) -> Generator[Any, None, T]:
        return self._awaited().__await__()

    async def _awaited(self) -> T:
        """Only questions take a thread, and that for as long as an answer takes: thousands of jobs can be awaited."""
        begun = time.monotonic()
        lost = 0
        while True:
            try:
                status = await asyncio.to_thread(lambda: self.status)
                lost = 0
            except UnavailableError:
                lost += 1
                if lost == MOST_TRIES:
                    raise
                status = ""
            if status in ENDS:
                return await asyncio.to_thread(self._ended, status)
            await asyncio.sleep(LONGEST_PAUSE_SECONDS if lost else _pause(begun))

    def _patiently(self) -> dict[str, Any]:
        """A superpeer may be lost just now; another one leads soon."""
        for tries in range(1, MOST_TRIES + 1):
            try:
                return self.view()
            except UnavailableError:
                if tries == MOST_TRIES:
                    raise
                time.sleep(LONGEST_PAUSE_SECONDS)
        raise StarlingError("not reached")

    def _ended(self, status: str) -> T:
        if self._tidy is not None:
            self._tidy()
        try:
            report = self.report()
        except StarlingError as none:
            if status == "cancelled":
                raise JobCancelledError(f"job {self.id} was cancelled before it began", self.id) from none
            raise
        if status == "cancelled":
            raise JobCancelledError(str(report.get("error") or f"job {self.id} was cancelled"), self.id, report)
        if status == "failed":
            kind = InvalidJobError if report.get("invalidInput") is True else JobFailedError
            raise kind(str(report.get("error") or f"job {self.id} has failed"), self.id, report)
        return self._finish(report)

    def __repr__(self) -> str:
        return f"<job {self.id} at {self._rest.url}>"


def _pause(begun: float) -> float:
    """A tenth of the time since then, so that an end is noticed so much too late at most."""
    return min(max((time.monotonic() - begun) / 10, FIRST_PAUSE_SECONDS), LONGEST_PAUSE_SECONDS)


class Result(Mapping[str, Any]):
    """
    What a task has told: ``result["iterations"]`` or ``result.iterations``. ``result.table`` is its table, if it has
    one (the best vertices, ``top=``).
    """

    def __init__(self, task: str, values: Mapping[str, Any], table: Table | None = None, columns: tuple[str, ...] = ()) -> None:
        self.task = task
        self._values = dict(values)
        self.table = table
        self.columns = columns

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(f"{self.__dict__.get('task', 'the result')} tells no {name}") from None

    def to_pandas(self) -> Any:
        """Its table as a data frame."""
        return self._table().to_pandas()

    def to_arrow(self) -> Any:
        """Its table of Arrow."""
        return self._table().to_arrow()

    def to_dict(self) -> dict[Any, Any]:
        """Its table as a dictionary from vertex to value."""
        return self._table().to_dict()

    def _table(self) -> Table:
        if self.table is None:
            raise StarlingError(f"{self.task} tells no table; take publish= and read the graph's column")
        return self.table

    def __repr__(self) -> str:
        lines = [f"{name}: {value}" for name, value in self._values.items() if not isinstance(value, (list, dict))]
        text = f"{self.task}  " + ", ".join(lines)
        return text if self.table is None else f"{text}\n{self.table!r}"

    def _repr_html_(self) -> str:
        import html

        lines = [
            f"<b>{html.escape(name)}</b> {html.escape(str(value))}"
            for name, value in self._values.items()
            if not isinstance(value, (list, dict))
        ]
        table = "" if self.table is None else self.table._repr_html_()
        return f"<div><code>{html.escape(self.task)}</code> {' · '.join(lines)}{table}</div>"


class Bar:
    """Shows nothing."""

    def show(self, view: Mapping[str, Any]) -> None:
        """Shows how a job is."""

    def close(self) -> None:
        """Takes it away."""

    @staticmethod
    def fitting(wanted: bool | None) -> Bar:
        """A bar for a notebook or a terminal; without being asked for, only where somebody looks."""
        if wanted is False:
            return Bar()
        if _in_notebook():
            return NotebookBar()
        return TerminalBar() if wanted or sys.stderr.isatty() else Bar()


class TerminalBar(Bar):
    """One line on standard error that is written over."""

    def __init__(self) -> None:
        self._width = 0

    def show(self, view: Mapping[str, Any]) -> None:
        text = line_of(view)
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


class NotebookBar(Bar):
    """A line of output that is shown again."""

    def __init__(self) -> None:
        from IPython.display import display

        self._handle = display({"text/plain": ""}, raw=True, display_id=True)

    def show(self, view: Mapping[str, Any]) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": line_of(view)}, raw=True)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)


def line_of(view: Mapping[str, Any]) -> str:
    """How a job is, in one line."""
    now = view.get("progress")
    if not now:
        waits = view.get("waitsFor")
        return f"job {view['id']} {view['status']}" + (f", waits for {waits}" if waits else "")
    tasks = max(1, int(now.get("tasks") or 1))
    part = now["done"] / now["total"] if now.get("total") else 0.0
    share = min(1.0, (max(0, int(now["task"]) - 1) + min(1.0, part)) / tasks)
    full = int(share * BAR_CHARACTERS)
    text = f"job {view['id']} [{'█' * full}{' ' * (BAR_CHARACTERS - full)}] {now['name']}"
    if now.get("superstep", -1) >= 0:
        text += f", superstep {now['superstep'] + 1}, {now['active']:,} active"
    if now.get("etaSeconds") is not None:
        text += f", about {now['etaSeconds']:.0f} s more"
    return text


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    current = shell.get_ipython()
    return current is not None and type(current).__name__ == "ZMQInteractiveShell"
