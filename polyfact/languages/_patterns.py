"""Regular expressions that stand in data: bounded, so that no language file can hang a build."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from typing import Any

__all__ = ["MAX_PATTERN", "MAX_TEXT", "bounded"]

MAX_TEXT = 200
MAX_PATTERN = 1000
_MAX_PATHS = 100_000

_parser: Any = importlib.import_module("re._parser")  # the parse tree has no public name
_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})


def bounded(pattern: str, replacement: str) -> re.Pattern[str]:
    """``pattern`` compiled, if its work on MAX_TEXT characters is bounded and the replacement fits it.

    The bound counts the ways in which the pattern can lie on a text from one starting point, alternatives and
    repetitions multiplied, and allows 100,000. Repeating what itself repeats or branches is refused outright.
    Raises ValueError naming what is wrong.
    """
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"pattern longer than {MAX_PATTERN} characters")
    try:
        paths = _sequence(_parser.parse(pattern))
        compiled = re.compile(pattern)
    except re.error as error:
        raise ValueError(f"pattern {pattern!r}: {error}") from error
    except RecursionError as error:
        raise ValueError(f"pattern {pattern[:40]!r}…: nested too deeply") from error
    if paths > _MAX_PATHS:
        raise ValueError(f"pattern {pattern!r}: may take too long (too many repetitions or alternatives)")
    try:
        _parser.parse_template(replacement, compiled)
    except (re.error, IndexError) as error:
        raise ValueError(f"replacement {replacement!r} of pattern {pattern!r}: {error}") from error
    return compiled


def _sequence(parsed: Iterable[tuple[Any, Any]]) -> int:
    paths = 1
    for operation, argument in parsed:
        paths *= _paths(str(operation), argument)
    return paths


def _paths(operation: str, argument: Any) -> int:
    """In how many ways one element of a parsed pattern can match at one place; an upper bound."""
    if operation in _REPEATS:
        low, high, inner = argument
        if int(high) > 1 and _sequence(inner) > 1:
            raise ValueError("a repetition of something that itself repeats or branches is refused")
        return (min(int(high), MAX_TEXT) - int(low) + 1) * _sequence(inner)
    if operation == "BRANCH":
        return sum(_sequence(branch) for branch in argument[1])
    if operation == "SUBPATTERN":
        return _sequence(argument[-1])
    if operation in ("ASSERT", "ASSERT_NOT"):
        return _sequence(argument[1])
    if operation == "ATOMIC_GROUP":
        return _sequence(argument)
    if operation.startswith("GROUPREF"):
        raise ValueError("back references and conditions are refused")
    return 1
