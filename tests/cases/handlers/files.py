"""JSONL, JSON and CSV files, and the log that is only appended to."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from polyfact.schemas import (
    AppendLog,
    dump_json,
    not_finite,
    read_csv,
    read_json,
    read_jsonl,
    read_log,
    write_csv,
    write_json,
    write_jsonl,
)
from tests.cases.compare import Checks, differences, error_of

IDS = ("id", "question_id")


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="polyfact-case-") as name:
        yield Path(name)


def read_jsonl_bytes(case: dict[str, Any]) -> list[str]:
    """The bytes of a JSONL file, read; and the rows written again are UTF-8 with LF and no byte order mark."""
    given, checks = case["input"], Checks(case)
    raw = bytes.fromhex(given["hex"]) if "hex" in given else given["text"].encode()
    with _folder() as folder:
        path, again = folder / "in.jsonl", folder / "out.jsonl"
        path.write_bytes(raw)
        error = error_of(lambda: read_jsonl(path))
        checks.check("error", lambda _: error is not None)
        if error is None:
            rows = read_jsonl(path)
            checks.value("rows", rows)
            write_jsonl(again, rows)
            written = again.read_bytes()
            if written != b"".join(
                json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for row in rows
            ):
                checks.lines.append(f"written again: {written!r}")
        elif "error" not in checks.expected:
            checks.lines.append(error)
    return checks.done()


def open_append_log(case: dict[str, Any]) -> list[str]:
    """The text of a log whose writer was killed, opened, appended to, and broken in its middle."""
    given, checks = case["input"], Checks(case)
    whole = given["text"].encode()
    # A cut inside a letter: one byte less, where the text ends in a letter of several bytes.
    versions = [whole, whole[:-1]] if given.get("also_cut_inside_utf8") else [whole]
    added = given.get("append", [])
    added = added if isinstance(added, list) else [added]
    error: str | None = None
    with _folder() as folder:
        path = folder / "log.jsonl"
        for raw in versions:
            path.write_bytes(raw)
            error = error_of(lambda: read_log(path))
            if error is not None:
                checks.check("error", lambda _: True)
                checks.check("mid_file_corruption", lambda _, said=error: bool(re.search(r"line \d+ ", said)) or said)
                if not {"error", "mid_file_corruption"} & checks.expected.keys():
                    checks.lines.append(error)
                continue
            rows, torn = read_log(path)
            with AppendLog(path) as log:
                checks.lines += differences(rows, log.rows, 0.0, "opened")
                checks.value("rows", [_id(row) for row in log.rows])
                checks.value("torn", torn)
                checks.lines += differences(torn, log.torn, 0.0, "torn")
                for row in added:
                    log.append(row)
            after = read_jsonl(path)
            checks.value("after_append", [_id(row) for row in after])
            checks.lines += differences(added, after[len(after) - len(added) :], 0.0, "appended")
        if error is None:
            checks.check("mid_file_corruption", lambda _: _broken_in_the_middle(path, versions[0]))
    return checks.done()


def _id(row: Mapping[str, Any]) -> Any:
    return next((row[name] for name in IDS if name in row), None)


def _broken_in_the_middle(path: Path, raw: bytes) -> bool | str:
    """Whether each finished line, when it is cut, is an error that names it and leaves the file as it is."""
    lines = raw.splitlines(keepends=True)
    finished = [number for number, line in enumerate(lines) if line.endswith(b"\n") and line.strip()]
    for number in finished:
        broken = b"".join(line[:-3] + b"\n" if n == number else line for n, line in enumerate(lines))
        path.write_bytes(broken)
        for reader in (lambda: read_log(path), lambda: AppendLog(path)):
            error = error_of(reader)
            if error is None or f"line {number + 1} " not in error:
                return f"line {number + 1} broken gave {error}"
        if path.read_bytes() != broken:
            return "the damaged file was changed"
    return bool(finished)


_NUMBERS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
_NUMBERS |= {"infinity": float("inf"), "-infinity": float("-inf"), "+inf": float("inf")}


def _number(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _number(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_number(item) for item in value]
    return _NUMBERS.get(value.lower(), value) if isinstance(value, str) else value


def write_json_metrics(case: dict[str, Any]) -> list[str]:
    """Metrics with what JSON has no number for."""
    given, checks = case["input"], Checks(case)
    metrics = _number(given["metrics"])
    with _folder() as folder:
        path = folder / "metrics.json"
        reasons = write_json(path, metrics)
        read = read_json(path)
    checks.value("text", dump_json(metrics))
    if "text" in checks.expected:
        checks.lines += differences(json.loads(checks.expected["text"]), read, 0.0, "file")
    undefined = set(_undefined(metrics))
    checks.lines += [f"{path} is not null in the file" for path in undefined if _at(read, path) is not None]
    kept = reasons == not_finite(metrics) and {*reasons} == undefined and all(reasons.values())
    checks.value("reasons_kept", kept)
    return checks.done()


def _undefined(value: Any, path: str = "") -> Iterator[str]:
    """The key paths of what JSON has no number for."""
    if isinstance(value, float) and not math.isfinite(value):
        yield path
    elif isinstance(value, (Mapping, list)):
        for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _undefined(item, f"{path}.{key}" if path else str(key))


def _at(value: Any, path: str) -> Any:
    """What stands at a key path; a key may itself hold a point."""
    if not path:
        return value
    for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
        if path == str(key) or path.startswith(f"{key}."):
            return _at(item, path[len(str(key)) + 1 :])
    return path


def to_csv(case: dict[str, Any]) -> list[str]:
    """Rows, or cells of one column, as a spreadsheet sees them."""
    given, checks = case["input"], Checks(case)
    rows: list[dict[str, Any]] = given.get("rows", [])
    rows = rows or [{"id": str(n), "a": cell} for n, cell in enumerate(given.get("cells", []))]
    with _folder() as folder:
        path, lines = folder / "view.csv", folder / "rows.jsonl"
        write_csv(path, rows)
        write_jsonl(lines, rows)
        raw = path.read_bytes()
        header, *cells = list(csv.reader(io.StringIO(raw.decode("utf-8"), newline=""))) or [[]]
        back, untouched = read_csv(path), read_jsonl(lines) == rows
    shown = [cell for row in cells for name, cell in zip(header, row, strict=True) if name not in IDS]
    checks.value("cells", shown)
    checks.value("starts_with_apostrophe", [cell.startswith("'") for cell in shown])
    columns = dict.fromkeys(name for row in rows for name in row)
    same = [{name: _as_text(row.get(name)) for name in columns} for row in rows]
    checks.value("roundtrip_equal_after_unprefix", back == same)
    checks.value("jsonl_untouched", untouched)
    if back != same:
        checks.lines.append("the view does not read back")
    return checks.done()


def _as_text(value: Any) -> str:
    """A value as a spreadsheet's cell: text as it is, nothing as an empty cell, all else as JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


HANDLERS = {
    "read_jsonl": read_jsonl_bytes,
    "open_append_log": open_append_log,
    "write_json": write_json_metrics,
    "to_csv": to_csv,
}
