"""The inference bias, by topic and language, for every n."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from polyfact.report._read import Labelled
from polyfact.report._words import axis_of
from polyfact.schemas import MetricRow

__all__ = ["BiasLine", "BiasTable", "biases", "ordered_top"]

TOP = (10, 5, 3, 1, 20)
LEFT_OUT = "language-left-out"


class BiasLine(NamedTuple):
    """The inference bias of one model in one topic and language."""

    label: str
    language: str
    minus: MetricRow
    fib: MetricRow | None
    either: MetricRow | None
    lift: MetricRow | None


class BiasTable(NamedTuple):
    """All bias lines of one n by topic, the ends of their axes, and the languages that the task leaves out."""

    n: int
    topics: list[tuple[str, list[BiasLine]]]
    axis: float
    lift_axis: float
    left_out: list[str]


def ordered_top(models: Labelled) -> list[int]:
    """Every n: the paper's 10 first, unless the candidate sets are so small that chance is above one half."""
    chances: dict[str, list[float]] = defaultdict(list)
    for _, run in models:
        for row in run.metrics.rows:
            if row.metric.startswith("fib_minus@") and row.value is not None and row.chance is not None:
                chances[row.metric].append(row.chance)
    means = {metric: math.fsum(values) / len(values) for metric, values in chances.items()}
    return sorted(TOP, key=lambda n: means.get(f"fib_minus@{n}", 1.0) > 0.5)


def biases(models: Labelled) -> Iterator[BiasTable]:
    """The inference bias for every n, by topic and language, over forms; the n to show first stands first."""
    for n in ordered_top(models):
        by_topic: dict[str, list[BiasLine]] = defaultdict(list)
        left_out = set()
        for label, run in models:
            for row in run.metrics.rows:
                if row.metric != f"fib_minus@{n}" or row.form is not None or not row.topic or not row.language:
                    continue
                if row.reason == LEFT_OUT:
                    left_out.add(row.language)
                    continue
                where: dict[str, Any] = {"topic": row.topic, "language": row.language, "target": row.target}
                beside = [run.find(f"{name}@{n}", **where) for name in ("fib", "fib_any", "lift")]
                by_topic[row.topic].append(BiasLine(label, row.language, row, *beside))
        if by_topic:
            lines = [line for group in by_topic.values() for line in group]
            for group in by_topic.values():
                group.sort(key=lambda line: line.language)
            yield BiasTable(
                n,
                sorted(by_topic.items()),
                axis_of(line.minus for line in lines),
                axis_of(line.lift for line in lines if line.lift),
                sorted(left_out),
            )
