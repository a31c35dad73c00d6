"""The heatmaps: languages down, topics across."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from polyfact.report._colour import step
from polyfact.report._read import Labelled, Run
from polyfact.schemas import MetricRow

__all__ = ["Cell", "Heat", "heats"]

MEASURES = ("map", "map_corrected")


class Heat(NamedTuple):
    """A heatmap: languages down, topics across. The first column pools the topics, the first line the languages."""

    label: str
    measure: str
    target: str
    form: str
    topics: list[str | None]
    lines: list[tuple[str | None, MetricRow | None, list[Cell]]]


class Cell(NamedTuple):
    """One cell: the row of the measure, and MAP and MAP corrected for chance beside it."""

    row: MetricRow | None
    plain: MetricRow | None
    corrected: MetricRow | None
    step: int


def heats(models: Labelled) -> Iterator[Heat]:
    """The heatmaps of every model, for each measure, target and form; what most readers want stands first."""
    targets = sorted({row.target for _, run in models for row in _cells(run) if row.target}, reverse=True)
    for measure in MEASURES:
        for target in targets:
            for form in _forms(models, target):
                for label, run in models:
                    if heat := _heat(label, run, measure, target, form):
                        yield heat


def _heat(label: str, run: Run, measure: str, target: str, form: str | None) -> Heat | None:
    cells = [row for row in _cells(run) if row.target == target and row.form == form]
    topics: list[str | None] = [None, *sorted({row.topic for row in cells if row.topic})]
    found = sorted({row.language for row in cells if row.language})
    if not cells:
        return None
    lines: list[tuple[str | None, MetricRow | None, list[Cell]]] = []
    pooled = any(run.find("map", topic=topic, form=form, target=target) for topic in topics[1:])
    for language in [*([None] if pooled and len(found) > 1 else []), *found]:
        where: list[dict[str, Any]] = [
            {"topic": topic, "language": language, "form": form, "target": target} for topic in topics
        ]
        tokens = run.find("tokens_per_candidate", language=language) if language else None
        lines.append((language, tokens, [_cell(run, measure, place) for place in where]))
    return Heat(label, measure, target, form or "", topics, lines)


def _cell(run: Run, measure: str, where: dict[str, Any]) -> Cell:
    plain, corrected = (run.find(name, **where) for name in MEASURES)
    row = plain if measure == "map" else corrected
    return Cell(row, plain, corrected, step(row.value) if row and row.value is not None else 0)


def _cells(run: Run) -> list[MetricRow]:
    rows = run.metrics.rows
    return [
        row
        for row in rows
        if row.metric == "map" and row.pooling == "micro" and row.topic and row.language and not row.split_by
    ]


def _forms(models: Labelled, target: str) -> list[str | None]:
    found = {row.form for _, run in models for row in _cells(run) if row.target == target}
    pooled: list[str | None] = [None] if None in found else []
    return [*pooled, *sorted(form for form in found if form)]
