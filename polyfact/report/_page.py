"""The page: one file that asks nothing of any server and runs nothing that it did not bring.

The content security policy names the hash of its one style sheet and of its one script: markup that came in with data,
were it ever to slip through the escaping, would neither run nor load anything. The rows travel as a data block, which
the policy does not name either: it is read, and could not be run.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from polyfact.errors import UsageError
from polyfact.report import _bias, _colour, _heat, _parts, _prior, _rows, _views, _wordings
from polyfact.report._read import Run, read_run
from polyfact.schemas import atomic_write

__all__ = ["write"]


def write(runs: Sequence[Path], out: Path, *, title: str | None = None) -> Path:
    """Write the page of some runs to ``out``: one HTML file. The same runs give the same bytes. Returns ``out``.

    runs: folders that hold run.json and metrics.json; models are shown in this order, reference models as a check.
    Raises UsageError for no runs, DataError for a folder without a run.
    """
    if not runs:
        raise UsageError("no runs to report", fix="run: polyfact evaluate --model MODEL")
    found = _labelled([read_run(folder) for folder in runs])
    models = [(label, run) for label, run in found if not run.is_reference]
    references = [(label, run) for label, run in found if run.is_reference and models]
    models = models or found
    headline = _views.headline(models)
    shown = {
        "title": title or "Benchmark report",
        "runs": found,
        "models": models,
        "tasks": sorted({run.record.task for _, run in found}),
        "counts": _ends([run.metrics.n_items for _, run in models]),
        "same_data": len({_data(run) for _, run in found}) == 1,
        "several": len(models) > 1,
        "headline": headline,
        "best": headline.label if headline else models[0][0],
        "extremes": _views.extremes,
        "remarks": _views.remarks(models),
        "sanity": _views.sanity(references),
        "numbered": {label: place for place, (label, _) in enumerate(models)},
        "heats": list(_heat.heats(models)),
        "knowledge": _prior.knowledge(models),
        "by_form": list(_parts.matrices(models, "form")),
        "by_count": list(_parts.matrices(models, "entity_count")),
        "by_source": list(_parts.matrices(models, "label_source")),
        "tokens": _parts.tokens(models),
        "wordings": _wordings.wordings(models),
        "absent": _views.absent(models),
        "biases": list(_bias.biases(models)),
        "subjects": _views.subjects(models),
        "n_rows": sum(len(run.metrics.rows) for _, run in found),
        "embedded": _rows.embedded(found),
        "records": [(label, run, _views.facts_of(run)) for label, run in found],
        "languages": _values(models, "language"),
        "topics": _values(models, "topic"),
        "steps": range(_colour.STEPS),
    }
    page = _environment().get_template("page.html").render(shown)
    with atomic_write(out) as stream:
        stream.write(page)
    return out


def _environment() -> Any:
    import jinja2
    from markupsafe import Markup

    from polyfact.report import _words

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("polyfact.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= _words.FILTERS
    styles = f"\n{_template('page.css')}{_colour.stylesheet()}\n"
    script = f"\n{_template('page.js')}"
    environment.globals |= {
        "styles": Markup(styles),
        "script": Markup(script),
        "policy": f"default-src 'none'; img-src data:; style-src '{_hash(styles)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'",
    }
    return environment


def _template(name: str) -> str:
    return (files("polyfact.report") / "templates" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _labelled(runs: Sequence[Run]) -> list[tuple[str, Run]]:
    """Runs with a name each; two runs of one model carry the start of their hash."""
    counts = Counter(run.name for run in runs)
    return [(run.name if counts[run.name] == 1 else f"{run.name} · {run.record.run[:8]}", run) for run in runs]


def _data(run: Run) -> str:
    """What a run was made on: items and candidate sets, by their hashes."""
    identity = run.record.identity
    return repr((run.record.task, identity.get("data"), identity.get("candidates")))


def _ends(values: Sequence[int]) -> list[int]:
    return sorted({min(values), max(values)})


def _values(models: Sequence[tuple[str, Run]], field: str) -> list[str]:
    rows = (row for _, run in models for row in run.metrics.rows)
    return sorted({value for row in rows if (value := getattr(row, field))})
