"""Score rows in Parquet: typed columns, one file a shard, each whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from polyfact.errors import DataError, MissingExtra
from polyfact.schemas import ScoreRow, atomic_write

__all__ = ["prior_path", "read_scores", "shard_path", "write_scores"]


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("evaluate", "pyarrow") from error
    return pyarrow


def _schema(pa: Any) -> Any:
    text, texts = pa.string(), pa.list_(pa.string())
    columns = [(name, text) for name in ("item_id", "candidates", "topic", "language", "form")]
    columns += [("paraphrase", pa.int32()), ("target", text), ("cluster_id", text)]
    rest = [
        ("scores", pa.list_(pa.float64())),
        ("tokens", pa.list_(pa.int32())),
        ("prompt_tokens", pa.int32()),
        ("flags", texts),
        ("error", text),
    ]
    return pa.schema([*columns, *rest])


def shard_path(folder: Path, number: int) -> Path:
    """The file of a shard."""
    return folder / f"scores-{number:05d}.parquet"


def prior_path(folder: Path) -> Path:
    """The file of the prompts without a subject."""
    return folder / "prior.parquet"


def write_scores(path: Path, rows: Sequence[ScoreRow]) -> None:
    """Write a shard."""
    pa = _pyarrow()
    table = pa.Table.from_pylist([row.model_dump() for row in rows], schema=_schema(pa))
    with atomic_write(path, binary=True) as out:
        pa.parquet.write_table(table, out, compression="zstd", version="2.6")


def read_scores(path: Path) -> Iterator[ScoreRow]:
    """The rows of a shard. Raises DataError for a broken file."""
    pa = _pyarrow()
    try:
        table = pa.parquet.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise DataError(
            f"not a score file: {str(error).splitlines()[0]}", where=str(path), fix="delete it, run again"
        ) from error
    for row in table.to_pylist():
        yield ScoreRow.model_validate(row)
