"""Finding a named TOML file in the package and in a workspace: one id defined twice is an error, no precedence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from polyfact.errors import UsageError, nearest

__all__ = ["find", "listed"]


def listed(folders: Sequence[Path]) -> dict[str, Path]:
    """Every TOML file of the folders by its name. Raises UsageError for a name that stands in two of them."""
    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            if path.stem in found:
                raise UsageError(f"{path.stem} is defined twice", where=f"{found[path.stem]} and {path}", fix="keep one")
            found[path.stem] = path
    return found


def find(what: str, name: str, folders: Sequence[Path]) -> Path:
    """The file of that name. Raises UsageError with the nearest known name."""
    known = listed(folders)
    if name not in known:
        raise UsageError(f'unknown {what} "{name}"', fix=nearest(name, known))
    return known[name]
