"""Version numbers, as Semantic Versioning has them."""

from __future__ import annotations

import re

from polyfact.errors import UsageError

__all__ = ["is_version", "version_key"]

_NUMBER = r"(0|[1-9]\d*)"
_PART = r"(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_PART}(?:\.{_PART})*))?", re.ASCII)

Key = tuple[int, int, int, bool, tuple[tuple[bool, int, str], ...]]


def version_key(version: str) -> Key:
    """The order of versions as Semantic Versioning 2.0.0 (§11) has it; build metadata is not accepted.

    Raises UsageError for what is no version.

    >>> version_key("1.0.0-rc.2") < version_key("1.0.0-rc.10") < version_key("1.0.0") < version_key("1.10.0")
    True
    """
    found = _VERSION.fullmatch(version)
    if not found or len(version) > 60:
        raise UsageError(f'"{version}" is not a version', fix='use three numbers, as in "1.0.0" or "1.0.0-rc.1"')
    parts = found[4].split(".") if found[4] else []
    ranked = tuple((not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts)
    return int(found[1]), int(found[2]), int(found[3]), not parts, ranked


def is_version(text: str) -> bool:
    """Whether ``text`` is a version that `version_key` can order."""
    return _VERSION.fullmatch(text) is not None
