"""A benchmark as evaluators read it: the folder of a workspace, or a release."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from polyfact.errors import DataError, UsageError, nearest
from polyfact.schemas import Association, CandidateSet, Item, digest, iter_jsonl

__all__ = ["Benchmark", "load", "select"]


@dataclass(frozen=True)
class Benchmark:
    """Items in the order of their ids, the candidate sets they name, and what belongs to which language.

    associations: the ids that belong to a language, by (topic, language).
    """

    items: tuple[Item, ...]
    candidate_sets: Mapping[str, CandidateSet]
    associations: Mapping[tuple[str, str], frozenset[str]]

    @property
    def sha256(self) -> str:
        """Hash of everything that a score depends on. A workspace and a release made of it have the same one."""
        content = hashlib.sha256()
        for item in self.items:
            row = item.model_dump(mode="json", exclude={"provenance", "review", "source_hash", "content_hash"})
            content.update(json.dumps(row, ensure_ascii=False, sort_keys=True).encode() + b"\n")
        for name in sorted({item.candidates for item in self.items}):
            content.update(digest(self.candidate_sets[name].model_dump(mode="json")).encode() + b"\n")
        return content.hexdigest()

    @property
    def associations_sha256(self) -> str:
        """Hash of what the inference bias depends on beside the scores."""
        return digest(sorted([*key, *sorted(ids)] for key, ids in self.associations.items()), length=64)


def load(path: Path) -> Benchmark:
    """The benchmark in a workspace (items.jsonl) or in a release (data/**/*.jsonl).

    Raises UsageError for a folder that is not there, DataError for a file that is missing or broken, an id that stands
    twice, and an item whose candidate set is not there.
    """
    if not path.is_dir():
        raise UsageError("no such folder", where=str(path), fix="give the folder of a benchmark or of a release")
    files = _item_files(path)
    if not files:
        raise DataError("no items here", where=str(path), fix="run: polyfact build")
    items = _unique((item for file in files for item in iter_jsonl(file, Item)), path)
    if not items:
        raise DataError("no items in it", where=str(files[0]), fix="run: polyfact build")
    sets: dict[str, CandidateSet] = {}
    for candidate_set in iter_jsonl(path / "candidates.jsonl", CandidateSet):
        if sets.setdefault(candidate_set.id, candidate_set) != candidate_set:
            raise DataError(f"two sets are called {candidate_set.id}", where=str(path / "candidates.jsonl"))
    for item in items:
        if item.candidates not in sets:
            raise DataError(
                f"{item.id} is ranked against {item.candidates}, which is not there",
                where=str(path / "candidates.jsonl"),
                fix="build the benchmark again",
            )
    associations = path / "associations.jsonl"
    rows = iter_jsonl(associations, Association) if associations.exists() else iter(())
    return Benchmark(items, sets, {(row.topic, row.language): frozenset(row.ids) for row in rows})


def select(
    benchmark: Benchmark,
    *,
    languages: Sequence[str] | None = None,
    topics: Sequence[str] | None = None,
    limit: int | None = None,
) -> Benchmark:
    """The items of some languages and topics.

    limit: at most so many of each cell (topic, language, form, target): those of the subjects that stand in the most
    languages, so that languages keep the same subjects; then by the subject's id.
    Raises UsageError for a language or topic that the benchmark does not have.
    """
    for what, wanted, known in (
        ("language", languages, {item.language for item in benchmark.items}),
        ("topic", topics, {item.topic for item in benchmark.items}),
    ):
        for name in wanted or ():
            if name not in known:
                raise UsageError(f"the benchmark has no {what} {name}", fix=nearest(name, known))
    items = [
        item
        for item in benchmark.items
        if (languages is None or item.language in languages) and (topics is None or item.topic in topics)
    ]
    return Benchmark(
        tuple(items if limit is None else _first(items, limit)), benchmark.candidate_sets, benchmark.associations
    )


def _first(items: Sequence[Item], limit: int) -> list[Item]:
    languages: dict[tuple[str, str], set[str]] = {}
    for item in items:
        languages.setdefault((item.topic, item.subject_id), set()).add(item.language)
    taken: dict[tuple[str, str, str, str], int] = {}
    kept: set[str] = set()
    for item in sorted(items, key=lambda i: (-len(languages[i.topic, i.subject_id]), i.subject_id, i.id)):
        cell = (item.topic, item.language, item.form, item.target)
        taken[cell] = taken.get(cell, 0) + 1
        if taken[cell] <= limit:
            kept.add(item.id)
    return [item for item in items if item.id in kept]


def _item_files(path: Path) -> list[Path]:
    workspace = path / "items.jsonl"
    return [workspace] if workspace.is_file() else sorted((path / "data").rglob("*.jsonl"))


def _unique(items: Iterable[Item], path: Path) -> tuple[Item, ...]:
    by_id: dict[str, Item] = {}
    for item in items:
        if item.id in by_id:
            raise DataError(f"{item.id} stands twice", where=str(path), fix="build the benchmark again")
        by_id[item.id] = item
    return tuple(by_id[key] for key in sorted(by_id))
