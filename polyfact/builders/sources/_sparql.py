"""A SPARQL endpoint over HTTP, through SPARQLWrapper."""

from __future__ import annotations

import datetime
import json
import time
import warnings
from collections.abc import Callable
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError

from polyfact.builders.sources._protocol import Row, Term
from polyfact.errors import DataError, MissingExtra, PolyfactError

__all__ = ["ATTEMPTS", "SparqlEndpoint"]

ATTEMPTS = 4
LONGEST_WAIT = 300
"""Seconds; a service that wants to be left alone for longer is not waited for."""

_KINDS = {"uri": "iri", "literal": "literal", "typed-literal": "literal", "bnode": "bnode"}
_RETRY = "try again later or use another source"
_STRING = "http://www.w3.org/2001/XMLSchema#string"


class _Busy(PolyfactError):
    """A failure that may pass. pause: seconds that the service wants to be left alone; None where it does not say."""

    pause: float | None = None


class _CutOff(DataError):
    """An answer that is not whole."""


class SparqlEndpoint:
    """Queries to ``url`` by POST.

    user_agent: who asks; public services want a name and a contact. timeout: seconds for one query. attempts: how often
    a query is sent before it counts as failed. wait: how to let seconds pass.
    """

    def __init__(
        self,
        url: str,
        *,
        name: str = "sparql",
        user_agent: str,
        timeout: int = 60,
        attempts: int = 1,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name, self.endpoint = name, url
        self._user_agent, self._timeout = user_agent, timeout
        self._attempts, self._wait = attempts, wait
        self._asked: str | None = None

    def select(self, query: str) -> list[Row]:
        """All rows of a SELECT query, in its order.

        A busy service is asked again: after as many seconds as it wants (Retry-After), else after 2, 4, 8. An answer
        that is cut off, as an endpoint that runs out of time sends with status 200, is never used, and asked for again.

        Raises PolyfactError for a refused connection or an error status, DataError for a query that the endpoint
        does not understand and for an answer that is no result.
        """
        for attempt in range(1, self._attempts):
            try:
                return self._ask(query)
            except _CutOff:
                continue
            except _Busy as error:
                pause = 2.0**attempt if error.pause is None else error.pause
                if pause > LONGEST_WAIT:
                    raise
                self._wait(pause)
        return self._ask(query)

    def _ask(self, query: str) -> list[Row]:
        try:
            from SPARQLWrapper import JSON, POST, SPARQLWrapper
            from SPARQLWrapper.SPARQLExceptions import EndPointInternalError, QueryBadFormed, SPARQLWrapperException
        except ImportError as error:
            raise MissingExtra("build", "SPARQLWrapper") from error
        wrapper = SPARQLWrapper(self.endpoint, agent=self._user_agent)
        wrapper.setMethod(POST)
        wrapper.setReturnFormat(JSON)
        wrapper.setTimeout(self._timeout)
        wrapper.setQuery(query)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an answer that is not JSON is told apart below
                answer = wrapper.query().convert()
        except HTTPError as error:
            raise self._refused(error) from error
        except QueryBadFormed as error:
            raise DataError(
                "the endpoint does not understand the query",
                where=self.endpoint,
                fix="write it in SPARQL 1.1 without SERVICE, with every PREFIX declared",
            ) from error
        except EndPointInternalError as error:
            raise self._failed(type(error).__name__, _RETRY, _Busy) from error
        except SPARQLWrapperException as error:
            raise self._failed(type(error).__name__, _RETRY) from error
        except (json.JSONDecodeError, UnicodeDecodeError, HTTPException) as error:
            raise _CutOff(
                "the answer is cut off or not JSON",
                where=self.endpoint,
                fix="the query may have run out of time; try again",
            ) from error
        except TypeError as error:  # JSON, but no object
            raise self._no_result() from error
        except (OSError, ValueError) as error:
            why = getattr(error, "reason", None) or error
            raise self._failed(f"no answer: {why}", "check the address and that the service runs") from error
        if isinstance(answer, (bytes, str)):  # a page of a proxy or of a service that restarts: it may pass
            raise self._no_result(_CutOff)
        return self._rows(answer)

    def _rows(self, answer: Any) -> list[Row]:
        try:
            rows: list[Row] = [{name: _term(cell) for name, cell in row.items()} for row in answer["results"]["bindings"]]
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            raise self._no_result() from error
        self._asked = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        return rows

    def _failed(self, why: str, fix: str, kind: type[PolyfactError] = PolyfactError) -> PolyfactError:
        return kind(f"the endpoint failed: {why}", where=self.endpoint, fix=fix)

    def _refused(self, error: HTTPError) -> PolyfactError:
        passing = error.code in (429, 500, 502, 503, 504)
        failed = self._failed(f"status {error.code}", _after_status(error), _Busy if passing else PolyfactError)
        wait = error.headers.get("Retry-After", "")
        if isinstance(failed, _Busy) and wait.isdecimal():
            failed.pause = float(wait)
        return failed

    def _no_result(self, kind: type[DataError] = DataError) -> DataError:
        return kind(
            "the answer is not a query result",
            where=self.endpoint,
            fix="is this the address of a SPARQL endpoint?",
        )

    def retrieved_at(self) -> str | None:
        """When the last answer came."""
        return self._asked

    def revision(self) -> str:
        """Empty: an endpoint states no version."""
        return ""


def _term(cell: dict[str, Any]) -> Term:
    datatype = cell.get("datatype")
    return Term(
        cell["value"],
        _KINDS[cell.get("type", "literal")],
        cell.get("xml:lang"),
        None if datatype == _STRING else datatype,
    )


def _after_status(error: HTTPError) -> str:
    """What to do about an error status."""
    if error.code in (429, 503):
        wait = error.headers.get("Retry-After", "")
        return f"try again after {wait} seconds" if wait.isdigit() else "too many queries at once; try again later"
    if error.code in (401, 403):
        return "the service refuses you; see its rules of use, and wait before you ask again"
    return "check the address of the endpoint" if error.code in (404, 405) else _RETRY
