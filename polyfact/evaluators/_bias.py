"""The inference bias of a run: its rows, and the subjects where it is strongest."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from polyfact.evaluators import metrics as m
from polyfact.evaluators._aggregate import Judged, Key, metric_row
from polyfact.evaluators._data import Benchmark
from polyfact.evaluators.tasks import RankingTask
from polyfact.schemas import BiasedSubject, MetricRow, RankedCandidate

__all__ = ["SubjectBias", "bias_rows", "biased_subjects", "biases"]

SHOWN_SUBJECTS = 5
SHOWN_CANDIDATES = 10
SHOWN_N = (10, 5, 3, 1)
MOST_CHANCE = 0.5


@dataclass(frozen=True)
class SubjectBias:
    """The inference bias of one item, for each n."""

    judged: Judged
    by_n: Mapping[int, m.Bias]
    lift: Mapping[int, m.Scored]


def biases(judged: Sequence[Judged], benchmark: Benchmark, task: RankingTask) -> list[SubjectBias]:
    """The bias of every item whose language has associated entities in its topic and is not left out."""
    rankings: dict[tuple[str, str, str, int], dict[str, m.Ranking]] = defaultdict(dict)
    for each in judged:
        if each.ranking is not None and each.item.target == "entities":
            place = (each.item.topic, each.item.subject_id, each.item.form, each.item.paraphrase)
            rankings[place][each.item.language] = each.ranking
    results = []
    for each in judged:
        item = each.item
        aligned = benchmark.associations.get((item.topic, item.language))
        if aligned is None or each.ranking is None or item.target != "entities" or item.language in task.no_bias:
            continue
        twins = rankings[item.topic, item.subject_id, task.aligned(item.form), item.paraphrase]
        others = [ranking for language, ranking in sorted(twins.items()) if language != item.language]
        share = task.max_aligned_share
        results.append(
            SubjectBias(
                each,
                {n: m.bias(each.ranking, each.gold, aligned, n, max_aligned_share=share) for n in task.top},
                {n: m.lift(each.ranking, others, each.gold, aligned, n, max_aligned_share=share) for n in task.top},
            )
        )
    return results


def bias_rows(
    found: Sequence[SubjectBias], judged: Sequence[Judged], task: RankingTask, seed: int
) -> Iterator[MetricRow]:
    """The inference bias of each topic, language and form, and over forms; null with a reason, or defined."""
    groups: dict[Key, list[SubjectBias]] = defaultdict(list)
    for result in found:
        item = result.judged.item
        for form in (item.form, None):
            groups[item.topic, item.language, form, "entities"].append(result)
    for key in sorted(_bias_keys(judged, {result.judged.item.topic for result in found}), key=_order):
        for n in task.top:
            if key not in groups:
                reason = "language-left-out" if key[1] in task.no_bias else "no-associations"
                yield from (_none(f"{name}@{n}", key, reason) for name in (*_PARTS, "lift"))
                continue
            for name, part in _PARTS.items():
                values = [(each.judged, part(each.by_n[n])) for each in groups[key]]
                yield metric_row(f"{name}@{n}", key, values, task, seed)
            lifts = [(each.judged, each.lift[n]) for each in groups[key]]
            yield metric_row(f"lift@{n}", key, lifts, task, seed, (-1.0, 1.0))


_PARTS: Mapping[str, Callable[[m.Bias], m.Scored]] = {
    "fib": lambda bias: bias.fib,
    "fib_any": lambda bias: bias.fib_any,
    "fib_minus": lambda bias: bias.fib_minus,
}


def _bias_keys(judged: Sequence[Judged], topics: set[str]) -> set[Key]:
    items = [each.item for each in judged if each.item.target == "entities" and each.item.topic in topics]
    return {(item.topic, item.language, form, "entities") for item in items for form in (item.form, None)}


def _order(key: Key) -> tuple[str, ...]:
    return tuple(part or "" for part in key)


def _none(name: str, key: Key, reason: str) -> MetricRow:
    return MetricRow(metric=name, topic=key[0], language=key[1], form=key[2], target=key[3], reason=reason)


def biased_subjects(found: Sequence[SubjectBias], benchmark: Benchmark, task: RankingTask) -> Iterator[BiasedSubject]:
    """The subjects of each topic and language whose ranking favours the prompt language most.

    By lift, then FIB⁻, among the first 10, as in the paper, or fewer where chance would be above one half; of the
    wordings of a form the one where it is strongest. Subjects whose FIB⁻ is undefined or not above chance are not among
    them.
    """
    groups: dict[tuple[str, str], list[SubjectBias]] = defaultdict(list)
    for result in found:
        item = result.judged.item
        if item.form == task.aligned(item.form):
            groups[item.topic, item.language].append(result)
    for place, whole in sorted(groups.items()):
        n = _shown_n(whole, task)
        group = [result for result in whole if _above_chance(result.by_n[n].fib_minus)]
        group.sort(key=lambda each: _by_bias(each, benchmark, n))
        strongest: dict[tuple[str, str], SubjectBias] = {}
        for result in group:
            strongest.setdefault((result.judged.item.subject_id, result.judged.item.form), result)
        for result in list(strongest.values())[:SHOWN_SUBJECTS]:
            yield _shown(result, benchmark, benchmark.associations[place], n)


def _shown_n(group: Sequence[SubjectBias], task: RankingTask) -> int:
    """The largest n at which a ranking can tell something: chance is at most one half."""
    known = [n for n in SHOWN_N if n in task.top] or [min(task.top)]
    for n in known:
        chances = [chance for result in group if (chance := result.by_n[n].fib_minus.chance) is not None]
        if chances and math.fsum(chances) / len(chances) <= MOST_CHANCE:
            return n
    return known[-1]


def _above_chance(scored: m.Scored) -> bool:
    return scored.value is not None and scored.chance is not None and scored.value > scored.chance + 1e-9


def _by_bias(each: SubjectBias, benchmark: Benchmark, n: int) -> tuple[float, float, int, str]:
    lift, bias = each.lift[n].value, each.by_n[n].fib_minus.value
    strength = (math.inf if lift is None else -lift, -(bias or 0.0))
    return (*strength, _best_aligned(each, benchmark), each.judged.item.id)


def _best_aligned(result: SubjectBias, benchmark: Benchmark) -> int:
    """The rank of the first associated entity that is not true of the subject."""
    each = result.judged
    wanted = benchmark.associations[each.item.topic, each.item.language] - each.gold
    assert each.ranking is not None
    for rank, group in enumerate(each.ranking.groups):
        if any(wanted.intersection(candidate.ids) for candidate in group):
            return rank
    return len(each.ranking.groups)


def _shown(result: SubjectBias, benchmark: Benchmark, aligned: frozenset[str], n: int) -> BiasedSubject:
    each = result.judged
    assert each.ranking is not None
    candidates = benchmark.sets[each.row.candidates].candidates
    scores = {candidate.surface: score for candidate, score in zip(candidates, each.row.scores, strict=True)}
    ranking: list[RankedCandidate] = []
    rank = 1
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
        n=n,
        bias=result.by_n[n].fib_minus.value or 0.0,
        lift=result.lift[n].value,
        expected=item.expected,
        ranking=ranking,
    )
