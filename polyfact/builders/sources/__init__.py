"""Where facts come from: the embedded knowledge base, Wikidata, or any SPARQL endpoint."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from polyfact.builders.sources._embedded import Embedded
from polyfact.builders.sources._labels import labels_of
from polyfact.builders.sources._protocol import Row, Source, Term
from polyfact.builders.sources._redirects import follow, redirects_of
from polyfact.builders.sources._sparql import ATTEMPTS, SparqlEndpoint
from polyfact.errors import UsageError, nearest

__all__ = [
    "LIVE",
    "Embedded",
    "Row",
    "Source",
    "SparqlEndpoint",
    "Term",
    "follow",
    "labels_of",
    "open_source",
    "redirects_of",
]

LIVE = {
    "wikidata": "https://query.wikidata.org/sparql",
    "qlever": "https://qlever.dev/api/wikidata",
}


def open_source(name: str, *, contact: str = "", wait: Callable[[float], None] = time.sleep) -> Source:
    """The source that a recipe names: embedded, wikidata, qlever, or an endpoint's URL.

    contact: an e-mail address or URL of whoever asks; every service but one on this machine wants it. wait: how to let
    seconds pass before a busy service is asked again.
    Raises UsageError for an unknown name and for a service elsewhere without contact.
    """
    if name == "embedded":
        return Embedded()
    if name in LIVE:
        agent = _user_agent(name, contact)
        return SparqlEndpoint(LIVE[name], name=name, user_agent=agent, attempts=ATTEMPTS, wait=wait)
    if name.startswith(("http://", "https://")):
        local = _is_loopback(name)
        agent = "polyfact" if local and not contact else _user_agent(name, contact)
        return SparqlEndpoint(name, user_agent=agent, attempts=ATTEMPTS, wait=wait)
    raise UsageError(f'unknown source "{name}"', where="source.wikidata", fix=nearest(name, ["embedded", *LIVE, "a URL"]))


def _user_agent(name: str, contact: str) -> str:
    if not contact.strip():
        raise UsageError(f"{name} wants to know who asks", where="contact", fix="write your e-mail or a URL there")
    if not contact.isprintable():
        raise UsageError("a contact is one line of text", where="contact", fix="write your e-mail or a URL there")
    return f"polyfact ({contact.strip()})"


def _is_loopback(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError as error:
        raise UsageError(f'"{url}" is not an address', where="source.wikidata", fix=str(error)) from error
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
