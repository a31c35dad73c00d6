"""Equality of normalised answers: one gold, several aliases, lists of entities, and the fuzzy variant.

Every function takes the answer's language as ``normalise``, `Language.normalise` of the language file, and
applies it to both sides. Equal means equal as a whole: no containment, no removal of articles.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from rapidfuzz.distance import Indel

from polyfact.evaluators.metrics.scored import Scored

__all__ = [
    "UNSCORABLE",
    "Answer",
    "ListMatch",
    "Normalise",
    "canonical_text",
    "exact_match",
    "fuzzy_match",
    "match_any",
    "match_list",
    "similarity",
]

Normalise: TypeAlias = Callable[[str], str]
Answer: TypeAlias = str | int | float | None
"""An answer or a gold as a loader may hand it on; bool is an int."""

UNSCORABLE = "unscorable"
"""The reason where there is nothing to compare with; a flag says why: null-gold, empty-gold, no-gold."""

_SEPARATOR = re.compile(  # not inside 1,234, 15/08/1947 or R&B
    r"[;،؛、；|•\n\r]|(?<!\d)[,，/]|[,，/](?!\d)|(?<=\s)&(?=\s)"
)
_ENUMERATOR = re.compile(r"\s*\(?\d{1,2}[.)]\s+(?=\S)")


class ListMatch(NamedTuple):
    """A list of answers against a list of gold entities; all four values None exactly when a reason is given."""

    precision: float | None
    recall: float | None
    f1: float | None
    exact: bool | None
    reason: str | None = None
    flags: tuple[str, ...] = ()


def canonical_text(value: Answer) -> str | None:
    """``value`` as the text that it was before a loader gave it a type; None for null, NaN and infinity.

    Raises TypeError for what is no scalar.

    >>> canonical_text(12), canonical_text(True), canonical_text(None)
    ('12', 'True', None)
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float):
        return format(Decimal(repr(value)), "f") if math.isfinite(value) else None
    if isinstance(value, int):
        return str(value)
    raise TypeError(f"an answer is text, a number or null, not {type(value).__name__}")


def exact_match(answer: Answer, gold: Answer, normalise: Normalise) -> Scored:
    """1 if ``answer`` and ``gold`` are the same text once both are normalised, else 0.

    int and bool count as the text that they print, so "12.0" is not 12; `numbers_equal` compares values.
    A null gold is undefined ("unscorable"), never equal to the text "None"; so is one that normalises to "".
    A null or empty answer is wrong, and flagged "empty-answer".

    >>> exact_match("Delhi ", "delhi", str.lower).value
    0.0
    >>> exact_match("None", None, str.lower).reason
    'unscorable'
    """
    wanted = canonical_text(gold)
    if wanted is None:
        return Scored(None, UNSCORABLE, ("null-gold",))
    return match_any(answer, [wanted], normalise)


def match_any(answer: Answer, golds: Sequence[Answer], normalise: Normalise) -> Scored:
    """1 if ``answer`` equals one of ``golds``, the gold and its aliases, by `exact_match`; else 0.

    golds: those that are null or normalise to "" would match every empty answer; they are dropped and flagged
    "empty-gold". Undefined ("unscorable") if none is left.

    >>> match_any("USA", ["United States", "usa"], str.lower).value
    1.0
    >>> match_any("", ["Delhi", ""], str.lower)
    Scored(value=0.0, reason=None, flags=('empty-answer', 'empty-gold'), chance=None, ceiling=None, raw=None)
    """
    keys = [_key(gold, normalise) for gold in golds]
    known = set(filter(None, keys))
    flags = _gold_flags(golds, keys)
    if not known:
        return Scored(None, UNSCORABLE, flags)
    found = _key(answer, normalise)
    if not found:
        return Scored(0.0, flags=("empty-answer", *flags))
    return Scored(float(found in known), flags=flags)


def match_list(
    answer: Answer, golds: Sequence[Answer | Collection[str]], normalise: Normalise, conjunctions: Collection[str] = ()
) -> ListMatch:
    """Precision, recall, F1 of the entities in ``answer``, in any order, and whether they are all and only gold.

    golds: the entities, each by its name or by a collection of its names; alike ones count once.
    conjunctions: normalised words that may join two entities, as "and" does; `Language.conjunctions`.
    The answer is cut at commas, semicolons, bars, slashes, bullets, line ends, "&" and conjunctions, but gold names
    that contain one of these are found first, the longest first, so "Trinidad and Tobago" stays whole.
    Repeats count once, numbering at the head of an entry does not count. F1 = 2tp / (2tp + fp + fn); an answer
    without any entity gets 0 throughout, flagged "empty-answer". Undefined ("unscorable") without gold.

    >>> match_list("French and English, French", ["English", "French", "Dutch"], str.strip, ["and"])[:3]
    (1.0, 0.6666666666666666, 0.8)
    """
    names = [[gold] if gold is None or isinstance(gold, str | int | float) else list(gold) for gold in golds]
    keys = [[_key(name, normalise) for name in entity] for entity in names]
    entities = list(dict.fromkeys(frozenset(filter(None, entity)) for entity in keys if any(entity)))
    flags = _gold_flags([name for entity in names for name in entity], [key for entity in keys for key in entity])
    if not entities:
        return ListMatch(None, None, None, None, UNSCORABLE, flags)
    longest = max(
        len(_pieces(canonical_text(name) or "", normalise, conjunctions)) for entity in names for name in entity
    )
    known = frozenset().union(*entities)
    found = set(_entities(canonical_text(answer) or "", known, longest, normalise, conjunctions))
    right = sum(not entity.isdisjoint(found) for entity in entities)
    wrong = len(found - known)
    if not found:
        return ListMatch(0.0, 0.0, 0.0, False, flags=("empty-answer", *flags))
    missed = len(entities) - right
    return ListMatch(
        precision=right / (right + wrong),
        recall=right / len(entities),
        f1=2 * right / (2 * right + wrong + missed),
        exact=not wrong and not missed,
        flags=flags,
    )


def similarity(answer: Answer, gold: Answer, normalise: Normalise) -> Scored:
    """Edit similarity of the normalised texts: 1 - (insertions + deletions) / (sum of lengths), in [0, 1].

    Lengths in code points. Opposites come out alike (सत्य and असत्य: 8/9): a measure of its own, no verdict.

    >>> similarity("Mahatma Ghandi", "Mahatma Gandhi", str.lower).value
    0.9285714285714286
    """
    exact = exact_match(answer, gold, normalise)
    if exact.value is None:
        return exact
    distance, total = _distance(answer, gold, normalise)
    return Scored((total - distance) / total, flags=exact.flags)


def fuzzy_match(answer: Answer, gold: Answer, normalise: Normalise, *, closed: bool, threshold: float = 0.85) -> Scored:
    """1 if the `similarity` of ``answer`` and ``gold`` is at least ``threshold``, else 0; for open spans only.

    closed: the gold comes from a set of labels (true/false, invalid, options). Then, and wherever a digit
    stands in one of the texts (numbers, dates, "Apollo 11"), the result is that of `exact_match`, flagged
    "compared-exactly": near misses there are other answers, not misspelt ones.
    Raises ValueError for a threshold outside (0, 1].

    >>> fuzzy_match("Mahatma Ghandi", "Mahatma Gandhi", str.lower, closed=False).value
    1.0
    >>> fuzzy_match("असत्य", "सत्य", str.lower, closed=True).value
    0.0
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"a threshold of {threshold} is not in (0, 1]")
    exact = exact_match(answer, gold, normalise)
    if exact.value is None:
        return exact
    if closed or any(map(_has_digit, (_key(answer, normalise), _key(gold, normalise)))):
        return Scored(exact.value, flags=("compared-exactly", *exact.flags))
    distance, total = _distance(answer, gold, normalise)
    return Scored(float(total - distance >= Fraction(str(threshold)) * total), flags=exact.flags)


def _key(value: Answer, normalise: Normalise) -> str:
    text = canonical_text(value)
    return "" if text is None else normalise(text)


def _gold_flags(golds: Sequence[Answer], keys: Sequence[str]) -> tuple[str, ...]:
    if not golds:
        return ("no-gold",)
    return ("empty-gold",) if not all(keys) else ()


def _distance(answer: Answer, gold: Answer, normalise: Normalise) -> tuple[int, int]:
    left, right = _key(answer, normalise), _key(gold, normalise)
    return Indel.distance(left, right), len(left) + len(right)


def _has_digit(text: str) -> bool:
    return any(map(str.isnumeric, text))


def _entities(
    answer: str, known: Collection[str], longest: int, normalise: Normalise, conjunctions: Collection[str]
) -> Iterator[str]:
    """The normalised entities of ``answer``: known names of up to ``longest`` pieces first, then what is left."""
    pieces = _pieces(answer, normalise, conjunctions)
    used = [False] * len(pieces)
    for size in range(min(longest, len(pieces)), 0, -1):
        for first in range(len(pieces) - size + 1):
            if any(used[first : first + size]):
                continue
            text = answer[pieces[first][0] : pieces[first + size - 1][1]]
            key = next((key for key in _readings(text, normalise) if key in known), None)
            if key is not None:
                used[first : first + size] = [True] * size
                yield key
    for (start, end), taken in zip(pieces, used, strict=True):
        if not taken and (left := list(filter(None, _readings(answer[start:end], normalise)))):
            yield left[-1]


def _readings(text: str, normalise: Normalise) -> Iterator[str]:
    """``text`` normalised, and once more without a number such as "1." or "2)" at its head."""
    yield normalise(text)
    head = _ENUMERATOR.match(text)
    if head:
        yield normalise(text[head.end() :])


def _pieces(text: str, normalise: Normalise, conjunctions: Collection[str]) -> list[tuple[int, int]]:
    """Start and end of the parts of ``text`` between separators and conjunctions; blank ones are left out.

    A conjunction has a word after it and either a word or a separator before it: the answer "E" is no "e".
    """
    pieces: list[tuple[int, int]] = []
    start = 0
    for end, after in (*(match.span() for match in _SEPARATOR.finditer(text)), (len(text), len(text))):
        words = [(start + word.start(), start + word.end()) for word in re.finditer(r"\S+", text[start:end])]
        from_ = 0
        for place in range(len(words) - 1):
            if normalise(text[slice(*words[place])]) in conjunctions and (place or pieces):
                if place > from_:
                    pieces.append((words[from_][0], words[place - 1][1]))
                from_ = place + 1
        if from_ < len(words):
            pieces.append((words[from_][0], words[-1][1]))
        start = after
    return pieces
