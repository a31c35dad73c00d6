"""JSONL, JSON and CSV files, and the log that is only appended to."""

from __future__ import annotations

import csv
import io
import json
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
    with _folder() as folder:
        path = folder / "log.jsonl"
        for raw in versions:
            path.write_bytes(raw)
            error = error_of(lambda: read_log(path))
            if error is not None:
                checks.check("error", lambda _: True)
                if "error" not in checks.expected:
                    checks.lines.append(error)
                continue
            rows, torn = read_log(path)
            with AppendLog(path) as log:
                checks.lines += differences(rows, log.rows, 0.0, "opened")
                checks.value("rows", [row["id"] for row in log.rows])
                checks.value("torn", torn)
                checks.lines += differences(torn, log.torn, 0.0, "torn")
                if "append" in given:
                    log.append(given["append"])
            after = read_jsonl(path)
            checks.value("after_append", [row["id"] for row in after])
            if "append" in given:
                checks.lines += differences(given["append"], after[-1], 0.0, "appended")
        checks.check("mid_file_corruption", lambda _: _broken_in_the_middle(path, versions[0]))
    return checks.done()


def _broken_in_the_middle(path: Path, raw: bytes) -> bool | str:
    """Whether each finished line, when it is cut, is an error that names it and leaves the file as it is."""
    lines = raw.splitlines(keepends=True)
    finished = [number for number, line in enumerate(lines) if line.endswith(b"\n")]
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


_NUMBERS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf"), "infinity": float("inf")}


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
    undefined = {key for key, value in metrics.items() if isinstance(value, float) and read[key] is None}
    kept = (
        reasons == not_finite(metrics) and undefined <= {key.split(".")[0] for key in reasons} and all(reasons.values())
    )
    checks.value("reasons_kept", kept and bool(reasons) == ("null" in dump_json(metrics)))
    return checks.done()


def to_csv(case: dict[str, Any]) -> list[str]:
    """Rows, or cells of one column, as a spreadsheet sees them."""
    given, checks = case["input"], Checks(case)
    rows: list[dict[str, Any]] = given.get("rows") or [{"id": str(n), "a": cell} for n, cell in enumerate(given["cells"])]
    with _folder() as folder:
        path, lines = folder / "view.csv", folder / "rows.jsonl"
        write_csv(path, rows)
        write_jsonl(lines, rows)
        raw = path.read_bytes()
        header, *cells = csv.reader(io.StringIO(raw.decode("utf-8"), newline=""))
        back, untouched = read_csv(path), read_jsonl(lines) == rows
    shown = [cell for row in cells for name, cell in zip(header, row, strict=True) if name not in IDS]
    checks.value("cells", shown)
    checks.value("starts_with_apostrophe", [cell.startswith("'") for cell in shown])
    same = [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows]
    checks.value("roundtrip_equal_after_unprefix", back == same)
    checks.value("jsonl_untouched", untouched)
    if back != same:
        checks.lines.append("the view does not read back")
    return checks.done()


HANDLERS = {
    "read_jsonl": read_jsonl_bytes,
    "open_append_log": open_append_log,
    "write_json": write_json_metrics,
    "to_csv": to_csv,
}
