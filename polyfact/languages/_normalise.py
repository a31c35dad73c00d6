"""How two answers are made comparable: one normaliser, driven by the language file."""

from __future__ import annotations

import re
import unicodedata

from polyfact.languages._file import CaseRules, NormaliseRules
from polyfact.schemas._text import nfc

__all__ = ["Normaliser"]

_JOINERS = "\u200c\u200d"  # zero width non-joiner, zero width joiner
# Soft hyphen, zero width space, word joiner, byte order mark, invisible operators, controls of writing direction.
_INVISIBLE = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")
_APOSTROPHES = "‘’‚‛‹›`´＇"
_LETTER_APOSTROPHE = "\u02bc"  # a letter by category, written for ’ as often as for a letter
_QUOTES = "“”„‟«»＂〝〞〟"
_HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"  # hyphens, figure and en dash, minus
_DOT_ABOVE = re.compile("(?<=[iịį])\u0307+")  # on a letter that has its dot already
_BRACKETS = {
    "(": ")",
    "[": "]",
    "{": "}",
    "（": "）",
    "［": "］",
    "｛": "｝",
    "「": "」",
    "『": "』",
    "【": "】",
    "《": "》",
}
_OPENING = {closing: opening for opening, closing in _BRACKETS.items()}
_BRACKET = re.compile("[" + re.escape("".join((*_BRACKETS, *_OPENING))) + "]")
_UNITS = frozenset("%‰‱٪′″‴")  # punctuation by category, but part of the quantity before it
_CHARGE_OR_GRADE = re.compile(r"(?:^|\s)[a-z]{1,2}-$")
_NUMERIC = frozenset({"Nd", "Nl", "No", "Sc"})
_VIRAMA = 9  # its canonical combining class


class _Fold(dict[int, str]):
    """Table for `str.translate`, filled as characters are met: case, digits, quotes, apostrophes, hyphens."""

    def __init__(self, case: CaseRules) -> None:
        super().__init__()
        self._lower = case.lower

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = folded = self._fold(character)
        return folded

    def _fold(self, character: str) -> str:
        if character in self._lower:
            return self._lower[character]
        if unicodedata.category(character) == "Nd":
            return str(unicodedata.decimal(character))
        for likes, plain in ((_APOSTROPHES, "'"), (_QUOTES, '"'), (_HYPHENS, "-")):
            if character in likes:
                return plain
        return character.casefold()


class Normaliser:
    """The function from a text to what it is compared by; `polyfact.languages.Language.normalise` says how."""

    def __init__(self, rules: NormaliseRules, case: CaseRules) -> None:
        self._keep, self._after = rules.joiners == "keep", tuple(nfc(text) for text in rules.joiners_after)
        self._table = _Fold(case)
        self._suffixes: tuple[str, ...] = ()  # a suffix is itself written as a normalised text
        suffixes = (self(suffix) for suffix in rules.suffixes)
        self._suffixes = tuple(mark + suffix for suffix in suffixes for mark in "'\"")

    def __call__(self, text: str) -> str:
        """``text`` in the form that is compared; "" if nothing is left."""
        text = self._joined(nfc(_INVISIBLE.sub("", text)))
        text = _DOT_ABOVE.sub("", nfc(text.translate(self._table)))
        text = _letter_apostrophes(nfc(text))
        return self._trimmed(" ".join(text.split()))

    def _joined(self, text: str) -> str:
        """``text``, in NFC, without the joiners that carry nothing."""
        if not any(joiner in text for joiner in _JOINERS):
            return text
        kept = []
        for place, character in enumerate(text):
            if character not in _JOINERS or (self._keep and self._tells_apart(text, place)):
                kept.append(character)
        return nfc("".join(kept))

    def _tells_apart(self, text: str, place: int) -> bool:
        if not _is_inside_word(text, place):
            return False
        if self._after:
            return text.endswith(self._after, 0, place)
        return text[place] == "\u200c" or unicodedata.combining(text[place - 1]) == _VIRAMA

    def _trimmed(self, text: str) -> str:
        while True:
            text = _without_edges(text)
            suffix = next((suffix for suffix in self._suffixes if text.endswith(suffix)), None)
            if suffix is None or not any(map(str.isalnum, text[: -len(suffix)])):
                return text
            text = text[: -len(suffix)]


def _without_edges(text: str) -> str:
    """``text`` without white space and punctuation at its ends, as far as no symbol needs it there."""
    partner = _partners(text)
    left, right = 0, len(text)
    while True:
        before = left, right
        while left < right and _is_loose_left(text, left, right, partner):
            left += 1
        while left < right and _is_loose_right(text, left, right, partner):
            right -= 1
        if left < right and partner.get(left) == right - 1:  # brackets around all of it
            left, right = left + 1, right - 1
        if (left, right) == before:
            return text[left:right]


def _is_loose_left(text: str, left: int, right: int, partner: dict[int, int]) -> bool:
    mark, rest = text[left], text[left + 1 : min(right, left + 3)]
    if mark == " ":
        return True
    if not _is_punctuation(mark) or left < partner.get(left, -1) < right:
        return False
    if left and mark == text[left - 1]:  # "..." or "--": no sign and no part of a name
        return True
    if mark == ".":  # .in, .भारत, .5
        return not _is_word(rest[:1])
    if mark == "-":  # -5, -.5, -½, -$5, -∞
        number = rest.removeprefix(".") if rest[1:2].isdecimal() else rest
        return not number or not (unicodedata.category(number[0]) in _NUMERIC or number[0] in "∞√")
    return True


def _is_loose_right(text: str, left: int, right: int, partner: dict[int, int]) -> bool:
    mark = text[right - 1]
    if mark == " ":
        return True
    if not _is_punctuation(mark) or left <= partner.get(right - 1, -1):
        return False
    if mark == "#":  # C#
        return not text[max(left, right - 2) : right - 1].isalpha()
    if mark == "-":  # Cl-, O-, A-
        return not _CHARGE_OR_GRADE.search(text[max(left, right - 4) : right])
    return True


def _partners(text: str) -> dict[int, int]:
    """Place of the other bracket by the place of each bracket that has one; each sort counted by itself."""
    open_at: dict[str, list[int]] = {}
    partner: dict[int, int] = {}
    for match in _BRACKET.finditer(text):
        if match[0] in _BRACKETS:
            open_at.setdefault(match[0], []).append(match.start())
        elif stack := open_at.get(_OPENING[match[0]]):
            opening = stack.pop()
            partner[opening], partner[match.start()] = match.start(), opening
    return partner


def _letter_apostrophes(text: str) -> str:
    """``text`` with U+02BC between two letters as an apostrophe; elsewhere it stays the letter that it is."""
    if _LETTER_APOSTROPHE not in text:
        return text
    return "".join(
        "'" if character == _LETTER_APOSTROPHE and _is_inside_word(text, place) else character
        for place, character in enumerate(text)
    )


def _is_inside_word(text: str, place: int) -> bool:
    return 0 < place < len(text) - 1 and _is_word(text[place - 1]) and _is_word(text[place + 1])


def _is_word(character: str) -> bool:
    """True for a letter, a mark or a digit; False for anything else and for no character."""
    return bool(character) and (unicodedata.category(character)[0] in "LM" or character.isdecimal())


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] == "P" and character not in _UNITS
