"""What a random ranking scores, in closed form: independent scores per surface, all orders equally likely."""

from __future__ import annotations

import math
from functools import lru_cache

__all__ = ["chance_average_precision", "chance_precision_at", "chance_reciprocal_rank", "inclusion"]


def chance_average_precision(n_surface: int, n_gold: int, n_missing: int = 0) -> float:
    """Expected AP of a random ranking: (1/N) [H_N + (m-1)(N-H_N)/(N-1)], H_N the N-th harmonic number.

    n_surface: N, the surfaces ranked. n_gold: m, the gold ones among them. n_missing: gold ids that are no
    candidate; they count 0 in a mean over m + n_missing. In [0, 1].
    Raises ValueError where there is no gold at all or more gold than surfaces.

    >>> chance_average_precision(2, 1)
    0.75
    """
    _check(n_surface, n_gold)
    if n_gold + n_missing < 1:
        raise ValueError("no gold: average precision is undefined")
    if n_gold == 0:
        return 0.0
    found = n_gold / (n_gold + n_missing)
    if n_gold == n_surface:
        return found
    harmonic = _harmonic(n_surface)
    return found * (harmonic + (n_gold - 1) * (n_surface - harmonic) / (n_surface - 1)) / n_surface


def chance_precision_at(n_surface: int, n_gold: int, k: int) -> float:
    """Expected P@k of a random ranking: m/N, or m/k where k reaches past the last candidate.

    >>> chance_precision_at(200, 3, 1)
    0.015
    """
    _check(n_surface, n_gold)
    return n_gold / max(n_surface, k)


@lru_cache(maxsize=1 << 12)
def chance_reciprocal_rank(n_surface: int, n_gold: int) -> float:
    """Expected 1/rank of the first gold surface in a random ranking: sum over r of P(first at r) / r.

    >>> chance_reciprocal_rank(2, 1)
    0.75
    """
    _check(n_surface, n_gold)
    return first_of_group(n_surface, n_gold, ahead=0)


def first_of_group(size: int, n_gold: int, ahead: int) -> float:
    """E[1/rank] of the first of n_gold members of a randomly ordered group of `size` after `ahead` others."""
    if n_gold == 0:
        return 0.0
    terms: list[float] = []
    probability = n_gold / size
    for place in range(1, size - n_gold + 2):
        terms.append(probability / (ahead + place))
        if place < size:
            probability *= (size - place - n_gold + 1) / (size - place)
    return math.fsum(terms)


def inclusion(size: int, members: int, drawn: int) -> float:
    """Probability that at least one of `members` is among `drawn` of `size`, each subset equally likely.

    >>> inclusion(4, 1, 3), inclusion(4, 2, 1), inclusion(3, 1, 5)
    (0.75, 0.5, 1.0)
    """
    if drawn >= size:
        return 1.0 if members else 0.0
    if members == 1:
        return drawn / size
    return 1 - math.comb(size - members, drawn) / math.comb(size, drawn)


@lru_cache(maxsize=1 << 12)
def _harmonic(n: int) -> float:
    return math.fsum(1 / k for k in range(1, n + 1))


def _check(n_surface: int, n_gold: int) -> None:
    if not 0 <= n_gold <= n_surface or n_surface < 1:
        raise ValueError(f"{n_gold} gold among {n_surface} surfaces")
