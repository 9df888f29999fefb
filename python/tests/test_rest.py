"""Answers get lost: a proxy before the real cluster hands questions on, and not every answer."""

from __future__ import annotations

import http.client
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import starling_graph
from starling_graph import Cluster
from starling_graph._rest import Rest


class LossyProxy(http.server.ThreadingHTTPServer):
    """Loses the answers to as many questions as ``lost`` names methods."""

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.target = target.removeprefix("http://")
        self.lost: list[str] = []
        self.asked: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    server: LossyProxy

    def _hand_on(self) -> None:
        self.server.asked.append(self.command)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        names = [name for name in ("Authorization", "Content-Type", "Idempotency-Key") if name in self.headers]
        connection = http.client.HTTPConnection(self.server.target, timeout=30)
        connection.request(self.command, self.path, body or None, {name: self.headers[name] for name in names})
        answer = connection.getresponse()
        told = answer.read()
        connection.close()
        if self.command in self.server.lost:
            self.server.lost.remove(self.command)
            self.close_connection = True
            return
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    do_GET = do_POST = do_PUT = do_DELETE = _hand_on  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def proxy(cluster: Cluster) -> Iterator[LossyProxy]:
    with LossyProxy(cluster.url) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.parametrize("beside", [False, True])
def test_goes_on_from_what_has_come(cluster: Cluster, proxy: LossyProxy, monkeypatch: pytest.MonkeyPatch, beside: bool) -> None:
    monkeypatch.setattr("starling_graph._rest.PIECE_BYTES", 1000)
    rest = Rest([proxy.url, cluster.url] if beside else [proxy.url], cluster._rest._token)
    data = bytes(range(256)) * 20
    proxy.lost += ["PUT"] if beside else ["PUT", "PUT"]

    upload = rest.upload("pieces.bin", data)

    assert upload["received"] == len(data)
    assert Path(upload["file"]).read_bytes() == data
    assert proxy.lost == []
    rest.json("DELETE", "/uploads/" + upload["id"])


def test_asks_again_only_what_may_be_asked_twice(cluster: Cluster, proxy: LossyProxy, name: str) -> None:
    both = Cluster([proxy.url, cluster.url], cluster._rest._token)
    with cluster.load([(1, 2)], name) as graph:
        proxy.lost += ["POST"]
        label = f"once-{name}"
        both.submit({"name": label, "tasks": [{"task": "graph.info", "graph": name}]}).wait()
        jobs = [one for one in cluster._rest.json("GET", "/jobs")["jobs"] if one["name"] == label]
        assert len(jobs) == 1 and both.url == cluster.url

        both = Cluster([proxy.url, cluster.url], cluster._rest._token)
        proxy.lost += ["POST"]
        with pytest.raises(starling_graph.UnavailableError, match="has not answered, but may have done"):
            both.graph(name).copy(name + "-copy")
        assert proxy.asked.count("POST") == 2
        cluster.graph(name + "-copy").drop()
        assert graph.edge_count() == 1
