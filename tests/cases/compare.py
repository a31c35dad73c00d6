"""What differs between what a case expects and what was got."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from polyfact.errors import PolyfactError

# Keys of ``expected`` that hold what a wrong implementation gives: ours must be another value.
WRONG = ("wrong_if_", "wrong_", "naive_", "if_", "top_if_", "without_")


def differences(expected: Any, got: Any, tol: float = 0.0, path: str = "") -> list[str]:
    """A line for each value that differs; numbers within ``tol`` are equal, true is not 1, lists keep their order."""
    where = f"{path}: " if path else ""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        lines = [f"{where}no {key}" for key in expected if key not in got]
        lines += [f"{where}{key} was not expected" for key in got if key not in expected]
        for key in expected.keys() & got.keys():
            lines += differences(expected[key], got[key], tol, f"{path}.{key}" if path else str(key))
        return lines
    if isinstance(expected, (list, tuple)) and isinstance(got, (list, tuple)):
        if len(expected) != len(got):
            return [f"{where}expected {shown(expected)}, got {shown(got)}"]
        pairs = enumerate(zip(expected, got, strict=True))
        return [line for n, (a, b) in pairs for line in differences(a, b, tol, f"{path}[{n}]")]
    return [] if same(expected, got, tol) else [f"{where}expected {shown(expected)}, got {shown(got)}"]


def same(expected: Any, got: Any, tol: float = 0.0) -> bool:
    """Whether two scalars are equal."""
    numbers = (int, float)
    if isinstance(expected, bool) or isinstance(got, bool) or not isinstance(expected, numbers):
        return type(expected) is type(got) and bool(expected == got)
    return isinstance(got, numbers) and math.isclose(expected, got, rel_tol=0.0, abs_tol=tol)


def shown(value: Any) -> str:
    """A value on one line, not longer than a screen is wide."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    text = " ".join(text.split())
    return text if len(text) <= 160 else f"{text[:157]}..."


class Checks:
    """Compares each key of a case's ``expected`` with what was got for it, and reports the keys nobody answers for.

    known: what the case's authors noted beside the expectation (a measurement, the fault of another program).
    """

    def __init__(self, case: Mapping[str, Any], known: Iterable[str] = ()) -> None:
        expected = case["expected"]
        self.expected: dict[str, Any] = dict(expected) if isinstance(expected, Mapping) else {"": expected}
        self.tol = float(case.get("tol", 0.0))
        self.lines: list[str] = []
        self._left = set(self.expected) - set(known)

    def value(self, key: str, got: Any) -> None:
        """``key``, where the case expects it, is ``got``."""
        if key in self.expected:
            self._left.discard(key)
            self.lines += differences(self.expected[key], got, self.tol, key)

    def among(self, key: str, got: Iterable[str]) -> None:
        """``key``, where the case expects it, holds the same texts as ``got``, in any order."""
        if key in self.expected:
            self._left.discard(key)
            self.lines += differences(sorted(self.expected[key]), sorted(set(got)), 0.0, key)

    def check(self, key: str, test: Callable[[Any], bool | str]) -> None:
        """``key``, where the case expects it, passes ``test``: true, or a text that says what is wrong."""
        if key in self.expected:
            self._left.discard(key)
            found = test(self.expected[key])
            if found is not True:
                self.lines.append(f"{key}: expected {shown(self.expected[key])}" + (f", {found}" if found else ""))

    def differs(self, key: str, got: Any) -> None:
        """``key`` holds a wrong result: ours is another."""
        if key in self.expected:
            self._left.discard(key)
            if not differences(self.expected[key], got, self.tol):
                self.lines.append(f"{key}: {shown(got)} is the wrong result")

    def wrong_ones(self, got: Any) -> None:
        """All keys that are named as wrong results and that nobody answered for."""
        for key in sorted(self._left):
            if key.startswith(WRONG):
                self.differs(key, got)

    def done(self) -> list[str]:
        """Every difference found."""
        return self.lines + [f"{key}: this adapter cannot tell" for key in sorted(self._left)]


def error_of(run: Callable[[], Any]) -> str | None:
    """What ``run`` complains of in a way that is meant for a reader; None when it does not."""
    try:
        run()
    except (PolyfactError, ValueError) as error:
        return str(error)
    return None
