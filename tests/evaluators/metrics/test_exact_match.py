"""Equality of answers: whole and normalised, never by containment, never against an empty gold."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyfact import languages
from polyfact.evaluators.metrics import (
    UNSCORABLE,
    ListMatch,
    Scored,
    exact_match,
    fuzzy_match,
    match_any,
    match_list,
    mean,
    similarity,
)

EN, IT, TR, HI = (languages.load(code) for code in ("en", "it", "tr", "hi"))


@pytest.mark.parametrize(
    ("answer", "gold", "value"),
    [
        ("Mark Twain.", "mark twain", 1.0),
        ("not Mark Twain", "Mark Twain", 0.0),
        ("the plus side", "US", 0.0),
        ("Chadwick", "Chad", 0.0),
        ("Vitamin A", "Vitamin", 0.0),
        ("The Hague", "Hague", 0.0),
        ("12", 12, 1.0),
        (12, "12", 1.0),
        ("-3", -3, 1.0),
        ("12.0", 12, 0.0),
        ("12.0", 12.0, 1.0),
        ("10000000000000000", 1e16, 1.0),
        ("true", True, 1.0),
        ("1", True, 0.0),
        ("0", False, 0.0),
        ("False", False, 1.0),
        ("None", "None", 1.0),
    ],
)
def test_exact_match(answer, gold, value):
    assert exact_match(answer, gold, EN.normalise).value == value


@pytest.mark.parametrize("gold", [None, math.nan, math.inf, "", " ", "—", "।", "\u200b"])
def test_gold_that_says_nothing_is_unscorable_whatever_the_answer(gold):
    for answer in ("None", "nan", "", None, "—"):
        for scored in (
            exact_match(answer, gold, HI.normalise),
            fuzzy_match(answer, gold, HI.normalise, closed=False),
            similarity(answer, gold, HI.normalise),
        ):
            assert (scored.value, scored.reason) == (None, UNSCORABLE)
            assert scored.flags in (("null-gold",), ("empty-gold",))


def test_an_answer_that_is_no_scalar_is_refused():
    with pytest.raises(TypeError, match="not list"):
        exact_match("a", ["a"], EN.normalise)


@pytest.mark.parametrize(
    ("answer", "golds", "expected"),
    [
        ("united states", ["America", "United States"], Scored(1.0)),
        ("United", ["America", "United States"], Scored(0.0)),
        ("", ["Delhi", ""], Scored(0.0, flags=("empty-answer", "empty-gold"))),
        ("—", ["Delhi", "—"], Scored(0.0, flags=("empty-answer", "empty-gold"))),
        ("Delhi", ["Delhi", None], Scored(1.0, flags=("empty-gold",))),
        (None, ["Delhi"], Scored(0.0, flags=("empty-answer",))),
        ("x", [], Scored(None, UNSCORABLE, ("no-gold",))),
        ("x", ["", None], Scored(None, UNSCORABLE, ("empty-gold",))),
        ("7", ["seven", 7], Scored(1.0)),
    ],
)
def test_match_any(answer, golds, expected):
    assert match_any(answer, golds, EN.normalise) == expected


def test_unscorable_items_leave_the_mean():
    result = mean([match_any(answer, golds, EN.normalise) for answer, golds in (("a", ["a"]), ("b", ["a"]), ("b", []))])
    assert (result.value, result.n_used, dict(result.reasons)) == (0.5, 2, {UNSCORABLE: 1})


def listed(answer, golds, spoken=EN):
    return match_list(answer, golds, spoken.normalise, spoken.conjunctions)


ALL_RIGHT = (1.0, 1.0, 1.0, True)


@pytest.mark.parametrize(
    ("spoken", "answer", "golds"),
    [
        (EN, "English, French, and Dutch.", ["Dutch", "English", "French"]),
        (EN, "English AND French", ["French", "English"]),
        (EN, "1. English\n2. French\n", ["French", "English"]),
        (EN, "- English\n- French", ["French", "English"]),
        (EN, "• English • French", ["French", "English"]),
        (EN, "English; French | Dutch/German", ["French", "English", "German", "Dutch"]),
        (EN, "English & French", ["French", "English"]),
        (EN, "Simon & Garfunkel & R&B", ["R&B", "Simon & Garfunkel"]),
        (EN, "English, English and french", ["French", "English"]),
        (EN, "Trinidad and Tobago", ["Trinidad and Tobago"]),
        (EN, "Haiti, Trinidad and Tobago and Cuba", ["Cuba", "Haiti", "Trinidad and Tobago"]),
        (EN, "Tobago, Trinidad and Tobago", ["Tobago", "Trinidad and Tobago"]),
        (EN, "Washington, D.C. and Paris", ["Paris", "Washington, D.C."]),
        (EN, "B and C and D and A", ["A", "B and C and D"]),
        (EN, "A and B and C and D", ["A", "B and C and D"]),
        (EN, "1,234 and 56", [56, "1,234"]),
        (EN, "15/08/1947", ["15/08/1947"]),
        (EN, "USA, United Kingdom, America", [["United States", "USA", "America"], ["UK", "United Kingdom"]]),
        (EN, "5", [5]),
        (IT, "inglese e francese", ["Francese", "Inglese"]),
        (IT, "Bosnia ed Erzegovina", ["Bosnia ed Erzegovina"]),
        (IT, "E", ["E"]),
        (IT, "A, E", ["A", "E"]),
        (TR, "İngilizce ve Fransızca’dır.", ["İngilizce", "Fransızca"]),
        (TR, "İNGİLİZCE VE FRANSIZCA", ["İngilizce", "Fransızca"]),
        (HI, "अंग्रेज़ी और हिन्दी।", ["हिन्दी", "अंग्रेज़ी"]),
    ],
)
def test_lists_that_are_all_and_only_gold(spoken, answer, golds):
    assert listed(answer, golds, spoken) == (*ALL_RIGHT, None, ())


@pytest.mark.parametrize(
    ("answer", "golds", "expected"),
    [
        ("English, English", ["English", "French"], (1.0, 0.5, 2 / 3, False)),
        ("English, German", ["English", "French"], (0.5, 0.5, 0.5, False)),
        ("English, German, German", ["English"], (0.5, 1.0, 2 / 3, False)),
        ("Trinidad, Tobago", ["Trinidad and Tobago"], (0.0, 0.0, 0.0, False)),
        ("Trinidad and Tobago", ["Cuba", "Trinidad"], (0.5, 0.5, 0.5, False)),
        ("the English language", ["English"], (0.0, 0.0, 0.0, False)),
        ("A and B and C", ["A and B", "B and C"], (0.5, 0.5, 0.5, False)),
    ],
)
def test_lists_that_are_not(answer, golds, expected):
    assert listed(answer, golds) == (*expected, None, ())


def test_lists_without_answer_or_gold():
    for answer in ("", None, " ;\n"):
        assert listed(answer, ["A"]) == ListMatch(0.0, 0.0, 0.0, False, flags=("empty-answer",))
    assert listed("A", []) == ListMatch(None, None, None, None, UNSCORABLE, ("no-gold",))
    assert listed("A", ["", [None]]) == ListMatch(None, None, None, None, UNSCORABLE, ("empty-gold",))
    assert listed("A", ["A", ""]) == (*ALL_RIGHT, None, ("empty-gold",))


names = st.sampled_from(["Cuba", "Haiti", "Trinidad and Tobago", "Washington, D.C.", "São Tomé", "Peru"])


@given(golds=st.lists(names, min_size=1, max_size=5, unique=True), answer=st.lists(names, max_size=6))
def test_precision_and_recall_are_those_of_the_sets(golds, answer):
    found = listed("; ".join(answer), golds)
    right = len(set(answer) & set(golds))
    # A wrong name with a separator in it counts as two entities: nobody can know that it is one.
    pieces = {piece for name in set(answer) - set(golds) for piece in name.replace(" and ", ", ").split(", ")}
    assert found.recall == right / len(golds)
    assert found.precision == (right / (right + len(pieces)) if answer else 0.0)
    assert found.exact is (set(answer) == set(golds))


@given(text=st.text(max_size=40), golds=st.lists(st.text(max_size=8), max_size=4))
def test_any_text_gives_a_list_match_in_bounds(text, golds):
    found = listed(text, golds)
    if found.reason is None:
        assert all(0 <= value <= 1 for value in found[:3])
        assert found.exact is (found.f1 == 1.0)


@pytest.mark.parametrize(
    ("answer", "gold", "closed", "value"),
    [
        ("Mahatma Ghandi", "Mahatma Gandhi", False, 1.0),
        ("Mahatma Ghandi", "Mahatma Gandhi", True, 0.0),
        ("असत्य", "सत्य", True, 0.0),
        ("मान्य", "अमान्य", True, 0.0),
        ("सत्य।", "सत्य", True, 1.0),
        ("15 August 1947", "15 August 1948", False, 0.0),
        ("Apollo 11", "Apollo 12", False, 0.0),
        ("Apollo ११", "Apollo 11", False, 1.0),
        ("World War II", "World War Ⅲ", False, 0.0),
        ("abcdefghij", "abcdefghijklm", False, 1.0),
        ("abcdefghij", "abcdefghijklmn", False, 0.0),
        (None, "Mahatma Gandhi", False, 0.0),
    ],
)
def test_fuzzy_match_is_for_open_spans_only(answer, gold, closed, value):
    scored = fuzzy_match(answer, gold, HI.normalise, closed=closed)
    assert scored.value == value
    exactly = closed or any(c.isnumeric() for c in f"{answer}{gold}")
    assert ("compared-exactly" in scored.flags) is exactly


def test_fuzzy_threshold_is_compared_exactly():
    assert fuzzy_match("a" * 17 + "b" * 3, "a" * 17 + "c" * 3, EN.normalise, closed=False).value == 1.0  # 34/40
    for threshold in (0, -1, 1.01, 85):
        with pytest.raises(ValueError, match="threshold"):
            fuzzy_match("a", "a", EN.normalise, closed=False, threshold=threshold)


@pytest.mark.parametrize(
    ("answer", "gold", "value"),
    [
        ("असत्य", "सत्य", 8 / 9),
        ("मान्य", "अमान्य", 10 / 11),
        ("MAHATMA", "mahatma", 1.0),
        ("abc", "xyz", 0.0),
        ("", "a", 0.0),
    ],
)
def test_similarity(answer, gold, value):
    assert similarity(answer, gold, HI.normalise).value == pytest.approx(value, abs=1e-15)


@given(left=st.text(max_size=12), right=st.text(max_size=12))
def test_equal_is_symmetric_and_never_less_than_fuzzy(left, right):
    one, other = exact_match(left, right, TR.normalise), exact_match(right, left, TR.normalise)
    if one.value is not None and other.value is not None:
        assert one.value == other.value
        fuzzy = fuzzy_match(left, right, TR.normalise, closed=False)
        assert fuzzy.value >= one.value
        assert (similarity(left, right, TR.normalise).value == 1.0) is (one.value == 1.0)
