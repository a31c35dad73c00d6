"""polyfact demo: every stage for real, on the embedded knowledge base."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

from polyfact import _template, builders, evaluators, report, workspace
from polyfact._release import build_release
from polyfact.errors import UsageError
from polyfact.execution import Progress, quiet

__all__ = ["REFERENCE_MODELS", "run_demo"]

REFERENCE_MODELS = ("oracle", "random", "empty")
AS_OF = datetime.date(2026, 11, 30)
SUBJECTS = 12
PARAPHRASES = 2
NAME = "polyfact-demo"


def run_demo(out: Path, *, model: str = "smollm2", progress: Progress = quiet) -> dict[str, Any]:
    """Build, release, evaluate and report a small benchmark in ``out``; what is there already is not done again.

    model: "none" evaluates the reference models only.
    Raises UsageError when ``out`` holds another benchmark.
    """
    recipe = _template.recipe(NAME, max_subjects=SUBJECTS, paraphrases=PARAPHRASES, as_of=AS_OF)
    target = out / workspace.FILE_NAME
    if not target.exists():
        workspace.create(out, recipe)
    elif workspace.read_recipe(out).name != NAME:
        raise UsageError("another benchmark is here", where=str(out), fix="choose another folder with --out")
    built = builders.build(out, progress=progress)
    released = build_release(out, unaudited=True)
    models = [*REFERENCE_MODELS, *([] if model == "none" else [model])]
    runs = [evaluators.run_folder(evaluators.evaluate(out, name, progress=progress), out, None) for name in models]
    page = report.write(runs, out / "report" / "index.html")
    return {
        "items": built.stages[-1].written,
        "release": str(released.folder),
        "report": str(page),
        "summary": [list(row.values()) for row in report.summary(runs)],
    }
