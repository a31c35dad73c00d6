"""The wording behind questions that were published with their subjects filled in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from polyfact.languages import Language

__all__ = ["SLOT", "templates", "without_subject"]

SLOT = "{subject}"
_ELIDED = re.compile(r"\S*['’]$")
_SUFFIX = re.compile(r"^['’]?\w+")


def templates(prompts: Sequence[tuple[str, str]]) -> list[str | None]:
    """The template of each (question, subject) of one cell: the question with its subject cut out.

    None where the subject does not stand there word for word, and where it stands in several places of which none
    gives a template that another question of the cell has.

    >>> templates([("Where is Rome?", "Rome"), ("Where is Is?", "Is"), ("Where is is?", "is"), ("Where?", "Bari")])
    ['Where is {subject}?', 'Where is {subject}?', 'Where is {subject}?', None]
    """
    possible = [_possible(question, subject) for question, subject in prompts]
    certain = Counter(found[0] for found in possible if len(found) == 1)
    return [_choose(found, certain) for found in possible]


def _possible(question: str, subject: str) -> list[str]:
    if not subject or "{" in question or "}" in question:
        return []
    starts = [match.start() for match in re.finditer(f"(?={re.escape(subject)})", question)]
    return [question[:start] + SLOT + question[start + len(subject) :] for start in starts]


def _choose(found: Sequence[str], certain: Counter[str]) -> str | None:
    if len(found) == 1:
        return found[0]
    shared = [template for template in found if template in certain]
    return max(shared, key=lambda template: certain[template]) if shared else None


def without_subject(template: str, language: Language) -> str:
    """``template`` naming nobody: without its slot, and without the article or suffix that is written together with it.

    Where an article stands as a word of its own it stays: whether it belongs to the subject cannot be told.

    >>> from polyfact import languages
    >>> without_subject("Il numero atomico dell'{subject} è", languages.load("it"))
    'Il numero atomico è'
    >>> without_subject("{subject}'nın başkenti neresidir?", languages.load("tr"))
    'Başkenti neresidir?'
    """
    before, _, after = template.partition(SLOT)
    return language.without_names(_ELIDED.sub("", before) + SLOT + _SUFFIX.sub("", after))
