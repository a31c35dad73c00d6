"""What the built wheel holds."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import polyfact

ROOT = Path(__file__).resolve().parent.parent


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
