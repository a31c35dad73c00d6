"""Every command, file and program of the documentation, run as it stands."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, Step, fits, steps
from tests.support.hub import beside, serve
from tests.support.needs import needs

PAGES = sorted(DOCS.glob("*.md"))
ROOT = DOCS.parent


@pytest.fixture
def environment(tmp_path):
    """A hub on loopback, and polyfact on the path."""
    with serve() as hub:
        yield beside(hub, tmp_path / "home")


@needs("smollm2")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_of_a_page_does_what_the_page_shows(page, environment, tmp_path):
    for step in steps(page):
        _run(step, tmp_path, environment)


def _run(step: Step, folder: Path, environment: dict[str, str]) -> None:
    if step.kind == "file":
        (folder / step.place).parent.mkdir(parents=True, exist_ok=True)
        (folder / step.place).write_text(step.text, encoding="utf-8")
        return
    command = [sys.executable, "-c", step.text] if step.kind == "python" else step.text
    done = subprocess.run(
        command, shell=isinstance(command, str), cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == step.code, f"{step.text}\n{done.stdout}\n{done.stderr}"
    if step.kind == "command":
        printed = done.stderr.strip().splitlines()[-1] if step.code else done.stdout
        assert fits(step.shown, printed), f"{step.text}\nshown: {step.shown}\nprinted: {printed}"


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#][^)]*)\)", page.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        if "://" in path:
            continue
        found = (page.parent / path).resolve()
        assert found.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", found.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}, target


@pytest.mark.parametrize(
    ("shown", "output", "same"),
    [
        ("a\n…\n", "a\nb\nc\n", True),
        ("a\n", "a\nb\n", False),
        ("n = …, m = 2", "n = 7, m = 2", True),
        ("(x)", "(x)", True),
    ],
)
def test_dots_stand_for_anything(shown, output, same):
    assert fits(shown, output) == same
