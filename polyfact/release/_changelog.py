"""CHANGELOG.md: what a version added, changed and removed, by item id."""

from __future__ import annotations

from pathlib import Path

from polyfact.release._contents import Contents
from polyfact.release._diff import compare, items_of
from polyfact.release._manifest import MANIFEST, read_manifest
from polyfact.schemas import is_version, version_key

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


def changelog(name: str, version: str, contents: Contents, before: Path | None) -> str:
    """The changelog of a version.

    contents: what the version holds. before: the release that came before, if any.
    """
    head = f"# Changelog of {name}\n\n"
    if before is None:
        return f"{head}## {version}\n\nFirst version: added {contents.items:,} items.\n"
    old = items_of(before)
    found = compare(
        {identity: content for identity, (content, _) in old.items()},
        contents.hashes,
        old_candidates={identity: candidates for identity, (_, candidates) in old.items()},
        new_candidates=contents.ranked_in,
    )
    groups = {
        "Added": found.added,
        "Changed": found.changed,
        "Removed": found.removed,
        "Ranked among other candidates": found.reranked,
    }
    counts = ", ".join(
        f"{what.lower()} {len(ids):,}" for what, ids in groups.items() if ids or what in ("Added", "Changed", "Removed")
    )
    entry = f"## {version}\n\nAgainst {before.name}: {counts} items.\n"
    for what, ids in groups.items():
        if ids:
            more = f"- … and {len(ids) - SHOWN:,} more\n" if len(ids) > SHOWN else ""
            entry += f"\n{what}:\n\n" + "".join(f"- `{identity}`\n" for identity in ids[:SHOWN]) + more
    if found.step == "major":
        what = "items changed, were removed or are ranked among other candidates"
        entry += f"\nScores are not comparable with those on {before.name} where {what}.\n"
    history = (before / "CHANGELOG.md").read_text(encoding="utf-8").removeprefix(head)
    return f"{head}{entry}\n{history}"
