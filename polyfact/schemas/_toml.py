"""The one TOML reader: errors name the line, the key path, or the nearest known key."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from polyfact.errors import UsageError, nearest

__all__ = ["parse_toml", "read_toml"]

M = TypeVar("M", bound=BaseModel)

MAX_BYTES = 4_000_000


def read_toml(path: Path, model: type[M]) -> M:
    """The file at ``path`` as a ``model``.

    Raises UsageError with file and line for bad syntax, with the key path for a wrong value, with the nearest known key
    for an unknown one.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read: {error.strerror}", where=str(path)) from error
    if len(raw) > MAX_BYTES:
        raise UsageError(f"larger than {MAX_BYTES} bytes", where=str(path))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError("not UTF-8 text", where=str(path)) from error
    return parse_toml(text, model, where=str(path))


def parse_toml(text: str, model: type[M], *, where: str) -> M:
    """``text`` as a ``model``; see `read_toml`."""
    try:
        data = tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column \d+\)", str(error))
        message = re.sub(r"\s*\(at .*\)$", "", str(error))
        line = place[1] if place else str(len(text.splitlines()) or 1)
        raise UsageError(f"not valid TOML: {message}", where=f"{where}, line {line}") from error
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = min(error.errors(), key=lambda found: found["type"] != "extra_forbidden")
        key = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            known = _fields_at(model, first["loc"][:-1])
            raise UsageError(f"unknown key {key}", where=where, fix=nearest(str(first["loc"][-1]), known)) from error
        message = "missing" if first["type"] == "missing" else _lower(first["msg"])
        more = f" (and {len(error.errors()) - 1} more)" if len(error.errors()) > 1 else ""
        raise UsageError(f"{key or 'file'}: {message}{more}", where=where) from error


def _lower(message: str) -> str:
    message = message.removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def _fields_at(model: Any, location: tuple[int | str, ...]) -> list[str]:
    """The keys that a model knows at a key path, looking through lists, tables and unions."""
    annotations = [model]
    for step in location:
        annotations = [inner for annotation in annotations for inner in _step(annotation, step)]
    known: list[str] = []
    for annotation in annotations:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            known += [field.alias or name for name, field in annotation.model_fields.items()]
    return known


def _step(annotation: Any, step: int | str) -> list[Any]:
    """What stands behind one step of a key path; members of unions each on their own."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        fields = {field.alias or name: field.annotation for name, field in annotation.model_fields.items()}
        return _members(fields.get(str(step)))
    if get_origin(annotation) in (list, tuple, dict):
        return _members(get_args(annotation)[-1])
    return []


def _members(annotation: Any) -> list[Any]:
    if get_origin(annotation) is Annotated:
        return _members(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return [member for argument in get_args(annotation) for member in _members(argument)]
    return [annotation]
