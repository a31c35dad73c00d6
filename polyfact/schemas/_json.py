"""JSON that every reader understands: UTF-8 text as it is, no NaN, no infinity."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from polyfact.errors import DataError
from polyfact.schemas._records import Record

__all__ = ["dump_json", "not_finite", "parse_json", "parse_line", "plain"]


def plain(value: Any) -> Any:
    """``value`` as JSON's own types: records and mappings as dicts, tuples as lists, NaN and infinity as None."""
    if isinstance(value, Record):
        return plain(value.model_dump(mode="json"))
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def not_finite(value: Any) -> dict[str, str]:
    """The numbers that JSON has no word for, by key path, each with the reason why it is written as null.

    >>> not_finite({"xAC": float("nan"), "by_language": [1.0, float("-inf")]})
    {'xAC': 'not-a-number', 'by_language.1': 'minus-infinity'}
    """
    return dict(_not_finite(value, ""))


def _not_finite(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Record):
        value = value.model_dump(mode="python")
    if isinstance(value, float) and not math.isfinite(value):
        yield path, "not-a-number" if math.isnan(value) else "infinity" if value > 0 else "minus-infinity"
    elif isinstance(value, (Mapping, list, tuple)):
        for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _not_finite(item, f"{path}.{key}" if path else str(key))


def dump_json(value: Any, *, indent: int | None = None, compact: bool = False) -> str:
    """``value`` as JSON text; NaN and infinity become null, see `not_finite`. compact: without blanks.

    >>> dump_json({"xAC": float("nan"), "n": 3})
    '{"xAC": null, "n": 3}'
    """
    separators = (",", ":") if compact else None
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)


def parse_json(text: str) -> Any:
    """One JSON document. Raises ValueError for what is not JSON; NaN and Infinity are not."""
    return json.loads(text, parse_constant=_no_constant)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def parse_line(raw: bytes, number: int, path: Path) -> dict[str, Any] | None:
    """The object on line ``number`` of a JSONL file; None for a blank line.

    A byte order mark before it is left out: files that were joined have one in their middle.

    Raises DataError naming the file and the line.
    """
    try:
        text = raw.decode("utf-8-sig").strip()
        if not text:
            return None
        value = parse_json(text)
    except ValueError as error:
        torn = "" if raw.endswith(b"\n") else "; the last line is cut off"
        raise DataError(
            f"line {number} is not JSON{torn}", where=str(path), fix="restore the file or write it again"
        ) from error
    if not isinstance(value, dict):
        raise DataError(f"line {number} is not a JSON object", where=str(path))
    return value
