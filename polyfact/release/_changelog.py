"""CHANGELOG.md: what a version added, changed and removed, by item id."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from polyfact.release._diff import compare
from polyfact.release._manifest import MANIFEST, read_manifest
from polyfact.schemas import Item, is_version, iter_jsonl, version_key

__all__ = ["changelog", "previous"]

SHOWN = 20


def previous(releases: Path, name: str, version: str) -> Path | None:
    """The newest release of ``name`` in the folder ``releases`` that is older than ``version``."""
    older = []
    for path in releases.iterdir() if releases.is_dir() else []:
        if not is_version(path.name) or not (path / MANIFEST).is_file():
            continue
        if version_key(path.name) < version_key(version) and read_manifest(path).get("name") == name:
            older.append(path)
    return max(older, key=lambda path: version_key(path.name), default=None)


def changelog(name: str, version: str, hashes: Mapping[str, str], before: Path | None) -> str:
    """The changelog of a version.

    hashes: content hash by item id. before: the release that came before, if any.
    """
    head = f"# Changelog of {name}\n\n"
    if before is None:
        return f"{head}## {version}\n\nFirst version: added {len(hashes):,} items.\n"
    old = {
        item.id: item.content_hash for path in sorted(before.glob("data/*/*.jsonl")) for item in iter_jsonl(path, Item)
    }
    found = compare(old, hashes)
    groups = {"Added": found.added, "Changed": found.changed, "Removed": found.removed}
    counts = ", ".join(f"{what.lower()} {len(ids):,}" for what, ids in groups.items())
    entry = f"## {version}\n\nAgainst {before.name}: {counts} items.\n"
    for what, ids in groups.items():
        if ids:
            more = f"- … and {len(ids) - SHOWN:,} more\n" if len(ids) > SHOWN else ""
            entry += f"\n{what}:\n\n" + "".join(f"- `{identity}`\n" for identity in ids[:SHOWN]) + more
    if groups["Changed"] or groups["Removed"]:
        entry += f"\nScores are not comparable with those on {before.name} where items changed or were removed.\n"
    history = (before / "CHANGELOG.md").read_text(encoding="utf-8").removeprefix(head)
    return f"{head}{entry}\n{history}"
