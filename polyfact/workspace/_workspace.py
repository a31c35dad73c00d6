"""The folder of a benchmark."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from polyfact.errors import DataError, UsageError
from polyfact.schemas import Record, iter_jsonl, write_jsonl
from polyfact.workspace._recipe import FILE_NAME, Recipe, read_recipe

__all__ = ["Workspace", "create", "sha256_file"]

R = TypeVar("R", bound=Record)

_MADE_BY = {
    "facts.jsonl": "polyfact build",
    "labels.jsonl": "polyfact build",
    "drafts.jsonl": "polyfact build",
    "items.jsonl": "polyfact build",
    "candidates.jsonl": "polyfact build",
    "wordings.jsonl": "polyfact build",
}


@dataclass(frozen=True)
class Workspace:
    """A benchmark's folder: its recipe, its own language and topic files, and what the stages wrote."""

    root: Path

    @property
    def recipe(self) -> Recipe:
        """benchmark.toml, read anew."""
        return read_recipe(self.root)

    @property
    def language_dirs(self) -> list[Path]:
        """Folders of the user's own language files."""
        return [folder for folder in [self.root / "languages"] if folder.is_dir()]

    @property
    def topic_dirs(self) -> list[Path]:
        """Folders of the user's own topic files."""
        return [folder for folder in [self.root / "topics"] if folder.is_dir()]

    def path(self, name: str) -> Path:
        """The path of one of the workspace's files."""
        return self.root / name

    def read(self, name: str, record: type[R]) -> Iterator[R]:
        """Rows of a stage's file, one at a time. Raises DataError naming the command that makes a missing file."""
        path = self.path(name)
        if not path.is_file():
            raise DataError("not there yet", where=str(path), fix=f"run: {_MADE_BY.get(name, 'polyfact build')}")
        yield from iter_jsonl(path, record)

    def sweep(self) -> None:
        """Take away the unfinished files that a killed build left behind."""
        for part in self.root.glob(".*.jsonl.*.part"):
            part.unlink(missing_ok=True)

    def write(self, name: str, rows: Iterable[Record]) -> int:
        """Replace a stage's file, whole or not at all. Returns the number of rows."""
        return write_jsonl(self.path(name), rows)


def create(folder: Path, recipe: str) -> Workspace:
    """A new workspace at ``folder`` holding ``recipe``. Raises UsageError if one is there already."""
    target = folder / FILE_NAME
    if target.exists():
        raise UsageError("a benchmark is here already", where=str(target), fix="choose another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for sub in ("languages", "topics"):
            (folder / sub).mkdir(exist_ok=True)
        target.write_text(recipe, encoding="utf-8", newline="\n")
        (folder / ".gitignore").write_text("/cache.sqlite*\n/runs/\n/report/\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write: {error.strerror}", where=str(folder)) from error
    return Workspace(folder)


def sha256_file(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
