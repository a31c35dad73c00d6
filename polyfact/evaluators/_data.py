"""A benchmark as the evaluators see it, from a workspace or from a release."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from polyfact.errors import DataError, UsageError
from polyfact.evaluators._hub import check, fetch, is_hub
from polyfact.schemas import Association, CandidateSet, Item, UsedWording, iter_jsonl, read_json

__all__ = ["Benchmark", "load", "open_data"]


@dataclass(frozen=True)
class Benchmark:
    """Items in order of their id, the candidate sets they name, and the associated entities of each language.

    wordings: the templates of its questions by id; empty where the data has none. files: name and SHA-256 of everything
    that was read.
    """

    items: list[Item]
    sets: dict[str, CandidateSet]
    associations: dict[tuple[str, str], frozenset[str]]
    wordings: dict[str, UsedWording] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def only(self, languages: list[str] | None, topics: list[str] | None, limit: int | None) -> Benchmark:
        """The same benchmark with fewer items: some languages and topics, at most ``limit`` subjects of each cell.

        Raises UsageError for a language or topic without items.
        """
        for wanted, known in (
            (languages, {i.language for i in self.items}),
            (topics, {i.topic for i in self.items}),
        ):
            missing = set(wanted or ()) - known
            if missing:
                raise UsageError(
                    f"no items of {', '.join(sorted(missing))}", fix=f"there are: {', '.join(sorted(known))}"
                )
        kept: list[Item] = []
        taken: dict[str, set[str]] = {}
        for item in sorted(self.items, key=lambda item: (hashlib.sha256(item.subject_id.encode()).digest(), item.id)):
            if (languages and item.language not in languages) or (topics and item.topic not in topics):
                continue
            subjects = taken.setdefault(item.candidates, set())
            if limit is None or item.subject_id in subjects or len(subjects) < limit:
                subjects.add(item.subject_id)
                kept.append(item)
        kept.sort(key=lambda item: item.id)
        sets = {item.candidates: self.sets[item.candidates] for item in kept}
        return Benchmark(kept, sets, self.associations, self.wordings, self.files)


def open_data(data: Path | str) -> tuple[Benchmark, dict[str, str]]:
    """A benchmark and where it is from, for the run's record.

    data: a folder as `load` takes it, or hub:org/name@revision. Raises what `load` and `fetch` raise, and
    DataError for files from the hub that are not those of a release's manifest.
    """
    if not is_hub(data):
        return load(Path(data)), {"path": Path(data).name}
    snapshot = fetch(str(data))
    benchmark = load(snapshot.folder)
    check(snapshot, benchmark.files)
    return benchmark, {"path": snapshot.name, "revision": snapshot.commit}


def load(path: Path) -> Benchmark:
    """The benchmark in a workspace or in a release's folder.

    Raises UsageError where there is none, DataError for a broken file and for an item without its candidate
    set.
    """
    of_workspace = path / "items.jsonl"  # a release has none; a workspace may have a folder data of its owner's
    found = {
        "items": [of_workspace] if of_workspace.is_file() else sorted((path / "data").rglob("*.jsonl")),
        "candidates": [path / "candidates.jsonl"],
        "associations": [] if _without_associations(path) else [path / "associations.jsonl"],
        "wordings": [path / "wordings.jsonl"] if (path / "wordings.jsonl").is_file() else [],
    }
    if not found["items"]:
        raise UsageError("no items here", where=str(path), fix="run: polyfact build")
    items = sorted((item for file in found["items"] for item in iter_jsonl(file, Item)), key=lambda item: item.id)
    sets = {row.id: row for row in iter_jsonl(path / "candidates.jsonl", CandidateSet)}
    rows = (row for file in found["associations"] for row in iter_jsonl(file, Association))
    associations = {(row.topic, row.language): frozenset(row.ids) for row in rows}
    wordings = {row.id: row for file in found["wordings"] for row in iter_jsonl(file, UsedWording)}
    for before, item in pairwise(items):
        if before.id == item.id:
            raise DataError(f"two items with the id {item.id}", where=str(path))
    for item in items:
        if item.candidates not in sets:
            raise DataError(
                f"{item.id} names a candidate set that is not there",
                where=str(path),
                fix="run: polyfact build",
            )
    return Benchmark(items, sets, associations, wordings, dict(_hashes(path, found)))


def _without_associations(path: Path) -> bool:
    """Whether this is a release that says it has none: its topics are associated with no language."""
    manifest = path / "manifest.json"
    stated = read_json(manifest) if manifest.is_file() else None
    counts = stated.get("counts") if isinstance(stated, dict) else None
    return isinstance(counts, dict) and counts.get("associations") == 0


def _hashes(root: Path, found: dict[str, list[Path]]) -> Iterator[tuple[str, str]]:
    for files in found.values():
        for file in files:
            yield file.relative_to(root).as_posix(), hashlib.sha256(file.read_bytes()).hexdigest()
