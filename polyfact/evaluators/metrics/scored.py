"""What a metric returns for one item, and the mean of many."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

__all__ = ["Mean", "Scored", "corrected", "mean"]


@dataclass(frozen=True, slots=True)
class Scored:
    """One metric on one item: a value, or none and the reason why.

    value: None where the metric is undefined; never NaN, never 0 in place of "unknown".
    reason: a machine-readable slug, given exactly when value is None.
    flags: what a reader of the value has to know ("gold_not_in_surface:Q90").
    chance: expected value of a random ranking of the same candidates, in closed form.
    ceiling: the best value that any ranking of these candidates can have.
    raw: what the bare formula gives where `value` is withheld because it could only mislead.
    """

    value: float | None
    reason: str | None = None
    flags: tuple[str, ...] = ()
    chance: float | None = None
    ceiling: float | None = None
    raw: float | None = None

    def __post_init__(self) -> None:
        """Refuse NaN and a reason that contradicts the value."""
        if (self.value is None) != (self.reason is not None):
            raise ValueError("a missing value needs a reason, and a value has none")
        if self.value is not None and math.isnan(self.value):
            raise ValueError("NaN is not a value: use None and a reason")


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of many `Scored`, with what left it.

    n_used + n_undefined = the number of items given; `reasons` counts the undefined by reason.
    chance, ceiling: means over the same used items; None if one of them has none.
    raw: mean over used values and withheld raw ones; None when nothing was withheld.
    flags: sorted, each once.
    """

    value: float | None
    reason: str | None
    n_used: int
    n_undefined: int
    reasons: Mapping[str, int] = field(default_factory=dict)
    chance: float | None = None
    ceiling: float | None = None
    flags: tuple[str, ...] = ()
    raw: float | None = None


def mean(scored: Iterable[Scored]) -> Mean:
    """Mean over the items whose value is defined; the others are counted by reason.

    The sum is exact (`math.fsum`), so the order of the items cannot change the last digit.
    No items at all: None with reason "no-items". None defined: their reasons, joined by "+".

    >>> m = mean([Scored(1.0), Scored(0.5), Scored(None, "no-gold")])
    >>> m.value, m.n_used, m.n_undefined, dict(m.reasons)
    (0.75, 2, 1, {'no-gold': 1})
    """
    items = list(scored)
    used = [item for item in items if item.value is not None]
    reasons = Counter(item.reason for item in items if item.reason is not None)
    withheld = [item.raw for item in items if item.value is None and item.raw is not None]
    values = [item.value for item in used if item.value is not None]
    value = _average(values)
    reason = None if value is not None else "+".join(sorted(reasons)) or "no-items"
    return Mean(
        value=value,
        reason=reason,
        n_used=len(used),
        n_undefined=len(items) - len(used),
        reasons=dict(sorted(reasons.items())),
        chance=_average([item.chance for item in used]),
        ceiling=_average([item.ceiling for item in used]),
        flags=tuple(sorted({flag for item in items for flag in item.flags})),
        raw=_average(values + withheld) if withheld else None,
    )


def corrected(scored: Scored) -> Scored:
    """(value - chance) / (1 - chance) of one item: 0 at chance, 1 for a perfect answer.

    Undefined stays undefined; where chance is 1 nothing can be got wrong: None ("chance-is-1").
    Raises ValueError for a value that comes without a chance level.

    >>> corrected(Scored(0.75, chance=0.5)).value
    0.5
    """
    if scored.value is None:
        return scored
    if scored.chance is None:
        raise ValueError("this value has no chance level to correct for")
    room = 1 - scored.chance
    if room <= 0:
        return Scored(None, "chance-is-1", scored.flags, chance=0.0)
    ceiling = None if scored.ceiling is None else (scored.ceiling - scored.chance) / room
    return Scored((scored.value - scored.chance) / room, None, scored.flags, chance=0.0, ceiling=ceiling)


def _average(values: Iterable[float | None]) -> float | None:
    numbers = list(values)
    if not numbers or any(number is None for number in numbers):
        return None
    return math.fsum(number for number in numbers if number is not None) / len(numbers)
