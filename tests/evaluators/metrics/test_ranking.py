"""Candidates to tie groups, and what else is read off a candidate set."""

from __future__ import annotations

import math
import unicodedata
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyfact.evaluators.metrics import Candidate, normalised_score, prefix_pairs, rank, top_n


def test_equal_scores_form_one_group_and_the_best_comes_first() -> None:
    seen = rank([Candidate(name, (name,)) for name in "abcd"], [-2.0, -1.0, -2.0, -math.inf])
    assert [[candidate.surface for candidate in group] for group in seen.groups] == [["b"], ["a", "c"], ["d"]]


def test_composed_and_decomposed_text_is_one_surface() -> None:
    decomposed = unicodedata.normalize("NFD", "Türkçe")
    seen = rank([Candidate("Türkçe", ("Q256",)), Candidate(decomposed, ("Q2",))], [-3.0, -1.0])
    assert seen.n_surface == 1
    assert seen.groups[0][0].ids == ("Q2", "Q256")
    assert seen.flags == ("duplicate_surface:Türkçe",)


def test_case_distinguishes_surfaces_unless_the_language_folds_it() -> None:
    candidates = [Candidate("m", ("metre",)), Candidate("M", ("mega",))]
    assert rank(candidates, [-1.0, -2.0]).n_surface == 2
    assert rank(candidates, [-1.0, -2.0], fold=str.lower).n_surface == 1


def test_vowel_signs_are_never_folded_away() -> None:
    assert rank([Candidate("हिन्दी", ("a",)), Candidate("हन्द", ("b",))], [-1.0, -1.0]).n_surface == 2


def test_one_candidate_with_several_ids_is_flagged() -> None:
    assert rank([Candidate("Georgia", ("Q230", "Q1428"))], [-1.0]).flags == ("duplicate_surface:Georgia",)


def test_scores_that_cannot_be_ordered_are_refused() -> None:
    with pytest.raises(ValueError, match="'Rome' is not a number"):
        rank([Candidate("Rome", ("Q220",))], [math.nan])
    with pytest.raises(ValueError, match="1 candidates but 2 scores"):
        rank([Candidate("Rome", ("Q220",))], [-1.0, -2.0])


@given(
    scores=st.lists(st.sampled_from([0.0, -1.0, -2.0]), min_size=1, max_size=9),
    n=st.integers(1, 12),
)
def test_membership_weights_sum_to_the_places_filled(scores: list[float], n: int) -> None:
    seen = rank([Candidate(str(number), (str(number),)) for number in range(len(scores))], scores)
    weights = [weight for _, weight in top_n(seen, n)]
    assert math.fsum(weights) == pytest.approx(min(n, len(scores)), abs=1e-12)
    assert all(0 < weight <= 1 for weight in weights)


def test_membership_is_the_share_of_tie_orders_that_put_a_member_in_the_top() -> None:
    seen = rank([Candidate(name, (name,)) for name in "abcde"], [0.0, -1.0, -1.0, -1.0, -9.0])
    subsets = list(combinations("bcd", 2))
    share = sum("b" in subset for subset in subsets) / len(subsets)
    assert {candidate.surface: weight for candidate, weight in top_n(seen, 3)} == {
        "a": 1.0,
        "b": share,
        "c": share,
        "d": share,
    }
    with pytest.raises(ValueError, match="first 0"):
        top_n(seen, 0)


def test_prefix_pairs_are_found_in_any_order() -> None:
    assert prefix_pairs(["Guinea-Bissau", "10", "Guinea", "1", "100", "2"]) == [
        ("1", "10"),
        ("1", "100"),
        ("10", "100"),
        ("Guinea", "Guinea-Bissau"),
    ]


@pytest.mark.parametrize(
    ("unit", "latin", "devanagari"),
    [("sum", -4.0, -4.5), ("token", -4.0, -1.5), ("char", -1.0, -1.5), ("byte", -1.0, -0.5)],
)
def test_the_unit_of_normalisation_decides_between_scripts(unit: str, latin: float, devanagari: float) -> None:
    assert normalised_score(-4.0, "Roma", 1, unit) == latin
    assert normalised_score(-4.5, " रोम", 3, unit) == devanagari


def test_an_unknown_unit_and_an_empty_candidate_are_refused() -> None:
    with pytest.raises(ValueError, match="sum, token, char, byte"):
        normalised_score(-1.0, "Roma", 1, "word")
    with pytest.raises(ValueError, match="no tokens"):
        normalised_score(-1.0, "Roma", 0, "token")
