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
        """All rows of a SELECT query, in its order.

        Raises DataError for a query that does not parse, is no SELECT, or asks another service.
        """
        store = kb.load()
        from pyoxigraph import QuerySolutions

        try:
            solutions = store.query(query)
            if not isinstance(solutions, QuerySolutions):
                raise DataError("the query is not a SELECT")
            names = [variable.value for variable in solutions.variables]
            return [
                {name: _term(value) for name in names if (value := solution[name]) is not None} for solution in solutions
            ]
        except SyntaxError as error:
            raise DataError(f"the query is not SPARQL 1.1: {error}") from error
        except (OSError, ValueError, RuntimeError) as error:
            raise DataError(
                f"the query cannot be answered: {error}", fix="no SERVICE: it must work everywhere"
            ) from error

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
