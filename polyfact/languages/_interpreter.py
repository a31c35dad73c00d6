"""The one interpreter of morphology that stands in data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple

from polyfact.errors import UsageError, nearest
from polyfact.languages._file import LanguageFile
from polyfact.languages._normalise import Normaliser
from polyfact.languages._patterns import MAX_TEXT, bounded
from polyfact.languages._scripts import is_written_in
from polyfact.schemas._text import nfc

__all__ = ["Failure", "Form", "Language", "Noun", "Rendered", "check_examples"]

_SLOT = re.compile(r"\{([^{}]*)\}")


class Noun(NamedTuple):
    """What fills a slot of a template: a label, the entity it names (None for a literal) and its kind."""

    label: str
    entity: str | None
    kind: str


class Form(NamedTuple):
    """A label in one form.

    review: no native speaker has confirmed it yet; doubtful: nor was the file's author sure of it.
    """

    text: str
    review: bool
    doubtful: bool = False


class Rendered(NamedTuple):
    """A filled template; review, doubtful: of some form in it, as in `Form`."""

    text: str
    review: bool
    doubtful: bool = False


class Failure(NamedTuple):
    """An example of a language file that the file's own rules do not give."""

    form: str
    label: str
    kind: str
    expected: str
    found: str | None


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    replacement: str
    kinds: frozenset[str]


class Language:
    """One language: how its texts look, and the forms its nouns take in a sentence.

    file: the checked language file. sha256: of that file's bytes. source: where it came from, for messages.
    """

    def __init__(self, file: LanguageFile, *, sha256: str, source: str) -> None:
        self.file, self.sha256, self.source = file, sha256, source
        self.code: str = file.code
        self.name = file.name
        self.english_name = file.english_name
        self.script = file.script
        self.direction: Literal["ltr", "rtl"] = file.direction
        self.separator = file.separator
        self.entity = file.entity
        self.sentence_case = file.sentence_case
        self.forms = file.forms
        self.wording: Mapping[str, Mapping[str, Any]] = file.wording
        self.decimal: Literal[".", ","] = file.normalise.decimal

    def __repr__(self) -> str:
        return f"Language({self.code!r})"

    @cached_property
    def _normaliser(self) -> Normaliser:
        return Normaliser(self.file.normalise, self.file.case)

    @cached_property
    def conjunctions(self) -> tuple[str, ...]:
        """The words that join the last two answers of a list, normalised."""
        return tuple(dict.fromkeys(map(self.normalise, self.file.normalise.conjunctions)))

    @cached_property
    def scales(self) -> dict[str, int]:
        """What words after a number multiply it by; the words normalised."""
        return {self.normalise(word): factor for word, factor in self.file.normalise.scales.items()}

    @cached_property
    def _rules(self) -> dict[str, list[_Rule]]:
        return {
            name: [_Rule(bounded(rule[0], rule[1]), rule[1], frozenset(rule[2:])) for rule in form.rules]
            for name, form in self.forms.items()
        }

    def form(self, name: str, label: str, *, entity: str | None, kind: str) -> Form | None:
        """``label`` in the form ``name``, in NFC; None if the file has no such form for this noun.

        Exceptions first (by entity id, then by surface), then the table, then the first rule that fits; a
        label of more than 200 characters has no form. Nothing is guessed.
        Raises UsageError if the file does not define ``name``.
        """
        if name not in self.forms:
            raise UsageError(f'{self.code} has no form "{name}"', where=self.source, fix=nearest(name, self.forms))
        label = nfc(label)
        if not label or len(label) > MAX_TEXT:
            return None
        return self._form(name, label, entity, kind)

    def _form(self, name: str, label: str, entity: str | None, kind: str) -> Form | None:
        form = self.forms[name]
        doubtful = entity in form.review_entries or label in form.review_entries
        review = form.review or doubtful
        for key in (entity, label):
            if key is not None and key in form.exceptions:
                return Form(form.exceptions[key], review, doubtful)
        text = label
        if form.base is not None:
            base = self._form(form.base, label, entity, kind)
            if base is None:
                return None
            text, review, doubtful = base.text, review or base.review, doubtful or base.doubtful
        for key in (entity, label):
            if key is not None and key in form.table:
                prefix = form.table[key]
                gap = "" if not prefix or prefix.endswith(("'", "’")) else " "
                return Form(nfc(prefix + gap + text), review, doubtful)
        marked = form.apostrophe is None or kind in form.apostrophe
        for rule in self._rules[name]:
            if (not rule.kinds or kind in rule.kinds) and rule.pattern.search(text):
                replacement = rule.replacement if marked else rule.replacement.replace("'", "")
                return Form(nfc(rule.pattern.sub(replacement, text, count=1)), review, doubtful)
        return None

    def render(self, template: str, slots: Mapping[str, Noun], *, sentence: bool = True) -> Rendered | None:
        """``template`` with its slots filled, in NFC: "{subject}", or "{subject|genitive}" for a form.

        sentence: begin with a capital if the language does. None if a noun lacks a form.
        Raises UsageError for a slot or form that does not exist, or a stray brace.
        """
        parts, review, doubtful, end = [], False, False, 0
        for match in _SLOT.finditer(template):
            parts.append(self._plain(template, end, match.start()))
            filled = self._fill(match[1], template, slots)
            if filled is None:
                return None
            parts.append(filled.text)
            review, doubtful, end = review or filled.review, doubtful or filled.doubtful, match.end()
        parts.append(self._plain(template, end, len(template)))
        text = nfc("".join(parts))
        return Rendered(self.capitalise(text) if sentence and self.sentence_case else text, review, doubtful)

    def without_names(self, template: str) -> str:
        """``template`` with its slots left out and the gaps closed: a prompt that names nobody."""
        text = re.sub(r"\s+([?؟:;,.।])", r"\1", _SLOT.sub("", template))
        text = nfc(re.sub(r"\s+", " ", text).strip(" ,;"))
        return self.capitalise(text) if self.sentence_case else text

    def _fill(self, slot: str, template: str, slots: Mapping[str, Noun]) -> Form | None:
        name, bar, form = slot.partition("|")
        if name not in slots:
            raise UsageError(f'no slot "{name}" in "{template}"', where=self.source, fix=nearest(name, slots))
        noun = slots[name]
        if not bar:
            return Form(noun.label, False)
        return self.form(form, noun.label, entity=noun.entity, kind=noun.kind)

    def _plain(self, template: str, start: int, end: int) -> str:
        text = template[start:end]
        if "{" in text or "}" in text:
            raise UsageError(f'stray brace in "{template}"', where=self.source, fix="write {slot} or {slot|form}")
        return text

    def upper(self, text: str) -> str:
        """``text`` in capitals by this language's rules (Turkish i → İ)."""
        return nfc("".join(self.file.case.upper.get(character, character.upper()) for character in text))

    def lower(self, text: str) -> str:
        """``text`` in small letters by this language's rules (Turkish I → ı)."""
        return nfc("".join(self.file.case.lower.get(character, character.lower()) for character in text))

    def normalise(self, text: str) -> str:
        """``text`` as it is compared with other texts of this language: equal answers become equal strings.

        NFC; small letters by `[case]`, then Unicode's folding, and no U+0307 on an i; every Nd digit in ASCII;
        quotation marks, apostrophes, hyphens and minus signs each as one character; invisible characters
        gone, joiners by `[normalise]`; white space as one space. At the ends, and only there, white space and
        punctuation go: not the sign of a number, %, the dot of ".in", the # of "C#", a bracket whose other
        half stays. Then a suffix listed in `[normalise]` goes, if it stands after an apostrophe or quotation
        mark at the end. Applying it twice changes nothing more.

        No letter, mark or decimal digit (categories L, M, Nd) is lost: each is found again as what case and
        digit conversion make of it. The two exceptions are that U+0307, and a listed suffix. U+02BC between
        two letters counts as an apostrophe.

        Returns "" if nothing but punctuation is left: such a text is no answer.
        """
        return self._normaliser(text)

    def capitalise(self, text: str) -> str:
        """``text`` with its first letter as a capital, unless a digit comes before it."""
        for place, character in enumerate(text):
            if character.isdigit():
                return text
            if character.isalpha():
                capital = self.file.case.upper.get(character, character.title())
                return nfc(text[:place] + capital + text[place + 1 :])
        return text

    def number(self, text: str) -> str:
        """``text``, a number in ASCII digits, in the digits of this language."""
        return text.translate({ord("0") + value: digit for value, digit in enumerate(self.file.digits)})

    def script_ok(self, text: str) -> bool:
        """True if every letter of ``text`` belongs to this language's script."""
        return is_written_in(text, self.script)


def check_examples(language: Language) -> list[Failure]:
    """The examples of a language file that fail, in file order; where "" is expected is no form."""
    failures = []
    for name, form in language.forms.items():
        for label, kind, expected, *entity in form.examples:
            found = language.form(name, label, entity=entity[0] if entity else None, kind=kind)
            if (found.text if found else "") != nfc(expected):
                failures.append(Failure(name, label, kind, expected, found.text if found else None))
    return failures
