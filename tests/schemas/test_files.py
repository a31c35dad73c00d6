import json
import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyfact.errors import DataError, PolyfactError
from polyfact.schemas import (
    Candidate,
    CandidateSet,
    count_lines,
    iter_jsonl,
    json_schemas,
    read_csv,
    read_json,
    read_jsonl,
    slug,
    write_csv,
    write_json,
    write_jsonl,
)


def test_reader_takes_bom_crlf_and_blank_lines(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": "1"}\r\n{"id": "2"}\r\n\r\n')
    assert read_jsonl(path) == [{"id": "1"}, {"id": "2"}]


def test_a_byte_order_mark_between_joined_files_is_left_out(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": "1"}\n\xef\xbb\xbf{"id": "2"}\n\xef\xbb\xbf')
    assert read_jsonl(path) == [{"id": "1"}, {"id": "2"}]
    assert count_lines(path) == 2


def test_writer_gives_utf8_lf_declared_order_and_no_nan(tmp_path):
    path = tmp_path / "a.jsonl"
    write_jsonl(path, [{"z": "नमस्ते", "a": float("nan")}])
    assert path.read_bytes() == '{"z":"नमस्ते","a":null}\n'.encode()


@pytest.mark.parametrize("cut", [1, 5, 12])
def test_torn_line_is_reported_by_number(tmp_path, cut):
    path = tmp_path / "a.jsonl"
    whole = '{"id":"1"}\n{"id":"2","q":"नम"}\n'.encode()
    path.write_bytes(whole[: -1 - cut])
    with pytest.raises(DataError, match=r"line 2 is not JSON; the last line is cut off"):
        read_jsonl(path)


def test_broken_line_in_the_middle_is_not_called_torn(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id":"1"}\nxx\n{"id":"3"}\n')
    with pytest.raises(DataError, match=r"line 2 is not JSON \("):
        read_jsonl(path)


def test_nan_is_not_json_on_reading_either(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": NaN}\n')
    with pytest.raises(DataError, match="line 1"):
        read_jsonl(path)


def test_wrong_record_names_line_and_key(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"surface": "x", "ids": ["Q1"]}\n{"surface": 3, "ids": []}\n')
    with pytest.raises(DataError, match=r"line 2: surface"):
        list(iter_jsonl(path, Candidate))


def test_failed_write_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "a.jsonl"
    write_jsonl(path, [{"a": 1}])

    def rows():
        yield {"a": 2}
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        write_jsonl(path, rows())
    assert path.read_text() == '{"a":1}\n'
    assert os.listdir(tmp_path) == ["a.jsonl"]


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not files there")
def test_unwritable_place_is_one_clear_error(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(PolyfactError, match="cannot write"):
        write_jsonl(blocked / "a.jsonl", [])


def test_json_turns_nan_and_infinity_into_null(tmp_path):
    path = tmp_path / "m.json"
    write_json(path, {"xAC": float("nan"), "xC": float("inf")})
    assert json.loads(path.read_text()) == {"xAC": None, "xC": None}
    assert read_json(path) == {"xAC": None, "xC": None}


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ('=HYPERLINK("http://x")', '\'=HYPERLINK("http://x")'),
        ("-5", "-5"),
        ('He said "hi",\nthen left', 'He said "hi",\nthen left'),
        ("\t=1+1", "'\t=1+1"),
        ("+1 555", "'+1 555"),
        ("@SUM(A1:A9)", "'@SUM(A1:A9)"),
        ("\r=1", "'\r=1"),
        ("नमस्ते", "नमस्ते"),
        ("'=1", "''=1"),
    ],
)
def test_csv_neutralises_formulas_and_gives_them_back(tmp_path, cell, shown):
    path = tmp_path / "a.csv"
    write_csv(path, [{"id": "1", "a": cell}])
    assert read_csv(path, parse=str) == [{"id": "1", "a": shown}]
    assert read_csv(path) == [{"id": "1", "a": cell}]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1), min_size=1))
def test_csv_round_trip(tmp_path_factory, cells):
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    write_csv(path, [{"id": "x", "a": cell} for cell in cells])
    assert [row["a"] for row in read_csv(path)] == cells


def test_csv_has_the_columns_of_all_rows(tmp_path):
    path = tmp_path / "a.csv"
    assert write_csv(path, [{"id": "1", "a": "x"}, {"id": "2", "b": "=1"}]) == 2
    assert read_csv(path) == [{"id": "1", "a": "x", "b": ""}, {"id": "2", "a": "", "b": "=1"}]
    assert write_csv(path, [{"id": "1", "a": "x"}], columns=["a"]) == 1
    assert read_csv(path) == [{"a": "x"}]


def test_csv_row_of_another_length_is_reported(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n3\n")
    with pytest.raises(DataError, match="line 3 has 1 cells, the header 2"):
        read_csv(path)


@given(st.text(), st.text())
def test_slug_is_one_component_and_injective(first, second):
    for name in (first, second):
        part = slug(name)
        assert part not in ("", ".", "..")
        assert not set(part) & set('/\\:\0<>|?*"')
        assert len(part) <= 80
    assert (slug(first) == slug(second)) == (first == second)


def test_candidate_set_id_is_key_and_content():
    one = CandidateSet.of("t", "en", "completion", "entities", " ", {"b": {"Q2"}, "a": {"Q1", "Q3"}})
    same = CandidateSet.of("t", "en", "completion", "entities", " ", {"a": {"Q3", "Q1"}, "b": {"Q2"}})
    other = CandidateSet.of("t", "en", "completion", "entities", " ", {"a": {"Q1"}, "b": {"Q2"}})
    assert one == same
    assert one.id.startswith("t/en/completion/entities@")
    assert one.id != other.id
    assert [c.surface for c in one.candidates] == ["a", "b"]


def test_schemas_are_exported_and_closed():
    schemas = json_schemas()
    assert {"Item", "Fact", "CandidateSet", "Metrics"} <= set(schemas)
    assert schemas["Item"]["additionalProperties"] is False
    assert list(schemas["Item"]["properties"])[:3] == ["id", "question_id", "cluster_id"]
