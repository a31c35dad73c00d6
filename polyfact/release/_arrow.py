"""One Arrow type per column, derived from the record and not from the values.

A loader that guesses types turns "1997-12-10" into a timestamp and a column that is empty in one file into
the type null; a Parquet file with a declared schema leaves nothing to guess.
"""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from polyfact.errors import DataError, MissingExtra
from polyfact.schemas import Record, atomic_write

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["arrow_schema", "card_features", "read_parquet", "write_parquet"]

ROWS_PER_GROUP = 2_000

_SCALARS: dict[Any, str] = {str: "string", bool: "bool", int: "int64", float: "float64"}

Shape = Any
"""A column's type: the name of a scalar, ["list", shape] or ["struct", {name: shape}]."""


def _shape(annotation: Any) -> Shape:
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return ["struct", {name: _shape(field.annotation) for name, field in annotation.model_fields.items()}]
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _shape(arguments[0])
    if origin is list:
        return ["list", _shape(arguments[0])]
    if origin is Literal:
        return _only({_SCALARS[type(value)] for value in arguments}, annotation)
    if origin in (Union, types.UnionType):
        members = [argument for argument in arguments if argument is not type(None)]
        if len(members) == 1:
            return _shape(members[0])
    raise TypeError(f"no single Arrow type for {annotation}")


def _only(shapes: set[str], annotation: Any) -> str:
    if len(shapes) != 1:
        raise TypeError(f"no single Arrow type for {annotation}")
    return shapes.pop()


def _columns(record: type[Record]) -> dict[str, Shape]:
    columns: dict[str, Shape] = _shape(record)[1]
    return columns


def arrow_schema(record: type[Record]) -> pa.Schema:
    """The Arrow schema of a record: string, int64, float64, bool, lists and structs of them; all nullable.

    Raises TypeError for a field that has no single type, MissingExtra without pyarrow.
    """
    pa = _pyarrow()

    def arrow(shape: Shape) -> Any:
        if isinstance(shape, str):
            return pa.type_for_alias(shape)
        kind, inner = shape
        return pa.list_(arrow(inner)) if kind == "list" else pa.struct([(name, arrow(of)) for name, of in inner.items()])

    return pa.schema([(name, arrow(shape)) for name, shape in _columns(record).items()])


def card_features(record: type[Record]) -> list[dict[str, Any]]:
    """The same types as a dataset card writes them under ``dataset_info.features``."""

    def written(shape: Shape) -> Any:
        if isinstance(shape, str):
            return {"dtype": shape}
        kind, inner = shape
        if kind == "struct":
            return {"struct": [{"name": name, **written(of)} for name, of in inner.items()]}
        element = written(inner)
        return {"list": element.get("dtype") or element.get("struct") or element}

    return [{"name": name, **written(shape)} for name, shape in _columns(record).items()]


def write_parquet(path: Path, rows: Sequence[Record], record: type[Record]) -> None:
    """Write rows as Parquet, atomically; the same bytes for the same rows and pyarrow version.

    Reads the file again and raises DataError if one value came back other than it went in.
    """
    pa = _pyarrow()
    import pyarrow.parquet as pq

    schema = arrow_schema(record)
    with (
        atomic_write(path, binary=True) as out,
        pq.ParquetWriter(
            out,
            schema,
            version="2.6",
            compression="zstd",
            use_dictionary=True,
            write_page_index=True,
            store_schema=False,
        ) as writer,
    ):
        for start in range(0, len(rows), ROWS_PER_GROUP):
            part = [row.model_dump(mode="python") for row in rows[start : start + ROWS_PER_GROUP]]
            writer.write_table(pa.Table.from_pylist(part, schema=schema))
    for number, (row, back) in enumerate(zip(rows, read_parquet(path), strict=True), start=1):
        if row.model_dump(mode="python") != back:
            raise DataError(f"row {number} does not come back from Parquet as it went in", where=str(path))


def read_parquet(path: Path) -> list[Mapping[str, Any]]:
    """The rows of a Parquet file as plain values."""
    pa = _pyarrow()
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            rows: list[Mapping[str, Any]] = file.read().to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"not readable as Parquet: {error}".splitlines()[0], where=str(path)) from error
    return rows


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingExtra("release", "pyarrow") from error
    return pa
