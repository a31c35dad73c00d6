"""What changed between two releases, by item id and content hash, and how far the version has to move for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from polyfact.errors import DataError
from polyfact.release._manifest import read_manifest
from polyfact.schemas import Item, Step, iter_jsonl, step_between

__all__ = ["Difference", "ReleaseDiff", "compare", "diff", "items_of"]

_ORDER: tuple[Step, ...] = ("none", "patch", "minor", "major")


@dataclass(frozen=True)
class Difference:
    """Item ids by what became of them; sorted.

    changed: other text, gold or options under the same id. reranked: the same content, but the candidates that it is
    ranked among are others, which changes its score.
    """

    added: Sequence[str] = ()
    removed: Sequence[str] = ()
    changed: Sequence[str] = ()
    reranked: Sequence[str] = ()

    @property
    def step(self) -> Step:
        """The least step of the version that is allowed.

        Scores on two versions can be compared only where no item was removed, changed or ranked among other
        candidates: each of these needs a major step. New items are a minor one. The same items: a patch.
        """
        if self.removed or self.changed or self.reranked:
            return "major"
        return "minor" if self.added else "patch"


@dataclass(frozen=True)
class ReleaseDiff:
    """Two releases beside each other: their names and versions, and what differs."""

    name: str
    old: str
    new: str
    difference: Difference

    @property
    def problem(self) -> str | None:
        """Why the newer version's number is too low for what changed; None when it is high enough."""
        needed, made = self.difference.step, step_between(self.old, self.new)
        if _ORDER.index(made) >= _ORDER.index(needed):
            return None
        if made == "none":
            return f"{self.new} is not later than {self.old}"
        counts = {what: len(getattr(self.difference, what)) for what in ("added", "removed", "changed", "reranked")}
        why = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
        return f"{self.old} to {self.new} is a {made} step, but {why} items need a {needed} one"


def compare(
    old: Mapping[str, str],
    new: Mapping[str, str],
    *,
    old_candidates: Mapping[str, str] | None = None,
    new_candidates: Mapping[str, str] | None = None,
) -> Difference:
    """The difference of two releases.

    old, new: content hash by item id. old_candidates, new_candidates: by item id the id of its candidate set, which
    is a hash of its content; nothing is "reranked" without them.

    >>> found = compare({"q1": "x", "q2": "y"}, {"q1": "z", "q3": "w"})
    >>> found.added, found.removed, found.changed, found.step
    (['q3'], ['q2'], ['q1'], 'major')
    """
    before, after = old_candidates or {}, new_candidates or {}
    same = [identity for identity in sorted(old.keys() & new.keys()) if old[identity] == new[identity]]
    return Difference(
        added=sorted(new.keys() - old.keys()),
        removed=sorted(old.keys() - new.keys()),
        changed=sorted(old.keys() & new.keys() - set(same)),
        reranked=[identity for identity in same if before.get(identity) != after.get(identity)],
    )


def diff(old: Path, new: Path) -> ReleaseDiff:
    """Compare two releases by their folders.

    Reads items from data/, so that a release is compared by what it holds, not by what its changelog says. Raises
    DataError for a folder that is no release, for two releases of different names, and for a broken file.
    """
    manifests = [read_manifest(folder) for folder in (old, new)]
    names = [str(found.get("name", "")) for found in manifests]
    if names[0] != names[1]:
        raise DataError(
            f'"{names[0]}" and "{names[1]}" are two datasets', where=f"{old} and {new}", fix="compare versions of one"
        )
    before, after = items_of(old), items_of(new)
    difference = compare(
        {identity: content for identity, (content, _) in before.items()},
        {identity: content for identity, (content, _) in after.items()},
        old_candidates={identity: candidates for identity, (_, candidates) in before.items()},
        new_candidates={identity: candidates for identity, (_, candidates) in after.items()},
    )
    versions = [str(found.get("version", "")) for found in manifests]
    return ReleaseDiff(names[0], versions[0], versions[1], difference)


def items_of(folder: Path) -> dict[str, tuple[str, str]]:
    """Content hash and candidate set of each item, by id."""
    rows = (item for path in sorted(folder.glob("data/*/*.jsonl")) for item in iter_jsonl(path, Item))
    return {item.id: (item.content_hash, item.candidates) for item in rows}
