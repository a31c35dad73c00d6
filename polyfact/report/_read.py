"""Stored runs as the page needs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyfact.errors import DataError
from polyfact.schemas import MetricRow, Metrics, RunRecord, read_json

__all__ = ["Run", "read_run", "summary"]


@dataclass(frozen=True)
class Run:
    """One run: its record and its metrics."""

    record: RunRecord
    metrics: Metrics

    @property
    def name(self) -> str:
        """The model, as a reader knows it: the last part of a path."""
        return (
            self.record.model.rstrip("/").rsplit("/", 1)[-1]
            if self.record.model.startswith((".", "/"))
            else self.record.model
        )

    def find(self, metric: str, **where: Any) -> MetricRow | None:
        """The row of a metric; dimensions that are not named are pooled over."""
        wanted = {"topic": None, "language": None, "form": None, "target": None, "pooling": "micro"} | where
        for row in self.metrics.rows:
            if row.metric == metric and all(getattr(row, key) == value for key, value in wanted.items()):
                return row
        return None


def read_run(folder: Path) -> Run:
    """The run in a folder. Raises DataError where its files do not hold a run."""
    from pydantic import ValidationError

    try:
        return Run(
            RunRecord.model_validate(read_json(folder / "run.json")),
            Metrics.model_validate(read_json(folder / "metrics.json")),
        )
    except ValidationError as error:
        raise DataError("not a run", where=str(folder), fix="evaluate again") from error


def summary(folders: Sequence[Path]) -> list[dict[str, Any]]:
    """One line a run: MAP over the items that ask for entities, its 95 % interval, chance and n."""
    lines = []
    for folder in folders:
        run = read_run(folder)
        row = run.find("map", target="entities") or MetricRow(metric="map", reason="no items")
        lines.append(
            {"model": run.name, "map": row.value, "low": row.low, "high": row.high, "chance": row.chance, "n": row.n}
        )
    return lines
