"""The knowledge base that comes with polyfact: countries, capitals, languages and elements in Wikidata's shape."""

from __future__ import annotations

import functools
import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from polyfact.errors import MissingExtra

if TYPE_CHECKING:
    from pyoxigraph import Store

__all__ = ["KbInfo", "info", "load", "path", "text"]

_HERE = Path(__file__).resolve().parent


class KbInfo(NamedTuple):
    """What the knowledge base was made from.

    version: the first digits of its SHA-256. cldr: the CLDR version of its labels. counts: what it holds.
    """

    version: str
    cldr: str
    packages: dict[str, str]
    counts: dict[str, int]
    sha256: str


def path() -> Path:
    """The compressed N-Triples file."""
    return _HERE / "kb.nt.gz"


@functools.cache
def info() -> KbInfo:
    """Version, sources and counts."""
    data = json.loads((_HERE / "kb.json").read_text(encoding="utf-8"))
    return KbInfo(data["version"], data["cldr"], data["packages"], data["counts"], data["sha256"])


def text() -> bytes:
    """The N-Triples, uncompressed (about 18 MB)."""
    return gzip.decompress(path().read_bytes())


@functools.cache
def load() -> Store:
    """The knowledge base in memory, once a process. Raises MissingExtra without pyoxigraph."""
    try:
        from pyoxigraph import RdfFormat, Store
    except ImportError as error:
        raise MissingExtra("build", "pyoxigraph") from error
    store = Store()
    store.bulk_load(text(), format=RdfFormat.N_TRIPLES)
    return store
