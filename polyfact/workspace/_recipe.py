"""benchmark.toml: what a benchmark is made of."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from polyfact.errors import UsageError
from polyfact.schemas import Target
from polyfact.schemas._toml import read_toml

__all__ = ["FilterUse", "Recipe", "Release", "Source", "TopicUse", "read_recipe"]

FILE_NAME = "benchmark.toml"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Source(_Table):
    """Where facts come from."""

    wikidata: str = "embedded"
    wikipedia: Literal["none"] = "none"


class TopicUse(_Table):
    """A topic and the cells it fills. paraphrases: at most so many wordings of each form."""

    use: str
    forms: Annotated[list[Literal["completion", "question"]], Field(min_length=1)] = ["completion", "question"]
    targets: Annotated[list[Target], Field(min_length=1)] = ["entities"]
    wording: Literal["natural", "neutral"] = "natural"
    paraphrases: Annotated[int, Field(ge=1)] = 3
    max_subjects: Annotated[int, Field(gt=0)] | None = None


class FilterUse(_Table):
    """A filter applied to drafts."""

    use: str


class Release(_Table):
    """Where releases go."""

    repo: str = ""


class Recipe(_Table):
    """The recipe of a benchmark; unknown keys are errors."""

    name: str
    version: str = "0.1.0"
    licence: str
    contact: str = ""
    languages: Annotated[list[str], Field(min_length=1)]
    as_of: datetime.date
    source: Source = Source()
    topics: Annotated[list[TopicUse], Field(min_length=1)]
    filters: list[FilterUse] = []
    release: Release = Release()

    @field_validator("name")
    @classmethod
    def _check_name(cls, value: str) -> str:
        if not _NAME.fullmatch(value) or len(value) > 60:
            raise ValueError("use lower-case letters, digits and hyphens")
        return value

    @field_validator("version")
    @classmethod
    def _check_version(cls, value: str) -> str:
        if not _VERSION.fullmatch(value):
            raise ValueError('use three numbers, as in "0.1.0"')
        return value

    @model_validator(mode="after")
    def _check_unique(self) -> Recipe:
        for what, names in (("languages", self.languages), ("topics", [topic.use for topic in self.topics])):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"{what} names {', '.join(twice)} twice")
        return self


def read_recipe(folder: Path) -> Recipe:
    """The recipe of the workspace at ``folder``.

    Raises UsageError for a folder without a recipe and for every mistake in it, by line or key path.
    """
    path = folder / FILE_NAME
    if not path.is_file():
        raise UsageError(f"no {FILE_NAME} here", where=str(folder), fix="run: polyfact init DIR")
    return read_toml(path, Recipe)
