"""What writers, LaTeX and Markdown put around numbers, taken off: the plain text that `numbers` parses."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["bare", "boxed", "plain"]

_MINUS = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-"))
_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")
_SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_GROUPED_BY_SPACE = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:[\u00a0\u2009\u202f]\d{3})+(?!\d)")
_FRAC = re.compile(r"\\[dtc]?frac\s*(?:\{([^{}]*)\}|(\d))\s*(?:\{([^{}]*)\}|(\d))")
_TEXT = re.compile(r"\\(?:text|mathrm|mathbf|mathit|textbf|textit|operatorname|mbox)\s*\{([^{}]*)\}")
_LATEX = [  # what is layout in LaTeX, and what it writes for a sign
    (re.compile(r"\\left(?![a-z])|\\right(?![a-z])|\\displaystyle|\\!|\\\(|\\\)|\\\[|\\\]"), ""),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"(?<=\d)\\,(?=\d{3})"), "\u202f"),
    (re.compile(r"\\[,;:> ]|~"), " "),
    (re.compile(r"\\(?:times|cdot)(?![a-z])"), "×"),
    (re.compile(r"\^\s*(?:\\circ(?![a-z])|\{\s*\\circ\s*\})"), "°"),
    (re.compile(r"\\([%$#&])"), r"\1"),
    (re.compile(r"(?<!\\)\$(?!\s*[-+]?[\d.])"), ""),
]
_AROUND = " \t\r\n*_`\"'“”‘’«»"
_AFTER = _AROUND + ":;,!?।॥"


def boxed(text: str) -> str | None:
    r"""What stands in the last \boxed{…} of ``text``, braces balanced; None without one."""
    start = text.rfind("\\boxed")
    if start < 0:
        return None
    rest = text[start + len("\\boxed") :].lstrip()
    if not rest.startswith("{"):
        return rest[:1] if rest[:1].isdecimal() else None
    depth = 0
    for place, character in enumerate(rest):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return rest[1:place]
    return None


def plain(text: str) -> str:
    """``text`` with ASCII digits and minus signs, and without what is only layout."""
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", text)).translate(_MINUS)
    text = "".join(_ascii(character) for character in text)
    text = _SUPERSCRIPT.sub(lambda match: "^{" + match[0].translate(_LOWERED) + "}", text)
    text = _TEXT.sub(r" \1 ", text)
    for pattern, replacement in _LATEX:
        text = pattern.sub(replacement, text)
    text = _FRAC.sub(lambda match: f" {match[1] or match[2]}/{match[3] or match[4]} ", text)
    return _GROUPED_BY_SPACE.sub(lambda match: re.sub(r"\s", "", match[0]), text)


def _ascii(character: str) -> str:
    if unicodedata.category(character) == "Nd":
        return str(unicodedata.decimal(character))
    parts = unicodedata.decomposition(character)
    if parts.startswith("<fraction>"):  # ½ is 1, fraction slash, 2
        return " " + "".join(chr(int(part, 16)) for part in parts.split()[1:]).replace("\u2044", "/")
    return "/" if character == "\u2044" else character


def bare(text: str) -> str:
    """``text`` without quotation marks, emphasis, brackets around all of it and stops at its ends."""
    while True:
        before = text
        text = text.lstrip(_AROUND).rstrip(_AFTER).removesuffix("/-").removesuffix(".")
        for opening, closing in ("()", "{}", "[]", "$$"):
            if len(text) > 1 and text[0] == opening and text[-1] == closing and opening not in text[1:-1]:
                text = text[1:-1]
        if text == before:
            return text
