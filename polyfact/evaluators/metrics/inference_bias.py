"""Factual inference bias: whether wrong answers belong to the language that was asked in."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from polyfact.evaluators.metrics.chance import inclusion
from polyfact.evaluators.metrics.ranking import Ranking, profile
from polyfact.evaluators.metrics.scored import Scored

__all__ = ["Bias", "bias", "lift"]

Group = list[tuple[str, ...]]
"""One tie group as Q sees it: for each surface, the aligned ids that it stands for (mostly none)."""


@dataclass(frozen=True, slots=True)
class Bias:
    """The factual inference bias of one subject at one n.

    fib: share of Q - R among the first n candidates. fib_any: whether at least one is. fib_minus: as fib,
    after the true answers have been taken out of the ranking, so that being right does not lower it.
    n_aligned: |Q - R| among the candidates, the denominator.
    """

    n: int
    fib: Scored
    fib_any: Scored
    fib_minus: Scored
    n_aligned: int


def bias(
    ranking: Ranking,
    gold: Collection[str],
    aligned: Collection[str],
    n: int,
    *,
    max_aligned_share: float = 0.5,
) -> Bias:
    """|top_n & (Q - R)| / |Q - R| of one subject, in expectation over tie orders.

    gold: R, the ids that are true of the subject. aligned: Q, the ids that belong to the prompt's language.
    Membership is by id: Q is what of `aligned` is a candidate, and a surface that also stands for a gold id
    leaves it. Chance is n/N for fib, n/(N-|R|) for fib_minus, hypergeometric for fib_any. The ceiling is
    min(1, n/|Q - R|), or 1 for fib_any.
    The value is None where it could only mislead, with the reason "no-aligned-candidates",
    "all-aligned-are-true",
    "aligned-share-too-large" (Q is more than max_aligned_share of the candidates) or "n>=surface_size" (every
    candidate is in the top n). For the last two, `raw` keeps what the formula gives and the flags the reason.
    The mean over subjects is `mean(b.fib for b in …)`. Raises ValueError for n < 1.

    >>> from polyfact.evaluators.metrics.ranking import Candidate, rank
    >>> japan = rank([Candidate(c, (c,)) for c in ("ja", "en", "zh", "it")], [-1.0, -2.0, -3.0, -4.0])
    >>> result = bias(japan, gold={"ja"}, aligned={"it"}, n=3)
    >>> result.fib.value, result.fib.chance, result.fib_minus.reason
    (0.0, 0.75, 'n>=surface_size')
    """
    if n < 1:
        raise ValueError(f"the first {n} candidates are no set to look at")
    true, wanted = frozenset(gold), frozenset(aligned)
    groups = list(_groups(ranking, true, wanted))
    without_true = list(_groups(ranking, true, wanted, drop_true=True))
    flags = profile(ranking, true).flags
    places = Counter(entity for group in groups for surface in group for entity in surface)
    reason = None
    if not places:
        in_q = any(not wanted.isdisjoint(candidate.ids) for group in ranking.groups for candidate in group)
        reason = "all-aligned-are-true" if in_q else "no-aligned-candidates"
        nothing = Scored(None, reason, flags)
        return Bias(n, nothing, nothing, nothing, 0)
    if _aligned_share(ranking, wanted) > max_aligned_share:
        reason = "aligned-share-too-large"
    found, any_found = _found(groups, n, len(places))
    found_minus, _ = _found(without_true, n, len(places))
    size, size_minus = sum(map(len, groups)), sum(map(len, without_true))
    ceiling = _ceiling(groups, n, len(places))
    surfaces = sum(1 for group in groups for surface in group if surface)
    return Bias(
        n=n,
        fib=_scored(found, reason, flags, n, size, _chance(places, n, size), ceiling),
        fib_any=_scored(any_found, reason, flags, n, size, inclusion(size, surfaces, n), 1.0),
        fib_minus=_scored(found_minus, reason, flags, n, size_minus, _chance(places, n, size_minus), ceiling),
        n_aligned=len(places),
    )


def lift(
    own: Ranking,
    others: Sequence[Ranking],
    gold: Collection[str],
    aligned: Collection[str],
    n: int,
    *,
    max_aligned_share: float = 0.5,
) -> Scored:
    """The effect of the prompt's language on one subject: fib_minus less its mean under the other prompts.

    own: the ranking under the prompt in the language that `aligned` belongs to. others: rankings of the same
    subject under prompts in the other languages; all are measured on the same ids, those of Q - R that are
    candidates in every one of the rankings. In [-1, 1]; chance is the difference of the chance levels (0 for
    equal candidate sets).
    None with a reason: those of `bias`; "no-other-language"; "no-common-aligned"; "other-language-undefined".
    """
    reference = bias(own, gold, aligned, n, max_aligned_share=max_aligned_share).fib_minus
    if reference.value is None:
        return Scored(None, reference.reason, reference.flags)
    if not others:
        return Scored(None, "no-other-language", reference.flags)
    true, common = frozenset(gold), frozenset(aligned)
    for ranking in (own, *others):
        eligible = _groups(ranking, true, common)
        common = frozenset(entity for group in eligible for surface in group for entity in surface)
    if not common:
        return Scored(None, "no-common-aligned", reference.flags)
    here = bias(own, gold, common, n, max_aligned_share=1.0).fib_minus
    there = [bias(ranking, gold, common, n, max_aligned_share=1.0).fib_minus for ranking in others]
    flags = tuple(sorted({flag for scored in (here, *there) for flag in scored.flags}))
    values = [scored.value for scored in there if scored.value is not None]
    chances = [scored.chance for scored in there if scored.chance is not None]
    if here.value is None or here.chance is None or len(values) < len(there):
        return Scored(None, "other-language-undefined", flags)
    return Scored(
        here.value - math.fsum(values) / len(values),
        flags=flags,
        chance=here.chance - math.fsum(chances) / len(chances),
    )


def _groups(
    ranking: Ranking, true: frozenset[str], aligned: frozenset[str], *, drop_true: bool = False
) -> Iterator[Group]:
    for group in ranking.groups:
        seen: Group = []
        for candidate in group:
            if true.isdisjoint(candidate.ids):
                seen.append(tuple(entity for entity in candidate.ids if entity in aligned))
            elif not drop_true:
                seen.append(())
        if seen:
            yield seen


def _found(groups: Sequence[Group], n: int, n_aligned: int) -> tuple[float, float]:
    """Expected share of the aligned ids among the first n, and the probability of at least one."""
    inside: set[str] = set()
    places = n
    for group in groups:
        if len(group) > places:
            at_the_edge = Counter(entity for surface in group for entity in surface if entity not in inside)
            partly = math.fsum(inclusion(len(group), count, places) for count in at_the_edge.values())
            surfaces = sum(1 for surface in group if surface)
            any_found = 1.0 if inside else inclusion(len(group), surfaces, places)
            return (len(inside) + partly) / n_aligned, any_found
        inside.update(entity for surface in group for entity in surface)
        places -= len(group)
        if places == 0:
            break
    return len(inside) / n_aligned, 1.0 if inside else 0.0


def _chance(places: Counter[str], n: int, size: int) -> float:
    if max(places.values()) == 1:
        return min(1.0, n / size)
    return math.fsum(inclusion(size, count, n) for count in places.values()) / len(places)


def _ceiling(groups: Sequence[Group], n: int, n_aligned: int) -> float:
    """min(1, n/|Q - R|); with shared surfaces, the share that the n most useful of them cover."""
    surfaces = [set(surface) for group in groups for surface in group if surface]
    if all(len(surface) == 1 for surface in surfaces):
        return min(1.0, n / n_aligned)
    covered: set[str] = set()
    for _ in range(min(n, len(surfaces))):
        covered |= max(surfaces, key=lambda surface: len(surface - covered))
    return len(covered) / n_aligned


def _aligned_share(ranking: Ranking, aligned: frozenset[str]) -> float:
    members = sum(not aligned.isdisjoint(candidate.ids) for group in ranking.groups for candidate in group)
    return members / ranking.n_surface


def _scored(
    value: float, reason: str | None, flags: tuple[str, ...], n: int, size: int, chance: float, ceiling: float
) -> Scored:
    if n >= size:
        reason, flags = reason or "n>=surface_size", (*flags, "n>=surface_size")
    if reason is None:
        return Scored(value, flags=flags, chance=chance, ceiling=ceiling)
    flags = flags if reason in flags else (*flags, reason)
    return Scored(None, reason, flags, chance=chance, ceiling=ceiling, raw=value)
