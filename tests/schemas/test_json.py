"""JSON without NaN: null in the file, and the reason for whoever wrote it; one type for a column of answers."""

import json

import pytest

from polyfact.schemas import MetricRow, dump_json, not_finite, read_json, texts, write_json

NAN, INF = float("nan"), float("inf")


def test_r10_null_in_the_file_and_the_reason_returned(tmp_path):
    path = tmp_path / "metrics.json"
    value = {"xAC": NAN, "xC": INF, "by": [{"en": -INF}, {"it": 0.5}], "n": 3}
    assert write_json(path, value) == {"xAC": "not-a-number", "xC": "infinity", "by.0.en": "minus-infinity"}
    assert json.loads(path.read_text(), parse_constant=pytest.fail) == {
        "xAC": None,
        "xC": None,
        "by": [{"en": None}, {"it": 0.5}],
        "n": 3,
    }
    assert list(read_json(path)) == list(value)
    assert write_json(path, {"a": 1.0}) == {}


def test_a_record_is_searched_as_well():
    row = MetricRow(metric="map", value=NAN)
    assert not_finite({"row": row}) == {"row.value": "not-a-number"}
    assert json.loads(dump_json(row))["value"] is None


def test_text_is_kept_as_it_is():
    assert dump_json({"q": "हिन्दी 🧪", "t": ("a", None)}) == '{"q": "हिन्दी 🧪", "t": ["a", null]}'
    assert dump_json({"a": [1, 2]}, compact=True) == '{"a":[1,2]}'


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("007", ["007"]),
        ("null", ["null"]),
        ('"Heroes"', ['"Heroes"']),
        ("", [""]),
        (["a", 1, True], ["a", "1", "True"]),
        (12, ["12"]),
        (1.5, ["1.5"]),
        (False, ["False"]),
        (None, []),
        ([], []),
    ],
)
def test_r01_every_answer_is_a_list_of_texts(value, expected):
    assert texts(value) == expected


@pytest.mark.parametrize("value", [{"a": 1}, [["a"]], NAN, [None], b"x"])
def test_what_is_no_answer_is_refused(value):
    with pytest.raises(ValueError, match="no text, number or truth value"):
        texts(value)
