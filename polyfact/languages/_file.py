"""The shape of a language file, checked whole when it is read."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from polyfact.errors import nearest
from polyfact.languages._patterns import MAX_TEXT, bounded
from polyfact.schemas._text import nfc

__all__ = ["KINDS", "CaseRules", "FormRules", "Kind", "LanguageFile", "NormaliseRules"]

Kind = Literal["proper", "common", "language", "number", "symbol"]
KINDS: tuple[str, ...] = get_args(Kind)


_LETTERS = re.compile(r"(?<!\?P)<([A-Za-z_]\w*)>")


def _nfc_entries(value: object) -> object:
    if not isinstance(value, dict):
        return value
    clean = {nfc(key): nfc(entry) if isinstance(entry, str) else entry for key, entry in value.items()}
    if len(clean) < len(value):
        raise ValueError("two keys are the same text in NFC")
    return clean


def _kind(word: str) -> str:
    if word not in KINDS:
        raise ValueError(f'"{word}" is not a kind of noun ({nearest(word, KINDS)})')
    return word


Entries = Annotated[dict[str, str], BeforeValidator(_nfc_entries)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CaseRules(_Strict):
    """Case conversions in which a language differs from Unicode's default, character by character."""

    upper: Entries = Field(default_factory=dict)
    lower: Entries = Field(default_factory=dict)

    @field_validator("upper", "lower")
    @classmethod
    def _single(cls, entries: dict[str, str]) -> dict[str, str]:
        for character in entries:
            if len(character) != 1:
                raise ValueError(f'"{character}" is not one character')
        return entries


class FormRules(_Strict):
    """How one form (genitive, copula, articled preposition …) is made; see `polyfact.languages`."""

    base: str | None = None
    apostrophe: list[str] | None = None
    exceptions: Entries = Field(default_factory=dict)
    table: Entries = Field(default_factory=dict)
    rules: list[list[str]] = Field(default_factory=list)
    examples: list[list[str]] = Field(default_factory=list)
    review: bool = False
    review_entries: list[str] = Field(default_factory=list)

    @field_validator("apostrophe")
    @classmethod
    def _kinds(cls, kinds: list[str] | None) -> list[str] | None:
        return kinds if kinds is None else [_kind(kind) for kind in kinds]

    @field_validator("rules")
    @classmethod
    def _rules(cls, rules: list[list[str]]) -> list[list[str]]:
        clean = []
        for number, rule in enumerate(rules, 1):
            if len(rule) < 2:
                raise ValueError(f"rule {number}: needs a pattern and a replacement")
            pattern, replacement, *kinds = map(nfc, rule)
            try:
                bounded(pattern, replacement)
                clean.append([pattern, replacement, *map(_kind, kinds)])
            except ValueError as error:
                raise ValueError(f"rule {number}: {error}") from error
        return clean

    @field_validator("examples")
    @classmethod
    def _examples(cls, examples: list[list[str]]) -> list[list[str]]:
        for number, example in enumerate(examples, 1):
            if len(example) not in (3, 4):
                raise ValueError(f"example {number}: needs label, kind, expected form and, if wanted, an entity id")
            try:
                _kind(example[1])
            except ValueError as error:
                raise ValueError(f"example {number}: {error}") from error
        return examples

    @model_validator(mode="after")
    def _tested(self) -> FormRules:
        if not self.examples:
            raise ValueError("has no examples: they are the tests of a form")
        if not (self.exceptions or self.table or self.rules):
            raise ValueError("has no exceptions, table or rules")
        for key in (*self.exceptions, *self.table):
            if len(key) > MAX_TEXT:
                raise ValueError(f"an entry is longer than {MAX_TEXT} characters")
        return self


class NormaliseRules(_Strict):
    """How two answers of a language are compared, beyond what holds for all of them; see `Language.normalise`.

    joiners: keep the zero-width joiner and non-joiner where they tell words apart, else drop them.
    joiners_after: what a joiner must follow to be kept, as in ["र्"]; without it, any virama before a letter,
    and for the non-joiner any letter before another.
    suffixes: endings that grammar sets after an apostrophe and that are no part of a name.
    conjunctions: words that join the last two answers of a list.
    decimal: the mark before the decimals of a number; the other one groups its digits.
    scales: words after a number that multiply it, as in { "million" = 1000000 }.
    """

    joiners: Literal["keep", "drop"] = "drop"
    joiners_after: list[str] = Field(default_factory=list)
    suffixes: list[str] = Field(default_factory=list)
    conjunctions: list[str] = Field(default_factory=list)
    decimal: Literal[".", ","] = "."
    scales: dict[str, Annotated[int, Field(ge=2)]] = Field(default_factory=dict)

    @field_validator("joiners_after", "suffixes", "conjunctions", "scales")
    @classmethod
    def _words(cls, words: Any) -> Any:
        for word in words:
            if not any(map(str.isalpha, word)) or len(word.split()) > 1:
                raise ValueError(f'"{word}" is not one word')
        return words

    @model_validator(mode="after")
    def _kept(self) -> NormaliseRules:
        if self.joiners_after and self.joiners != "keep":
            raise ValueError('joiners_after needs joiners = "keep"')
        return self


def _with_letters(name: str, form: Any, letters: dict[str, str]) -> Any:
    def written_out(match: re.Match[str]) -> str:
        if match[1] not in letters:
            raise ValueError(
                f"forms.{name}: no letters <{match[1]}> ({nearest(match[1], letters) or 'none are defined'})"
            )
        return letters[match[1]]

    if not isinstance(form, dict) or not isinstance(form.get("rules"), list):
        return form
    rules = [
        [_LETTERS.sub(written_out, rule[0]), *rule[1:]]
        if isinstance(rule, list) and rule and isinstance(rule[0], str)
        else rule
        for rule in form["rules"]
    ]
    return {**form, "rules": rules}


class LanguageFile(_Strict):
    """A language file as it is written.

    digits: the ten digits that numbers are written with. letters: named sets that patterns use as <name>, as in
    "[<vowel>]$".
    wording: by topic, as in a topic file.
    """

    code: str = Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")
    name: str = Field(min_length=1)
    english_name: str = Field(min_length=1)
    script: str = Field(pattern=r"^[A-Z][a-z]{3}$")
    direction: Literal["ltr", "rtl"] = "ltr"
    separator: str = " "
    entity: str | None = Field(default=None, pattern=r"^(Q[1-9][0-9]*|local:.+)$")
    sentence_case: bool = False
    digits: str = "0123456789"
    normalise: NormaliseRules = Field(default_factory=NormaliseRules)
    case: CaseRules = Field(default_factory=CaseRules)
    letters: Entries = Field(default_factory=dict)
    forms: dict[str, FormRules] = Field(default_factory=dict)
    wording: dict[str, dict[str, Any]] = Field(default_factory=dict)  # by topic; the topic's schema checks it

    @field_validator("digits")
    @classmethod
    def _ten(cls, digits: str) -> str:
        if [unicodedata.decimal(character, -1) for character in digits] != list(range(10)):
            raise ValueError(f'"{digits}" is not the ten digits from zero to nine')
        return digits

    @model_validator(mode="before")
    @classmethod
    def _expand(cls, data: Any) -> Any:
        """Write the named letters out in the patterns, before anything checks those."""
        if not isinstance(data, dict) or not isinstance(data.get("forms"), dict):
            return data
        letters = data.get("letters", {})
        if not isinstance(letters, dict) or not all(isinstance(value, str) for value in letters.values()):
            return data
        forms = {name: _with_letters(name, form, letters) for name, form in data["forms"].items()}
        return {**data, "forms": forms}

    @field_validator("forms")
    @classmethod
    def _chain(cls, forms: dict[str, FormRules]) -> dict[str, FormRules]:
        for name, form in forms.items():
            if not re.fullmatch(r"[a-z][a-z0-9_]{0,40}", name):
                raise ValueError(f'"{name}" is not a form name (lower-case letters, digits, _)')
            seen = [name]
            while form.base is not None:
                if form.base not in forms:
                    raise ValueError(f'{seen[-1]}.base: no form "{form.base}" ({nearest(form.base, forms)})')
                if form.base in seen:
                    raise ValueError(f"{' → '.join([*seen, form.base])}: a form cannot start from itself")
                seen.append(form.base)
                form = forms[form.base]
        return forms
