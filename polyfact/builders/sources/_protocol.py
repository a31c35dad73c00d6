"""What every source of statements can do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

__all__ = ["Row", "Source", "Term"]


class Term(NamedTuple):
    """One RDF term of a query's result. kind: iri, literal or bnode."""

    value: str
    kind: str
    language: str | None = None
    datatype: str | None = None


Row = Mapping[str, Term]
"""One row of a query's result: the bound variables."""


class Source(Protocol):
    """A place that answers SPARQL SELECT queries."""

    name: str
    endpoint: str

    def select(self, query: str) -> list[Row]:
        """All rows, in the query's order."""
        ...

    def retrieved_at(self) -> str | None:
        """When the answers were got from the service, ISO 8601; None for a source that does not change."""
        ...

    def revision(self) -> str:
        """The version of the whole source; empty where it has none."""
        ...
