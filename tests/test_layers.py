"""Who may import whom: the contract holds, and it finds what breaks it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    command = [sys.executable, "-c", code, "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)


def test_no_layer_imports_one_above_it():
    done = lint_imports(ROOT)
    assert re.search(r"\d+ kept, 0 broken", done.stdout), done.stdout + done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("schemas/_text.py", "import polyfact.workspace", "Data goes one way"),
        ("report/__init__.py", "import polyfact.evaluators", "Data goes one way"),
        ("evaluators/metrics/scored.py", "import numpy", "Metrics are plain values in"),
    ],
)
def test_the_contract_finds_an_import_that_should_not_be(tmp_path, module, line, contract):
    shutil.copytree(ROOT / "polyfact", tmp_path / "polyfact", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / "polyfact" / module).open("a", encoding="utf-8") as stream:
        stream.write(f"\n{line}\n")
    done = lint_imports(tmp_path)
    assert done.returncode == 1
    assert re.search(rf"{contract}.*BROKEN", " ".join(done.stdout.split())), done.stdout
