"""Average precision, precision at k, R-precision and reciprocal rank, each in expectation over tie orders."""

from __future__ import annotations

import math
from collections.abc import Collection

from polyfact.evaluators.metrics.chance import (
    chance_average_precision,
    chance_precision_at,
    chance_reciprocal_rank,
    first_of_group,
)
from polyfact.evaluators.metrics.ranking import Profile, Ranking, profile
from polyfact.evaluators.metrics.scored import Scored

__all__ = ["average_precision", "precision_at", "r_precision", "reciprocal_rank"]


def average_precision(ranking: Ranking, gold: Collection[str]) -> Scored:
    """Average Precision of one ranking (Zhu 2004), in expectation over the orders of tied candidates.

    gold: the ids that are right. |G| counts distinct gold surfaces, and each gold id that no candidate stands
    for, which adds 0 and is flagged. A tie group of t with g gold, after a candidates with h gold, adds sum
    over j of (g/t) (h + 1 + (j-1)(g-1)/(t-1)) / (a+j), all over |G|; without ties this is the usual mean of
    the precision at each gold rank. In [0, 1], and exactly 1.0 when all gold is first.
    Undefined without gold ("no-gold"), where 0 would be a claim about the model, and without candidates.

    >>> from polyfact.evaluators.metrics.ranking import Candidate, rank
    >>> ranking = rank([Candidate(c, (c,)) for c in "abcd"], [-1.0, -2.0, -3.0, -4.0])
    >>> average_precision(ranking, {"a", "c"}).value
    0.8333333333333333
    """
    seen = profile(ranking, gold)
    undefined = _undefined(seen)
    if undefined is not None:
        return undefined
    terms: list[float] = []
    ahead = right = 0
    for size, n_right in seen.groups:
        if n_right:
            terms.extend(_precisions_in_group(size, n_right, ahead, right))
        ahead += size
        right += n_right
    return Scored(
        math.fsum(terms) / seen.n_gold,
        flags=seen.flags,
        chance=chance_average_precision(ahead, right, seen.n_missing),
        ceiling=right / seen.n_gold,
    )


def precision_at(ranking: Ranking, gold: Collection[str], k: int) -> Scored:
    """Share of the first k candidates that are gold, in expectation over tie orders.

    The share is of k even where there are fewer candidates. Raises ValueError for k < 1. Undefined without
    gold or candidates.

    >>> from polyfact.evaluators.metrics.ranking import Candidate, rank
    >>> precision_at(rank([Candidate(c, (c,)) for c in "abc"], [-1.0, -1.0, -5.0]), {"a"}, 1).value
    0.5
    """
    if k < 1:
        raise ValueError(f"precision at {k} is undefined")
    seen = profile(ranking, gold)
    return _undefined(seen) or _precision(seen, k)


def r_precision(ranking: Ranking, gold: Collection[str]) -> Scored:
    """Precision at |G|: of as many candidates as there are right answers, the share that is right.

    >>> from polyfact.evaluators.metrics.ranking import Candidate, rank
    >>> r_precision(rank([Candidate(c, (c,)) for c in "abc"], [-1.0, -2.0, -3.0]), {"a", "c"}).value
    0.5
    """
    seen = profile(ranking, gold)
    return _undefined(seen) or _precision(seen, seen.n_gold)


def reciprocal_rank(ranking: Ranking, gold: Collection[str]) -> Scored:
    """1 / rank of the first gold candidate, in expectation over tie orders; 0 if no gold is a candidate.

    >>> from polyfact.evaluators.metrics.ranking import Candidate, rank
    >>> reciprocal_rank(rank([Candidate(c, (c,)) for c in "abc"], [-1.0, -1.0, -5.0]), {"a"}).value
    0.75
    """
    seen = profile(ranking, gold)
    undefined = _undefined(seen)
    if undefined is not None:
        return undefined
    value, ahead = 0.0, 0
    for size, n_right in seen.groups:
        if n_right:
            value = first_of_group(size, n_right, ahead)
            break
        ahead += size
    n_right = seen.n_gold - seen.n_missing
    chance = chance_reciprocal_rank(ranking.n_surface, n_right)
    return Scored(value, flags=seen.flags, chance=chance, ceiling=1.0 if n_right else 0.0)


def _precisions_in_group(size: int, n_right: int, ahead: int, right: int) -> list[float]:
    if size == 1:
        return [(right + 1) / (ahead + 1)]
    others = n_right - 1
    return [
        n_right * (right + 1 + (place - 1) * others / (size - 1)) / (size * (ahead + place))
        for place in range(1, size + 1)
    ]


def _precision(seen: Profile, k: int) -> Scored:
    ahead = right = n_surface = n_right_all = 0
    share = 0.0
    for size, n_right in seen.groups:
        n_surface += size
        n_right_all += n_right
        if ahead + size <= k:
            right += n_right
        elif ahead < k:
            share = n_right * (k - ahead) / size
        ahead += size
    return Scored(
        (right + share) / k,
        flags=seen.flags,
        chance=chance_precision_at(n_surface, n_right_all, k),
        ceiling=min(k, n_right_all) / k,
    )


def _undefined(seen: Profile) -> Scored | None:
    if seen.n_gold == 0:
        return Scored(None, "no-gold", seen.flags)
    if not seen.groups:
        return Scored(None, "no-candidates", seen.flags)
    return None
