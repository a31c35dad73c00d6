"""A SPARQL endpoint over HTTP, through SPARQLWrapper."""

from __future__ import annotations

import datetime
import json
import warnings
from typing import Any
from urllib.error import HTTPError, URLError

from polyfact.builders.sources._protocol import Row, Term
from polyfact.errors import DataError, MissingExtra, PolyfactError

__all__ = ["SparqlEndpoint"]

_KINDS = {"uri": "iri", "literal": "literal", "typed-literal": "literal", "bnode": "bnode"}
_STRING = "http://www.w3.org/2001/XMLSchema#string"


class SparqlEndpoint:
    """Queries to ``url`` by POST.

    user_agent: who asks; public services want a name and a contact. timeout: seconds for one query.
    """

    def __init__(self, url: str, *, name: str = "sparql", user_agent: str, timeout: int = 60) -> None:
        self.name, self.endpoint = name, url
        self._user_agent, self._timeout = user_agent, timeout
        self._asked: str | None = None

    def select(self, query: str) -> list[Row]:
        """All rows of a SELECT query, in its order.

        Raises PolyfactError for a refused connection or an error status, DataError for an answer that is no result: an
        endpoint that runs out of time may send a truncated one with status 200.
        """
        try:
            from SPARQLWrapper import JSON, POST, SPARQLWrapper
            from SPARQLWrapper.SPARQLExceptions import SPARQLWrapperException
        except ImportError as error:
            raise MissingExtra("build", "SPARQLWrapper") from error
        wrapper = SPARQLWrapper(self.endpoint, agent=self._user_agent)
        wrapper.setMethod(POST)
        wrapper.setReturnFormat(JSON)
        wrapper.setTimeout(self._timeout)
        wrapper.setQuery(query)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answer = wrapper.query().convert()
        except HTTPError as error:
            raise self._failed(f"status {error.code}") from error
        except SPARQLWrapperException as error:
            raise self._failed(type(error).__name__) from error
        except (URLError, TimeoutError, ConnectionError) as error:
            raise self._failed(f"no answer: {getattr(error, 'reason', error)}") from error
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise DataError(
                "the answer is cut off or not JSON", where=self.endpoint, fix="the query may have run out of time; try again"
            ) from error
        if not isinstance(answer, dict) or "results" not in answer:
            raise DataError("the answer is not a query result", where=self.endpoint)
        self._asked = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        return [{name: _term(cell) for name, cell in row.items()} for row in answer["results"]["bindings"]]

    def _failed(self, why: str) -> PolyfactError:
        return PolyfactError(f"the endpoint failed: {why}", where=self.endpoint, fix="try again later or use another source")

    def retrieved_at(self) -> str | None:
        """When the last answer came."""
        return self._asked

    def revision(self) -> str:
        """Empty: an endpoint states no version."""
        return ""


def _term(cell: dict[str, Any]) -> Term:
    datatype = cell.get("datatype")
    return Term(cell["value"], _KINDS[cell["type"]], cell.get("xml:lang"), None if datatype == _STRING else datatype)
