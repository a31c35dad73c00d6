"""The topic file: what a topic asks of a knowledge base, and how each language words it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator, model_validator

from polyfact.errors import nearest
from polyfact.topics._query import check_query

__all__ = ["Answer", "Kind", "Subject", "Topic", "Wording", "WordingFile"]

Kind = Literal["proper", "common", "language", "number", "symbol"]

_FORM = re.compile(r"(completion|question)(_[a-z0-9]+)*")
_FORMS = ("completion", "completion_count", "completion_suffixed", "question", "question_count")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_SLOT = re.compile(r"\{([a-z]+)(?:\|[a-z][a-z0-9_]*)?\}")


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Wording(_Table):
    """One sentence of a topic in one language, with slots such as {subject} or {subject|genitive}.

    one, many: by the number of answers; ``many`` absent: ``one`` serves both.
    neutral: does not give the number away; absent: ``one`` does not either.
    answer: how an answer is written, {object} or {count} unless given.
    fallback: used where the subject has no form that the sentence needs.
    """

    one: str
    many: str | None = None
    neutral: str | None = None
    answer: str | None = None
    fallback: str | None = None

    @field_validator("one", "many", "neutral", "fallback")
    @classmethod
    def _sentence(cls, value: str | None) -> str | None:
        return _checked(value, ("subject",))

    @field_validator("answer")
    @classmethod
    def _answer(cls, value: str | None) -> str | None:
        return _checked(value, ("object", "count"))


class WordingFile(BaseModel):
    """All sentences of a topic in one language, by form: a table [wording.XX].

    A form is completion or question, perhaps with a variant (completion_suffixed); one that ends in _count
    asks for the number of answers. It holds one sentence, or a list of paraphrases that say the same and write their
    answers alike. review: no native speaker has confirmed the sentences yet.
    """

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)
    __pydantic_extra__: dict[str, list[Wording]]

    review: bool = False

    @model_validator(mode="before")
    @classmethod
    def _known(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        wrapped: dict[str, Any] = {}
        for key, value in data.items():
            if key == "review":
                wrapped[key] = value
                continue
            if not _FORM.fullmatch(key):
                raise ValueError(f"unknown form {key} ({nearest(key, _FORMS)})")
            wrapped[key] = value if isinstance(value, list) else [value]
            if not wrapped[key]:
                raise ValueError(f"{key}: holds no sentence")
            for table in wrapped[key]:
                if isinstance(table, Mapping):
                    _check_keys(key, table)
        return wrapped

    @model_validator(mode="after")
    def _one_way_to_answer(self) -> WordingFile:
        for key, paraphrases in self.forms.items():
            if len({wording.answer for wording in paraphrases}) > 1:
                raise ValueError(f"{key}: paraphrases write their answers in different ways; make another form of it")
            sentences = [wording.one for wording in paraphrases]
            if twice := next((text for text in sentences if sentences.count(text) > 1), None):
                raise ValueError(f'{key}: "{twice}" stands twice')
        return self

    @property
    def forms(self) -> dict[str, list[Wording]]:
        """The paraphrases by form; at least one each."""
        return self.__pydantic_extra__


class Subject(_Table):
    """What a topic asks about: the class of its subjects and the kind of noun that their names are."""

    class_: str = Field(alias="class", pattern=r"^Q[1-9][0-9]*$")
    kind: Kind


class Answer(_Table):
    """What a topic's answers are, and the kind of noun that their names are."""

    kind: Kind
    type: Literal["entity", "string", "quantity"] = "entity"


class Topic(_Table):
    """A topic file, topics/NAME.toml.

    relation: the Wikidata property. answers: "many" also gives items that ask for their number.
    aligned_by: how an answer belongs to a prompt language, for the inference bias: it is the "language", it is the answer
    for a "country" where that language is official, or it is such a country ("country-itself").
    query: SPARQL that selects ?subject ?object ?statement ?rank ?start ?end, a row a statement.
    """

    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    title: str = Field(min_length=1)
    relation: str = Field(pattern=r"^P[1-9][0-9]*$")
    domain: str = Field(min_length=1)
    subject: Subject
    object: Answer
    answers: Literal["one", "many"]
    aligned_by: Literal["language", "country", "country-itself", "none"] = "none"
    query: str
    wording: dict[str, WordingFile] = Field(default_factory=dict)

    _path: Path = PrivateAttr(default_factory=Path)
    _sha256: str = PrivateAttr(default="")

    @field_validator("query")
    @classmethod
    def _portable(cls, value: str) -> str:
        if problems := check_query(value):
            raise ValueError("; ".join(problems))
        return value

    @field_validator("wording")
    @classmethod
    def _languages(cls, value: dict[str, WordingFile]) -> dict[str, WordingFile]:
        for code in value:
            if not _LANGUAGE.fullmatch(code):
                raise ValueError(f'"{code}" is no language code (en, pt-BR …)')
        return value

    @model_validator(mode="after")
    def _agrees(self) -> Topic:
        if not re.search(rf"\bps[nv]?:{self.relation}\b", self.query):
            raise ValueError(f"the query does not ask for ps:{self.relation}, the relation")
        if not re.search(rf"\bwd:{self.subject.class_}\b", self.query):
            raise ValueError(f"the query does not ask for wd:{self.subject.class_}, the subjects' class")
        for code, wording in self.wording.items():
            counts = [form for form in wording.forms if form.endswith("_count")]
            if counts and self.answers == "one":
                raise ValueError(f'wording.{code}.{counts[0]}: only topics with answers = "many" ask for a number')
        return self

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @property
    def sha256(self) -> str:
        """The SHA-256 of the file's bytes, in hexadecimal."""
        return self._sha256


def _check_keys(form: str, table: Mapping[str, Any]) -> None:
    for inner in table:
        if inner not in Wording.model_fields:
            raise ValueError(f"unknown key {form}.{inner} ({nearest(inner, Wording.model_fields)})")
    answer, slot = table.get("answer"), "count" if form.endswith("_count") else "object"
    if isinstance(answer, str) and slot not in _SLOT.findall(answer):
        raise ValueError(f"{form}.answer: does not name {{{slot}}}")


def _checked(template: str | None, slots: tuple[str, ...]) -> str | None:
    """``template`` if it names one of ``slots`` and no other."""
    if template is None:
        return None
    named = _SLOT.findall(template)
    for name in named:
        if name not in slots:
            raise ValueError(f'no slot "{name}" here ({nearest(name, slots)})')
    if not named:
        raise ValueError(f'"{template}" does not name {{{"} or {".join(slots)}}}')
    rest = _SLOT.sub("", template)
    if "{" in rest or "}" in rest:
        raise ValueError(f'stray brace in "{template}" (write {{slot}} or {{slot|form}})')
    return template
