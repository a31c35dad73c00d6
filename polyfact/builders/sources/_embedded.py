"""The embedded knowledge base, in process."""

from __future__ import annotations

from polyfact import kb
from polyfact.builders.sources._protocol import Row, Term
from polyfact.errors import DataError

__all__ = ["Embedded"]


class Embedded:
    """Queries over the knowledge base that comes with polyfact."""

    name = "embedded"
    endpoint = "polyfact.kb"

    def select(self, query: str) -> list[Row]:
        """All rows of a SELECT query, in its order. Raises DataError for a query that does not parse."""
        store = kb.load()
        try:
            solutions = store.query(query)
        except SyntaxError as error:
            raise DataError(f"the query is not SPARQL 1.1: {error}") from error
        names = [variable.value for variable in solutions.variables]  # type: ignore[union-attr]
        return [
            {name: _term(value) for name in names if (value := solution[name]) is not None}
            for solution in solutions  # type: ignore[union-attr]
        ]

    def retrieved_at(self) -> str | None:
        """None: what is embedded does not change."""
        return None

    def revision(self) -> str:
        """The knowledge base's version."""
        return kb.info().version


def _term(value: object) -> Term:
    from pyoxigraph import BlankNode, Literal, NamedNode

    if isinstance(value, NamedNode):
        return Term(value.value, "iri")
    if isinstance(value, BlankNode):
        return Term(value.value, "bnode")
    assert isinstance(value, Literal)
    datatype = None if value.language else value.datatype.value
    return Term(value.value, "literal", value.language, None if datatype == _STRING else datatype)


_STRING = "http://www.w3.org/2001/XMLSchema#string"
