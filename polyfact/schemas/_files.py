"""The one JSON, JSONL and CSV reader and writer.

Readers accept a byte order mark, CRLF and blank lines; a broken line is reported by number. Writers give UTF-8, LF, no
byte order mark, keys in declared order, no NaN, and a file that appears whole or not at all.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, TypeVar, overload

from pydantic import ValidationError

from polyfact.errors import DataError, PolyfactError
from polyfact.schemas._json import dump_json, not_finite, parse_json, parse_line, plain
from polyfact.schemas._records import Record

__all__ = [
    "atomic_write",
    "count_lines",
    "iter_jsonl",
    "read_csv",
    "read_json",
    "read_jsonl",
    "write_csv",
    "write_json",
    "write_jsonl",
]

R = TypeVar("R", bound=Record)
Row = Record | Mapping[str, Any]

_FORMULA = re.compile(r"^\s*[=+\-@\t\r]")
_NUMBER = re.compile(r"^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$")


@contextlib.contextmanager
def atomic_write(path: Path, *, binary: bool = False) -> Iterator[IO[Any]]:
    """A file that replaces ``path`` when the block ends well and leaves no trace when it does not."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise PolyfactError(
            f"cannot write: {error.strerror}", where=str(path), fix="choose a folder you can write to"
        ) from error
    part = Path(name)
    try:
        encoding, newline = (None, None) if binary else ("utf-8", "\n")
        stream: IO[Any] = os.fdopen(handle, "wb" if binary else "w", encoding=encoding, newline=newline)
        with stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.chmod(0o644)
        part.replace(path)
    except OSError as error:
        raise PolyfactError(f"cannot write: {error.strerror}", where=str(path)) from error
    finally:
        part.unlink(missing_ok=True)


def write_jsonl(path: Path, rows: Iterable[Row]) -> int:
    """Write one JSON object a line, atomically. Returns the number of rows. NaN and infinity become null."""
    count = 0
    with atomic_write(path) as out:
        for row in rows:
            out.write(dump_json(row, compact=True) + "\n")
            count += 1
    return count


def write_json(path: Path, value: Any) -> dict[str, str]:
    """Write one indented JSON document, atomically.

    NaN and infinity become null; returns where they stood, by key path, and what they were. What is undefined should
    reach a file as null with a reason beside it: a caller that expects none may treat a non-empty answer as a fault.
    """
    with atomic_write(path) as out:
        out.write(dump_json(value, indent=2) + "\n")
    return not_finite(value)


def _open(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise DataError(f"cannot read: {error.strerror}", where=str(path)) from error


def _objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with _open(path) as stream:
        for number, raw in enumerate(stream, start=1):
            value = parse_line(raw, number, path)
            if value is not None:
                yield number, value


@overload
def iter_jsonl(path: Path) -> Iterator[dict[str, Any]]: ...
@overload
def iter_jsonl(path: Path, record: type[R]) -> Iterator[R]: ...
def iter_jsonl(path: Path, record: type[R] | None = None) -> Iterator[R] | Iterator[dict[str, Any]]:
    """Rows of a JSONL file, one at a time, as ``record`` or as plain objects.

    Raises DataError naming the file and the line for what is not JSON or does not fit the record.
    """
    return (value for _, value in _objects(path)) if record is None else _typed(path, record)


def _typed(path: Path, record: type[R]) -> Iterator[R]:
    for number, value in _objects(path):
        try:
            yield record.model_validate(value)
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(map(str, first["loc"])) or record.__name__
            raise DataError(f"line {number}: {key}: {first['msg']}", where=str(path)) from error


@overload
def read_jsonl(path: Path) -> list[dict[str, Any]]: ...
@overload
def read_jsonl(path: Path, record: type[R]) -> list[R]: ...
def read_jsonl(path: Path, record: type[R] | None = None) -> list[R] | list[dict[str, Any]]:
    """All rows of a JSONL file; see `iter_jsonl`."""
    return list(iter_jsonl(path)) if record is None else list(iter_jsonl(path, record))


def read_json(path: Path) -> Any:
    """One JSON document."""
    with _open(path) as stream:
        try:
            return parse_json(stream.read().decode("utf-8-sig"))
        except ValueError as error:
            raise DataError(f"not JSON: {error}", where=str(path)) from error


def count_lines(path: Path) -> int:
    """How many rows a JSONL file holds; 0 when it does not exist."""
    if not path.exists():
        return 0
    with _open(path) as stream:
        return sum(1 for line in stream if line.removeprefix(codecs.BOM_UTF8).strip())


def _is_formula(text: str) -> bool:
    bare = text.lstrip("'")
    return bool(_FORMULA.match(bare)) and not _NUMBER.match(bare)


def _guard(text: str) -> str:
    """A cell that no spreadsheet runs as a formula; plain numbers stay numbers."""
    return f"'{text}" if _is_formula(text) else text


def _unguard(text: str) -> str:
    return text[1:] if text.startswith("'") and _is_formula(text) else text


def write_csv(path: Path, rows: Iterable[Row], columns: Sequence[str] | None = None) -> int:
    """A spreadsheet's view of rows, atomically: lists as JSON, null as an empty cell, formulas neutralised.

    A cell that starts with = + - @, a tab or a carriage return (also after white space) gets a leading apostrophe unless
    it is a plain number. The JSONL file stays the canonical one. columns: those to write, in this order; all that any row
    has when not given. Returns the number of rows.
    """
    table: list[dict[str, Any]] = [plain(row) for row in rows]
    header = list(columns or dict.fromkeys(name for cells in table for name in cells))
    with atomic_write(path) as out:
        if header:
            out.write(_csv_line(header))
        for cells in table:
            out.write(_csv_line([_cell(cells.get(column)) for column in header]))
    return len(table)


def _csv_line(cells: Sequence[str]) -> str:
    """One row; with CRLF as its terminator the writer quotes carriage returns too, the file itself gets LF."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue().removesuffix("\r\n") + "\n"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return _guard(value if isinstance(value, str) else dump_json(value, compact=True))


def read_csv(path: Path, parse: Callable[[str], str] = _unguard) -> list[dict[str, str]]:
    """Rows of a CSV file as strings; the apostrophe that `write_csv` put before a formula is taken off again.

    Raises DataError for a file that is not UTF-8 and, by line, for a row with more or fewer cells than the header.
    """
    with _open(path) as stream:
        try:
            text = stream.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise DataError("not UTF-8 text", where=str(path), fix="save the file as CSV UTF-8") from error
    reader = csv.reader(io.StringIO(text, newline=""))
    rows: list[dict[str, str]] = []
    header = next(reader, None)
    for cells in reader:
        if not cells:
            continue
        if header is None or len(cells) != len(header):
            raise DataError(
                f"line {reader.line_num} has {len(cells)} cells, the header {len(header or [])}", where=str(path)
            )
        rows.append(dict(zip(header, map(parse, cells), strict=True)))
    return rows
