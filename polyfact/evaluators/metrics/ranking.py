"""Candidates with scores to a ranking of tie groups, and what can be read off it."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

__all__ = ["Candidate", "Ranking", "in_listed_order", "normalised_score", "prefix_pairs", "rank", "top_n"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A surface form and the ids of all entities that it stands for."""

    surface: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates in tie groups, best group first; inside a group the order (by text) carries no meaning.

    flags: "duplicate_surface:<text>" for every surface that stands for more than one id.
    """

    groups: tuple[tuple[Candidate, ...], ...]
    flags: tuple[str, ...] = ()

    @property
    def n_surface(self) -> int:
        """Number of distinct surfaces ranked."""
        return sum(len(group) for group in self.groups)


class Profile(NamedTuple):
    """A ranking seen from a gold set: all that AP, P@k and MRR need."""

    groups: tuple[tuple[int, int], ...]
    """(size, number of gold surfaces) of each tie group, best first."""
    n_gold: int
    """|G|: distinct gold surfaces, plus the gold ids that no candidate stands for."""
    n_missing: int
    flags: tuple[str, ...]


def rank(
    candidates: Sequence[Candidate], scores: Sequence[float], *, fold: Callable[[str], str] | None = None
) -> Ranking:
    """Order candidates by score, higher first; equal scores form one tie group.

    candidates, scores: of equal length. Candidates whose surfaces are the same text (NFC, runs of white space
    as one space, trimmed, then `fold`, which is the language's own case folding) become one: it is scored
    once, with the better of their scores, and credited to the ids of all.
    Raises ValueError for unequal lengths and for NaN, which no order can hold.

    >>> rank([Candidate("Rome", ("Q220",)), Candidate("Paris", ("Q90",))], [-2.0, -1.0]).groups[0][0].surface
    'Paris'
    """
    if len(candidates) != len(scores):
        raise ValueError(f"{len(candidates)} candidates but {len(scores)} scores")
    merged: dict[str, tuple[float, str, tuple[str, ...]]] = {}
    shared: set[str] = set()
    for candidate, score in zip(candidates, scores, strict=True):
        if math.isnan(score):
            raise ValueError(f"the score of {candidate.surface!r} is not a number")
        key = _text(candidate.surface)
        key = fold(key) if fold else key
        if len(candidate.ids) > 1 or key in merged:
            shared.add(key)
        if key not in merged:
            merged[key] = (score, candidate.surface, candidate.ids)
            continue
        best, surface, ids = merged[key]
        merged[key] = (max(best, score), min(surface, candidate.surface), (*ids, *candidate.ids))
    ordered = sorted(merged.values(), key=lambda entry: (-entry[0], entry[1]))
    groups = tuple(
        tuple(Candidate(surface, ids if len(ids) < 2 else tuple(sorted(set(ids)))) for _, surface, ids in members)
        for _, members in groupby(ordered, key=lambda entry: entry[0])
    )
    return Ranking(groups, tuple(f"duplicate_surface:{text}" for text in sorted(shared)))


def in_listed_order(ranking: Ranking) -> Ranking:
    """The ranking with every tie broken by the order of the surfaces' text, whatever that favours.

    >>> tied = rank([Candidate(c, (c,)) for c in "ba"], [0.0, 0.0])
    >>> [len(group) for group in tied.groups], [group[0].surface for group in in_listed_order(tied).groups]
    ([2], ['a', 'b'])
    """
    return Ranking(tuple((candidate,) for group in ranking.groups for candidate in group), ranking.flags)


def top_n(ranking: Ranking, n: int) -> list[tuple[Candidate, float]]:
    """The candidates that can be among the first n, each with the probability that it is.

    The probability is over tie orders: 1 inside, s/t for a group of t that straddles rank n with s places
    left.

    >>> ranking = rank([Candidate(c, (c,)) for c in "abc"], [0.0, -1.0, -1.0])
    >>> [(candidate.surface, weight) for candidate, weight in top_n(ranking, 2)]
    [('a', 1.0), ('b', 0.5), ('c', 0.5)]
    """
    found: list[tuple[Candidate, float]] = []
    places = _positive(n)
    for group in ranking.groups:
        if places <= 0:
            break
        weight = min(1.0, places / len(group))
        found.extend((candidate, weight) for candidate in group)
        places -= len(group)
    return found


def prefix_pairs(surfaces: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs (short, long) of different surfaces where the short one begins the long one; sorted.

    Scored as a raw sum, the short one can never rank below the long one whatever the model believes.

    >>> prefix_pairs(["10", "2", "1"])
    [('1', '10')]
    """
    known = set(surfaces)
    return sorted((text[:end], text) for text in known for end in range(1, len(text)) if text[:end] in known)


def normalised_score(logp: float, surface: str, tokens: int, unit: str = "sum") -> float:
    """A candidate's log-probability (nats) as it is ("sum"), or by "token", "char" or "byte".

    char = code points of the NFC text without white space at its ends, byte = the same text in UTF-8. The
    unit belongs to the metric's name: in scripts of three bytes a letter, char and byte reverse the ranking.
    Raises ValueError for another unit, and for a length of 0.

    >>> normalised_score(-4.5, "रोम", 3, "byte")
    -0.5
    """
    text = unicodedata.normalize("NFC", surface).strip()
    lengths = {"sum": 1, "token": tokens, "char": len(text), "byte": len(text.encode())}
    if unit not in lengths:
        raise ValueError(f"unit {unit!r}: use one of {', '.join(lengths)}")
    if lengths[unit] < 1:
        raise ValueError(f"a candidate of no {unit}s has no score by {unit}")
    return logp / lengths[unit]


def profile(ranking: Ranking, gold: Collection[str]) -> Profile:
    """Reduce a ranking to (size, gold surfaces) by tie group, and flag the gold ids that are no candidate."""
    wanted = frozenset(gold)
    found: set[str] = set()
    groups: list[tuple[int, int]] = []
    n_present = 0
    for group in ranking.groups:
        n_right = 0
        for candidate in group:
            if not wanted.isdisjoint(candidate.ids):
                n_right += 1
                found.update(candidate.ids)
        groups.append((len(group), n_right))
        n_present += n_right
    missing = sorted(wanted - found)
    flags = (*ranking.flags, *(f"gold_not_in_surface:{entity}" for entity in missing))
    return Profile(tuple(groups), n_present + len(missing), len(missing), flags)


@lru_cache(maxsize=1 << 16)
def _text(surface: str) -> str:
    return " ".join(unicodedata.normalize("NFC", surface).split())


def _positive(n: int) -> int:
    if n < 1:
        raise ValueError(f"the first {n} candidates are no set to look at")
    return n
