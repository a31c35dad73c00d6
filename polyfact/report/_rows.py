"""Every row of every run, small enough to travel in the page: strings once, values as the page shows them."""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup

from polyfact.report._read import Labelled
from polyfact.schemas import MetricRow

__all__ = ["COLUMNS", "embedded"]

WORDS = ("model", "metric", "topic", "language", "form", "target", "split_by", "split")
NUMBERS = ("value", "low", "high", "chance", "ceiling")
COLUMNS = (*WORDS, *NUMBERS, "n", "clusters", "pooling", "interval", "notes")


def embedded(models: Labelled) -> Markup:
    """JSON for a data block: "strings", and "rows" with a place in them where a column holds words.

    Numbers are rounded to the three decimals that the page shows; null is undefined. No character of it can
    end the element that it stands in, or open another.
    """
    places: dict[str, int] = {}
    rows = [_row(label, row, places) for label, run in models for row in run.metrics.rows]
    text = json.dumps({"columns": COLUMNS, "strings": list(places), "rows": rows}, separators=(",", ":"))
    for character in "<>&'":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _row(label: str, row: MetricRow, places: dict[str, int]) -> list[Any]:
    dimensions = [getattr(row, name) or "all" for name in WORDS[2:6]]
    before = [label, row.metric, *dimensions, row.split_by or "", row.split or ""]
    notes = " ".join(filter(None, [row.reason, ", ".join(row.flags)]))
    values = [getattr(row, name) for name in NUMBERS]
    return [
        *(places.setdefault(word, len(places)) for word in before),
        *(None if value is None else _short(value) for value in values),
        row.n,
        row.n_clusters,
        *(places.setdefault(word, len(places)) for word in (row.pooling, row.interval, notes)),
    ]


def _short(value: float) -> float | int:
    """Rounded as `number` does, in as few characters as JSON can.

    >>> _short(0.7294999), _short(1.0), _short(-0.0001)
    (0.729, 1, 0)
    """
    rounded = round(value, 3)
    return int(rounded) if rounded.is_integer() else rounded
