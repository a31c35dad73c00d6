"""The files of FIBER as they were published: one JSON list for each topic, language and kind of prompt."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from polyfact.errors import DataError, UsageError
from polyfact.schemas import Target

__all__ = ["FiberFile", "FiberRow", "Unreadable", "read_fiber"]

_NAME = re.compile(r"(?P<topic>.+)_(?P<language>[a-z]{2,3})_(?P<index>0_0|0_1|[0-3])\.json")

_CELLS: dict[str, tuple[str, Target]] = {
    "0": ("completion", "entities"),
    "0_0": ("completion_suffixed", "entities"),
    "0_1": ("completion", "entities"),
    "1": ("question", "entities"),
    "2": ("completion", "count"),
    "3": ("question", "count"),
}
_DETAIL = 120
_ENGLISH_KEYS = ("en_sub", "sub_en")


class FiberRow(NamedTuple):
    """A row, character by character. english_key: the subject's English name where the row gives it.

    entities: the answers one by one, None where the row has no list. stated_count: None where the row has none.
    """

    question: str
    subject: str
    answer: str
    entities: list[str] | None
    stated_count: int | str | None
    english_key: str | None


class Unreadable(NamedTuple):
    """A row that cannot be an item: a reason for machines, and a detail."""

    reason: str
    detail: str


class FiberFile(NamedTuple):
    """One file. path: relative to the source. rows: in the file's order; english_keys: how they name that column."""

    path: str
    sha256: str
    byte_order_mark: bool
    topic: str
    language: str
    form: str
    target: Target
    rows: list[FiberRow | Unreadable]
    english_keys: list[str]


def read_fiber(source: Path) -> tuple[list[FiberFile], list[str]]:
    """Every file of the benchmark under ``source``, sorted by path, and the names of the files that are not of it.

    A file is named TOPIC_LANGUAGE_INDEX.json; index 0 is a completion, 1 a question, 2 and 3 the same for the number
    of entities, 0_0 a completion whose answer carries a suffix and 0_1 one whose answer does not.
    Raises UsageError where there is no such file, DataError for a file that is no list of rows, naming the line.
    """
    if not source.is_dir():
        raise UsageError("no such folder", where=str(source))
    files, ignored = [], []
    for path in sorted(each for each in source.rglob("*") if each.is_file()):
        name = _NAME.fullmatch(path.name)
        relative = path.relative_to(source).as_posix()
        if name is None:
            ignored.append(relative)
        else:
            files.append(_read(path, relative, name))
    if not files:
        raise UsageError(
            "no FIBER files here", where=str(source), fix="they are named like TOPIC_en_0.json, in any folder below"
        )
    _check_cells(files, source)
    return files, ignored


def _check_cells(files: list[FiberFile], source: Path) -> None:
    seen: dict[tuple[str, str, str, str], str] = {}
    for file in files:
        cell = (file.topic, file.language, file.form, file.target)
        if cell in seen:
            raise DataError(f"two files of {' '.join(cell)}: {seen[cell]} and {file.path}", where=str(source))
        seen[cell] = file.path


def _read(path: Path, relative: str, name: re.Match[str]) -> FiberFile:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read: {error.strerror}", where=str(path)) from error
    found = _parse(data, path)
    form, target = _CELLS[name["index"]]
    return FiberFile(
        path=relative,
        sha256=hashlib.sha256(data).hexdigest(),
        byte_order_mark=data.startswith(b"\xef\xbb\xbf"),
        topic=re.sub(r"[^a-z0-9]+", "-", name["topic"].lower()).strip("-"),
        language=name["language"],
        form=form,
        target=target,
        rows=[_row(row, target) for row in found],
        english_keys=sorted({key for row in found if isinstance(row, dict) for key in _ENGLISH_KEYS if key in row}),
    )


def _parse(data: bytes, path: Path) -> list[Any]:
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(f"line {line} is not UTF-8 text", where=str(path)) from error
    except json.JSONDecodeError as error:
        raise DataError(
            f"line {error.lineno} is not JSON: {error.msg}", where=str(path), fix="fetch the file again"
        ) from error
    except RecursionError as error:
        raise DataError("lists in lists without end", where=str(path)) from error
    if not isinstance(found, list):
        raise DataError("line 1: not a list of rows", where=str(path))
    return found


def _row(row: object, target: Target) -> FiberRow | Unreadable:
    if not isinstance(row, dict):
        return Unreadable("not-an-object", _short(row))
    try:
        json.dumps(row, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return Unreadable("not-unicode", json.dumps(row)[:_DETAIL])
    entities, count = row.get("list"), row.get("count")
    english = next((row[key] for key in _ENGLISH_KEYS if key in row), None)
    faults = list(_faults(row, entities, count, english, target))
    if faults:
        return faults[0]
    answer = row.get("answer", "")
    return FiberRow(row["query"], row["sub"], answer, entities, count, english)


def _faults(row: dict[str, Any], entities: Any, count: Any, english: Any, target: Target) -> Iterator[Unreadable]:
    for key, reason in (("query", "no-question"), ("sub", "no-subject")):
        if key in row and not isinstance(row[key], str):
            yield Unreadable("wrong-type", f"{key}: {_short(row[key])}")
        elif not row.get(key, "").strip():
            yield Unreadable(reason, _short(row))
    if not isinstance(row.get("answer", ""), str) or not isinstance(english, str | None):
        yield Unreadable("wrong-type", _short(row))
    elif isinstance(count, bool) or not isinstance(count, int | str | None):
        yield Unreadable("wrong-type", f"count: {_short(count)}")
    elif entities is not None and not (isinstance(entities, list) and all(isinstance(e, str) for e in entities)):
        yield Unreadable("wrong-type", f"list: {_short(entities)}")
    elif target == "entities" and entities is not None:
        if not entities or not all(entity.strip() for entity in entities):
            yield Unreadable("no-answer", f"list: {_short(entities)}")
    elif not row.get("answer", "").strip():
        yield Unreadable("no-answer", _short(row))


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _DETAIL else text[: _DETAIL - 1] + "…"
