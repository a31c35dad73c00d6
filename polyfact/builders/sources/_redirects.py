"""Entities that were merged into another: they keep answering under the old id, and would count twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyfact.builders.sources._protocol import Row, Source, Term
from polyfact.errors import DataError

__all__ = ["follow", "redirects_of"]

_BATCH = 500
_WIKIDATA = "http://www.wikidata.org/entity/"

_QUERY = """PREFIX owl: <http://www.w3.org/2002/07/owl#>
SELECT ?old ?new WHERE {{
  VALUES ?old {{ {entities} }}
  ?old owl:sameAs ?new .
}} ORDER BY ?old ?new"""


def redirects_of(source: Source, entities: Sequence[str]) -> dict[str, str]:
    """The Wikidata entities among ``entities`` that were merged into another, each with the id of that one.

    Raises DataError for an entity that was merged into two.
    """
    wanted = sorted({identity for identity in entities if identity.startswith("Q")})
    found: dict[str, str] = {}
    for first in range(0, len(wanted), _BATCH):
        batch = " ".join(f"<{_WIKIDATA}{identity}>" for identity in wanted[first : first + _BATCH])
        for row in source.select(_QUERY.format(entities=batch)):
            old, new = (row[name].value.removeprefix(_WIKIDATA) for name in ("old", "new"))
            if found.setdefault(old, new) != new:
                raise DataError(f"{old} was merged into {found[old]} and {new}", where=source.endpoint)
    return found


def _last(identity: str, redirects: Mapping[str, str]) -> str:
    """Where a chain of merges ends. Raises DataError for one that does not."""
    seen = [identity]
    while seen[-1] in redirects:
        seen.append(redirects[seen[-1]])
        if seen[-1] in seen[:-1]:
            raise DataError(f"the redirects {' -> '.join(seen)} lead nowhere")
    return seen[-1]


def follow(rows: Sequence[Row], redirects: Mapping[str, str]) -> tuple[list[Row], list[str]]:
    """Rows of a topic's query with every merged entity under the id that it has now, and what was replaced.

    redirects: new id by old id; chains are followed. Of the rows that then say the same of the same subject, the later
    ones are dropped by `extract` as repeated. The second part names each id that was replaced, once, as "Q200->Q100":
    the rows' statements keep their own ids, so that a fact can still be traced.
    Raises DataError for redirects in a circle.
    """
    used: set[str] = set()

    def now(term: Term) -> Term:
        identity = term.value.removeprefix(_WIKIDATA)
        if term.kind != "iri" or not term.value.startswith(_WIKIDATA) or identity not in redirects:
            return term
        last = _last(identity, redirects)
        used.add(f"{identity}->{last}")
        return term._replace(value=_WIKIDATA + last)

    replaced: list[Row] = []
    for row in rows:
        replaced.append({name: now(term) if name in ("subject", "object") else term for name, term in row.items()})
    return replaced, sorted(used)
