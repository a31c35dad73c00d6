"""Text that every record shares: NFC, and file names that cannot leave their folder."""

from __future__ import annotations

import hashlib
import re
import unicodedata

__all__ = ["nfc", "slug"]

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
