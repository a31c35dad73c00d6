"""Stored runs as the page needs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from polyfact.errors import DataError
from polyfact.schemas import MetricRow, Metrics, RunRecord, read_json

__all__ = ["Labelled", "Run", "read_run", "summary"]

Key = tuple[str | None, ...]


@dataclass(frozen=True)
class Run:
    """One run: its record and its metrics."""

    record: RunRecord
    metrics: Metrics

    @property
    def name(self) -> str:
        """The model, as a reader knows it: the last part of a path."""
        model = self.record.model
        return model.rstrip("/").rsplit("/", 1)[-1] if model.startswith((".", "/")) else model

    @property
    def is_reference(self) -> bool:
        """Whether this is the oracle, the random or the empty model: a check of the benchmark, not a result."""
        return self.record.engine == "reference"

    @cached_property
    def _index(self) -> dict[Key, MetricRow]:
        index: dict[Key, MetricRow] = {}
        for row in self.metrics.rows:
            where = (row.topic, row.language, row.form, row.target, row.split_by, row.split, row.pooling)
            index.setdefault((row.metric, *where), row)
        return index

    def find(
        self,
        metric: str,
        *,
        topic: str | None = None,
        language: str | None = None,
        form: str | None = None,
        target: str | None = None,
        split_by: str | None = None,
        split: str | None = None,
        pooling: str = "micro",
    ) -> MetricRow | None:
        """The row of a metric; dimensions that are not named are pooled over, and items are not split."""
        return self._index.get((metric, topic, language, form, target, split_by, split, pooling))

    @cached_property
    def parts(self) -> set[str]:
        """By what this run's items are split; empty for a run of a version that did not split them."""
        return {row.split_by for row in self.metrics.rows if row.split_by}

    @cached_property
    def main_target(self) -> str:
        """What the first numbers are about: items that ask for entities; for counts where there are no others."""
        return "entities" if self.find("map", target="entities") else "count"

    def overall(self, metric: str, **where: Any) -> MetricRow | None:
        """The row of a metric over the items of the main target."""
        return self.find(metric, target=self.main_target, **where)


Labelled = Sequence[tuple[str, Run]]
"""Runs, each with the name that the page calls it by."""


def read_run(folder: Path) -> Run:
    """The run in a folder. Raises DataError where its files do not hold one run."""
    from pydantic import ValidationError

    try:
        record = RunRecord.model_validate(read_json(folder / "run.json"))
        metrics = Metrics.model_validate(read_json(folder / "metrics.json"))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"])) or "file"
        raise DataError(f"not a run: {key}: {first['msg']}", where=str(folder), fix="evaluate again") from error
    if not record.run.startswith(metrics.run):
        raise DataError("not a run: run.json and metrics.json are of two runs", where=str(folder), fix="evaluate again")
    return Run(record, metrics)


def summary(folders: Sequence[Path]) -> list[dict[str, Any]]:
    """One line a run: MAP over the items that ask for entities, its 95 % interval, the prior, chance and n.

    prior: MAP of the prompts without a subject. map, low, high, prior and chance are None where they are undefined.
    """
    lines = []
    for folder in folders:
        run = read_run(folder)
        row = run.overall("map") or MetricRow(metric="map", reason="no-items")
        prior = run.overall("map_prior")
        numbers = {"map": row.value, "low": row.low, "high": row.high, "prior": prior.value if prior else None}
        lines.append({"model": run.name, **numbers, "chance": row.chance, "n": row.n})
    return lines
