"""Evaluation: engines, ranking, metrics, tasks."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from polyfact.evaluators._data import Benchmark, load
    from polyfact.evaluators._evaluate import ENGINES, evaluate, run_folder, score_again

__all__ = ["ENGINES", "Benchmark", "evaluate", "load", "run_folder", "score_again"]

_HOMES = {"Benchmark": "_data", "load": "_data"}


def __getattr__(name: str) -> Any:
    """Load what is asked for: the metrics below are plain Python and stay usable without the rest."""
    if name in __all__:
        return getattr(import_module(f"polyfact.evaluators.{_HOMES.get(name, '_evaluate')}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
