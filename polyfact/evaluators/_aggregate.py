"""From stored scores to metrics. No model is needed: everything here can be computed again from the Parquet files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from polyfact.evaluators import metrics as m
from polyfact.evaluators._data import Benchmark
from polyfact.evaluators.tasks import RankingTask
from polyfact.schemas import BiasedSubject, Item, MetricRow, RankedCandidate, ScoreRow
from polyfact.statistics import bootstrap_mean

__all__ = ["Judged", "biased_subjects", "judge", "rows"]

SHOWN_SUBJECTS = 5
SHOWN_CANDIDATES = 10
SHOWN_N = 10

Key = tuple[str | None, str | None, str | None, str | None]
"""Topic, language, form, target; None is pooled over."""


@dataclass(frozen=True)
class Judged:
    """An item with its ranking; ranking is None where scoring failed."""

    item: Item
    row: ScoreRow
    ranking: m.Ranking | None

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


def judge(benchmark: Benchmark, scores: Iterable[ScoreRow]) -> list[Judged]:
    """Every scored item with its ranking, in order of its id."""
    items = {item.id: item for item in benchmark.items}
    candidates = {
        name: [m.Candidate(candidate.surface, tuple(candidate.ids)) for candidate in row.candidates]
        for name, row in benchmark.sets.items()
    }
    judged = []
    for row in scores:
        ranking = None if row.error else m.rank(candidates[row.candidates], row.scores)
        judged.append(Judged(items[row.item_id], row, ranking))
    return sorted(judged, key=lambda each: each.item.id)


def rows(judged: Sequence[Judged], benchmark: Benchmark, task: RankingTask, seed: int) -> Iterator[MetricRow]:
    """Every number of a run: accuracy of each cell and of what it pools into, tokens, and the inference bias."""
    for key, group in _groups(judged, _accuracy_keys):
        for name in ("map", "p@1", "mrr", "r_precision"):
            yield _row(name, key, [(each, each.precision[name]) for each in group], task, seed)
        yield _corrected(key, group, task, seed)
    yield from _macro(judged)
    for key, group in _groups(judged, lambda item: [(None, item.language, None, None)]):
        counts = [sum(each.row.tokens) / len(each.row.tokens) for each in group if each.row.tokens]
        clusters = [each.item.subject_id for each in group if each.row.tokens]
        if counts:
            interval = bootstrap_mean(counts, clusters, seed=seed, bounds=None, resamples=task.resamples)
            yield MetricRow(
                metric="tokens_per_candidate",
                language=key[1],
                value=sum(counts) / len(counts),
                low=interval.low,
                high=interval.high,
                n=len(counts),
                n_clusters=len(set(clusters)),
                interval=interval.method,
            )
    yield from _bias_rows(judged, benchmark, task, seed)


def _accuracy_keys(item: Item) -> list[Key]:
    t, lang, f, target = item.topic, item.language, item.form, item.target
    pooled: list[Key] = [(None, None, None, target), (None, lang, None, target), (t, None, None, target)]
    return [*pooled, (None, None, f, target), (None, lang, f, target), (t, lang, None, target), (t, lang, f, target)]


def _groups(judged: Sequence[Judged], keys: Callable[[Item], Sequence[Key]]) -> list[tuple[Key, list[Judged]]]:
    groups: dict[Key, list[Judged]] = defaultdict(list)
    for each in judged:
        for key in keys(each.item):
            groups[key].append(each)
    return sorted(groups.items(), key=lambda pair: tuple(part or "" for part in pair[0]))


def _cluster(key: Key, item: Item) -> str:
    """The fact within a topic, the subject where topics are pooled (METRICS §4)."""
    return item.subject_id if key[0] is None else item.cluster_id


def _row(
    name: str,
    key: Key,
    scored: Sequence[tuple[Judged, m.Scored]],
    task: RankingTask,
    seed: int,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> MetricRow:
    """One row: the mean with its interval by cluster, its chance and its ceiling over the items where it is defined."""
    mean = m.mean(result for _, result in scored)
    used = [(result.value, _cluster(key, each.item)) for each, result in scored if result.value is not None]
    low = high = None
    method = reason = ""
    if used:
        values, clusters = [value for value, _ in used], [cluster for _, cluster in used]
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
            *([f"errors:{failed}"] if failed else []),
            *(f"undefined:{why}:{count}" for why, count in sorted(undefined.items())),
            *([f"interval:{reason}"] if reason else []),
            *sorted({flag.split(":", 1)[0] for flag in mean.flags}),
        ],
    )


def _corrected(key: Key, group: Sequence[Judged], task: RankingTask, seed: int) -> MetricRow:
    """MAP corrected for chance, item by item: (AP − chance) / (1 − chance)."""
    results = [(each, m.corrected(each.precision["map"])) for each in group]
    lowest = [-(r.chance / (1 - r.chance)) for _, r in ((e, e.precision["map"]) for e in group) if r.chance is not None and r.chance < 1]
    return _row("map_corrected", key, results, task, seed, bounds=(min([0.0, *lowest]), 1.0))


def _macro(judged: Sequence[Judged]) -> Iterator[MetricRow]:
    """The mean over cells, each counting the same, overall and for each language; only with cells that are defined."""
    cells: dict[tuple[str | None, str], dict[Key, list[m.Scored]]] = defaultdict(lambda: defaultdict(list))
    for each in judged:
        item = each.item
        for language in (None, item.language):
            cells[language, item.target][item.topic, item.language, item.form, item.target].append(each.precision["map"])
    for (language, target), group in sorted(cells.items(), key=lambda pair: (pair[0][0] or "", pair[0][1])):
        means = [m.mean(results) for results in group.values()]
        defined = [mean for mean in means if mean.value is not None]
        chances = [mean.chance for mean in defined if mean.chance is not None]
        values = [mean.value for mean in defined if mean.value is not None]
        yield MetricRow(
            metric="map",
            language=language,
            target=target,
            value=sum(values) / len(values) if values else None,
            reason=None if values else "no-defined-cell",
            chance=sum(chances) / len(chances) if chances else None,
            n=len(defined),
            pooling="macro",
            interval="none: a mean over cells",
        )


@dataclass(frozen=True)
class _Bias:
    judged: Judged
    by_n: Mapping[int, m.Bias]
    lift: Mapping[int, m.Scored]


def _biases(judged: Sequence[Judged], benchmark: Benchmark, task: RankingTask) -> list[_Bias]:
    rankings: dict[tuple[str, str, str], dict[str, m.Ranking]] = defaultdict(dict)
    for each in judged:
        if each.ranking is not None and each.item.target == "entities":
            place = (each.item.topic, each.item.subject_id, each.item.form)
            rankings[place][each.item.language] = each.ranking
    results = []
    for each in judged:
        item = each.item
        aligned = benchmark.associations.get((item.topic, item.language))
        if aligned is None or each.ranking is None or item.target != "entities" or item.language in task.no_bias:
            continue
        twins = rankings[item.topic, item.subject_id, task.aligned(item.form)]
        others = [ranking for language, ranking in sorted(twins.items()) if language != item.language]
        share = task.max_aligned_share
        results.append(
            _Bias(
                each,
                {n: m.bias(each.ranking, each.gold, aligned, n, max_aligned_share=share) for n in task.top},
                {n: m.lift(each.ranking, others, each.gold, aligned, n, max_aligned_share=share) for n in task.top},
            )
        )
    return results


def _bias_rows(judged: Sequence[Judged], benchmark: Benchmark, task: RankingTask, seed: int) -> Iterator[MetricRow]:
    groups: dict[Key, list[_Bias]] = defaultdict(list)
    for result in _biases(judged, benchmark, task):
        item = result.judged.item
        for form in (item.form, None):
            groups[item.topic, item.language, form, "entities"].append(result)
    for key, group in sorted(groups.items(), key=lambda pair: tuple(part or "" for part in pair[0])):
        for n in task.top:
            for name, pick in (
                ("fib", lambda b, n=n: b.by_n[n].fib),
                ("fib_any", lambda b, n=n: b.by_n[n].fib_any),
                ("fib_minus", lambda b, n=n: b.by_n[n].fib_minus),
            ):
                yield _row(f"{name}@{n}", key, [(each.judged, pick(each)) for each in group], task, seed)
            lifts = [(each.judged, each.lift[n]) for each in group]
            yield _row(f"lift@{n}", key, lifts, task, seed, bounds=(-1.0, 1.0))


def biased_subjects(judged: Sequence[Judged], benchmark: Benchmark, task: RankingTask) -> Iterator[BiasedSubject]:
    """The subjects of each topic and language whose ranking favours the prompt language most, by lift, then FIB⁻."""
    groups: dict[tuple[str, str], list[tuple[float, float, _Bias]]] = defaultdict(list)
    for result in _biases(judged, benchmark, task):
        bias, lift = result.by_n[SHOWN_N].fib_minus, result.lift[SHOWN_N]
        amount = bias.value if bias.value is not None else bias.raw
        if amount and result.judged.item.form == task.aligned(result.judged.item.form):
            groups[result.judged.item.topic, result.judged.item.language].append((lift.value or 0.0, amount, result))
    for place, found in sorted(groups.items()):
        found.sort(key=lambda entry: (-entry[0], -entry[1], _best_aligned(entry[2], benchmark), entry[2].judged.item.id))
        for lift_value, amount, result in found[:SHOWN_SUBJECTS]:
            yield _shown(result.judged, benchmark.associations[place], amount, lift_value)


def _best_aligned(result: _Bias, benchmark: Benchmark) -> int:
    """The rank of the first associated entity that is not true of the subject."""
    each = result.judged
    wanted = benchmark.associations[each.item.topic, each.item.language] - each.gold
    assert each.ranking is not None
    for rank, group in enumerate(each.ranking.groups):
        if any(wanted.intersection(candidate.ids) for candidate in group):
            return rank
    return len(each.ranking.groups)


def _shown(each: Judged, aligned: frozenset[str], bias: float, lift: float) -> BiasedSubject:
    assert each.ranking is not None
    scores = dict(zip(_surfaces(each), each.row.scores, strict=True))
    ranking, rank = [], 1
    for group in each.ranking.groups:
        for candidate in group:
            if len(ranking) < SHOWN_CANDIDATES:
                ranking.append(
                    RankedCandidate(
                        rank=rank,
                        surface=candidate.surface,
                        ids=list(candidate.ids),
                        score=scores[candidate.surface],
                        gold=bool(each.gold.intersection(candidate.ids)),
                        aligned=bool(aligned.intersection(candidate.ids)),
                    )
                )
        rank += len(group)
    item = each.item
    return BiasedSubject(
        item_id=item.id,
        topic=item.topic,
        language=item.language,
        form=item.form,
        subject=item.subject,
        question=item.question,
        bias=bias,
        lift=lift,
        expected=item.expected,
        ranking=ranking,
    )


def _surfaces(each: Judged) -> list[str]:
    assert each.ranking is not None
    return sorted(candidate.surface for group in each.ranking.groups for candidate in group)
