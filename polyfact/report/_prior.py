"""Knowledge or frequency: MAP beside MAP of the same prompt without its subject, by language and by topic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from polyfact.report._marks import Marks, marks_of
from polyfact.report._read import Labelled, Run
from polyfact.report._words import axis_of
from polyfact.schemas import MetricRow

__all__ = ["Gain", "GainLine", "GainTable", "Knowledge", "knowledge"]


class GainLine(NamedTuple):
    """One model in one place: MAP, MAP without the subject, and what the subject adds."""

    label: str
    plain: MetricRow | None
    prior: MetricRow
    gain: MetricRow | None


class GainTable(NamedTuple):
    """All models by language or by topic; None is all of them pooled. axis: the ends of what the subject adds."""

    by: str
    target: str
    groups: list[tuple[str | None, list[GainLine]]]
    axis: float
    marks: Marks


class Gain(NamedTuple):
    """What is said of one model, and the languages where the interval of the gain lies above, around or below 0."""

    line: GainLine
    above: list[str]
    within: list[str]
    below: list[str]


class Knowledge(NamedTuple):
    """The sentence, the tables, and the models that were not asked without a subject."""

    gain: Gain | None
    tables: list[GainTable]
    missing: list[str]


def knowledge(models: Labelled) -> Knowledge | None:
    """None where no model was asked without a subject."""
    asked = [(label, run) for label, run in models if any(row.metric == "map_prior" for row in run.metrics.rows)]
    if not asked:
        return None
    missing = [label for label, run in models if (label, run) not in asked]
    return Knowledge(_best(asked), list(_tables(asked)), missing)


def _best(models: Labelled) -> Gain | None:
    """The model with the largest MAP of those that have a prior."""
    found = [(line, run) for label, run in models if (line := _line(label, run, target=run.main_target))]
    defined = [(line.plain.value, line, run) for line, run in found if line.plain and line.plain.value is not None]
    if not defined:
        return None
    _, line, run = max(defined, key=lambda entry: entry[0])
    above: list[str] = []
    within: list[str] = []
    below: list[str] = []
    for language in sorted({row.language for row in run.metrics.rows if row.metric == "map_over_prior" and row.language}):
        row = run.overall("map_over_prior", language=language)
        if row is not None and row.low is not None and row.high is not None:
            (above if row.low > 0 else below if row.high < 0 else within).append(language)
    return Gain(line, above, within, below)


def _tables(models: Labelled) -> Iterator[GainTable]:
    rows = [row for _, run in models for row in run.metrics.rows if row.metric == "map_prior" and not row.form]
    for target in sorted({row.target for row in rows if row.target}, reverse=True):
        for by in ("language", "topic"):
            places = sorted({place for row in rows if row.target == target and (place := getattr(row, by))})
            groups = []
            for place in [None, *places]:
                where: dict[str, Any] = {by: place, "target": target}
                lines = [line for label, run in models if (line := _line(label, run, **where))]
                if lines:
                    groups.append((place, lines))
            if any(place for place, _ in groups):
                yield _table(by, target, groups)


def _table(by: str, target: str, groups: list[tuple[str | None, list[GainLine]]]) -> GainTable:
    lines = [line for _, group in groups for line in group]
    marks = marks_of(row for line in lines for row in (line.plain, line.prior, line.gain))
    return GainTable(by, target, groups, axis_of(line.gain for line in lines if line.gain), marks)


def _line(label: str, run: Run, **where: Any) -> GainLine | None:
    prior = run.find("map_prior", **where)
    return GainLine(label, run.find("map", **where), prior, run.find("map_over_prior", **where)) if prior else None
