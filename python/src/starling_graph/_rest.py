"""The REST interface of a cluster, as bytes and JSON. No other module opens connections."""

from __future__ import annotations

import hashlib
import http.client
import json
import secrets
import ssl
import time
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from .errors import AccessError, InvalidInputError, StarlingError, UnavailableError

PATH = "/api/v1"
ARROW = "application/vnd.apache.arrow.stream"
PIECE_BYTES = 8 << 20
TIMEOUT_SECONDS = 60.0
PAUSE_SECONDS = 0.2
MOST_TRIES = 10
KEY = "Idempotency-Key"


class OutOfStepError(InvalidInputError):
    """Something has gone on meanwhile, as an upload does whose answer was lost."""


class Rest:
    """Asks the superpeers of a cluster: the one that answered last, and the others when it does not."""

    def __init__(self, urls: Sequence[str], token: str, ca: str | None = None) -> None:
        if not urls:
            raise InvalidInputError("no URL of a superpeer is named")
        self._urls = [_checked(url) for url in urls]
        self._token = token
        self._tls = ssl.create_default_context(cafile=ca) if any(url.startswith("https") for url in self._urls) else None

    @property
    def url(self) -> str:
        """The superpeer that answered last."""
        return self._urls[0]

    def json(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        **query: Any,
    ) -> Any:
        """Asks, and reads the answer as JSON."""
        data = None if body is None else json.dumps(body).encode()
        more = {} if data is None else {"Content-Type": "application/json"}
        more.update(headers or {})
        with self.open(method, _with(path, query), data, more) as response:
            return json.loads(_whole(response))

    def submit(self, request: Mapping[str, Any]) -> int:
        """Queues a job, once, however often the question has to be sent."""
        nonce = {KEY: secrets.token_hex(8)}
        return int(self.json("POST", "/jobs", request, nonce)["id"])

    def bring_jars(self, jars: Sequence[tuple[str, bytes | memoryview]]) -> list[str]:
        """Brings those that the cluster does not have. Their digests, each once."""
        views = [{"digest": hashlib.sha256(data).hexdigest(), "name": name, "bytes": len(data)} for name, data in jars]
        if not views:
            return []
        missing = set(self.json("POST", "/jars/missing", {"jars": views})["missing"])
        for view, (name, data) in zip(views, jars, strict=True):
            digest = str(view["digest"])
            if digest in missing:
                missing.remove(digest)
                path = _with("/jars/" + digest, {"name": name})
                with self.open("PUT", path, data, {"Content-Type": "application/java-archive"}) as response:
                    _whole(response)
        return list(dict.fromkeys(str(view["digest"]) for view in views))

    def upload(self, name: str, data: bytes | memoryview) -> dict[str, Any]:
        """Brings a file along, in pieces. A piece that was cut short is taken up where it was."""
        view = memoryview(data).cast("B")
        upload = self.json("POST", "/uploads", {"name": name, "bytes": len(view)})
        tries = 0
        while upload["received"] < len(view):
            begin = upload["received"]
            piece = view[begin : begin + PIECE_BYTES]
            try:
                upload = self._piece(upload["id"], begin, piece)
            except (UnavailableError, OutOfStepError):
                tries += 1
                if tries == MOST_TRIES:
                    raise
                time.sleep(PAUSE_SECONDS)
                upload = self.json("GET", "/uploads/" + upload["id"])
            if upload["received"] > begin:
                tries = 0
        return dict(upload)

    def _piece(self, upload: str, offset: int, piece: memoryview) -> dict[str, Any]:
        path = _with("/uploads/" + upload, {"offset": offset})
        headers = {"Content-Type": "application/octet-stream"}
        with self.open("PUT", path, piece, headers) as response:
            return dict(json.loads(_whole(response)))

    @contextmanager
    def open(
        self,
        method: str,
        path: str,
        body: bytes | memoryview | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[http.client.HTTPResponse]:
        """Asks, and gives the answer as it comes. Raises what an answer that is an error says."""
        connection, response = self._ask(method, path, body, dict(headers or {}))
        try:
            if response.status >= 400:
                raise _error(response.status, response.read(1 << 20))
            yield response
        except (http.client.HTTPException, OSError) as broken:
            if isinstance(broken, StarlingError):
                raise
            raise UnavailableError(f"the answer of {self.url} broke off: {broken or type(broken).__name__}") from broken
        finally:
            connection.close()

    def _ask(
        self, method: str, path: str, body: bytes | memoryview | None, headers: dict[str, str]
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        headers["Authorization"] = "Bearer " + self._token
        repeatable = method == "GET" or KEY in headers
        trouble: Exception | None = None
        urls = self._urls
        for i, url in enumerate(urls):
            connection = self._connect(url)
            connected = False
            try:
                connection.connect()
                connected = True
                connection.request(method, PATH + path, body=body, headers=headers)
                response = connection.getresponse()
            except (http.client.HTTPException, OSError) as broken:
                connection.close()
                trouble = broken
                if connected and not repeatable:
                    self._urls = urls[i + 1 :] + urls[: i + 1]
                    raise UnavailableError(f"{url} has not answered, but may have done what was asked: {broken}") from broken
            else:
                if i > 0:
                    self._urls = urls[i:] + urls[:i]
                return connection, response
        raise UnavailableError(f"no cluster answers at {', '.join(urls)}: {trouble}") from trouble

    def _connect(self, of: str) -> http.client.HTTPConnection:
        url = urllib.parse.urlsplit(of)
        if url.scheme == "https":
            return http.client.HTTPSConnection(str(url.hostname), url.port, timeout=TIMEOUT_SECONDS, context=self._tls)
        return http.client.HTTPConnection(str(url.hostname), url.port, timeout=TIMEOUT_SECONDS)


def quoted(name: str) -> str:
    """A name as a part of a path."""
    return urllib.parse.quote(name, safe="")


def _with(path: str, query: Mapping[str, Any]) -> str:
    return path + "?" + urllib.parse.urlencode(query) if query else path


def _checked(url: str) -> str:
    parts = urllib.parse.urlsplit(url if "://" in url else "http://" + url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidInputError(f'expected the URL of a superpeer like "http://127.0.0.1:7500", found "{url}"')
    return f"{parts.scheme}://{parts.netloc}"


def _whole(response: http.client.HTTPResponse) -> bytes:
    return response.read()


def _error(status: int, body: bytes) -> StarlingError:
    try:
        tree = json.loads(body)
        sentence = str(tree["error"])
        wrong = tree.get("errors") or []
        if wrong:
            sentence = "; ".join(f"{one['path']}: {one['error']}" for one in wrong)
    except (ValueError, KeyError, TypeError, AttributeError):
        sentence = f"the answer has status {status} and no sentence"
    if status in (401, 403):
        return AccessError(sentence)
    if status == 409:
        return OutOfStepError(sentence)
    if status in (429, 503):
        return UnavailableError(sentence)
    if status < 500:
        return InvalidInputError(sentence)
    return StarlingError(sentence)
