"""Where facts come from: the embedded knowledge base, Wikidata, or any SPARQL endpoint."""

from __future__ import annotations

from polyfact.builders.sources._embedded import Embedded
from polyfact.builders.sources._labels import labels_of
from polyfact.builders.sources._protocol import Row, Source, Term
from polyfact.builders.sources._sparql import SparqlEndpoint
from polyfact.errors import UsageError, nearest

__all__ = ["LIVE", "Embedded", "Row", "Source", "SparqlEndpoint", "Term", "labels_of", "open_source"]

LIVE = {
    "wikidata": "https://query.wikidata.org/sparql",
    "qlever": "https://qlever.dev/api/wikidata",
}


def open_source(name: str, *, contact: str = "") -> Source:
    """The source that a recipe names: embedded, wikidata, qlever, or an endpoint's URL.

    contact: an e-mail address or URL of whoever asks; public services want one.
    Raises UsageError for an unknown name and for a public service without contact.
    """
    if name == "embedded":
        return Embedded()
    if name in LIVE:
        if not contact:
            raise UsageError(f"{name} wants to know who asks", where="contact", fix="write your e-mail or a URL there")
        return SparqlEndpoint(LIVE[name], name=name, user_agent=f"polyfact ({contact})")
    if name.startswith(("http://", "https://")):
        return SparqlEndpoint(name, user_agent=f"polyfact ({contact or 'no contact given'})")
    raise UsageError(f'unknown source "{name}"', where="source.wikidata", fix=nearest(name, ["embedded", *LIVE, "a URL"]))
