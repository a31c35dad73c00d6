"""What a release is made of: the workspace's items, grouped and checked, and what can be counted in them."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from polyfact.errors import DataError, UsageError
from polyfact.release._arrow import write_parquet
from polyfact.schemas import (
    Association,
    CandidateSet,
    Item,
    Record,
    Rejected,
    UsedWording,
    digest,
    iter_jsonl,
    nfc,
    read_jsonl,
    write_jsonl,
)
from polyfact.workspace import sha256_file

__all__ = ["Contents", "Group", "write_data"]

_TOPIC = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_SPILL = 5_000


@dataclass(frozen=True)
class Group:
    """The items of one topic in one language: one pair of files."""

    topic: str
    language: str
    items: int

    @property
    def path(self) -> str:
        """The group's file in the release, without its ending."""
        return f"data/{self.topic}/{self.language}"


@dataclass
class Contents:
    """Counts over everything that a release holds.

    hashes, ranked_in: content hash and candidate set by item id. sizes: bytes of the rows of each Parquet file, as JSONL,
    which no version of pyarrow changes.
    """

    groups: list[Group] = field(default_factory=list)
    candidate_sets: int = 0
    associations: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    forms: Counter[str] = field(default_factory=Counter)
    targets: Counter[str] = field(default_factory=Counter)
    wordings: Counter[str] = field(default_factory=Counter)
    label_sources: Counter[str] = field(default_factory=Counter)
    sources: Counter[tuple[str, str]] = field(default_factory=Counter)
    reviews: Counter[str] = field(default_factory=Counter)
    forms_to_review: Counter[str] = field(default_factory=Counter)
    forms_in_doubt: Counter[str] = field(default_factory=Counter)
    paraphrases: Counter[int] = field(default_factory=Counter)
    templates: int = 0
    valid_at: set[str] = field(default_factory=set)
    hashes: dict[str, str] = field(default_factory=dict)
    ranked_in: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)

    @property
    def items(self) -> int:
        """How many items there are."""
        return sum(group.items for group in self.groups)

    @property
    def languages(self) -> list[str]:
        """Language codes, sorted."""
        return sorted({group.language for group in self.groups})

    @property
    def topics(self) -> list[str]:
        """Topic names, sorted."""
        return sorted({group.topic for group in self.groups})

    @property
    def content_hash(self) -> str:
        """One hash over the content hash of every item."""
        return digest(sorted(self.hashes.items()), length=64)

    def add(self, item: Item) -> None:
        """Count an item."""
        self.forms[item.form] += 1
        self.targets[item.target] += 1
        self.wordings[item.provenance.wording] += 1
        self.label_sources[item.provenance.label_source] += 1
        self.sources[item.provenance.source, item.provenance.source_revision] += 1
        self.reviews[item.review.status] += 1
        self.forms_to_review[item.language] += item.provenance.forms_to_review
        self.forms_in_doubt[item.language] += item.provenance.forms_in_doubt
        self.paraphrases[item.paraphrase] += 1
        self.valid_at.add(item.valid_at)
        self.hashes[item.id] = item.content_hash
        self.ranked_in[item.id] = item.candidates


def write_data(
    workspace: Path, folder: Path, languages_used: Mapping[str, Path], topics_used: Mapping[str, Path]
) -> Contents:
    """Write items, candidate sets, associations, language and topic files of ``workspace`` into ``folder``.

    Items go by topic and language, sorted by id. Memory is bounded by the largest topic and language. Raises
    DataError for what must not be published: no items, an id twice, an item changed after its hash was made,
    a candidate set or a language or topic file that is missing, a language file or a topic's sentences that were
    changed after the items were built. (A topic's query leaves no trace in the items: a change of it is not seen.)
    """
    contents = Contents()
    sets = _candidate_sets(workspace / "candidates.jsonl", folder, contents)
    hashes = _copy_settings(folder, languages_used, topics_used)
    spilled = folder / ".unsorted"
    source = workspace / "items.jsonl"
    if not source.is_file():
        raise DataError("not there yet", where=str(source), fix="run: polyfact build")
    for topic, language in _spill(source, spilled):
        for kind, name, used in (("language", language, languages_used), ("topic", topic, topics_used)):
            if name not in used:
                raise UsageError(
                    f"items are of {kind} {name}, but its file is not among those to ship", where=str(source)
                )
        part = spilled / topic / language
        items = sorted(map(_sealed, iter_jsonl(part, Item)), key=lambda item: item.id)
        for item in items:
            _check(item, sets, hashes, contents, source)
            contents.add(item)
        group = Group(topic, language, len(items))
        _write(folder, group.path, items, Item, contents)
        contents.groups.append(group)
        part.unlink()
        if not any(part.parent.iterdir()):
            part.parent.rmdir()
    if not contents.groups:
        raise DataError("no items", where=str(source), fix="run: polyfact build, and read rejected.jsonl for the reasons")
    spilled.rmdir()
    _associations(workspace / "associations.jsonl", folder, contents)
    _wordings(workspace / "wordings.jsonl", folder, contents)
    rejected = workspace / "rejected.jsonl"
    if rejected.is_file():
        contents.rejected.update(row.reason for row in iter_jsonl(rejected, Rejected))
    return contents


def _write(folder: Path, stem: str, rows: Sequence[Record], record: type[Record], contents: Contents) -> None:
    """Write the same rows as JSONL and as Parquet, and note how large they are."""
    lines = folder / f"{stem}.jsonl"
    write_jsonl(lines, rows)
    write_parquet(folder / f"{stem}.parquet", rows, record)
    contents.sizes[f"{stem}.parquet"] = lines.stat().st_size


def _spill(source: Path, folder: Path) -> list[tuple[str, str]]:
    """Distribute items over one unsorted file for each topic and language; the sorted keys."""
    waiting: dict[tuple[str, str], list[str]] = {}
    seen: set[tuple[str, str]] = set()
    for number, item in enumerate(iter_jsonl(source, Item), start=1):
        key = (item.topic, item.language)
        if key not in seen:
            _check_key(item, source)
            seen.add(key)
        waiting.setdefault(key, []).append(item.model_dump_json() + "\n")
        if number % _SPILL == 0:
            _flush(waiting, folder)
    _flush(waiting, folder)
    return sorted(seen)


def _flush(waiting: dict[tuple[str, str], list[str]], folder: Path) -> None:
    for (topic, language), lines in waiting.items():
        path = folder / topic / language
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", newline="\n") as out:
            out.writelines(lines)
    waiting.clear()


def _check_key(item: Item, source: Path) -> None:
    if not _TOPIC.fullmatch(item.topic):
        raise DataError(
            f'"{item.topic}" cannot be a topic\'s name: use a-z, 0-9 and hyphens',
            where=f"{source}, {item.id}",
        )
    if not _LANGUAGE.fullmatch(item.language):
        raise DataError(f'"{item.language}" is not a language code (BCP 47)', where=f"{source}, {item.id}")


def _sealed(item: Item) -> Item:
    return item if item.content_hash else item.sealed()


def _check(item: Item, sets: set[str], hashes: Mapping[str, str], contents: Contents, source: Path) -> None:
    where = f"{source}, {item.id}"
    if item.id in contents.hashes:
        raise DataError("this id stands twice", where=where)
    if item.id != f"{item.question_id}/{item.language}" or not item.id.startswith(f"{item.topic}/"):
        raise DataError("the id does not fit the item's topic, question_id and language", where=where)
    if item.content_hash != digest(item.content()):
        raise DataError("changed after its content_hash was made", where=where, fix="run: polyfact build")
    if item.candidates and item.candidates not in sets:
        raise DataError(f"its candidate set {item.candidates} is not there", where=where, fix="run: polyfact build")
    made_with = item.provenance.language_hash
    if made_with and not hashes[f"language {item.language}"].startswith(made_with):
        raise DataError(
            f"languages/{item.language}.toml changed since it was built",
            where=where,
            fix="run: polyfact build",
        )


def _candidate_sets(source: Path, folder: Path, contents: Contents) -> set[str]:
    sets = sorted(read_jsonl(source, CandidateSet), key=lambda row: row.id) if source.is_file() else []
    names = {row.id for row in sets}
    if len(names) < len(sets):
        raise DataError("a candidate set stands twice", where=str(source), fix="run: polyfact build")
    if sets:
        _write(folder, "candidates", sets, CandidateSet, contents)
    contents.candidate_sets = len(sets)
    return names


def _associations(source: Path, folder: Path, contents: Contents) -> None:
    """Write the lists of the topics and languages that are released; others wait in the workspace."""
    found = read_jsonl(source, Association) if source.is_file() else []
    shipped = [row for row in found if row.topic in contents.topics and row.language in contents.languages]
    rows = sorted(shipped, key=lambda row: (row.topic, row.language))
    if rows:
        _write(folder, "associations", rows, Association, contents)
    contents.associations = len(rows)


def _wordings(source: Path, folder: Path, contents: Contents) -> None:
    rows = read_jsonl(source, UsedWording) if source.is_file() else []
    shipped = {key: set(_sentences(folder, *key)) for key in {(row.topic, row.language) for row in rows}}
    for row in rows:
        if not {row.template, row.answer or row.template} <= shipped[row.topic, row.language]:
            file = f"topics/{_file_name(row.topic)}"
            raise DataError(
                f'{file} changed since it was built: "{row.template}" is not in it',
                where=str(source),
                fix="run: polyfact build",
            )
    if rows:
        _write(folder, "wordings", rows, UsedWording, contents)
    contents.templates = len(rows)


def _sentences(folder: Path, topic: str, language: str) -> Iterator[str]:
    """Every text in the wording of a topic in a language, from the topic's and the language's file in the release."""
    for name, key in ((f"topics/{_file_name(topic)}", language), (f"languages/{language}.toml", topic)):
        path = folder / name
        table = tomllib.loads(path.read_text(encoding="utf-8-sig")) if path.is_file() else {}
        yield from _strings(table.get("wording", {}).get(key))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield nfc(value)
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def _file_name(topic: str) -> str:
    return f"{topic.replace('-', '_')}.toml"


def _copy_settings(folder: Path, languages_used: Mapping[str, Path], topics_used: Mapping[str, Path]) -> dict[str, str]:
    """Copy the language and topic files that the items were made with; their SHA-256 by kind and name."""
    hashes: dict[str, str] = {}
    for kind, used, pattern in (("language", languages_used, _LANGUAGE), ("topic", topics_used, _TOPIC)):
        for name, path in sorted(used.items()):
            if not pattern.fullmatch(name):
                raise UsageError(f'"{name}" cannot be the name of a {kind}', where=str(path))
            target = folder / f"{kind}s" / (f"{name}.toml" if kind == "language" else _file_name(name))
            target.parent.mkdir(exist_ok=True)
            try:
                target.write_bytes(Path(path).read_bytes())
            except OSError as error:
                raise DataError(f"cannot copy: {error.strerror}", where=str(path)) from error
            hashes[f"{kind} {name}"] = sha256_file(target)
    return hashes
