"""A log that is only ever appended to: each line is on the disk before the next one is begun.

A writer that is killed leaves at most its last line unfinished; that line is dropped when the log is opened again. A
broken line anywhere else is damage that nobody may repair by guessing.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from polyfact.errors import DataError, PolyfactError
from polyfact.schemas._json import dump_json, parse_line
from polyfact.schemas._records import Record

__all__ = ["AppendLog", "read_log"]


def read_log(path: Path) -> tuple[list[dict[str, Any]], int]:
    """The rows of a log, and 1 where an unfinished last line was left out, else 0. A log that is not there is empty.

    Raises DataError, by line number, for a finished line that is not a JSON object.
    """
    rows, whole, size = _scan(path)
    return rows, int(whole < size)


class AppendLog:
    """The log at ``path``, open for appending: ``with AppendLog(path) as log: log.append(row)``.

    rows: what it held when it was opened. torn: 1 where an unfinished last line was cut off, else 0. One process at a
    time: opening waits for the one that has it open. Raises DataError as `read_log` does, and PolyfactError where the
    file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise PolyfactError(f"cannot write: {error.strerror}", where=str(path)) from error
        try:
            _lock(self._handle)
            self.rows, whole, size = _scan(path)
            self.torn = int(whole < size)
            if self.torn:
                os.ftruncate(self._handle, whole)
            elif size and not _ends_line(path):
                os.write(self._handle, b"\n")
            os.fsync(self._handle)
            _sync_folder(path.parent)
        except BaseException:
            os.close(self._handle)
            raise

    def append(self, row: Record | Mapping[str, Any]) -> None:
        """Write a row; it is on the disk when this returns. Raises PolyfactError when it could not be written."""
        line = (dump_json(row, compact=True) + "\n").encode()
        start = os.fstat(self._handle).st_size
        try:
            if os.write(self._handle, line) != len(line):
                raise OSError(None, "the disk is full")
            os.fsync(self._handle)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, start)
            raise PolyfactError(f"cannot write: {error.strerror}", where=str(self.path)) from error

    def close(self) -> None:
        """Let others write."""
        os.close(self._handle)

    def __enter__(self) -> AppendLog:
        """The log itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()


def _scan(path: Path) -> tuple[list[dict[str, Any]], int, int]:
    """The rows, where the last whole one ends, and how long the file is; both in bytes."""
    rows: list[dict[str, Any]] = []
    whole = size = 0
    for number, raw in enumerate(_lines(path), start=1):
        size += len(raw)
        try:
            row = parse_line(raw, number, path)
        except DataError:
            # The cut end of a JSON object is never JSON: an unfinished line that parses is only without its newline.
            if raw.endswith(b"\n"):
                raise
            break
        whole = size
        if row is not None:
            rows.append(row)
    return rows, whole, size


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as stream:
            yield from stream
    except FileNotFoundError:
        return
    except OSError as error:
        raise DataError(f"cannot read: {error.strerror}", where=str(path)) from error


def _ends_line(path: Path) -> bool:
    with path.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) == b"\n"


def _lock(handle: int) -> None:
    """Wait for other processes; where the system or the file system has no such lock, go on without."""
    try:
        import fcntl
    except ImportError:
        return
    with contextlib.suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_EX)


def _sync_folder(folder: Path) -> None:
    """Make the file's name durable; not every system lets a folder be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
