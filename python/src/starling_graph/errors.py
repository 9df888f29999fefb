"""What can go wrong, each with the sentence that the cluster says."""

from __future__ import annotations

from typing import Any


class StarlingError(Exception):
    """Something went wrong. Its text is one sentence that says what, where, and what to do."""


class InvalidInputError(StarlingError, ValueError):
    """What was asked for makes no sense, or is not there: a name, an argument, a file."""


class AccessError(StarlingError, PermissionError):
    """The token is missing, is not known (any more), or has a role that is not enough."""


class UnavailableError(StarlingError, ConnectionError):
    """The cluster can't be reached, or can't answer now. Another try may help."""


class JobFailedError(StarlingError, RuntimeError):
    """A job has failed. ``report`` is its report, ``job`` its number."""

    def __init__(self, sentence: str, job: int, report: dict[str, Any] | None = None) -> None:
        super().__init__(sentence)
        self.job = job
        self.report = report or {}


class InvalidJobError(JobFailedError, InvalidInputError):
    """A job has failed because what it was asked for makes no sense, or is not there."""


class JobCancelledError(JobFailedError):
    """A job was told to stop."""
