"""What an import read, wrote and saw: the counts of import.json."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Defect", "Defects", "ImportReport", "ImportedCell"]

SHOWN = 5
WIDTH = 100


class Defect(NamedTuple):
    """Something odd that was found and not repaired. n: files, rows or surfaces, as the kind's name says."""

    kind: str
    n: int
    examples: list[str]

    @property
    def example(self) -> str:
        """The first example, on one short line."""
        text = " ".join(self.examples[0].split())
        return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


class Defects:
    """Collects defects by kind, each with its first examples."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = defaultdict(int)
        self._examples: dict[str, list[str]] = defaultdict(list)

    def add(self, kind: str, example: str, n: int = 1) -> None:
        """One more of ``kind``, or ``n`` more. example: where it is, and what stands there."""
        self._counts[kind] += n
        if len(self._examples[kind]) < SHOWN:
            self._examples[kind].append(example)

    def add_all(self, kind: str, examples: Iterable[str]) -> None:
        """One more of ``kind`` for each example."""
        for example in examples:
            self.add(kind, example)

    def listed(self) -> list[Defect]:
        """All of them, by kind."""
        return [Defect(kind, n, self._examples[kind]) for kind, n in sorted(self._counts.items())]


@dataclass(frozen=True)
class ImportedCell:
    """The rows of one source file.

    subjects: distinct subject ids. templates: distinct wordings; without_template: items whose subject does not stand
    in their question word for word. surfaces: distinct candidates.
    """

    file: str
    sha256: str
    topic: str
    language: str
    form: str
    target: str
    rows: int
    items: int
    rejected: int
    subjects: int
    surfaces: int
    templates: int
    without_template: int


@dataclass(frozen=True)
class ImportReport:
    """What an import did. rows = items + rejected, in every cell and in all.

    ignored: files of the source that hold no rows of the benchmark. linked: by topic, how many distinct answers have an
    id of the embedded knowledge base, and how many there are. verbatim: answers that did not stand after exactly one
    blank, by candidate set, with what stood in the file.
    """

    kind: str
    folder: Path
    cells: list[ImportedCell]
    rejected: dict[str, int]
    defects: list[Defect]
    ignored: list[str]
    linked: dict[str, tuple[int, int]]
    associations: int
    verbatim: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for cell in self.cells:
            if cell.rows != cell.items + cell.rejected:
                raise AssertionError(f"{cell.file}: {cell.rows - cell.items - cell.rejected} rows are lost")

    @property
    def rows(self) -> int:
        """How many rows were read."""
        return sum(cell.rows for cell in self.cells)

    @property
    def items(self) -> int:
        """How many items were written."""
        return sum(cell.items for cell in self.cells)

    @property
    def outcome(self) -> str:
        """One line: rows, files, items, rejected."""
        why = ", ".join(f"{n:,} {reason}" for reason, n in self.rejected.items())
        dropped = f"{sum(self.rejected.values()):,} rejected" + (f" ({why})" if why else "")
        return f"{self.rows:,} rows in {len(self.cells)} files: {self.items:,} items, {dropped}"

    def table(self) -> tuple[list[str], list[list[object]]]:
        """Headers and lines: rows by topic and language, a column for each form and target, None where there is none."""
        columns = sorted({(cell.target != "entities", cell.form, cell.target) for cell in self.cells})
        lines: dict[tuple[str, str], dict[tuple[bool, str, str], int]] = defaultdict(dict)
        for cell in self.cells:
            lines[cell.topic, cell.language][cell.target != "entities", cell.form, cell.target] = cell.rows
        headers = ["topic", "language", *(f"{form} ({target})" for _, form, target in columns), "rows"]
        body: list[list[object]] = [
            [*place, *(counts.get(column) for column in columns), sum(counts.values())]
            for place, counts in sorted(lines.items())
        ]
        return headers, body

    def summary(self) -> dict[str, Any]:
        """What import.json holds, without the folder."""
        return {
            "kind": self.kind,
            "rows": self.rows,
            "items": self.items,
            "rejected": self.rejected,
            "associations": self.associations,
            "defects": [each._asdict() for each in self.defects],
            "linked": {topic: {"answers": n, "linked": known} for topic, (known, n) in self.linked.items()},
            "cells": [asdict(cell) for cell in self.cells],
            "ignored": self.ignored,
            "verbatim": self.verbatim,
        }
