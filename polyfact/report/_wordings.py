"""How far MAP moves with the wording of a question alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from polyfact.report._marks import Marks, marks_of
from polyfact.report._read import Labelled, Run
from polyfact.schemas import MetricRow

__all__ = ["WordingLine", "WordingTable", "wordings"]

FIRST = 8
DRAWN = 40


class WordingLine(NamedTuple):
    """One cell: its spread, MAP over all wordings, and MAP of each wording."""

    spread: MetricRow
    mean: MetricRow | None
    parts: list[MetricRow]

    def part(self, name: str) -> MetricRow | None:
        """MAP of one wording; None where this cell does not have it."""
        return next((row for row in self.parts if row.split == name), None)

    @property
    def width(self) -> float | None:
        """How wide the interval of the mean over the wordings is."""
        if self.mean is None or self.mean.low is None or self.mean.high is None:
            return None
        return self.mean.high - self.mean.low

    @property
    def ends(self) -> tuple[float, float] | None:
        """The smallest and the largest MAP of a wording."""
        values = [row.value for row in self.parts if row.value is not None]
        return (min(values), max(values)) if values else None


class WordingTable(NamedTuple):
    """The cells of one model, the largest spread first. means: the mean spread of each language. columns: the wordings.

    first: how many lines are shown at once. left: how many cells of the smallest spreads are not drawn.
    wider: in how many cells the spread exceeds the width of the interval, of how many where both are known.
    """

    label: str
    target: str
    lines: list[WordingLine]
    means: list[MetricRow]
    columns: list[str]
    first: int
    left: int
    wider: tuple[int, int]
    marks: Marks


def wordings(models: Labelled) -> list[WordingTable]:
    """By target and model; empty where no cell has several wordings."""
    found = [table for label, run in models for table in _tables(label, run)]
    return sorted(found, key=lambda table: (table.target != "entities", table.target))


def _tables(label: str, run: Run) -> Iterator[WordingTable]:
    parts: dict[tuple[str | None, ...], list[MetricRow]] = defaultdict(list)
    spreads: dict[str, list[MetricRow]] = defaultdict(list)
    means: dict[str, list[MetricRow]] = defaultdict(list)
    for row in run.metrics.rows:
        if row.metric == "map" and row.split_by == "paraphrase":
            parts[row.topic, row.language, row.form, row.target].append(row)
        elif row.metric == "wording_spread":
            (spreads if row.pooling == "micro" else means)[row.target or ""].append(row)
    for target, rows in spreads.items():
        lines = [_line(run, row, parts[row.topic, row.language, row.form, row.target]) for row in rows]
        lines.sort(key=lambda line: -1.0 if line.spread.value is None else line.spread.value, reverse=True)
        both = [(line.spread.value, line.width) for line in lines]
        known = [spread > width for spread, width in both if spread is not None and width is not None]
        drawn = lines[:DRAWN]
        yield WordingTable(
            label,
            target,
            drawn,
            sorted(means[target], key=lambda row: row.language or ""),
            sorted({row.split or "" for line in drawn for row in line.parts}, key=_by_number),
            FIRST,
            len(lines) - len(drawn),
            (sum(known), len(known)),
            marks_of(row for line in drawn for row in (line.mean, *line.parts)),
        )


def _line(run: Run, spread: MetricRow, parts: list[MetricRow]) -> WordingLine:
    mean = run.find("map", topic=spread.topic, language=spread.language, form=spread.form, target=spread.target)
    return WordingLine(spread, mean, parts)


def _by_number(name: str) -> tuple[int, str]:
    return len(name), name
