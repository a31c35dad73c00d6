"""Text that every record shares: NFC, and file names that cannot leave their folder."""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata

__all__ = ["nfc", "slug", "texts"]

_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def nfc(text: str) -> str:
    """``text`` in Unicode normalisation form C. Never NFKC: 10² must not become 102."""
    return unicodedata.normalize("NFC", text)


def slug(name: str) -> str:
    """One path component for any name: distinct names give distinct components, none leaves its folder.

    >>> slug("smollm2")
    'smollm2'
    >>> slug("meta-llama/Llama-3.1-8B")
    'meta-llama--Llama-3.1-8B-ac8584a0'
    """
    if _SAFE.fullmatch(name) and not _RESERVED.fullmatch(name) and not re.search(r"-[0-9a-f]{8}$|\.$", name):
        return name
    readable = re.sub(r"[^A-Za-z0-9._-]+", "--", name).strip("-.")[:60] or "name"
    return f"{readable}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def texts(value: object) -> list[str]:
    """A cell that other benchmarks fill with a string, a number, a truth value, a list or nothing, as a list of texts.

    A column has one type in every row: a loader that sees two of them fails, or rewrites the strings of the other rows.
    A string stays as it is, character by character. Raises ValueError for a table, a list in a list, and NaN.

    >>> texts("007"), texts(["a", "b"]), texts(12), texts(True), texts(None)
    (['007'], ['a', 'b'], ['12'], ['True'], [])
    """
    if value is None:
        return []
    if isinstance(value, (list, tuple)):
        return [_one(item) for item in value]
    return [_one(value)]


def _one(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    raise ValueError(f"{value!r} is no text, number or truth value")
