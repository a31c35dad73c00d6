"""What the page shows of the runs, picked from their rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from polyfact.report._colour import step
from polyfact.report._read import Run
from polyfact.report._words import notes
from polyfact.schemas import BiasedSubject, MetricRow

__all__ = ["TOP", "biases", "extremes", "facts_of", "headline", "heats", "remarks", "sanity", "subjects"]

TOP = (10, 1, 3, 5, 20)
LEFT_OUT = "language-left-out"
MEASURES = ("map", "map_corrected")
AXES = (0.1, 0.2, 0.3, 0.5, 1.0)


class Headline(NamedTuple):
    """What the page says first of a model."""

    label: str
    run: Run
    row: MetricRow
    above: list[str]
    within: list[str]
    below: list[str]
    lift: MetricRow | None


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


class Check(NamedTuple):
    """A reference model: what it got, what theory says, whether they agree."""

    name: str
    row: MetricRow
    expected: float | None
    agrees: bool
    said: str


Labelled = Sequence[tuple[str, Run]]


def headline(models: Labelled) -> Headline | None:
    """The best of the models by MAP, and where it differs from chance: its interval lies above, around or below it."""
    ranked = [(row.value, label, run, row) for label, run in models if (row := _defined(run.overall("map")))]
    if not ranked:
        return None
    _, label, run, row = max(ranked, key=lambda entry: entry[0] or 0.0)
    above: list[str] = []
    within: list[str] = []
    below: list[str] = []
    for language in _languages(run):
        found = run.find("map", language=language, target=row.target)
        if found is None or found.low is None or found.high is None or found.chance is None:
            continue
        place = above if found.low > found.chance else below if found.high < found.chance else within
        place.append(language)
    lifts = [r for r in run.metrics.rows if r.metric == "lift@10" and r.form is None and r.value is not None]
    strongest = max(lifts, key=lambda r: r.value or 0.0, default=None)
    return Headline(label, run, row, above, within, below, strongest)


def extremes(run: Run) -> tuple[MetricRow, MetricRow] | None:
    """The rows of the best and of the worst language; None where there are not two."""
    rows = [row for language in _languages(run) if (row := _defined(run.overall("map", language=language)))]
    by_value = sorted(rows, key=lambda row: row.value or 0.0)
    return (by_value[-1], by_value[0]) if len(rows) > 1 else None


def remarks(models: Labelled) -> list[tuple[str, list[str]]]:
    """What must be known to read the models' means, each remark once, with the models that it is about."""
    said: dict[str, list[str]] = defaultdict(list)
    for label, run in models:
        row = run.overall("map")
        for note in notes(row) if row else []:
            said[note].append(label)
    return list(said.items())


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


def biases(models: Labelled) -> Iterator[BiasTable]:
    """The inference bias for every n, by topic and language, over forms."""
    for n in TOP:
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
                _axis(line.minus for line in lines),
                _axis(line.lift for line in lines if line.lift),
                sorted(left_out),
            )


def _axis(rows: Iterator[MetricRow]) -> float:
    ends = [abs(end) for row in rows for end in (row.value, row.low, row.high, row.chance) if end is not None]
    return next((axis for axis in AXES if axis >= max(ends, default=0.0)), 1.0)


def sanity(references: Labelled) -> list[Check]:
    """The reference models against theory: the oracle gets 1, the empty one chance, the random one about chance."""
    checks = []
    for label, run in references:
        row = run.overall("map")
        if row is None or row.value is None:
            continue
        if run.name == "oracle":
            checks.append(Check(label, row, 1.0, abs(row.value - 1) < 1e-9, "must be 1"))
        elif row.chance is not None and run.name == "empty":
            agrees = abs(row.value - row.chance) < 1e-9
            checks.append(Check(label, row, row.chance, agrees, "must be chance"))
        elif row.chance is not None:
            agrees = row.low is not None and row.high is not None and row.low <= row.chance <= row.high
            said = "interval holds chance" if agrees else "interval misses chance, as 1 in 20 do"
            checks.append(Check(label, row, row.chance, agrees, said))
    return checks


def subjects(models: Labelled) -> list[tuple[str, str, str, list[BiasedSubject]]]:
    """The most biased subjects by model, topic and language."""
    groups: dict[tuple[str, str, str], list[BiasedSubject]] = {}
    for label, run in models:
        for subject in run.metrics.biased_subjects:
            groups.setdefault((label, subject.topic, subject.language), []).append(subject)
    return [(*place, group) for place, group in groups.items()]


def facts_of(run: Run) -> list[tuple[str, str]]:
    """The run record as key paths and values, in its own order."""
    return list(_flat("", run.record.model_dump(mode="json")))


def _flat(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _flat(f"{path}.{key}" if path else str(key), inner)
    elif isinstance(value, list):
        yield path, ", ".join(map(str, value))
    else:
        yield path, "—" if value is None or value in ("", {}) else str(value)


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


def _languages(run: Run) -> list[str]:
    return sorted({row.language for row in run.metrics.rows if row.metric == "map" and row.language})


def _defined(row: MetricRow | None) -> MetricRow | None:
    return row if row is not None and row.value is not None else None
