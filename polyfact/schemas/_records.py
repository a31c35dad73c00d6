"""What flows through polyfact: facts, items, candidate sets.

Every column has one type in every row. Keys are written in declared order. Identity is the entity id, never a string.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from polyfact.schemas._text import nfc

__all__ = [
    "AnswerType",
    "Association",
    "Candidate",
    "CandidateSet",
    "Fact",
    "Form",
    "Item",
    "Label",
    "LabelSource",
    "Provenance",
    "Record",
    "Rejected",
    "Review",
    "SourceRef",
    "Target",
    "Text",
    "UsedWording",
    "Value",
    "digest",
]

Text = Annotated[str, AfterValidator(nfc)]
"""A string in Unicode normalisation form C."""

Form = str
"""completion, question, or a language's own variant of one of them (completion_suffixed)."""

Target = Literal["entities", "count"]
LabelSource = Literal["native", "alias", "mul", "mt", "human"]
AnswerType = Literal["entity", "number", "date", "boolean", "order", "tags", "choice", "string", "invalid"]
ReviewStatus = Literal["unreviewed", "accepted", "fixed", "rejected", "disputed"]


class Record(BaseModel):
    """A flat, immutable row. An unknown key is an error: a typo is never a silent default."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, ser_json_inf_nan="null")


def digest(*parts: Any, length: int = 16) -> str:
    """The first ``length`` hexadecimal digits of the SHA-256 of ``parts`` as canonical JSON."""
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:length]


class Value(Record):
    """The object of a fact: an entity, or a typed literal."""

    kind: Literal["entity", "string", "quantity", "date"]
    id: str
    text: Text | None = None
    precision: int | None = None
    calendar: str | None = None
    unit: str | None = None


class SourceRef(Record):
    """Where a statement was read."""

    kind: str
    endpoint: str
    statement_id: str | None = None
    revision: str | None = None
    retrieved_at: str | None = None


class Fact(Record):
    """One statement of a knowledge base: subject, property, object."""

    fact_id: str
    topic: str
    subject: str
    property: str
    object: Value
    rank: Literal["preferred", "normal"] = "normal"
    start: str | None = None
    end: str | None = None
    source: SourceRef


class Label(Record):
    """The name of an entity in a language, and where the name came from. doubtful: its author was not sure of it."""

    entity: str
    language: str
    text: Text
    source: LabelSource = "native"
    doubtful: bool = False


class Provenance(Record):
    """How an item came to be.

    forms_to_review: it holds a word form or a wording that no native speaker has confirmed yet; forms_in_doubt: one that
    the author of the language file was not sure of either.
    """

    source: str
    source_revision: str
    wording: str
    wording_hash: str
    language_hash: str
    label_source: LabelSource = "native"
    forms_to_review: bool = True
    forms_in_doubt: bool = False
    filters: list[str] = Field(default_factory=list)


class Review(Record):
    """What native speakers said of an item."""

    status: ReviewStatus = "unreviewed"
    reviewers: int = 0
    agreement: float | None = None


class Item(Record):
    """One question in one language, with its gold answers.

    id: topic/subject/form/target/language; the form of a second wording of the same is written form-2. question_id: the
    id without the language. paraphrase: which of the form's wordings, from 1. cluster_id: subject and property, the unit
    of every statistic. aliases: for each expected answer its other accepted strings.
    """

    id: str
    question_id: str
    cluster_id: str
    fact_ids: list[str]
    language: str
    category: str
    topic: str
    domain: str
    form: Form
    paraphrase: int = 1
    target: Target
    subject_id: str
    subject: Text
    question: Text
    options: list[Text] = Field(default_factory=list)
    expected: list[Text]
    expected_ids: list[str]
    aliases: list[list[Text]]
    answer_type: AnswerType
    candidates: str
    valid_at: str
    provenance: Provenance
    review: Review = Field(default_factory=Review)
    source_hash: str = ""
    content_hash: str = ""

    @model_validator(mode="after")
    def _aligned(self) -> Item:
        if not len(self.expected) == len(self.expected_ids) == len(self.aliases):
            raise ValueError("expected, expected_ids and aliases must have the same length")
        return self

    def content(self) -> dict[str, Any]:
        """What a reader of the benchmark sees: text, gold and options; no review, no provenance."""
        keep = ("id", "language", "question", "options", "expected", "expected_ids", "aliases", "answer_type", "valid_at")
        return self.model_dump(include=set(keep))

    def sealed(self) -> Item:
        """The same item with its hashes computed; a draft's ``source_hash`` is kept once it is set."""
        content = digest(self.content())
        return self.model_copy(update={"source_hash": self.source_hash or content, "content_hash": content})


class Candidate(Record):
    """A surface form and every entity id that it stands for."""

    surface: Text
    ids: list[str]


class CandidateSet(Record):
    """All answers that compete for the questions of one topic, language, form and target.

    A candidate is scored as prompt + ``separator`` + surface. Surfaces are distinct and sorted.
    """

    id: str
    topic: str
    language: str
    form: Form
    target: Target
    separator: str
    candidates: list[Candidate]

    @model_validator(mode="after")
    def _distinct(self) -> CandidateSet:
        surfaces = [candidate.surface for candidate in self.candidates]
        if len(set(surfaces)) != len(surfaces):
            raise ValueError("a surface form may stand only once in a candidate set")
        return self

    @classmethod
    def of(
        cls, topic: str, language: str, form: Form, target: Target, separator: str, ids_by_surface: dict[str, set[str]]
    ) -> CandidateSet:
        """The set whose id is its key and the hash of its content."""
        candidates = [Candidate(surface=s, ids=sorted(ids)) for s, ids in sorted(ids_by_surface.items())]
        content = digest(separator, [(c.surface, c.ids) for c in candidates], length=12)
        key = f"{topic}/{language}/{form}/{target}@{content}"
        return cls(
            id=key, topic=topic, language=language, form=form, target=target, separator=separator, candidates=candidates
        )


class Association(Record):
    """The entities of a topic that belong to the country or region of a language: Q of the inference bias.

    method: how the list was made; "human" lists are kept when a benchmark is rebuilt.
    """

    topic: str
    language: str
    ids: list[str]
    labels: list[Text]
    method: str


class UsedWording(Record):
    """A template that questions were made with, so that every wording can be traced from its item.

    id: what items name as ``provenance.wording_hash``. answer: how answers are written, None for plain names. empty: the
    prompt without its subject, which shows what a model answers before it knows whom the question is about.
    """

    id: str
    topic: str
    language: str
    form: Form
    paraphrase: int
    target: Target
    template: Text
    answer: Text | None
    empty: Text


class Rejected(Record):
    """Something that was planned and not written, with the reason."""

    stage: str
    id: str
    reason: str
    detail: str = ""
