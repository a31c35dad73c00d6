"""A page of the documentation as steps that can be run: console blocks, Python blocks, files to write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parents[2] / "docs"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_EXIT = re.compile(r"\s+# exit (\d+)$")


class Step(NamedTuple):
    """kind: command, python or file. text: what is run or written. shown: the output that the page shows.

    place: the file to write. code: the exit code that the page names.
    """

    kind: str
    text: str
    shown: str = ""
    place: str = ""
    code: int = 0


def steps(page: Path) -> Iterator[Step]:
    """The steps of a page, in its order. Raises ValueError for a block of a kind that nobody runs."""
    for language, body in _BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "console":
            yield from _commands(body)
        elif language == "python":
            yield Step("python", body)
        elif language == "toml":
            first, _, rest = body.partition("\n")
            yield Step("file", rest, place=first.removeprefix("# "))
        else:
            raise ValueError(f"{page.name}: nobody runs a block of {language}")


def _commands(body: str) -> Iterator[Step]:
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        code = _EXIT.search(command)
        yield Step("command", _EXIT.sub("", command), shown, code=int(code[1]) if code else 0)


def fits(shown: str, output: str) -> bool:
    """Whether ``output`` is what the page shows; … stands for anything, also for several lines."""
    pattern = re.escape(shown.strip()).replace("…", ".*")
    return re.fullmatch(pattern, output.strip(), re.DOTALL) is not None
