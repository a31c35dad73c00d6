"""One entity in several languages: its ids, made from the English rows of the same topic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from polyfact.builders._imports._fiber_files import FiberFile, FiberRow
from polyfact.builders._imports._links import LITERAL, TOPICS, Linker, TopicKind
from polyfact.builders._imports._report import Defects
from polyfact.languages import Language
from polyfact.schemas import slug

__all__ = ["Keyed", "TopicIds", "align", "answers_of", "keyed_rows"]


class Keyed(NamedTuple):
    """A row and the keys of its subject and answers: English names, or CODE:name where no English row fits.

    number: its place in the file, from 1. occurrence: the how-manieth row of the file with this subject.
    """

    number: int
    row: FiberRow
    subject: str
    occurrence: int
    answers: list[str]


class TopicIds:
    """Ids of the entities of one topic, the same in all languages."""

    def __init__(self, topic: str, subjects: Mapping[str, str], answers: Mapping[str, str], kind: TopicKind) -> None:
        self._topic, self._subjects, self._answers, self._kind = topic, subjects, answers, kind
        self._others = frozenset(subjects.values()) - {""}

    def subject(self, key: str, occurrence: int = 1) -> str:
        """The id of a subject. A second row of the same subject is a question of its own and has an id of its own."""
        if occurrence > 1:
            return f"{self._local(key)}-{occurrence}"
        return self._subjects.get(key) or self._local(key)

    def answer(self, key: str) -> str:
        """The id of an answer; a literal is its own id."""
        return key if self._kind.answer == LITERAL else self._answers.get(key) or self._local(key)

    def contradicts(self, key: str, found: str | None) -> bool:
        """Whether the knowledge base's entity ``found``, named in another language, is not the subject ``key``."""
        known = self._subjects.get(key)
        return found is not None and found != known and bool(known or found in self._others)

    def linked(self) -> tuple[int, int]:
        """How many distinct answers have an id of the knowledge base, and how many there are."""
        return sum(1 for identity in self._answers.values() if identity), len(self._answers)

    def _local(self, key: str) -> str:
        return f"local:{self._topic}:{slug(key)}"


def answers_of(row: FiberRow, target: str) -> list[str]:
    """The answers as they stand: the list, or the one answer where there is no list or the question is how many."""
    return row.entities if target == "entities" and row.entities is not None else [row.answer]


def align(
    topic: str, files: Sequence[FiberFile], linker: Linker, languages: Mapping[str, Language], defects: Defects
) -> tuple[TopicIds, dict[str, list[Keyed]]]:
    """Ids of a topic's entities, and every readable row of its files by path."""
    english = [file for file in files if file.language == "en"]
    reference = next(iter(sorted(english, key=lambda file: (file.target != "entities", file.form, file.path))), None)
    keyed = {file.path: list(keyed_rows(file, reference, defects)) for file in files}
    kind = TOPICS.get(topic, TopicKind())
    subjects: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    answers: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for file in files:
        for each in keyed[file.path]:
            subjects[each.subject][file.language].add(each.row.subject.strip())
            if file.target == "entities":
                for key, answer in zip(each.answers, answers_of(each.row, file.target), strict=True):
                    answers[key][file.language].add(answer.strip())
    ids = TopicIds(
        topic,
        {key: linker.agreed(kind.subject, names, languages) or "" for key, names in sorted(subjects.items())},
        {key: linker.agreed(kind.answer, names, languages) or "" for key, names in sorted(answers.items())},
        kind,
    )
    for file in files:
        _contradictions(file, keyed[file.path], ids, subjects, (linker, kind.subject, languages), defects)
    return ids, keyed


def _contradictions(
    file: FiberFile,
    rows: Sequence[Keyed],
    ids: TopicIds,
    english: Collection[str],
    names: tuple[Linker, str | None, Mapping[str, Language]],
    defects: Defects,
) -> None:
    """Rows that ask about another subject than the English row that they belong to, as far as it can be told.

    It can where the knowledge base knows the name, and where the name is that of another English row (``english``).
    """
    if file.language == "en":
        return
    linker, kind, languages = names
    for each in rows:
        own = each.row.subject.strip()
        found = linker.find(kind, own, languages[file.language])
        if ids.contradicts(each.subject, found) or (found is None and own != each.subject and own in english):
            defects.add("subject-is-not-that-of-the-english-row", f"{file.path}#{each.number}: {own}, {each.subject}")


def keyed_rows(file: FiberFile, reference: FiberFile | None, defects: Defects) -> Iterator[Keyed]:
    """The readable rows of a file. reference: the English file whose rows say what the others are about.

    A row belongs to the English one with the subject that it names itself, else to that in the same place, if both files
    have as many rows. Answers are the same entities as the English ones in the same places of lists of the same length.
    """
    seen: dict[str, int] = defaultdict(int)
    for place, row in enumerate(file.rows):
        if not isinstance(row, FiberRow):
            continue
        twin = _twin(file, place, row, reference)
        subject = _subject_key(file, row, twin)
        if subject.startswith(f"{file.language}:") or (file.language != "en" and twin is None):
            defects.add("row-without-english-row", f"{file.path}#{place + 1}: {row.subject}")
        seen[subject] += 1
        answers = _answer_keys(file, row, twin)
        if file.language != "en" and twin is not None and any(key.startswith(f"{file.language}:") for key in answers):
            defects.add("list-of-another-length-than-english", f"{file.path}#{place + 1}: {row.subject}")
        yield Keyed(place + 1, row, subject, seen[subject], answers)


def _twin(file: FiberFile, place: int, row: FiberRow, reference: FiberFile | None) -> FiberRow | None:
    if reference is None:
        return None
    here = reference.rows[place] if len(reference.rows) == len(file.rows) else None
    name = row.subject if file.language == "en" else row.english_key
    if name is None:
        return here if isinstance(here, FiberRow) else None
    if isinstance(here, FiberRow) and here.subject.strip() == name.strip():
        return here
    named = [each for each in reference.rows if isinstance(each, FiberRow) and each.subject.strip() == name.strip()]
    return named[0] if len(named) == 1 else None


def _subject_key(file: FiberFile, row: FiberRow, twin: FiberRow | None) -> str:
    if file.language == "en":
        return row.subject.strip()
    english = row.english_key or (twin.subject if twin is not None else "")
    return english.strip() or f"{file.language}:{row.subject.strip()}"


def _answer_keys(file: FiberFile, row: FiberRow, twin: FiberRow | None) -> list[str]:
    own = answers_of(row, file.target)
    if file.target == "count" or file.language == "en":
        return [answer.strip() for answer in own]
    theirs = answers_of(twin, file.target) if twin is not None else []
    if len(theirs) == len(own):
        return [answer.strip() for answer in theirs]
    return [f"{file.language}:{answer.strip()}" for answer in own]
