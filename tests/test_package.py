"""What importing and installing polyfact costs, what its wheel holds, and who may import whom."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

import polyfact

ROOT = Path(__file__).resolve().parent.parent
HEAVY = {
    "torch", "transformers", "datasets", "pyarrow", "pandas", "numpy", "scipy", "babel", "jinja2", "pyoxigraph",
    "SPARQLWrapper", "huggingface_hub", "openai", "google.genai", "sacrebleu", "eldc",
}  # fmt: skip


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has after running ``code``."""
    program = f"{code}\nimport json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_import_loads_nothing_heavy():
    loaded = loaded_by("import polyfact")
    assert "polyfact" in loaded
    assert loaded & (HEAVY | {"pydantic", "typer", "rich"}) == set()


def test_the_command_line_loads_nothing_heavy():
    loaded = loaded_by("import polyfact.cli")
    assert "typer" in loaded
    assert loaded & HEAVY == set()


def test_a_name_that_was_asked_for_is_loaded_then():
    loaded = loaded_by("import polyfact; polyfact.build")
    assert "polyfact.builders" in loaded
    assert "torch" not in loaded
    assert callable(polyfact.build)
    assert callable(polyfact.evaluate)
    with pytest.raises(AttributeError, match="no attribute 'biuld'"):
        polyfact.biuld  # noqa: B018


def test_help_answers_in_half_a_second():
    command = [sys.executable, "-m", "polyfact", "--help"]
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
        seconds.append(time.perf_counter() - start)
    for name in ("demo", "init", "build", "evaluate", "release", "report", "doctor"):
        assert re.search(rf"^\W*{name}\b", done.stdout, re.MULTILINE), name
    assert min(seconds) < 0.5


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


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of a copy of this checkout, built with the hatchling of this environment."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "checkout"
    copy.mkdir()
    shutil.copytree(ROOT / "polyfact", copy / "polyfact", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, copy)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, check=True, capture_output=True, cwd=copy)
    (built,) = folder.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        yield archive


def test_the_wheel_holds_every_file_of_the_package(wheel):
    wanted = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "polyfact").rglob("*")
        if path.is_file() and not {"__pycache__", ".ruff_cache", ".mypy_cache"} & set(path.parts)
    }
    found = set(wheel.namelist())
    assert wanted - found == set()
    assert {"polyfact/py.typed", "polyfact/kb/NOTICE", "polyfact/kb/kb.nt.gz", "polyfact/languages/hi.toml"} <= found
    assert {"polyfact/topics/official_languages.toml", "polyfact/report/templates/page.html"} <= found
    others = {name.split("/")[0] for name in found - wanted}
    assert others == {f"polyfact-{polyfact.__version__}.dist-info"}


def test_the_wheel_says_what_it_is(wheel):
    info = f"polyfact-{polyfact.__version__}.dist-info"
    metadata = wheel.read(f"{info}/METADATA").decode()
    assert "\nLicense-Expression: Apache-2.0\n" in metadata
    assert "\nRequires-Python: >=3.11\n" in metadata
    core = re.findall(r"^Requires-Dist: ([\w-]+)(?!.*extra ==)", metadata, re.MULTILINE)
    assert core == ["jinja2", "platformdirs", "pydantic", "rapidfuzz", "rich", "typer"]
    assert "polyfact = polyfact.cli:main" in wheel.read(f"{info}/entry_points.txt").decode()
    assert f"{info}/licenses/LICENSE" in wheel.namelist()
    assert f"{info}/licenses/polyfact/kb/NOTICE" in wheel.namelist()
