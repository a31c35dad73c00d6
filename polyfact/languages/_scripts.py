"""Which scripts a text is written in, from the names of its characters in the Unicode database."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

__all__ = ["is_written_in", "scripts_of"]

# ISO 15924 code by the word that opens a character's Unicode name.
_CODES = {
    "LATIN": "Latn", "GREEK": "Grek", "CYRILLIC": "Cyrl", "ARMENIAN": "Armn", "GEORGIAN": "Geor",
    "HEBREW": "Hebr", "ARABIC": "Arab", "SYRIAC": "Syrc", "THAANA": "Thaa", "ETHIOPIC": "Ethi",
    "DEVANAGARI": "Deva", "BENGALI": "Beng", "GURMUKHI": "Guru", "GUJARATI": "Gujr", "ORIYA": "Orya",
    "TAMIL": "Taml", "TELUGU": "Telu", "KANNADA": "Knda", "MALAYALAM": "Mlym", "SINHALA": "Sinh",
    "OL": "Olck", "MEETEI": "Mtei", "TIBETAN": "Tibt", "THAI": "Thai", "LAO": "Laoo", "KHMER": "Khmr",
    "MYANMAR": "Mymr", "MONGOLIAN": "Mong", "CHEROKEE": "Cher", "TIFINAGH": "Tfng", "NKO": "Nkoo",
    "HANGUL": "Hang", "HIRAGANA": "Hira", "KATAKANA": "Kana", "BOPOMOFO": "Bopo", "CJK": "Hani",
}  # fmt: skip
_NEUTRAL = frozenset({"MODIFIER", "COMBINING", "FEMININE", "MASCULINE", "MICRO", "VARIATION"})
_WIDTHS = frozenset({"FULLWIDTH", "HALFWIDTH"})
_UNIONS = {
    "Jpan": {"Hani", "Hira", "Kana"},
    "Kore": {"Hang", "Hani"},
    "Hans": {"Hani"},
    "Hant": {"Hani"},
}


@lru_cache(maxsize=4096)
def _script(character: str) -> str | None:
    """ISO 15924 code of a letter or mark, "Zzzz" for a script not known here, None for what has none."""
    if unicodedata.category(character)[0] not in "LM":
        return None
    words = unicodedata.name(character, "UNKNOWN").split()
    first = words[1] if words[0] in _WIDTHS and len(words) > 1 else words[0]
    return None if first in _NEUTRAL else _CODES.get(first, "Zzzz")


def scripts_of(text: str) -> dict[str, float]:
    """Share of the letters of ``text`` by script (ISO 15924), the most frequent first; empty without letters.

    >>> scripts_of("Fe")
    {'Latn': 1.0}
    >>> scripts_of("42")
    {}
    """
    found = Counter(script for character in text if (script := _script(character)) is not None)
    total = sum(found.values())
    return {script: count / total for script, count in sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))}


def is_written_in(text: str, script: str) -> bool:
    """True if no letter of ``text`` belongs to another script than ``script`` (ISO 15924)."""
    return scripts_of(text).keys() <= _UNIONS.get(script, {script})
