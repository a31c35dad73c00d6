"""Stand-ins for a knowledge base: triples in memory, and an endpoint on this machine that gives prepared answers."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from polyfact.builders.sources import Row, Term

ENTITY = "http://www.wikidata.org/entity/"
RDFS_LABEL, SAME_AS = "http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2002/07/owl#sameAs"
JSON_RESULTS = "application/sparql-results+json"


class Store:
    """Triples in memory, asked with SPARQL."""

    name, endpoint = "case", "memory"

    def __init__(self) -> None:
        import pyoxigraph

        self._rdf, self._store = pyoxigraph, pyoxigraph.Store()

    def label(self, entity: str, language: str, text: str) -> None:
        """Add a label."""
        self._add(entity, RDFS_LABEL, self._rdf.Literal(text, language=language))

    def redirect(self, old: str, new: str) -> None:
        """Say that an entity was merged into another."""
        self._add(old, SAME_AS, self._rdf.NamedNode(ENTITY + new))

    def _add(self, entity: str, relation: str, value: Any) -> None:
        node = self._rdf.NamedNode
        self._store.add(self._rdf.Quad(node(ENTITY + entity), node(relation), value, self._rdf.DefaultGraph()))

    def select(self, query: str) -> list[Row]:
        """The rows of a query."""
        solutions = self._store.query(query)
        names = [variable.value for variable in solutions.variables]
        return [{name: self._term(solution[name]) for name in names} for solution in solutions]

    def _term(self, value: Any) -> Term:
        if isinstance(value, self._rdf.NamedNode):
            return Term(value.value, "iri")
        return Term(value.value, "literal", value.language)

    def retrieved_at(self) -> None:
        """Nothing was fetched."""

    def revision(self) -> str:
        """None."""
        return ""


class Service(http.server.BaseHTTPRequestHandler):
    """An endpoint that gives its answers one after the other; when there are none left it is busy."""

    answers: list[Mapping[str, Any]]
    asked: list[str]

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        number = len(self.asked)
        self.asked.append(self.headers["User-Agent"])
        answer = self.answers[number] if number < len(self.answers) else {"status": 503}
        body = str(answer.get("body", "")).encode()
        headers = {"Content-Type": "text/html" if body.startswith(b"<") else JSON_RESULTS, **answer.get("headers", {})}
        self.send_response(answer.get("status", 200))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        """Quiet."""


@contextmanager
def serve(answers: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    """The address of an endpoint on this machine with these answers, and who asked it."""
    asked: list[str] = []
    handler = type("Handler", (Service,), {"answers": list(answers), "asked": asked})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/sparql", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
