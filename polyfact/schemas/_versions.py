"""Version numbers, as Semantic Versioning 2.0.0 has them."""

from __future__ import annotations

import re
from typing import Literal

from polyfact.errors import UsageError

__all__ = ["Step", "is_version", "step_between", "version_key"]

_NUMBER = r"(0|[1-9]\d*)"
_PART = r"(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_PART}(?:\.{_PART})*))?", re.ASCII)

Key = tuple[int, int, int, bool, tuple[tuple[bool, int, str], ...]]
Step = Literal["none", "patch", "minor", "major"]


def is_version(text: str) -> bool:
    """Whether ``text`` is a version without build metadata."""
    return _VERSION.fullmatch(text) is not None


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


def step_between(old: str, new: str) -> Step:
    """How far ``new`` is from ``old``; "none" where it is not later.

    Before 1.0.0 the second number does what the first one does later (§4): 0.1.0 to 0.2.0 is a major step, and
    the third number is a minor one. Raises UsageError for what is no version.

    >>> step_between("1.0.0", "2.0.0"), step_between("1.0.0", "1.0.1"), step_between("0.1.0", "0.2.0")
    ('major', 'patch', 'major')
    """
    before, after = version_key(old), version_key(new)
    if after <= before:
        return "none"
    if after[0] > before[0]:
        return "major"
    if after[1] > before[1]:
        return "major" if after[0] == 0 else "minor"
    return "minor" if after[0] == 0 else "patch"
