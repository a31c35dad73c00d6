"""polyfact build: facts → drafts → items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TypeVar

from polyfact import languages as language_files
from polyfact import topics as topic_files
from polyfact.builders._apply import apply
from polyfact.builders._associations import HUMAN, associate, countries_of, own_answers
from polyfact.builders._drafts import attach_candidates, cells, draft, used_wordings
from polyfact.builders._facts import entity_id, extract, select_subjects
from polyfact.builders._filters import find_filter
from polyfact.builders.sources import Row, Source, follow, labels_of, open_source, redirects_of
from polyfact.errors import UsageError, nearest
from polyfact.execution import Progress, quiet
from polyfact.languages import Language
from polyfact.schemas import Association, Fact, Item, Label, Rejected, UsedWording, count_lines
from polyfact.topics import Topic
from polyfact.workspace import Recipe, TopicUse, Workspace

__all__ = ["STAGES", "BuildReport", "StageReport", "build"]

OWN_ANSWERS_AT_MOST = 12
R = TypeVar("R", bound=Fact | Item)

STAGES = ("facts", "drafts", "items")


@dataclass(frozen=True)
class StageReport:
    """The account of one stage: planned = written + dropped."""

    stage: str
    planned: int
    written: int
    dropped: dict[str, int]

    def __post_init__(self) -> None:
        lost = self.planned - self.written - sum(self.dropped.values())
        if lost:
            raise AssertionError(
                f"{self.stage}: {lost} of {self.planned} planned records are neither written nor dropped"
            )


@dataclass(frozen=True)
class BuildReport:
    """What a build did."""

    stages: list[StageReport]
    to_review: int = 0


@dataclass(frozen=True)
class _Context:
    workspace: Workspace
    recipe: Recipe
    languages: list[Language]
    topics: list[tuple[TopicUse, Topic]]
    source: Source
    progress: Progress

    @cached_property
    def countries(self) -> dict[str, list[str]]:
        """The countries where each language is an official one, by language code."""
        return {language.code: countries_of(language, self.source) for language in self.languages}


def build(
    workspace: Path | Workspace, *, stages: Sequence[str] = STAGES, progress: Progress = quiet, dry_run: bool = False
) -> BuildReport:
    """Make a workspace's items from its recipe; with ``dry_run`` only check everything that the recipe names.

    Each stage reads the files of the one before and replaces its own, whole or not at all, so that a build may be killed
    anywhere and run again; the same recipe and sources give the same bytes.
    Raises UsageError for an unknown stage, language, topic or filter before anything is written.
    """
    space = workspace if isinstance(workspace, Workspace) else Workspace(workspace)
    for stage in stages:
        if stage not in STAGES:
            raise UsageError(f'unknown stage "{stage}"', fix=nearest(stage, STAGES))
    recipe = space.recipe
    languages = [language_files.load(code, space.language_dirs) for code in recipe.languages]
    context = _Context(
        workspace=space,
        recipe=recipe,
        languages=languages,
        topics=[
            (use, topic_files.with_languages(topic_files.load(use.use, space.topic_dirs), languages))
            for use in recipe.topics
        ],
        source=open_source(recipe.source.wikidata, contact=recipe.contact),
        progress=progress,
    )
    for use in recipe.filters:
        find_filter(use.use)
    if dry_run:
        return BuildReport(stages=[])
    space.sweep()
    run: dict[str, Callable[[_Context], StageReport]] = {"facts": _facts, "drafts": _drafts, "items": _items}
    reports = [run[stage](context) for stage in STAGES if stage in stages]
    to_review = 0
    if "items" in stages:
        to_review = sum(item.provenance.forms_to_review for item in space.read("items.jsonl", Item))
    return BuildReport(stages=reports, to_review=to_review)


def _facts(context: _Context) -> StageReport:
    space, codes = context.workspace, context.recipe.languages
    facts: list[Fact] = []
    dropped: list[Rejected] = []
    labels: dict[str, dict[str, Label]] = {}
    planned = 0
    latin = [language.code for language in context.languages if language.script == "Latn"]
    for number, (use, topic) in enumerate(context.topics):
        context.progress(f"facts: {topic.title}", number, len(context.topics))
        held: list[Fact] = []
        rows = _merged(context, context.source.select(topic.query))
        planned += len(rows)
        _split(extract(topic, rows, context.source, context.recipe.as_of), held, dropped)
        subjects = {fact.subject for fact in held}
        answers = {fact.object.id for fact in held if fact.object.kind == "entity"}
        labels |= labels_of(context.source, sorted(subjects - labels.keys()), codes, mul_for=latin)
        # Symbols are written alike everywhere: UTC+01:00.
        everywhere = codes if topic.object.kind == "symbol" else latin
        labels |= labels_of(context.source, sorted(answers - labels.keys()), codes, mul_for=everywhere)
        wanted = _of_own_regions(topic, held, context)
        _split(select_subjects(held, labels, codes, use.max_subjects, wanted), facts, dropped)
    used = {fact.subject for fact in facts} | {fact.object.id for fact in facts}
    space.write("labels.jsonl", (labels[i][code] for i in sorted(used & labels.keys()) for code in sorted(labels[i])))
    facts.sort(key=lambda fact: fact.fact_id)
    space.write("facts.jsonl", facts)
    _keep_rejected(space, "facts", dropped)
    return _report("facts", planned, len(facts), dropped)


def _merged(context: _Context, rows: Sequence[Row]) -> list[Row]:
    """Rows in which an entity that was merged into another stands under its id of today."""
    terms = (row[name] for row in rows for name in ("subject", "object") if name in row)
    ids = {identity for term in terms if (identity := entity_id(term)) is not None}
    replaced, names = follow(rows, redirects_of(context.source, sorted(ids)))
    if names:
        context.progress(f"facts: merged entities {', '.join(names)}", 0, 1)
    return replaced


def _of_own_regions(topic: Topic, facts: Sequence[Fact], context: _Context) -> list[str]:
    """For each language a few answers of its own region; none for one whose region is most of the world."""
    wanted: list[str] = []
    for language in context.languages:
        own = own_answers(topic, language, facts, context.countries)
        if 2 * len(own) <= len({fact.object.id for fact in facts}) and len(own) <= OWN_ANSWERS_AT_MOST:
            wanted += own
    return wanted


def _drafts(context: _Context) -> StageReport:
    space, recipe = context.workspace, context.recipe
    labels: dict[str, dict[str, Label]] = {}
    for label in space.read("labels.jsonl", Label):
        labels.setdefault(label.entity, {})[label.language] = label
    facts: dict[str, list[Fact]] = {topic.name: [] for _, topic in context.topics}
    for fact in space.read("facts.jsonl", Fact):
        facts.setdefault(fact.topic, []).append(fact)
    items: list[Item] = []
    dropped: list[Rejected] = []
    planned = 0
    for number, (use, topic) in enumerate(context.topics):
        context.progress(f"drafts: {topic.title}", number, len(context.topics))
        clusters = {fact.subject for fact in facts[topic.name]}
        planned += len(clusters) * len(cells(topic, use, context.languages))
        _split(draft(topic, use, facts[topic.name], labels, context.languages, recipe.as_of), items, dropped)
    for chosen in recipe.filters:
        kept: list[Item] = []
        _split(find_filter(chosen.use)(items), kept, dropped)
        items = [
            item.model_copy(
                update={
                    "provenance": item.provenance.model_copy(update={"filters": [*item.provenance.filters, chosen.use]})
                }
            )
            for item in kept
        ]
    items, sets = attach_candidates(items, {language.code: language.separator for language in context.languages})
    space.write("candidates.jsonl", sets)
    space.write("wordings.jsonl", _wordings(context, items))
    space.write("associations.jsonl", _associations(context, facts, labels))
    space.write("drafts.jsonl", items)
    _keep_rejected(space, "drafts", dropped)
    return _report("drafts", planned, len(items), dropped)


def _associations(
    context: _Context, facts: dict[str, list[Fact]], labels: dict[str, dict[str, Label]]
) -> list[Association]:
    space = context.workspace
    edited = list(space.read("associations.jsonl", Association)) if space.path("associations.jsonl").exists() else []
    names = {identity: {code: label.text for code, label in by.items()} for identity, by in labels.items()}
    rows = chain.from_iterable(
        associate(topic, facts[topic.name], context.languages, context.countries, names, edited)
        for _, topic in context.topics
    )
    made = {(row.topic, row.language): row for row in rows}
    # A person's list waits here while the recipe does without its topic or language.
    waiting = [row for row in edited if row.method == HUMAN and (row.topic, row.language) not in made]
    return sorted([*made.values(), *waiting], key=lambda row: (row.topic, row.language))


def _wordings(context: _Context, items: Sequence[Item]) -> list[UsedWording]:
    used = {item.provenance.wording_hash for item in items}
    found = {
        row.id: row
        for use, topic in context.topics
        for row in used_wordings(topic, cells(topic, use, context.languages), used)
    }
    return sorted(found.values(), key=lambda row: (row.topic, row.language, row.form, row.target, row.paraphrase, row.id))


def _items(context: _Context) -> StageReport:
    space = context.workspace
    context.progress("items", 0, 1)
    written = space.write("items.jsonl", apply(space.read("drafts.jsonl", Item)))
    return _report("items", count_lines(space.path("drafts.jsonl")), written, [])


def _split(rows: Iterator[R | Rejected], kept: list[R], dropped: list[Rejected]) -> None:
    for row in rows:
        if isinstance(row, Rejected):
            dropped.append(row)
        else:
            kept.append(row)


def _keep_rejected(space: Workspace, stage: str, dropped: Sequence[Rejected]) -> None:
    """Replace one stage's rows of rejected.jsonl and keep the others'."""
    others: list[Rejected] = []
    if space.path("rejected.jsonl").exists():
        others = [row for row in space.read("rejected.jsonl", Rejected) if row.stage != stage]
    order = {name: number for number, name in enumerate(STAGES)}
    rows = sorted([*others, *dropped], key=lambda row: (order.get(row.stage, 9), row.id, row.reason, row.detail))
    space.write("rejected.jsonl", rows)


def _report(stage: str, planned: int, written: int, dropped: Sequence[Rejected]) -> StageReport:
    reasons = Counter(row.reason for row in dropped)
    return StageReport(stage, planned, written, dict(sorted(reasons.items())))
