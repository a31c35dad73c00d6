"""Reading topic files, from the package and from a workspace."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from pydantic import ValidationError

from polyfact.errors import UsageError, nearest
from polyfact.schemas._catalogue import listed
from polyfact.schemas._toml import read_toml
from polyfact.topics._topic import Topic

__all__ = ["Worded", "add_wording", "available", "load", "load_file", "with_languages"]

_PACKAGED = Path(__file__).resolve().parent


def available(extra_dirs: Sequence[Path] = ()) -> list[str]:
    """The names that `load` knows, sorted. Raises UsageError for a name that stands in two files."""
    return sorted(_known(extra_dirs))


def load(name: str, extra_dirs: Sequence[Path] = ()) -> Topic:
    """The topic of this name, from the package or from one of ``extra_dirs``.

    Raises UsageError for an unknown name (naming the nearest known one), a name that stands in two files, a
    faulty file.
    """
    known = _known(extra_dirs)
    if name not in known:
        raise UsageError(f'unknown topic "{name}"', fix=nearest(name, known))
    return load_file(known[name])


def load_file(path: Path) -> Topic:
    """The topic in one file, which is named after it, with _ for -. Raises UsageError for a faulty file."""
    topic = read_toml(path, Topic)
    if topic.name != _name(path):
        fix = f"name the file {topic.name.replace('-', '_')}.toml"
        raise UsageError(f'name "{topic.name}" does not fit the file name', where=str(path), fix=fix)
    topic._path = path
    topic._sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return topic


def add_wording(topic: Topic, code: str, table: Mapping[str, Any], *, where: str) -> Topic:
    """``topic`` with the wording of one more language, such as a language file's [wording.TOPIC].

    where: the file that ``table`` comes from.
    Raises UsageError if the topic has wording in that language already, or for a faulty table.
    """
    if code in topic.wording:
        raise UsageError(
            f"the wording of {topic.name} in {code} stands in two files",
            where=f"{topic.path} and {where}",
            fix="keep one",
        )
    checked = _check(topic, code, table, where)
    return topic.model_copy(update={"wording": {**topic.wording, code: checked.wording[code]}})


class Worded(Protocol):
    """A language whose file may hold wording: `polyfact.languages.Language`."""

    @property
    def code(self) -> str: ...
    @property
    def wording(self) -> Mapping[str, Mapping[str, Any]]: ...
    @property
    def source(self) -> str: ...


def with_languages(topic: Topic, languages: Iterable[Worded]) -> Topic:
    """``topic`` with the sentences that the files of these languages have for it. Raises as `add_wording` does."""
    for language in languages:
        if topic.name in language.wording:
            topic = add_wording(topic, language.code, language.wording[topic.name], where=language.source)
    return topic


def _check(topic: Topic, code: str, table: Mapping[str, Any], where: str) -> Topic:
    data = topic.model_dump(by_alias=True, exclude={"wording"})
    try:
        return Topic.model_validate({**data, "wording": {code: table}})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(["wording", topic.name, *map(str, first["loc"][2:])])
        message = first["msg"].removeprefix("Value error, ")
        raise UsageError(f"{place}: {message[:1].lower()}{message[1:]}", where=where) from error


def _known(extra_dirs: Sequence[Path]) -> dict[str, Path]:
    known: dict[str, Path] = {}
    for path in listed([_PACKAGED, *extra_dirs]).values():
        other = known.setdefault(_name(path), path)
        if other != path:
            raise UsageError(f"{_name(path)} is defined twice", where=f"{other} and {path}", fix="keep one")
    return known


def _name(path: Path) -> str:
    return path.stem.replace("_", "-")
