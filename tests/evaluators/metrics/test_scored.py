"""One result and the mean of many: what is undefined is counted and never becomes a number."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyfact.evaluators.metrics import Scored, corrected, mean


def test_a_result_is_a_value_or_a_reason_and_never_nan() -> None:
    for value, reason in ((None, None), (0.5, "why"), (math.nan, None)):
        with pytest.raises(ValueError, match="value"):
            Scored(value, reason)


def test_undefined_items_leave_the_mean_and_are_counted_by_reason() -> None:
    result = mean(
        [
            Scored(1.0, flags=("b",), chance=0.2, ceiling=1.0),
            Scored(None, "no-gold", chance=0.9),
            Scored(0.0, flags=("a", "b"), chance=0.4, ceiling=0.5),
        ]
    )
    assert (result.value, result.n_used, result.n_undefined) == (0.5, 2, 1)
    assert result.chance == pytest.approx(0.3)
    assert (result.ceiling, result.flags, dict(result.reasons)) == (0.75, ("a", "b"), {"no-gold": 1})
    assert (result.reason, result.raw) == (None, None)


def test_a_mean_of_nothing_says_why() -> None:
    assert mean([]).reason == "no-items"
    both = mean([Scored(None, "n>=surface_size", raw=1.0), Scored(None, "no-gold")])
    assert (both.value, both.reason, both.raw) == (None, "n>=surface_size+no-gold", 1.0)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_the_order_of_items_does_not_change_a_digit(values: list[float]) -> None:
    forwards = mean([Scored(value) for value in values])
    assert forwards == mean([Scored(value) for value in sorted(values)])
    assert forwards.value is not None
    assert min(values) - 1e-15 <= forwards.value <= max(values) + 1e-15


@given(st.floats(0, 0.999))
def test_correction_maps_chance_to_zero_and_perfection_to_one(chance: float) -> None:
    assert corrected(Scored(1.0, chance=chance, ceiling=1.0)) == Scored(1.0, chance=0.0, ceiling=1.0)
    assert corrected(Scored(chance, chance=chance)).value == 0.0


def test_correction_where_it_has_no_meaning() -> None:
    assert corrected(Scored(1.0, chance=1.0)).reason == "chance-is-1"
    assert corrected(Scored(None, "no-gold")).reason == "no-gold"
    with pytest.raises(ValueError, match="no chance level"):
        corrected(Scored(1.0))


@given(st.integers(1, 2000))
def test_a_mean_of_perfect_items_is_exactly_one(count: int) -> None:
    assert mean([Scored(1.0, chance=0.1)] * count).value == 1.0
