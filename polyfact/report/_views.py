"""What the page says first of the runs, the check of the benchmark, and the record of each run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from polyfact.report._bias import ordered_top
from polyfact.report._read import Labelled, Run
from polyfact.report._words import notes
from polyfact.schemas import BiasedSubject, MetricRow

__all__ = ["Check", "Headline", "absent", "extremes", "facts_of", "headline", "remarks", "sanity", "subjects"]


class Headline(NamedTuple):
    """What the page says first of a model."""

    label: str
    run: Run
    row: MetricRow
    above: list[str]
    within: list[str]
    below: list[str]
    lift: MetricRow | None


class Check(NamedTuple):
    """A reference model: what it got, what theory says, whether they agree."""

    name: str
    row: MetricRow
    expected: float | None
    agrees: bool
    said: str


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
    lift = f"lift@{ordered_top(models)[0]}"
    lifts = [r for r in run.metrics.rows if r.metric == lift and r.form is None and (r.low or 0) > 0]
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


def absent(models: Labelled) -> list[tuple[list[str], str]]:
    """What no run of the page has, by why: no part of the page is left out in silence."""
    metrics = {row.metric for _, run in models for row in run.metrics.rows}
    parts = {part for _, run in models for part in run.parts}
    older = "computed by a version without it: evaluate again"
    only_references = all(run.is_reference for _, run in models)
    found: dict[str, list[str]] = defaultdict(list)
    if "map_prior" not in metrics:
        why = "reference models read no prompt" if only_references else "no prompt was scored without its subject"
        found[why].append("MAP without the subject")
    if "wording_spread" not in metrics:
        found["no question has a second wording" if parts else older].append("spread over wordings")
    if "entity_count" not in parts:
        found["no question asks for entities" if parts else older].append("MAP by number of right answers")
    if "label_source" not in parts:
        found[older].append("MAP by origin of names")
    return [(whats, why) for why, whats in found.items()]


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


def _languages(run: Run) -> list[str]:
    return sorted({row.language for row in run.metrics.rows if row.metric == "map" and row.language})


def _defined(row: MetricRow | None) -> MetricRow | None:
    return row if row is not None and row.value is not None else None
