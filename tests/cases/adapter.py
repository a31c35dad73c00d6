"""From a case to its outcome: passed, failed, or pending with what it waits for."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from polyfact.errors import DataError
from polyfact.schemas import iter_jsonl
from tests.cases import handlers
from tests.cases.pending import PENDING
from tests.support import shared

__all__ = ["Outcome", "case_file", "load", "op_name", "run_case"]

Case = Mapping[str, Any]
Handler = Callable[[dict[str, Any]], list[str]]
FIELDS = ("id", "kind", "component", "op", "input", "expected")


@dataclass(frozen=True)
class Outcome:
    """What became of a case. differences: of a failed one. waits_for: of a pending one."""

    id: str
    state: Literal["passed", "failed", "pending"]
    differences: list[str] = field(default_factory=list)
    waits_for: str = ""


def case_file() -> Path | None:
    """The shared case file, where it is there."""
    folder = shared.folder()
    path = folder / "cases" / "cases.jsonl" if folder else None
    return path if path is not None and path.is_file() else None


def load(path: Path) -> Iterator[dict[str, Any]]:
    """The cases of a file. Raises DataError for a file that is not there, a broken line and a row that is no case."""
    for number, row in enumerate(iter_jsonl(path), start=1):
        missing = [name for name in FIELDS if name not in row]
        if missing:
            raise DataError(f"case {number} ({row.get('id', 'without id')}) has no {', '.join(missing)}", where=str(path))
        yield row


def op_name(op: str) -> str:
    """The name of an op: what stands before its first parenthesis.

    >>> op_name("diff_release(v1,v2)"), op_name("resolve ids")
    ('diff_release', 'resolve ids')
    """
    return op.split("(", 1)[0].strip()


@cache
def _handlers() -> tuple[dict[str, Handler], list[str]]:
    """The handler of each op, and the modules of handlers that could not be loaded, with the reason."""
    found: dict[str, Handler] = {}
    broken: list[str] = []
    for module in sorted(each.name for each in pkgutil.iter_modules(handlers.__path__)):
        try:
            offered: dict[str, Handler] = importlib.import_module(f"{handlers.__name__}.{module}").HANDLERS
        except Exception as error:
            broken.append(_said(f"{module}: {type(error).__name__}: {error}"))
            continue
        twice = sorted(found.keys() & offered.keys())
        if twice:
            broken.append(f"{module}: {', '.join(twice)} has a handler already")
        found |= {name: handler for name, handler in offered.items() if name not in twice}
    return found, broken


def _said(text: str) -> str:
    return " ".join(text.split())


def run_case(case: Case) -> Outcome:
    """Run one case. A handler that breaks is a failure; a package that is not installed is waited for."""
    name = op_name(str(case["op"]))
    identity = str(case["id"])
    known, broken = _handlers()
    handler = known.get(name)
    if handler is None:
        for key in (name, case["kind"], case["component"]):
            if key in PENDING:
                return Outcome(identity, "pending", waits_for=PENDING[key])
        return Outcome(identity, "failed", [f"no handler for op {name} (component {case['component']})", *broken])
    try:
        lines = handler(dict(case))
    except ImportError as error:
        top = (error.name or "").split(".")[0]
        if top and top not in ("polyfact", "tests"):
            return Outcome(identity, "pending", waits_for=f"the package {top}, which is not installed")
        lines = [f"{type(error).__name__}: {error}"]
    except Exception as error:
        lines = [_said(f"{type(error).__name__}: {error}")]
    return Outcome(identity, "failed" if lines else "passed", lines)
