"""Every case of the shared file; and what the adapter does with a file that is none."""

import json

import pytest

from tests.cases.adapter import _handlers, case_file, load, op_name, run_case
from tests.cases.run import main

FILE = case_file()
CASES = list(load(FILE)) if FILE is not None else []
CASE = {"id": "X1", "kind": "k", "component": "c", "op": "never_heard_of(a)", "input": {}, "expected": {}}


@pytest.mark.skipif(FILE is None, reason="no case file: set POLYFACT_SHARED to the folder that holds cases/")
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case):
    outcome = run_case(case)
    if outcome.state == "pending":
        pytest.skip(f"pending: {outcome.waits_for}")
    assert outcome.differences == []


def _file(folder, *rows):
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_an_unknown_op_is_a_failure_unless_its_component_is_waited_for(tmp_path, capsys):
    pending = {**CASE, "id": "X2", "component": "labelstudio"}
    assert main([str(_file(tmp_path, CASE, pending))]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "X1 FAILED: no handler for op never_heard_of (component c)",
        "0 passed, 1 failed, 1 pending",
    ]


def test_every_module_of_handlers_is_loaded_and_no_op_has_two():
    known, broken = _handlers()
    assert broken == []
    assert "average_precision" in known


def test_a_case_that_breaks_a_handler_is_a_failure(tmp_path, capsys):
    broken = {**CASE, "op": "average_precision(scores)", "input": {"scores": 3}}
    assert main([str(_file(tmp_path, broken)), "--list"]) == 1
    assert capsys.readouterr().out.startswith("X1 FAILED: ")


def test_a_wrong_expectation_fails(tmp_path, capsys):
    case = {**CASE, "op": "average_precision(scores)", "input": {"scores": {"a": -1.0}, "gold": ["a"]}}
    wrong = {**case, "id": "X2", "expected": {"ap": 0.5}}
    unheard = {**case, "id": "X3", "expected": {"ap": 1.0, "never_heard_of": 3}}
    assert main([str(_file(tmp_path, {**case, "expected": {"ap": 1.0}}, wrong, unheard)), "--list"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "X1 passed",
        "X2 FAILED: ap: expected 0.5, got 1.0",
        "X3 FAILED: never_heard_of: this adapter cannot tell",
        "1 passed, 2 failed, 0 pending",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "cannot read"), ("{\n", "line 1 is not JSON"), ('{"id": "X1"}\n', "case 1 (X1) has no kind, component")],
)
def test_a_file_that_is_not_there_or_broken_is_one_line(tmp_path, capsys, content, message):
    path = tmp_path / "cases.jsonl"
    if content is not None:
        path.write_text(content)
    assert main([str(path)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_only_the_named_cases(tmp_path, capsys):
    path = _file(tmp_path, CASE, {**CASE, "id": "X2", "component": "labelstudio"})
    assert main([str(path), "X2"]) == 0
    assert capsys.readouterr().out == "0 passed, 0 failed, 1 pending\n"
    assert main([str(path), "X3"]) == 2
    assert "no case X3" in capsys.readouterr().err


def test_the_name_of_an_op():
    assert op_name("rank order") == "rank order"
    assert op_name("write_release(items) then load with datasets") == "write_release"
