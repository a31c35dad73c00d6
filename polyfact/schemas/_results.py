"""What an evaluation leaves behind: the run record, the scores and the metrics."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from polyfact.schemas._records import Form, Item, Record, Text

__all__ = ["BiasedSubject", "MetricRow", "Metrics", "RankedCandidate", "RunRecord", "ScoreRow"]


class ScoreRow(Record):
    """The scores of every candidate of one item, in the order of its candidate set.

    scores: natural-log probability of each surface after the prompt, in nats; empty when ``error`` is set.
    tokens: how many tokens each candidate was scored on. prompt_tokens: how many come before them; 0 without a tokenizer.
    flags: what happened on the way (boundary-merge, no-bos …).
    """

    item_id: str
    candidates: str
    topic: str
    language: str
    form: Form
    paraphrase: int = 1
    target: str
    cluster_id: str
    scores: list[float] = Field(default_factory=list)
    tokens: list[int] = Field(default_factory=list)
    prompt_tokens: int = 0
    flags: list[str] = Field(default_factory=list)
    error: str | None = None

    @classmethod
    def of(cls, item: Item, **values: Any) -> ScoreRow:
        """The row of an item, with what identifies it copied and the rest from ``values``."""
        copied = ("candidates", "topic", "language", "form", "paraphrase", "target", "cluster_id")
        return cls(item_id=item.id, **{name: getattr(item, name) for name in copied}, **values)


class MetricRow(Record):
    """One number of a report, with everything needed to read it.

    A dimension that is None is pooled over. value is None with a ``reason`` where the metric is undefined.
    low, high: the 95 % interval by cluster. chance: the value of a random ranking. ceiling: the largest possible value.
    split_by, split: of which part of the items it is, where that is neither of the dimensions above: by "paraphrase",
    "label_source" or "entity_count".
    pooling: "micro" (mean over items) or "macro" (mean over the cells below).
    """

    metric: str
    topic: str | None = None
    language: str | None = None
    form: str | None = None
    target: str | None = None
    value: float | None = None
    reason: str | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    n_clusters: int = 0
    chance: float | None = None
    ceiling: float | None = None
    split_by: str | None = None
    split: str | None = None
    pooling: str = "micro"
    interval: str = ""
    flags: list[str] = Field(default_factory=list)


class RankedCandidate(Record):
    """One line of a ranking as the report shows it."""

    rank: int
    surface: Text
    ids: list[str]
    score: float
    gold: bool
    aligned: bool


class BiasedSubject(Record):
    """A subject whose ranking favours entities of the prompt language. bias, lift: FIB⁻ and lift at ``n``."""

    item_id: str
    topic: str
    language: str
    form: str
    subject: Text
    question: Text
    n: int = 10
    bias: float
    lift: float | None = None
    expected: list[Text]
    ranking: list[RankedCandidate]


class Metrics(Record):
    """metrics.json: all rows of one run, and the subjects worth looking at."""

    task: str
    model: str
    run: str
    rows: list[MetricRow]
    biased_subjects: list[BiasedSubject] = Field(default_factory=list)
    n_items: int = 0
    n_errors: int = 0
    ties: int = 0


class RunRecord(Record):
    """run.json: what was evaluated, with what, and how.

    ``identity`` is what the run's hash is made of (data, candidate sets, model revision, task, scoring); ``environment``
    (packages, hardware, wall time) stands outside the hash.
    """

    run: str
    model: str
    engine: str
    task: str
    identity: dict[str, Any]
    model_info: dict[str, Any]
    scoring: dict[str, Any]
    data: dict[str, Any]
    environment: dict[str, Any]
