"""MAP by parts of a run: over the wordings of a form, by the origin of names, by the number of right answers."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

from polyfact.evaluators._aggregate import Judged, Key, metric_row
from polyfact.evaluators.tasks import RankingTask
from polyfact.schemas import Item, MetricRow

__all__ = ["rows"]

MOST_COUNTED = 6


def rows(judged: Sequence[Judged], task: RankingTask, seed: int) -> Iterator[MetricRow]:
    """MAP of each part, and the spread over wordings."""
    cells = _by_cell(judged)
    for key, group in sorted(cells.items()):
        wordings = _by_split(group, "paraphrase")
        if len(wordings) > 1:
            yield from _parts(key, "paraphrase", group, task, seed)
            yield _spread(key, wordings)
    yield from _mean_spreads(cells)
    languages: dict[Key, list[Judged]] = defaultdict(list)
    for each in judged:
        languages[None, each.item.language, None, each.item.target].append(each)
    for pooled, group in sorted(languages.items(), key=str):
        yield from _parts(pooled, "label_source", group, task, seed)
        if pooled[3] == "entities":
            yield from _parts(pooled, "entity_count", group, task, seed)


def part_of(item: Item, by: str) -> str:
    """Which part an item belongs to: by "paraphrase", "label_source" or "entity_count" (6+ from six on)."""
    if by == "paraphrase":
        return str(item.paraphrase)
    if by == "label_source":
        return item.provenance.label_source
    count = len(item.expected_ids)
    return str(count) if count < MOST_COUNTED else f"{MOST_COUNTED}+"


def _by_cell(judged: Sequence[Judged]) -> dict[tuple[str, str, str, str], list[Judged]]:
    cells: dict[tuple[str, str, str, str], list[Judged]] = defaultdict(list)
    for each in judged:
        cells[each.item.topic, each.item.language, each.item.form, each.item.target].append(each)
    return cells


def _by_split(group: Sequence[Judged], by: str) -> dict[str, list[Judged]]:
    parts: dict[str, list[Judged]] = defaultdict(list)
    for each in group:
        parts[part_of(each.item, by)].append(each)
    return dict(sorted(parts.items()))


def _parts(key: Key, by: str, group: Sequence[Judged], task: RankingTask, seed: int) -> Iterator[MetricRow]:
    for name, part in _by_split(group, by).items():
        scored = [(each, each.precision["map"]) for each in part]
        yield metric_row("map", key, scored, task, seed, split=(by, name))


def _spread(key: Key, wordings: dict[str, list[Judged]]) -> MetricRow:
    """The largest minus the smallest MAP over the wordings of a cell, on the subjects that all of them ask about."""
    values, subjects = _maps(wordings)
    return MetricRow(
        metric="wording_spread",
        topic=key[0],
        language=key[1],
        form=key[2],
        target=key[3],
        value=max(values) - min(values) if values else None,
        reason=None if values else "no-common-subjects",
        n=len(wordings),
        n_clusters=subjects,
    )


def _mean_spreads(cells: dict[tuple[str, str, str, str], list[Judged]]) -> Iterator[MetricRow]:
    """The mean spread over a language's cells."""
    spreads: dict[tuple[str, str], list[float]] = defaultdict(list)
    for (_, language, _, target), group in cells.items():
        wordings = _by_split(group, "paraphrase")
        values, _ = _maps(wordings)
        if len(wordings) > 1 and values:
            spreads[language, target].append(max(values) - min(values))
    for (language, target), found in sorted(spreads.items()):
        yield MetricRow(
            metric="wording_spread",
            language=language,
            target=target,
            value=math.fsum(found) / len(found),
            n=len(found),
            pooling="macro",
            flags=[f"cells:{len(found)}"],
        )


def _maps(wordings: dict[str, list[Judged]]) -> tuple[list[float], int]:
    """MAP of each wording on the subjects where all are defined, and how many subjects those are."""
    by_wording = [
        {each.item.subject_id: scored.value for each in part if (scored := each.precision["map"]).value is not None}
        for part in wordings.values()
    ]
    common = set.intersection(*(set(found) for found in by_wording)) if by_wording else set()
    if not common:
        return [], 0
    return [math.fsum(found[s] or 0.0 for s in common) / len(common) for found in by_wording], len(common)
