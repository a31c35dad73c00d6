"""Factual inference bias: definition by value, ties and chance by enumeration, nulls by reason."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from itertools import permutations
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyfact.evaluators.metrics import Candidate, Ranking, average_precision, bias, lift, mean, rank


def ranked(*ids: str) -> Ranking:
    return rank([Candidate(entity, (entity,)) for entity in ids], [-float(place) for place in range(len(ids))])


def tied(ids: Iterable[str]) -> Ranking:
    names = list(ids)
    return rank([Candidate(entity, (entity,)) for entity in names], [-1.0] * len(names))


def test_the_mean_over_subjects_is_a_share_of_the_aligned_not_of_n() -> None:
    results = [
        bias(ranked("en", "it", "fr", "de"), {"en", "fr"}, {"it"}, 3),
        bias(ranked("ja", "en", "zh", "it"), {"ja"}, {"it"}, 3),
    ]
    summary = mean(result.fib for result in results)
    assert (summary.value, summary.n_used, summary.n_undefined) == (0.5, 2, 0)
    assert summary.chance == 0.75


def test_membership_is_decided_by_id_through_a_suffixed_surface() -> None:
    surfaces = {"Q1860": "İngilizce’dir", "Q150": "Fransızca’dır", "Q256": "Türkçe’dir"}
    seen = rank([Candidate(text, (entity,)) for entity, text in surfaces.items()], [-2.0, -3.0, -1.0])
    result = bias(seen, {"Q1860", "Q150"}, {"Q256"}, 2)
    assert result.fib.value == 1.0
    assert average_precision(seen, {"Q1860", "Q150"}).value == pytest.approx(7 / 12)


def test_true_answers_leave_the_ranking_for_fib_minus() -> None:
    seen = ranked("r1", "r2", "x1", "q1", "x2", "x3", "q2", "x4")
    result = bias(seen, {"r1", "r2"}, {"q1", "q2"}, 2)
    assert (result.fib.value, result.fib.chance, result.fib.ceiling) == (0.0, 2 / 8, 1.0)
    assert (result.fib_minus.value, result.fib_minus.chance) == (0.5, 2 / 6)
    assert (result.fib_any.value, result.n_aligned) == (0.0, 2)
    assert bias(seen, {"r1", "r2"}, {"q1", "q2"}, 4).fib_any.value == 1.0


def test_a_true_aligned_entity_is_no_bias() -> None:
    result = bias(ranked("q1", "q2", "x1", "x2", "x3"), {"q1"}, {"q1", "q2"}, 1)
    assert (result.fib.value, result.n_aligned) == (0.0, 1)
    assert result.fib_minus.value == 1.0


def test_a_surface_that_also_stands_for_a_true_answer_is_no_bias() -> None:
    seen = rank(
        [
            Candidate("Congo", ("true", "q1")),
            *(Candidate(name, (name,)) for name in ("q2", "x1", "x2", "x3")),
        ],
        [0.0, -1.0, -2.0, -3.0, -4.0],
    )
    result = bias(seen, {"true"}, {"q1", "q2"}, 1)
    assert (result.fib.value, result.n_aligned) == (0.0, 1)
    assert result.fib_minus.value == 1.0


def test_a_surface_shared_by_two_aligned_entities_is_credited_to_both() -> None:
    shared = Candidate("Punjab", ("q1", "q2"))
    seen = rank([shared, *(Candidate(name, (name,)) for name in ("q3", "x1", "x2", "x3"))], [0.0, -1, -2, -3, -4])
    result = bias(seen, {"x1"}, {"q1", "q2", "q3"}, 1)
    assert (result.fib.value, result.fib.ceiling) == (2 / 3, 2 / 3)
    assert (result.fib.chance, result.fib_any.chance) == (1 / 5, 2 / 5)


def test_an_entity_with_two_surfaces_is_found_by_either() -> None:
    surfaces = [Candidate("Roma", ("rome",)), Candidate("Rome", ("rome",))]
    seen = rank([*surfaces, *(Candidate(name, (name,)) for name in ("x1", "x2"))], [-1.0] * 4)
    result = bias(seen, {"x1"}, {"rome"}, 2)
    assert result.fib.value == pytest.approx(1 - 1 / 6)
    assert result.fib.chance == pytest.approx(1 - 1 / 6)
    first_above = rank([*surfaces, *(Candidate(name, (name,)) for name in ("x1", "x2"))], [0.0, -1.0, -1.0, -1.0])
    assert bias(first_above, {"x1"}, {"rome"}, 2).fib.value == 1.0


@pytest.mark.parametrize(
    ("gold", "aligned", "n", "reason", "raw"),
    [
        ({"x1"}, {"absent"}, 2, "no-aligned-candidates", None),
        ({"q1"}, {"q1"}, 2, "all-aligned-are-true", None),
        ({"x1"}, {"q1", "q2", "x2"}, 2, "aligned-share-too-large", 2 / 3),
        ({"x1"}, {"q1"}, 5, "n>=surface_size", 1.0),
    ],
)
def test_a_value_that_could_only_mislead_is_null_with_its_reason(
    gold: set[str], aligned: set[str], n: int, reason: str, raw: float | None
) -> None:
    result = bias(ranked("q1", "q2", "x1", "x2", "x3"), gold, aligned, n).fib
    assert (result.value, result.reason, result.raw) == (None, reason, raw)
    assert (reason in result.flags) == (raw is not None)


def test_without_the_true_answers_n_can_be_too_large() -> None:
    result = bias(ranked("q1", "r1", "x1", "x2"), {"r1"}, {"q1"}, 3)
    assert result.fib.value == 1.0
    assert (result.fib_minus.value, result.fib_minus.reason, result.fib_minus.raw) == (
        None,
        "n>=surface_size",
        1.0,
    )


def test_the_ceiling_binds_where_more_is_aligned_than_fits() -> None:
    names = [f"q{number}" for number in range(28)] + [f"x{number:02}" for number in range(40)]
    result = bias(ranked(*names), {"x00"}, {name for name in names if name[0] == "q"}, 10)
    assert result.fib.value == result.fib.ceiling == 10 / 28


ids = [f"e{number}" for number in range(5)]


@given(
    gold=st.sets(st.sampled_from(ids), max_size=2),
    aligned=st.sets(st.sampled_from(ids), min_size=1),
    n=st.integers(1, 5),
)
def test_ties_and_chance_are_the_mean_over_all_orders(gold: set[str], aligned: set[str], n: int) -> None:
    wanted = aligned - gold
    if not wanted:
        return
    together = bias(tied(ids), gold, aligned, n, max_aligned_share=1.0)
    counts: list[tuple[Fraction, bool, Fraction]] = []
    for order in permutations(ids):
        first = set(order[:n]) & wanted
        first_minus = set([entity for entity in order if entity not in gold][:n]) & wanted
        counts.append((Fraction(len(first), len(wanted)), bool(first), Fraction(len(first_minus), len(wanted))))
    expected = [float(sum(column, Fraction(0)) / len(counts)) for column in zip(*counts, strict=True)]
    for result, exact in zip((together.fib, together.fib_any, together.fib_minus), expected, strict=True):
        value = result.raw if result.value is None else result.value
        assert value == pytest.approx(exact, abs=1e-12)
        assert result.chance == pytest.approx(exact, abs=1e-12)


@given(st.permutations(ids), st.sets(st.sampled_from(ids)), st.sets(st.sampled_from(ids)), st.integers(1, 5))
def test_values_keep_to_their_ceiling_and_any_is_at_least_the_share(
    order: list[str], gold: set[str], aligned: set[str], n: int
) -> None:
    result = bias(ranked(*order), gold, aligned, n)
    for scored in (result.fib, result.fib_any, result.fib_minus):
        if scored.value is not None:
            assert scored.ceiling is not None
            assert 0 <= scored.value <= scored.ceiling <= 1
    if result.fib.value is not None and result.fib_any.value is not None:
        assert result.fib.value <= result.fib_any.value


def test_random_rankings_are_within_four_standard_errors_of_chance() -> None:
    names = [f"e{number}" for number in range(30)]
    results = []
    for seed in range(200):
        generator = random.Random(seed)
        seen = rank([Candidate(name, (name,)) for name in names], [generator.random() for _ in names])
        results.append(bias(seen, set(names[:3]), set(names[2:7]), 10))
    for scored in ([r.fib for r in results], [r.fib_any for r in results], [r.fib_minus for r in results]):
        values = [one.value for one in scored if one.value is not None]
        assert len(values) == 200
        assert scored[0].chance is not None
        assert abs(fmean(values) - scored[0].chance) < 4 * stdev(values) / 200**0.5


def test_lift_is_the_effect_of_the_prompt_language_alone() -> None:
    italian = ranked("q1", "q2", "r", "x1", "x2", "x3")
    english = ranked("r", "x1", "q1", "x2", "q2", "x3")
    turkish = ranked("r", "x1", "x2", "q1", "q2", "x3")
    result = lift(italian, [english, turkish], {"r"}, {"q1", "q2"}, 2)
    assert (result.value, result.chance) == (1.0 - (0.5 + 0.0) / 2, 0.0)
    assert lift(italian, [italian, italian], {"r"}, {"q1", "q2"}, 2).value == 0.0


def test_being_right_does_not_move_lift() -> None:
    knows = ranked("r", "q1", "x1", "x2", "x3", "x4")
    does_not = ranked("q1", "x1", "x2", "x3", "x4", "r")
    assert lift(knows, [does_not], {"r"}, {"q1"}, 1).value == 0.0


def test_lift_compares_only_what_is_a_candidate_everywhere() -> None:
    italian = ranked("q1", "x1", "q2", "x2", "x3")
    english = ranked("x1", "q1", "x2", "x3", "x4")
    result = lift(italian, [english], {"x4"}, {"q1", "q2"}, 1)
    assert result.value == 1.0
    assert result.flags == ("gold_not_in_surface:x4",)


def test_lift_says_why_it_is_undefined() -> None:
    own = ranked("q1", "x1", "x2", "x3")
    assert lift(own, [], {"x1"}, {"q1"}, 1).reason == "no-other-language"
    assert lift(own, [ranked("x1", "x2")], {"x1"}, {"q1"}, 1).reason == "no-common-aligned"
    assert lift(own, [ranked("q1", "x1", "x2")], {"x1"}, {"q1"}, 2).reason == "other-language-undefined"
    assert lift(own, [own], {"x1"}, {"zz"}, 1).reason == "no-aligned-candidates"
