"""FIBER as items: what each row asks, what answers it, and what is odd about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from polyfact.builders._drafts import attach_candidates
from polyfact.builders._imports._align import Keyed, TopicIds, align, answers_of
from polyfact.builders._imports._fiber_files import FiberFile, Unreadable
from polyfact.builders._imports._links import LITERAL, TOPICS, Linker, TopicKind, associations
from polyfact.builders._imports._oddities import of_answers, of_file, of_subjects, of_templates, surfaces_and_entities
from polyfact.builders._imports._report import Defects, ImportedCell
from polyfact.builders._imports._templates import templates, without_subject
from polyfact.languages import Language
from polyfact.schemas import AnswerType, Association, CandidateSet, Item, Provenance, Rejected, UsedWording, digest

__all__ = ["Imported", "items_of"]

VALID_AT = "2025-10"
"""The month in which, says the paper, its sources were read."""


@dataclass
class Imported:
    """Everything that the files became."""

    items: list[Item] = field(default_factory=list)
    sets: list[CandidateSet] = field(default_factory=list)
    associations: list[Association] = field(default_factory=list)
    wordings: dict[str, UsedWording] = field(default_factory=dict)
    rejected: list[Rejected] = field(default_factory=list)
    cells: list[ImportedCell] = field(default_factory=list)
    linked: dict[str, tuple[int, int]] = field(default_factory=dict)
    verbatim: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    defects: Defects = field(default_factory=Defects)


def items_of(files: Sequence[FiberFile], languages: Mapping[str, Language], linker: Linker) -> Imported:
    """The items of all files, with their candidate sets, wordings and associated answers. languages: by code."""
    made = Imported()
    revision = digest(sorted((file.path, file.sha256) for file in files))
    by_topic: dict[str, list[FiberFile]] = defaultdict(list)
    for file in files:
        by_topic[file.topic].append(file)
    drafts: list[Item] = []
    raw: dict[tuple[str, str, str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for topic, members in sorted(by_topic.items()):
        ids, keyed = align(topic, members, linker, languages, made.defects)
        named: dict[str, dict[str, str]] = defaultdict(dict)
        for file in members:
            language = languages[file.language]
            own = _file_items(file, keyed[file.path], ids, language, revision, made)
            drafts += own
            for each in keyed[file.path]:
                for answer in answers_of(each.row, file.target):
                    raw[topic, file.language, file.form, file.target][answer.strip()].add(answer)
            if file.target == "entities":
                _name(own, named[file.language], TOPICS.get(topic, TopicKind()), linker, language)
        made.linked[topic] = ids.linked()
        used = [languages[code] for code in sorted({file.language for file in members})]
        made.associations += associations(topic, named, used, linker.source)
    made.items, made.sets = attach_candidates(drafts, {code: each.separator for code, each in languages.items()})
    surfaces_and_entities(made.sets, made.defects)
    of_templates(made.wordings.values(), drafts, made.defects)
    made.verbatim = _verbatim(made.sets, raw)
    made.rejected.sort(key=lambda row: row.id)
    return made


def _file_items(
    file: FiberFile, rows: Sequence[Keyed], ids: TopicIds, language: Language, revision: str, made: Imported
) -> list[Item]:
    """The items of one file; its unreadable rows, its wordings, its oddities and its counts go to ``made``."""
    rejected = [
        Rejected(stage="import", id=f"{file.path}#{number}", reason=row.reason, detail=row.detail)
        for number, row in enumerate(file.rows, 1)
        if isinstance(row, Unreadable)
    ]
    found = templates([(each.row.question, each.row.subject) for each in rows])
    numbers = all(answer.strip().isascii() and answer.strip().isdigit() for row in rows for answer in row.answers)
    items = []
    for each, template in zip(rows, found, strict=True):
        wording = _wording(file, template, language)
        if wording is not None:
            made.wordings[wording.id] = wording
        items.append(_item(file, each, ids, wording, numbers, revision))
    made.rejected += rejected
    of_file(file, made.defects)
    of_answers(file, rows, made.defects)
    of_subjects(file, rows, found, made.defects)
    made.cells.append(
        ImportedCell(
            file=file.path,
            sha256=file.sha256,
            topic=file.topic,
            language=file.language,
            form=file.form,
            target=file.target,
            rows=len(file.rows),
            items=len(items),
            rejected=len(rejected),
            subjects=len({each.subject for each in rows}),
            surfaces=len({surface for item in items for surface in item.expected}),
            templates=len(set(found) - {None}),
            without_template=found.count(None),
        )
    )
    return items


def _item(file: FiberFile, each: Keyed, ids: TopicIds, wording: UsedWording | None, numbers: bool, revision: str) -> Item:
    subject = ids.subject(each.subject, each.occurrence)
    question_id = f"{file.topic}/{subject}/{file.form}/{file.target}"
    expected = [answer.strip() for answer in answers_of(each.row, file.target)]
    count = file.target == "count"
    return Item(
        id=f"{question_id}/{file.language}",
        question_id=question_id,
        cluster_id=f"{ids.subject(each.subject)}/{file.topic}",
        fact_ids=[f"{file.path}#{each.number}"],
        language=file.language,
        category="ranking",
        topic=file.topic,
        domain="single-entity" if each.row.entities is None else "multi-entity",
        form=file.form,
        target=file.target,
        subject_id=subject,
        subject=each.row.subject,
        question=each.row.question,
        expected=expected,
        expected_ids=each.answers if count else [ids.answer(key) for key in each.answers],
        aliases=[[] for _ in expected],
        answer_type="number" if count or numbers else _answer_type(file.topic),
        candidates="",
        valid_at=VALID_AT,
        provenance=Provenance(
            source="fiber",
            source_revision=revision,
            wording="as-published",
            wording_hash=wording.id if wording is not None else "",
            language_hash="",
            label_source="native" if file.language == "en" else "mt",
        ),
    )


def _answer_type(topic: str) -> AnswerType:
    return "string" if TOPICS.get(topic, TopicKind()).answer == LITERAL else "entity"


def _wording(file: FiberFile, template: str | None, language: Language) -> UsedWording | None:
    empty = without_subject(template, language) if template is not None else ""
    if template is None or not empty:
        return None
    return UsedWording(
        id=digest("fiber", file.topic, file.language, file.form, file.target, template),
        topic=file.topic,
        language=file.language,
        form=file.form,
        paraphrase=1,
        target=file.target,
        template=template,
        answer=None,
        empty=empty,
    )


def _name(items: Iterable[Item], names: dict[str, str], kind: TopicKind, linker: Linker, language: Language) -> None:
    """Add to ``names`` the answers that the knowledge base knows under the name they have here, by id."""
    for item in items:
        for surface, identity in zip(item.expected, item.expected_ids, strict=True):
            if kind.answer == LITERAL or linker.find(kind.answer, surface, language) == identity:
                shorter = min(names.get(identity, surface), surface, key=len)  # the one without a suffix
                names[identity] = shorter


def _verbatim(
    sets: Iterable[CandidateSet], raw: Mapping[tuple[str, str, str, str], Mapping[str, set[str]]]
) -> dict[str, dict[str, list[str]]]:
    """Answers that did not stand after exactly one blank, by candidate set, and all that stood in the file instead."""
    found: dict[str, dict[str, list[str]]] = {}
    for each in sets:
        texts = raw[each.topic, each.language, each.form, each.target]
        odd = {surface: sorted(forms) for surface, forms in texts.items() if forms != {" " + surface}}
        if odd:
            found[each.id] = dict(sorted(odd.items()))
    return found
