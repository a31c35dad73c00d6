"""From stored scores to metrics; no model is needed: all of it can be computed again from the files."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from polyfact.evaluators import metrics as m
from polyfact.evaluators._data import Benchmark
from polyfact.evaluators.tasks import RankingTask
from polyfact.schemas import Item, MetricRow, ScoreRow
from polyfact.statistics import Interval, bootstrap_mean, wilson

__all__ = ["Judged", "Key", "judge", "metric_row", "rows"]

Key = tuple[str | None, str | None, str | None, str | None]
"""Topic, language, form, target; None is pooled over."""


@dataclass(frozen=True)
class Judged:
    """An item with its ranking, None where scoring failed, and that of its prompt without a subject, if there is one."""

    item: Item
    row: ScoreRow
    ranking: m.Ranking | None
    prior: m.Ranking | None = None

    @cached_property
    def gold(self) -> frozenset[str]:
        """The ids of the right answers."""
        return frozenset(self.item.expected_ids)

    @cached_property
    def precision(self) -> dict[str, m.Scored]:
        """The accuracy metrics of this item; undefined where scoring failed."""
        if self.ranking is None:
            failed = m.Scored(None, "scoring-failed")
            return dict.fromkeys(("map", "p@1", "mrr", "r_precision"), failed)
        return {
            "map": m.average_precision(self.ranking, self.gold),
            "p@1": m.precision_at(self.ranking, self.gold, 1),
            "mrr": m.reciprocal_rank(self.ranking, self.gold),
            "r_precision": m.r_precision(self.ranking, self.gold),
        }

    @cached_property
    def over_prior(self) -> dict[str, m.Scored]:
        """MAP of the prompt without a subject, and what naming the subject adds to it."""
        without = m.average_precision(self.prior, self.gold) if self.prior else m.Scored(None, "no-prior")
        own = self.precision["map"]
        if without.value is None or own.value is None:
            gain = m.Scored(None, without.reason or own.reason)
        else:
            gain = m.Scored(own.value - without.value)
        return {"map_prior": without, "map_over_prior": gain}


def judge(
    benchmark: Benchmark, scores: Iterable[ScoreRow], priors: Iterable[ScoreRow] = (), *, ties: str = "expected"
) -> list[Judged]:
    """Every scored item with its ranking, in order of its id.

    priors: rows of prompts without a subject; their item_id is the id of a wording. ties: "expected" leaves tied
    candidates together, "listed" puts them in the order of their text.
    """

    def ranking(row: ScoreRow) -> m.Ranking:
        found = m.rank(candidates[row.candidates], row.scores)
        return m.in_listed_order(found) if ties == "listed" else found

    items = {item.id: item for item in benchmark.items}
    candidates = {
        name: [m.Candidate(candidate.surface, tuple(candidate.ids)) for candidate in row.candidates]
        for name, row in benchmark.sets.items()
    }
    ranked = {
        (row.item_id, row.candidates): ranking(row)
        for row in priors
        if row.error is None and row.candidates in candidates
    }
    judged = []
    for row in scores:
        item = items[row.item_id]
        own = None if row.error else ranking(row)
        judged.append(Judged(item, row, own, ranked.get((item.provenance.wording_hash, row.candidates))))
    return sorted(judged, key=lambda each: each.item.id)


def rows(judged: Sequence[Judged], task: RankingTask, seed: int) -> Iterator[MetricRow]:
    """Accuracy of each cell and of what it pools into, with and without the subject, by part, and tokens.

    A mean over languages is taken over the questions that stand in all of them (flag "parallel-subset");
    where there are none, and where one language is pooled whose questions are not those of the others, the
    flag is "unequal-coverage".
    """
    parallel = _parallel(judged, task)
    for key, group in _groups(judged, _accuracy_keys):
        used, flags = _covered(key, group, parallel)
        for name in ("map", "p@1", "mrr", "r_precision"):
            yield metric_row(name, key, [(each, each.precision[name]) for each in used], task, seed, flags=flags)
        yield _corrected(key, used, task, seed, flags)
        if any(each.prior for each in used):
            for name, bounds in (("map_prior", (0.0, 1.0)), ("map_over_prior", (-1.0, 1.0))):
                scored = [(each, each.over_prior[name]) for each in used]
                yield metric_row(name, key, scored, task, seed, bounds, flags=flags)
    yield from _macro(judged, parallel, task, seed)
    yield from _tokens(judged, task, seed)


def _parallel(judged: Sequence[Judged], task: RankingTask) -> frozenset[str]:
    """Ids of the items whose question stands in every language of the run."""
    languages: dict[tuple[str | int, ...], set[str]] = defaultdict(set)

    def question(item: Item) -> tuple[str | int, ...]:
        return item.topic, item.subject_id, task.aligned(item.form), item.paraphrase, item.target

    for each in judged:
        languages[question(each.item)].add(each.item.language)
    every = {each.item.language for each in judged}
    return frozenset(each.item.id for each in judged if languages[question(each.item)] == every)


def _covered(key: Key, group: Sequence[Judged], parallel: frozenset[str]) -> tuple[Sequence[Judged], list[str]]:
    """What of a group goes into a mean, and the flag that says so."""
    shared = [each for each in group if each.item.id in parallel]
    if len(shared) == len(group) or None not in key:
        return group, []
    if key[1] is None and shared:
        return shared, ["parallel-subset"]
    return group, ["unequal-coverage"]


def _tokens(judged: Sequence[Judged], task: RankingTask, seed: int) -> Iterator[MetricRow]:
    """Mean tokens of a candidate and of a prompt, by language, in this tokenizer. Null for reference models."""
    for key, group in _groups(judged, lambda item: [(None, item.language, None, None)]):
        counted = [each for each in group if each.row.tokens]
        per_candidate = [sum(each.row.tokens) / len(each.row.tokens) for each in counted]
        yield _token_row("tokens_per_candidate", key, per_candidate, counted, task, seed)
        yield _token_row("tokens_per_prompt", key, [each.row.prompt_tokens for each in counted], counted, task, seed)


def _token_row(
    name: str, key: Key, counts: Sequence[float], counted: Sequence[Judged], task: RankingTask, seed: int
) -> MetricRow:
    clusters = [each.item.subject_id for each in counted]
    interval = bootstrap_mean(counts, clusters, seed=seed, bounds=None, resamples=task.resamples)
    return MetricRow(
        metric=name,
        language=key[1],
        value=math.fsum(counts) / len(counts) if counts else None,
        reason=None if counts else "no-tokens",
        low=interval.low,
        high=interval.high,
        n=len(counts),
        n_clusters=len(set(clusters)),
        interval=interval.method,
    )


def _accuracy_keys(item: Item) -> list[Key]:
    t, lang, f, target = item.topic, item.language, item.form, item.target
    pooled: list[Key] = [(None, None, None, target), (None, lang, None, target), (t, None, None, target)]
    return [
        *pooled,
        (None, None, f, target),
        (None, lang, f, target),
        (t, lang, None, target),
        (t, lang, f, target),
    ]


def _groups(judged: Sequence[Judged], keys: Callable[[Item], Sequence[Key]]) -> list[tuple[Key, list[Judged]]]:
    groups: dict[Key, list[Judged]] = defaultdict(list)
    for each in judged:
        for key in keys(each.item):
            groups[key].append(each)
    return sorted(groups.items(), key=lambda pair: tuple(part or "" for part in pair[0]))


def _cluster(key: Key, item: Item) -> str:
    """The fact within a topic, the subject where topics are pooled (METRICS §4)."""
    return item.subject_id if key[0] is None else item.cluster_id


def metric_row(
    name: str,
    key: Key,
    scored: Sequence[tuple[Judged, m.Scored]],
    task: RankingTask,
    seed: int,
    bounds: tuple[float, float] = (0.0, 1.0),
    *,
    flags: Sequence[str] = (),
    split: tuple[str | None, str | None] = (None, None),
) -> MetricRow:
    """One row: mean, interval by cluster, chance and ceiling, over the items where the metric is defined.

    The interval is a bootstrap; Wilson's where every value is 0 or 1 by the metric's nature (P@1 without ties). Flags of
    scoring (boundary-merge, no-bos) are those of the items used.
    """
    mean = m.mean(result for _, result in scored)
    used = [(result.value, _cluster(key, each.item)) for each, result in scored if result.value is not None]
    low = high = None
    method = reason = ""
    if used:
        values, clusters = [value for value, _ in used], [cluster for _, cluster in used]
        if name == "p@1" and set(values) <= {0.0, 1.0}:
            interval = wilson(values, clusters)
        else:
            interval = bootstrap_mean(values, clusters, seed=seed, bounds=bounds, resamples=task.resamples)
        low, high, method, reason = interval.low, interval.high, interval.method, interval.reason or ""
    failed = sum(each.ranking is None for each, _ in scored)
    undefined = {why: count for why, count in mean.reasons.items() if why != "scoring-failed"}
    return MetricRow(
        metric=name,
        topic=key[0],
        language=key[1],
        form=key[2],
        target=key[3],
        split_by=split[0],
        split=split[1],
        value=mean.value,
        reason=mean.reason,
        low=low,
        high=high,
        n=mean.n_used,
        n_clusters=len({cluster for _, cluster in used}),
        chance=mean.chance,
        ceiling=mean.ceiling,
        interval=method,
        flags=[
            *flags,
            *([f"errors:{failed}"] if failed else []),
            *(f"undefined:{why}:{count}" for why, count in sorted(undefined.items())),
            *([f"interval:{reason}"] if reason else []),
            *sorted({flag.split(":", 1)[0] for flag in mean.flags}),
            *sorted({flag for each, result in scored if result.value is not None for flag in each.row.flags}),
        ],
    )


def _corrected(key: Key, group: Sequence[Judged], task: RankingTask, seed: int, flags: Sequence[str]) -> MetricRow:
    """MAP corrected for chance, item by item: (AP - chance) / (1 - chance)."""
    results = [(each, m.corrected(each.precision["map"])) for each in group]
    chances = [each.precision["map"].chance for each in group]
    lowest = [-chance / (1 - chance) for chance in chances if chance is not None and chance < 1]
    return metric_row("map_corrected", key, results, task, seed, (min([0.0, *lowest]), 1.0), flags=flags)


def _macro(judged: Sequence[Judged], parallel: frozenset[str], task: RankingTask, seed: int) -> Iterator[MetricRow]:
    """MAP as the mean over the defined cells, each counting the same, overall and for each language."""
    pools = _groups(judged, lambda item: [(None, language, None, item.target) for language in (None, item.language)])
    for key, group in pools:
        used, flags = _covered(key, group, parallel)
        cells: dict[tuple[str, str, str], list[tuple[float, str]]] = defaultdict(list)
        chances: dict[tuple[str, str, str], list[float]] = defaultdict(list)
        for each in used:
            scored, item = each.precision["map"], each.item
            if scored.value is not None and scored.chance is not None:
                cells[item.topic, item.language, item.form].append((scored.value, item.subject_id))
                chances[item.topic, item.language, item.form].append(scored.chance)
        value, interval = _mean_of_cells(list(cells.values()), task, seed)
        yield MetricRow(
            metric="map",
            language=key[1],
            target=key[3],
            value=value,
            reason=None if cells else "no-defined-cell",
            low=interval.low,
            high=interval.high,
            chance=math.fsum(math.fsum(c) / len(c) for c in chances.values()) / len(cells) if cells else None,
            ceiling=1.0 if cells else None,
            n=interval.n,
            n_clusters=interval.n_clusters,
            pooling="macro",
            interval=interval.method,
            flags=[
                *flags,
                f"cells:{len(cells)}",
                *([f"interval:{interval.reason}"] if interval.reason else []),
            ],
        )


def _mean_of_cells(
    cells: Sequence[Sequence[tuple[float, str]]], task: RankingTask, seed: int
) -> tuple[float | None, Interval]:
    """The mean of the cells' means and its interval, from each item's influence on it.

    An item of a cell with mean m and n of all N items, K cells, moves the mean of means by (value - m) N/(K
    n) per item: the bootstrap over clusters is one of the overall mean plus these (the delta method for a
    mean of ratios).
    """
    means = [math.fsum(value for value, _ in cell) / len(cell) for cell in cells]
    mean = math.fsum(means) / len(means) if means else 0.0
    total = sum(map(len, cells))
    moved = [
        (mean + (value - own) * total / (len(cells) * len(cell)), cluster)
        for cell, own in zip(cells, means, strict=True)
        for value, cluster in cell
    ]
    values = [value for value, _ in moved]
    bounds = (min([0.0, *values]), max([1.0, *values]))
    clusters = [cluster for _, cluster in moved]
    interval = bootstrap_mean(values, clusters, seed=seed, bounds=bounds, resamples=task.resamples)
    if interval.low is not None and interval.high is not None:
        interval = replace(interval, low=max(0.0, interval.low), high=min(1.0, interval.high))
    return (mean if means else None), interval
