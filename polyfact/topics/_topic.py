"""The topic file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator, model_validator

from polyfact.errors import UsageError
from polyfact.schemas._catalogue import find, listed
from polyfact.schemas._toml import read_toml

__all__ = ["Noun", "Topic", "Wording", "WordingFile", "available", "check_query", "load"]

_HERE = Path(__file__).resolve().parent
_PREFIX = re.compile(r"PREFIX\s+([a-z]+):\s*<[^>]+>", re.IGNORECASE)
_USED = re.compile(r"(?<![<\w:/#])([a-z]+):[A-Za-z]")
_VARIABLES = ("subject", "object", "statement", "rank")
_NOT_PORTABLE = (r"\bSERVICE\b", r"\bhint:", r"\bWITH\b", r"\bINCLUDE\b")

Kind = Literal["proper", "common", "language", "number", "symbol"]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Wording(_Table):
    """One sentence of a topic in one language.

    one, many: by the number of answers. neutral: does not give the number away. answer: how an answer is written.
    fallback: used where the subject has no form that the sentence needs.
    """

    one: str
    many: str | None = None
    neutral: str | None = None
    answer: str | None = None
    fallback: str | None = None


class WordingFile(BaseModel):
    """All sentences of a topic in one language, by form; a form followed by _count asks for the number of answers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    review: bool = False
    forms: dict[str, Wording]

    @model_validator(mode="before")
    @classmethod
    def _split(cls, data: Any) -> Any:
        if not isinstance(data, dict) or "forms" in data:
            return data
        review = data.get("review", False)
        return {"review": review, "forms": {key: value for key, value in data.items() if key != "review"}}

    @field_validator("forms")
    @classmethod
    def _known(cls, value: dict[str, Wording]) -> dict[str, Wording]:
        for key in value:
            if not re.fullmatch(r"(completion|question)(_[a-z]+)?(_count)?", key):
                raise ValueError(f"{key} is no form: completion, question, or one of them with _variant and _count")
        return value


class Noun(_Table):
    """What kind of name a subject or an answer is."""

    kind: Kind
    type: Literal["entity", "string", "quantity"] = "entity"
    class_: str | None = Field(default=None, alias="class")


class Topic(_Table):
    """topics/NAME.toml. aligned_by: how an answer belongs to a prompt language (inference bias)."""

    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    title: str
    relation: str = Field(pattern=r"^P[0-9]+$")
    domain: str
    subject: Noun
    object: Noun
    answers: Literal["one", "many"]
    aligned_by: Literal["language", "country", "none"] = "none"
    query: str
    wording: dict[str, WordingFile]

    _path: Path = PrivateAttr(default_factory=Path)
    _sha256: str = PrivateAttr(default="")

    @field_validator("query")
    @classmethod
    def _portable(cls, value: str) -> str:
        problems = check_query(value)
        if problems:
            raise ValueError("; ".join(problems))
        return value

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @property
    def sha256(self) -> str:
        """Its hash."""
        return self._sha256


def check_query(text: str) -> list[str]:
    """What keeps a query from giving the same rows on every endpoint; empty when nothing does."""
    problems = []
    declared = {name.lower() for name in _PREFIX.findall(text)}
    body = _PREFIX.sub("", text)
    bare = re.sub(r"<[^>]*>|\"[^\"]*\"", "", body)
    for name in sorted({used for used in _USED.findall(bare)} - declared):
        problems.append(f"prefix {name}: is not declared")
    for pattern in _NOT_PORTABLE:
        if re.search(pattern, bare):
            problems.append(f"{pattern.strip(chr(92) + 'b')} works on one engine only")
    if not re.search(r"\bORDER\s+BY\b", body, re.IGNORECASE):
        problems.append("no ORDER BY")
    selected = body.split("WHERE", 1)[0]
    for name in _VARIABLES:
        if f"?{name}" not in selected:
            problems.append(f"?{name} is not selected")
    return problems


def available(extra_dirs: Sequence[Path] = ()) -> list[str]:
    """Names of all topics that have a file."""
    return sorted(path.stem.replace("_", "-") for path in listed([_HERE, *extra_dirs]).values())


def load(name: str, extra_dirs: Sequence[Path] = ()) -> Topic:
    """The topic of that name, from the package or from ``extra_dirs``.

    Raises UsageError for an unknown name (with the nearest known one), for one that is defined twice and for mistakes in
    the file.
    """
    folders = [_HERE, *extra_dirs]
    known: Mapping[str, Path] = {stem.replace("_", "-"): path for stem, path in listed(folders).items()}
    path = known.get(name) or find("topic", name, folders)
    topic = read_toml(path, Topic)
    if topic.name != path.stem.replace("_", "-"):
        raise UsageError(f'name is "{topic.name}"', where=str(path), fix=f"name the file {topic.name.replace('-', '_')}.toml")
    topic._path = path
    topic._sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return topic
