"""Average precision and its kin: by value, by brute force over orders, by closed form."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyfact.evaluators.metrics import (
    Candidate,
    Ranking,
    Scored,
    average_precision,
    chance_average_precision,
    chance_precision_at,
    chance_reciprocal_rank,
    precision_at,
    r_precision,
    rank,
    reciprocal_rank,
)

Metric = Callable[[Sequence[bool], int], Fraction]


def ranking(scores: dict[str, float]) -> Ranking:
    return rank([Candidate(name, (name,)) for name in scores], list(scores.values()))


def strict_average_precision(order: Sequence[bool], n_gold: int) -> Fraction:
    hits = [place for place, right in enumerate(order, 1) if right]
    return sum((Fraction(count, place) for count, place in enumerate(hits, 1)), Fraction(0)) / n_gold


def strict_precision_at_2(order: Sequence[bool], n_gold: int) -> Fraction:
    return Fraction(sum(order[:2]), 2)


def strict_r_precision(order: Sequence[bool], n_gold: int) -> Fraction:
    return Fraction(sum(order[:n_gold]), n_gold)


def strict_reciprocal_rank(order: Sequence[bool], n_gold: int) -> Fraction:
    return next((Fraction(1, place) for place, right in enumerate(order, 1) if right), Fraction(0))


PAIRS: list[tuple[Callable[[Ranking, set[str]], Scored], Metric]] = [
    (average_precision, strict_average_precision),
    (lambda seen, gold: precision_at(seen, gold, 2), strict_precision_at_2),
    (r_precision, strict_r_precision),
    (reciprocal_rank, strict_reciprocal_rank),
]


def over_tie_orders(scores: dict[str, float], gold: set[str], strict: Metric) -> Fraction:
    """The mean of a metric over every order of the candidates that the scores allow."""
    levels = sorted(set(scores.values()), reverse=True)
    groups = [[name for name in scores if scores[name] == level] for level in levels]
    orders = [sum(parts, ()) for parts in product(*(tuple(permutations(group)) for group in groups))]
    values = [strict([name in gold for name in order], len(gold)) for order in orders]
    return sum(values, Fraction(0)) / len(values)


def test_average_precision_is_the_mean_of_precision_at_gold_ranks() -> None:
    result = average_precision(ranking({"a": -1.0, "b": -2.0, "c": -3.0, "d": -4.0}), {"a", "c"})
    assert result.value == (1 + 2 / 3) / 2
    assert result.flags == ()


def test_gold_that_is_no_candidate_counts_zero_and_is_flagged() -> None:
    seen = ranking({"a": -1.0, "c": -2.0, "d": -3.0})
    result = average_precision(seen, {"a", "b"})
    assert (result.value, result.flags, result.ceiling) == (0.5, ("gold_not_in_surface:b",), 0.5)
    assert r_precision(seen, {"a", "b"}).value == 0.5
    assert reciprocal_rank(seen, {"b"}).value == 0.0


def test_a_shared_surface_is_scored_once_and_credited_to_every_id() -> None:
    surfaces = {"Q1860": "English", "Q1860_dup": "english ", "Q150": "French", "Q652": "Italian"}
    candidates = [Candidate(text, (entity,)) for entity, text in surfaces.items()]
    seen = rank(candidates, [-1.0, -1.0, -2.0, -3.0], fold=str.lower)
    result = average_precision(seen, {"Q1860", "Q150"})
    assert seen.n_surface == 3
    assert (result.value, result.flags) == (1.0, ("duplicate_surface:english",))
    assert average_precision(seen, {"Q1860", "Q1860_dup", "Q150"}).value == 1.0
    assert average_precision(seen, {"Q1860_dup"}).value == 1.0


def test_a_tie_is_worth_its_expectation_in_every_order_of_the_candidates() -> None:
    scores = {"a": -1.0, "b": -1.0, "c": -5.0}
    for order in permutations(scores):
        seen = ranking({name: scores[name] for name in order})
        assert average_precision(seen, {"a"}).value == 0.75
        assert precision_at(seen, {"a"}, 1).value == 0.5
        assert reciprocal_rank(seen, {"a"}).value == 0.75


def test_gold_is_matched_by_id_through_a_suffixed_surface() -> None:
    surfaces = {"Q1860": "İngilizce’dir", "Q150": "Fransızca’dır", "Q256": "Türkçe’dir"}
    seen = rank([Candidate(text, (entity,)) for entity, text in surfaces.items()], [-2.0, -3.0, -1.0])
    assert average_precision(seen, {"Q1860", "Q150"}).value == pytest.approx(7 / 12, abs=1e-12)


def test_without_gold_or_candidates_there_is_no_value() -> None:
    for metric, _ in PAIRS:
        assert metric(ranking({"a": -1.0}), set()).reason == "no-gold"
        assert metric(rank([], []), {"a"}).reason == "no-candidates"


def test_precision_past_the_last_candidate_is_still_a_share_of_k() -> None:
    result = precision_at(ranking({"a": -1.0, "b": -2.0}), {"a", "b"}, 5)
    assert (result.value, result.chance, result.ceiling) == (0.4, 0.4, 0.4)
    with pytest.raises(ValueError, match="precision at 0"):
        precision_at(ranking({"a": -1.0}), {"a"}, 0)


scored_names = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([0.0, -1.0, -2.0]), min_size=1, max_size=6)


@pytest.mark.parametrize(("metric", "strict"), PAIRS, ids=["ap", "p@2", "r-precision", "mrr"])
@given(scores=scored_names, gold=st.sets(st.sampled_from("abcdefgh"), min_size=1, max_size=5))
def test_ties_are_the_mean_over_all_their_orders(
    metric: Callable[[Ranking, set[str]], Scored], strict: Metric, scores: dict[str, float], gold: set[str]
) -> None:
    value = metric(ranking(scores), gold).value
    assert value is not None
    assert value == pytest.approx(float(over_tie_orders(scores, gold, strict)), abs=1e-12)


@pytest.mark.parametrize(("metric", "strict"), PAIRS, ids=["ap", "p@2", "r-precision", "mrr"])
@pytest.mark.parametrize(("n_surface", "n_gold"), [(1, 1), (2, 1), (4, 2), (5, 1), (5, 5), (6, 3)])
def test_chance_is_the_mean_over_all_rankings(
    metric: Callable[[Ranking, set[str]], Scored], strict: Metric, n_surface: int, n_gold: int
) -> None:
    names = "abcdef"[:n_surface]
    gold = set(names[:n_gold])
    tied = metric(ranking(dict.fromkeys(names, 0.0)), gold)
    exact = float(over_tie_orders(dict.fromkeys(names, 0.0), gold, strict))
    assert tied.chance == pytest.approx(exact, abs=1e-12)
    assert tied.value == pytest.approx(exact, abs=1e-12)


@given(
    scores=st.lists(st.floats(max_value=0, allow_nan=False), min_size=1, max_size=40, unique=False),
    data=st.data(),
)
def test_values_lie_between_0_and_their_ceiling_whatever_the_order(scores: list[float], data: st.DataObject) -> None:
    names = [f"Q{number}" for number in range(len(scores))]
    gold = data.draw(st.sets(st.sampled_from([*names, "absent"]), min_size=1))
    pairs = list(zip(names, scores, strict=True))
    shuffled = data.draw(st.permutations(pairs))
    for metric, _ in PAIRS:
        result = metric(ranking(dict(pairs)), gold)
        assert result == metric(ranking(dict(shuffled)), gold)
        assert result.value is not None
        assert result.ceiling is not None
        assert 0 <= result.value <= result.ceiling <= 1


@given(n_gold=st.integers(1, 30), n_other=st.integers(0, 200), tied=st.booleans())
def test_the_oracle_scores_exactly_one(n_gold: int, n_other: int, tied: bool) -> None:
    gold = {f"G{number:03}": 0.0 if tied else -number / 7 for number in range(n_gold)}
    seen = ranking(gold | {f"X{number:03}": -1000.0 - number for number in range(n_other)})
    assert average_precision(seen, set(gold)).value == 1.0
    assert precision_at(seen, set(gold), 1).value == 1.0
    assert r_precision(seen, set(gold)).value == 1.0
    assert reciprocal_rank(seen, set(gold)).value == 1.0


@given(n_surface=st.integers(1, 300), data=st.data())
def test_a_constant_model_scores_the_closed_form_chance(n_surface: int, data: st.DataObject) -> None:
    n_gold = data.draw(st.integers(1, n_surface))
    names = [str(number) for number in range(n_surface)]
    seen, gold = ranking(dict.fromkeys(names, -3.0)), set(names[:n_gold])
    assert average_precision(seen, gold).value == pytest.approx(chance_average_precision(n_surface, n_gold), abs=1e-12)
    assert precision_at(seen, gold, 1).value == chance_precision_at(n_surface, n_gold, 1)
    assert reciprocal_rank(seen, gold).value == pytest.approx(chance_reciprocal_rank(n_surface, n_gold), abs=1e-12)


@pytest.mark.parametrize("n_gold", [1, 3, 16])
def test_random_scores_are_within_four_standard_errors_of_chance(n_gold: int) -> None:
    names = [str(number) for number in range(40)]
    gold = set(names[:n_gold])
    draws: list[Ranking] = []
    for seed in range(200):
        generator = random.Random(seed)
        draws.append(ranking({name: generator.random() for name in names}))
    for metric, _ in PAIRS:
        results = [metric(seen, gold) for seen in draws]
        values = [result.value for result in results if result.value is not None]
        error = stdev(values) / len(values) ** 0.5
        chance = results[0].chance
        assert chance is not None
        assert abs(fmean(values) - chance) < 4 * error


def test_chance_counts_missing_gold_as_never_found() -> None:
    assert chance_average_precision(5, 1, 1) == chance_average_precision(5, 1) / 2
    assert chance_average_precision(5, 0, 2) == 0.0
    with pytest.raises(ValueError, match="no gold"):
        chance_average_precision(5, 0)
    with pytest.raises(ValueError, match="6 gold among 5"):
        chance_average_precision(5, 6)
