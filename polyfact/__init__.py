"""Multilingual factual benchmarks: build, verify, publish, evaluate."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from polyfact.builders import build, import_dataset
    from polyfact.evaluators import evaluate

__all__ = ["__version__", "build", "evaluate", "import_dataset"]

__version__ = "0.1.0"

_LAZY = {"build": "polyfact.builders", "evaluate": "polyfact.evaluators", "import_dataset": "polyfact.builders"}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
