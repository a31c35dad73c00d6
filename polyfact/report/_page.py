"""The page: what is shown, in which order, in which colour."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from polyfact.errors import UsageError
from polyfact.report._read import Run, read_run
from polyfact.schemas import MetricRow, atomic_write

__all__ = ["write"]

TOP = (1, 3, 5, 10, 20)
LEFT_OUT = "language-left-out"
RIGHT_TO_LEFT = {"ar", "dv", "fa", "he", "ks", "ku", "ps", "sd", "ug", "ur", "yi"}
# Steps of a ramp that stays ordered for every kind of colour vision and in grey (light to dark).
RAMP = ((253, 244, 212), (205, 222, 178), (122, 182, 164), (52, 124, 146), (30, 58, 110))


class Cell(NamedTuple):
    """One cell of a heatmap."""

    row: MetricRow | None
    background: str
    ink: str
    title: str


class Heat(NamedTuple):
    """A heatmap: languages down, topics across; one for each model, target and form."""

    run: str
    target: str
    form: str
    topics: list[str]
    lines: list[tuple[str, list[Cell]]]


class BiasLine(NamedTuple):
    """The inference bias of one topic and language at one n."""

    run: str
    topic: str
    language: str
    n: int
    fib: MetricRow | None
    minus: MetricRow
    lift: MetricRow | None


def write(runs: Sequence[Path], out: Path, *, title: str | None = None) -> Path:
    """Write the page of some runs to ``out``: one HTML file that asks nothing of any server. Returns ``out``.

    runs: folders that hold run.json and metrics.json.
    Raises UsageError for no runs, DataError for a folder without a run.
    """
    import jinja2

    if not runs:
        raise UsageError("no runs to report", fix="run: polyfact evaluate --model MODEL")
    found = [read_run(folder) for folder in runs]
    models = [run for run in found if run.record.engine != "reference"]
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("polyfact.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"number": _number, "signed": _signed, "percent": _percent, "pretty": _pretty}
    environment.globals["direction"] = lambda code: "rtl" if code.split("-")[0] in RIGHT_TO_LEFT else "ltr"
    shown = models or found
    page = environment.get_template("page.html").render(
        title=title or "Benchmark report",
        runs=found,
        models=shown,
        references=[run for run in found if run.record.engine == "reference" and models],
        heats=[heat for run in shown for heat in _heats(run)],
        bias=[line for run in shown for line in _bias(run)],
        subjects=[(run, subject) for run in shown for subject in run.metrics.biased_subjects],
        top=TOP,
        ramp=[_colour(step / 10)[0] for step in range(11)],
        records=[(run, json.dumps(run.record.model_dump(), ensure_ascii=False, indent=2)) for run in found],
    )
    with atomic_write(out) as stream:
        stream.write(page)
    return out


def _heats(run: Run) -> list[Heat]:
    rows = [
        row for row in run.metrics.rows if row.metric == "map" and row.pooling == "micro" and row.topic and row.language
    ]
    heats = []
    for target in sorted({row.target or "" for row in rows}, reverse=True):
        for form in sorted({row.form or "" for row in rows if row.target == target}):
            cells = {(r.language, r.topic): r for r in rows if r.target == target and (r.form or "") == form}
            topics = sorted({topic for _, topic in cells if topic})
            lines = []
            for language in sorted({language for language, _ in cells if language}):
                lines.append((language, [_cell(cells.get((language, topic))) for topic in topics]))
            heats.append(Heat(run.name, target, form or "all forms", topics, lines))
    return heats


def _cell(row: MetricRow | None) -> Cell:
    if row is None or row.value is None:
        return Cell(row, "transparent", "inherit", (row.reason or "undefined") if row else "no such items")
    background, ink = _colour(row.value)
    interval = f"95 % interval {_number(row.low)} to {_number(row.high)}"
    return Cell(row, background, ink, f"MAP {_number(row.value)}, {interval}, chance {_number(row.chance)}, n = {row.n}")


def _colour(value: float) -> tuple[str, str]:
    """Background and ink for a value in [0, 1]."""
    place = min(max(value, 0.0), 1.0) * (len(RAMP) - 1)
    step = min(int(place), len(RAMP) - 2)
    mixed = [round(a + (b - a) * (place - step)) for a, b in zip(RAMP[step], RAMP[step + 1], strict=True)]
    light = [(c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4) for c in mixed]
    luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
    return f"rgb({mixed[0]} {mixed[1]} {mixed[2]})", "#ffffff" if luminance < 0.179 else "#10151c"


def _bias(run: Run) -> list[BiasLine]:
    lines = []
    rows = [row for row in run.metrics.rows if row.form is None and row.topic and row.language]
    for n in TOP:
        for row in rows:
            if row.metric == f"fib_minus@{n}" and row.reason != LEFT_OUT:
                where = {"topic": row.topic, "language": row.language, "target": row.target}
                fib, lift = run.find(f"fib@{n}", **where), run.find(f"lift@{n}", **where)
                lines.append(BiasLine(run.name, row.topic or "", row.language or "", n, fib, row, lift))
    return lines


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".removeprefix("0") if 0 <= value < 1 else f"{value:.3f}"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.3f}".replace("-", "−")


def _percent(value: float) -> str:
    return f"{100 * min(max(value, 0.0), 1.0):.2f}%"


def _pretty(name: str) -> str:
    return name.replace("-", " ").replace("_", " ")
