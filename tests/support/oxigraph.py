"""A real SPARQL server on loopback: the oxigraph binary from PyPI."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path


def binary() -> str | None:
    beside = Path(sys.executable).with_name("oxigraph")
    return str(beside) if beside.is_file() else shutil.which("oxigraph")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextlib.contextmanager
def serve(folder: Path, triples: bytes) -> Iterator[str]:
    """The address of a server that answers queries over ``triples`` (N-Triples)."""
    program = binary()
    assert program is not None
    source = folder / "data.nt"
    source.write_bytes(triples)
    store = folder / "store"
    subprocess.run([program, "load", "--location", str(store), "--file", str(source)], check=True, capture_output=True)
    port = free_port()
    command = [program, "serve-read-only", "--location", str(store), "--bind", f"127.0.0.1:{port}"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(f"http://127.0.0.1:{port}/", server)
        yield f"http://127.0.0.1:{port}/query"
    finally:
        server.terminate()
        server.wait(10)


def _wait(address: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and server.poll() is None:
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            urllib.request.urlopen(address, timeout=2).close()
            return
        time.sleep(0.05)
    raise RuntimeError("the oxigraph server does not answer")
