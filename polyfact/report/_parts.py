"""MAP of the parts of a run, languages down and parts across: forms, numbers of right answers, origins of names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from polyfact.report._marks import Marks, marks_of
from polyfact.report._read import Labelled, Run
from polyfact.schemas import MetricRow

__all__ = ["Matrix", "TokenLine", "matrices", "tokens"]

ORDER = ("native", "alias", "mul", "human", "mt")


class Matrix(NamedTuple):
    """One model's MAP by part. columns: target and part, in the order of the cells of each line."""

    label: str
    by: str
    columns: list[tuple[str, str]]
    lines: list[tuple[str | None, list[MetricRow | None]]]
    marks: Marks

    @property
    def targets(self) -> list[tuple[str, int]]:
        """Each target with the number of its columns."""
        names = [target for target, _ in self.columns]
        return [(name, names.count(name)) for name in dict.fromkeys(names)]


class TokenLine(NamedTuple):
    """Mean tokens of a candidate and of a prompt in one language, as one model's tokenizer counts them."""

    label: str
    candidate: MetricRow | None
    prompt: MetricRow | None


def matrices(models: Labelled, by: str) -> Iterator[Matrix]:
    """Each model's MAP by ``by``: "form", or one of what items are split by. Models without such rows have none."""
    for label, run in models:
        rows = [row for row in run.metrics.rows if row.metric == "map" and row.pooling == "micro" and not row.topic]
        rows = [row for row in rows if row.target and _part(row, by) is not None]
        if not rows:
            continue
        columns = sorted({(row.target or "", _part(row, by) or "") for row in rows}, key=_order)
        codes = sorted({row.language for row in rows if row.language})
        pooled: list[str | None] = [None] if any(row.language is None for row in rows) and len(codes) > 1 else []
        lines = [(code, [_cell(run, by, code, *column) for column in columns]) for code in [*pooled, *codes]]
        yield Matrix(label, by, columns, lines, marks_of(row for _, cells in lines for row in cells))


def _part(row: MetricRow, by: str) -> str | None:
    if by == "form":
        return None if row.split_by else row.form
    return row.split if row.split_by == by and not row.form else None


def _cell(run: Run, by: str, language: str | None, target: str, part: str) -> MetricRow | None:
    if by == "form":
        return run.find("map", language=language, form=part, target=target)
    return run.find("map", language=language, target=target, split_by=by, split=part)


def _order(column: tuple[str, str]) -> tuple[bool, str, int, int, str]:
    """Entities before counts; numbers by size, origins of names from the nearest to the farthest."""
    target, part = column
    digits = part.rstrip("+")
    size = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else 0
    return target != "entities", target, ORDER.index(part) if part in ORDER else len(ORDER), size, part


def tokens(models: Labelled) -> list[tuple[str, list[TokenLine]]]:
    """Token counts by language, of all models; empty where no run counts them."""
    names = ("tokens_per_candidate", "tokens_per_prompt")
    codes = {row.language for _, run in models for row in run.metrics.rows if row.metric in names and row.language}
    return [
        (code, [TokenLine(label, *(run.find(name, language=code) for name in names)) for label, run in models])
        for code in sorted(codes)
    ]
