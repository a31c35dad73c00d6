"""A hub for datasets on loopback: what huggingface_hub and datasets ask for, in memory, with faults on demand."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.hub_api import READER, ROUTES, WRITER, WRITES, Answer, Repo, Request, refused

WRONG = "hf_nobody"
# Whatever is asked of another machine fails at once.
ELSEWHERE = {
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1,localhost",
}


@dataclass
class Fault:
    """What goes wrong with the requests whose "METHOD path" matches ``what``, from the ``nth``, ``times`` times.

    status: the answer; 0 closes the connection without one. error, code: what it says. after: the request is
    carried out all the same. then: something else that happens on the hub just before. delay: seconds before a
    right answer (status 200).
    """

    what: str
    nth: int = 1
    times: int = 1
    status: int = 503
    error: str = ""
    code: str = ""
    after: bool = False
    then: Callable[[], None] | None = None
    delay: float = 0.0
    seen: int = 0

    def hits(self, request: str) -> bool:
        if not re.search(self.what, request):
            return False
        self.seen += 1
        return self.nth <= self.seen < self.nth + self.times


class Hub:
    """The state of the hub. requests: "METHOD path" of everything that was asked, in order."""

    def __init__(self) -> None:
        self.repos: dict[str, Repo] = {}
        self.large: dict[str, bytes] = {}
        self.faults: list[Fault] = []
        self.requests: list[str] = []
        self.url = ""
        self._lock = threading.Lock()

    def fail(self, what: str, **how: Any) -> Fault:
        self.faults.append(Fault(what, **how))
        return self.faults[-1]

    @property
    def writes(self) -> list[str]:
        """The requests that change a repository."""
        return [each for each in self.requests if re.match(r"(POST|PUT|DELETE) .*/(create|commit|tag|lfs)/?", each)]

    def answer(self, method: str, target: str, headers: Any, body: bytes) -> Answer | None:
        """What to send; None to close the connection instead."""
        request = f"{method} {urllib.parse.urlsplit(target).path}"
        with self._lock:
            self.requests.append(request)
            hit = next((fault for fault in self.faults if fault.hits(request)), None)
        if hit and hit.delay:
            time.sleep(hit.delay)
        with self._lock:
            if hit and hit.then:
                hit.then()
            right = None
            if not hit or hit.after or hit.status == 200:
                right = self._carry_out(method, target, headers, body)
        if right and (not hit or hit.status == 200):
            return right
        assert hit is not None
        if hit.error:
            return refused(hit.status, hit.error, hit.code)
        # As a proxy in front of a hub answers: in words, not in JSON.
        return Answer(hit.status, b"<html>try later</html>", {"Content-Type": "text/html"}) if hit.status else None

    def _carry_out(self, method: str, target: str, headers: Any, body: bytes) -> Answer:
        url = urllib.parse.urlsplit(target)
        query = urllib.parse.parse_qs(url.query)
        try:
            for wanted, pattern, serve in ROUTES:
                found = re.fullmatch(pattern, url.path)
                if found and method in wanted:
                    parts = {name: urllib.parse.unquote(text or "") for name, text in found.groupdict().items()}
                    who = self._who(headers)
                    if "repo" in parts:
                        self._require(parts["repo"], who, serve in WRITES)
                    return serve(self, parts, Request(method, headers, query, body, who))
        except Answer as answer:
            return answer
        return refused(404, f"nothing here: {method} {url.path}")

    def _who(self, headers: Any) -> str:
        token = (headers.get("authorization") or "").removeprefix("Bearer ")
        if token not in ("", WRITER, READER):
            raise refused(401, "Invalid credentials in Authorization header")
        return token

    def _require(self, repo: str, who: str, write: bool) -> None:
        if repo not in self.repos or (self.repos[repo].private and not who):
            raise refused(404 if who else 401, "Repository not found", "RepoNotFound")
        if write and who != WRITER:
            raise refused(403 if who else 401, "You don't have the rights to write here")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body in one packet: two wait for each other, 40 ms a request.
    wbufsize = 1 << 16
    disable_nagle_algorithm = True
    hub: Hub

    def log_message(self, *_: Any) -> None:
        pass

    def _serve(self) -> None:
        answer = self.hub.answer(self.command, self.path, self.headers, self._body())
        if answer is None:
            self.close_connection = True
            return
        raw = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        headers = {"Content-Type": "application/json", "Content-Length": str(len(raw)), **answer.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(raw)

    def _body(self) -> bytes:
        if "chunked" not in (self.headers.get("transfer-encoding") or ""):
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _serve


@contextlib.contextmanager
def serve() -> Iterator[Hub]:
    """A new, empty hub; its address is ``hub.url``."""
    hub = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("HubHandler", (Handler,), {"hub": hub}))
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()


def point_at(hub: Hub, monkeypatch: Any, home: Any) -> None:
    """Let huggingface_hub in this process know no other hub, no stored login, and a cache of its own."""
    from huggingface_hub import close_session, constants

    for name, value in ELSEWHERE.items():
        monkeypatch.setenv(name, value)
    close_session()
    monkeypatch.setattr(constants, "ENDPOINT", hub.url)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", hub.url + "/{repo_id}/resolve/{revision}/{filename}")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_TELEMETRY", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(home / "hub"))
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(home / "token"))
    monkeypatch.setattr(constants, "AGENT_HARNESSES_PATH", str(home / "agents"))
    monkeypatch.delenv("HF_TOKEN", raising=False)


def environment(hub: Hub, home: Any) -> dict[str, str]:
    """The same for a process of its own; whatever it asks elsewhere fails at once."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "HF_HOME": str(home / "huggingface"),
        "HF_ENDPOINT": hub.url,
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        **ELSEWHERE,
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }


def beside(hub: Hub, home: Path) -> dict[str, str]:
    """This process's environment, with polyfact on the path and this hub for the only one; its token may write."""
    ours = {name: value for name, value in environment(hub, home).items() if name not in ("HOME", "PATH")}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, **ours, "PATH": path, "HF_TOKEN": WRITER, "HF_HUB_OFFLINE": "0"}
