"""Whole words in any script."""

from __future__ import annotations

import unicodedata

__all__ = ["holds_words"]


def holds_words(text: str, words: str) -> bool:
    """Whether ``words``, which are not empty, stand in ``text`` as whole words.

    A word goes on in a letter, a digit or a mark, in which an Indic syllable may end: ताजिक is no word of ताजिकिस्तान.
    """
    start = text.find(words) if words else -1
    while start >= 0:
        end = start + len(words)
        around = text[max(start - 1, 0) : start] + text[end : end + 1]
        if not any(unicodedata.category(character)[0] in "LMN" for character in around):
            return True
        start = text.find(words, start + 1)
    return False
