"""What somebody who installs polyfact meets first: quick imports, quick help, one line for every mistake."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from polyfact import cli

ROOT = Path(cli.__file__).resolve().parents[1]
HEAVY = ("babel", "datasets", "jinja2", "numpy", "pyarrow", "pydantic_ai", "pyoxigraph", "scipy", "torch", "transformers")


def python(*arguments, cwd=None):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=cwd, env=environment)


@pytest.mark.parametrize("module", ["polyfact", "polyfact.cli"])
def test_nothing_heavy_is_imported(module):
    found = python("-c", f"import sys, {module}; print([name for name in {HEAVY!r} if name in sys.modules])")
    assert found.stdout.strip() == "[]", found.stderr


def test_help_takes_less_than_half_a_second():
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        shown = python("-m", "polyfact", "--help")
        seconds.append(time.perf_counter() - start)
        assert "demo" in shown.stdout
    assert min(seconds) < 0.5


@pytest.mark.parametrize(
    "command",
    [
        "demo",
        "init",
        "build",
        "evaluate",
        "import",
        "release build",
        "release verify",
        "release diff",
        "release push",
        "report",
        "doctor",
    ],
)
def test_every_command_has_help_with_an_example(command):
    shown = python("-m", "polyfact", *command.split(), "--help")
    assert shown.returncode == 0
    assert "Example: polyfact" in shown.stdout


def test_a_language_named_twice_stands_once_in_the_recipe(tmp_path):
    folder = str(tmp_path / "b")
    assert python("-m", "polyfact", "init", folder, "-l", "en", "-l", "hi", "-l", "en").returncode == 0
    assert 'languages = ["en", "hi"]' in (tmp_path / "b" / "benchmark.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nonsense"], 2, "No such command 'nonsense'"),
        (["build"], 2, "no benchmark.toml here"),
        (["build", "--stage", "fact"], 2, 'did you mean "facts"?'),
        (["evaluate"], 2, "Missing option '--model'"),
        (["evaluate", "--model", "oracle", "--data", "nowhere"], 2, "no items here"),
        (["evaluate", "--model", "oracle", "--task", "fibre"], 2, 'did you mean "fiber"?'),
        (["release", "verify", "nowhere"], 3, "nowhere"),
        (["report", "--dir", "nowhere"], 2, "no runs here"),
        (["init", "b", "-l", "hindi"], 2, 'unknown language "hindi"'),
        (["init", "file/b"], 2, "cannot write"),
    ],
)
def test_a_mistake_is_one_line_and_a_code(tmp_path, arguments, code, message):
    (tmp_path / "file").write_text("")
    failed = python("-m", "polyfact", *arguments, cwd=tmp_path)
    assert failed.returncode == code, failed.stderr
    assert message in failed.stderr
    assert failed.stderr.count("\n") == 1
    assert "Traceback" not in failed.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_debug_shows_the_traceback(tmp_path):
    failed = python("-m", "polyfact", "--debug", "build", cwd=tmp_path)
    assert "Traceback" in failed.stderr
    assert failed.returncode == 2


def test_doctor_says_what_is_there():
    found = python("-m", "polyfact", "doctor", "--json")
    assert found.returncode == 0, found.stderr
    parts = {finding["part"]: finding for finding in json.loads(found.stdout)["findings"]}
    assert parts["python"]["ok"]
    assert parts["languages"]["state"] == "en, gu, hi, it, mr, or, tr"
    assert "capitals" in parts["topics"]["state"]


def test_demo_without_a_model_runs_every_stage_and_again(tmp_path):
    for _ in range(2):
        done = python("-m", "polyfact", "demo", "--out", "d", "--model", "none", "--json", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert [row[0] for row in result["summary"]] == ["oracle", "random", "empty"]
    assert result["summary"][0][1] == 1.0
    assert (tmp_path / result["report"]).is_file()
    assert (tmp_path / result["release"] / "manifest.json").is_file()
