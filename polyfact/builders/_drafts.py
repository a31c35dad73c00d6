"""From facts to draft items: one sentence for every cluster × language × form × target, or the reason why not."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from polyfact.languages import Language, Noun, Rendered
from polyfact.schemas import CandidateSet, Fact, Item, Label, Provenance, Rejected, Target, UsedWording, digest
from polyfact.topics import Topic, Wording
from polyfact.workspace import TopicUse

__all__ = ["Cell", "attach_candidates", "cells", "draft", "used_wordings"]

Labels = Mapping[str, Mapping[str, Label]]
_COUNT = "_count"
_ONE_SCRIPT = frozenset({"proper", "common", "language"})


@dataclass(frozen=True)
class Cell:
    """What one sentence of a topic is made with: a language's wording for a form and a target."""

    language: Language
    form: str
    paraphrase: int
    target: Target
    wording: Wording | None


def cells(topic: Topic, use: TopicUse, languages: Sequence[Language]) -> list[Cell]:
    """Every language × form × target × paraphrase that the recipe plans for a topic.

    A form brings a language's variants of it (completion also completion_suffixed). Counts only where answers are many.
    """
    targets = [target for target in use.targets if target == "entities" or topic.answers == "many"]
    planned = []
    for language in languages:
        wordings = topic.wording.get(language.code)
        keys: Mapping[str, Sequence[Wording]] = wordings.forms if wordings is not None else {}
        for form in use.forms:
            variants = [key for key in keys if key.startswith(f"{form}_") and not key.endswith(_COUNT)]
            for variant in [form, *sorted(variants)]:
                for target in targets:
                    key = variant if target == "entities" else variant + _COUNT
                    if key not in keys and variant == form:
                        planned.append(Cell(language, variant, 1, target, None))
                    for number, wording in enumerate(keys.get(key, ())[: use.paraphrases], 1):
                        planned.append(Cell(language, variant, number, target, wording))
    return planned


def draft(
    topic: Topic,
    use: TopicUse,
    facts: Iterable[Fact],
    labels: Labels,
    languages: Sequence[Language],
    as_of: datetime.date,
) -> Iterator[Item | Rejected]:
    """The draft items of one topic; every planned item is either here or among the rejected.

    facts come subject by subject. Reasons: several-answers, no-wording, no-label, wrong-script, no-form.
    """
    planned = cells(topic, use, languages)
    for subject, group in groupby(facts, key=lambda fact: fact.subject):
        cluster = sorted(group, key=lambda fact: fact.object.id)
        for cell in planned:
            yield _item(topic, use, subject, cluster, cell, labels, as_of)


def _item(
    topic: Topic, use: TopicUse, subject: str, facts: Sequence[Fact], cell: Cell, labels: Labels, as_of: datetime.date
) -> Item | Rejected:
    form = cell.form if cell.paraphrase == 1 else f"{cell.form}-{cell.paraphrase}"
    question_id = f"{topic.name}/{subject}/{form}/{cell.target}"
    identity = f"{question_id}/{cell.language.code}"

    def drop(reason: str, detail: str = "") -> Rejected:
        return Rejected(stage="drafts", id=identity, reason=reason, detail=detail)

    if topic.answers == "one" and len(facts) > 1:
        return drop("several-answers", ", ".join(fact.object.id for fact in facts))
    if cell.wording is None:
        return drop("no-wording")
    # How many answers there are can be asked without their names.
    named = _names(topic, subject, facts if cell.target == "entities" else (), cell.language, labels)
    if isinstance(named, tuple):
        return drop(*named)
    template = _template(cell.wording, use.wording, len(facts))
    sentence = cell.language.render(template, {"subject": named[subject]})
    if sentence is None and cell.wording.fallback is not None:
        template = cell.wording.fallback
        sentence = cell.language.render(template, {"subject": named[subject]})
    if sentence is None:
        return drop("no-form", template)
    answers = _answers(cell, facts, named)
    if isinstance(answers, str):
        return drop("no-form", answers)
    filled: list[Rendered] = [sentence, *answers.values()]
    review = topic.wording[cell.language.code].review or any(each.review for each in filled)
    own = [labels[i][cell.language.code] for i in named if i in labels and cell.language.code in labels[i]]
    sources = {label.source for label in own}
    return Item(
        id=identity,
        question_id=question_id,
        cluster_id=f"{subject}/{topic.relation}",
        fact_ids=[fact.fact_id for fact in facts],
        language=cell.language.code,
        category="ranking",
        topic=topic.name,
        domain=topic.domain,
        form=cell.form,
        paraphrase=cell.paraphrase,
        target=cell.target,
        subject_id=subject,
        subject=named[subject].label,
        question=sentence.text,
        expected=[answer.text for answer in answers.values()],
        expected_ids=list(answers),
        aliases=[[] for _ in answers],
        answer_type="number" if cell.target == "count" else ("entity" if topic.object.type == "entity" else "string"),
        candidates="",
        valid_at=as_of.isoformat(),
        provenance=Provenance(
            source=facts[0].source.kind,
            source_revision=facts[0].source.revision or "",
            wording=use.wording,
            wording_hash=_wording_id(topic, cell, template),
            language_hash=cell.language.sha256,
            label_source="native" if sources <= {"native"} else sorted(sources - {"native"})[0],
            forms_to_review=review,
            forms_in_doubt=any(each.doubtful for each in filled) or any(label.doubtful for label in own),
        ),
    )


def _names(
    topic: Topic, subject: str, facts: Sequence[Fact], language: Language, labels: Labels
) -> dict[str, Noun] | tuple[str, str]:
    """The noun of the subject and of every answer, or the reason and the entity that has none."""
    wanted = {subject: topic.subject.kind}
    named: dict[str, Noun] = {}
    for fact in facts:
        if fact.object.kind == "entity":
            wanted[fact.object.id] = topic.object.kind
        else:
            text = fact.object.text or fact.object.id
            if topic.object.kind == "number":
                text = language.number(text)
            named[fact.object.id] = Noun(text, None, topic.object.kind)
    for identity, kind in wanted.items():
        label = labels.get(identity, {}).get(language.code)
        if label is None:
            return "no-label", identity
        if kind in _ONE_SCRIPT and not language.script_ok(label.text):
            return "wrong-script", f"{identity}: {label.text}"
        named[identity] = Noun(label.text, identity, kind)
    return named


def _template(wording: Wording, style: str, answers: int) -> str:
    if style == "neutral":
        return wording.neutral or wording.one
    return (wording.many or wording.one) if answers > 1 else wording.one


def _answers(cell: Cell, facts: Sequence[Fact], named: Mapping[str, Noun]) -> dict[str, Rendered] | str:
    """How each answer is written, by its id, or the template whose form is missing."""
    assert cell.wording is not None
    if cell.target == "count":
        count = str(len(facts))
        nouns = {count: ("count", Noun(cell.language.number(count), None, "number"))}
    else:
        nouns = {fact.object.id: ("object", named[fact.object.id]) for fact in facts}
    surfaces: dict[str, Rendered] = {}
    for identity, (slot, noun) in nouns.items():
        template = cell.wording.answer or "{" + slot + "}"
        rendered = cell.language.render(template, {slot: noun}, sentence=False)
        if rendered is None:
            return template
        surfaces[identity] = rendered
    return surfaces


def _wording_id(topic: Topic, cell: Cell, template: str) -> str:
    assert cell.wording is not None
    return digest(topic.name, cell.language.code, cell.form, cell.target, template, cell.wording.answer)


def used_wordings(topic: Topic, planned: Sequence[Cell], used: Collection[str]) -> Iterator[UsedWording]:
    """The templates of the planned cells whose ids are among the ``used``."""
    for cell in planned:
        wording = cell.wording
        if wording is None:
            continue
        for template in filter(None, (wording.one, wording.many, wording.neutral, wording.fallback)):
            identity = _wording_id(topic, cell, template)
            if identity in used:
                yield UsedWording(
                    id=identity,
                    topic=topic.name,
                    language=cell.language.code,
                    form=cell.form,
                    paraphrase=cell.paraphrase,
                    target=cell.target,
                    template=template,
                    answer=wording.answer,
                    empty=cell.language.without_names(template),
                )


def attach_candidates(items: Sequence[Item], separators: Mapping[str, str]) -> tuple[list[Item], list[CandidateSet]]:
    """The items with the candidate set of their topic, language, form and target, and those sets.

    A set holds every answer that some item of its key expects. separators: by language code.
    """
    surfaces: dict[tuple[str, str, str, Target], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for item in items:
        for surface, identity in zip(item.expected, item.expected_ids, strict=True):
            surfaces[_key(item)][surface].add(identity)
    sets = {
        key: CandidateSet.of(*key, separator=separators[key[1]], ids_by_surface=ids)
        for key, ids in sorted(surfaces.items())
    }
    done = [item.model_copy(update={"candidates": sets[_key(item)].id}).sealed() for item in items]
    return sorted(done, key=lambda item: item.id), list(sets.values())


def _key(item: Item) -> tuple[str, str, str, Target]:
    return item.topic, item.language, item.form, item.target
