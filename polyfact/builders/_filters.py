"""Filters: each takes items and gives back the same items, some of them as rejected with a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from polyfact.builders._words import holds_words
from polyfact.errors import UsageError, nearest
from polyfact.schemas import Item, Rejected

__all__ = ["FILTERS", "Filter", "find_filter"]

Filter = Callable[[Sequence[Item]], Iterator[Item | Rejected]]


def unique_answer(items: Sequence[Item]) -> Iterator[Item | Rejected]:
    """Drop questions that two subjects of one name make ambiguous, and wordings that read like an earlier one."""
    asked = {item.id: (item.language, item.topic, item.form, item.target, item.question) for item in items}
    subjects = Counter(text for text, _ in {(asked[item.id], item.subject_id) for item in items})
    seen: set[tuple[str, ...]] = set()
    for item in items:
        text = asked[item.id]
        if subjects[text] > 1:
            yield Rejected(stage="drafts", id=item.id, reason="ambiguous-subject", detail=item.subject)
        elif text in seen:
            yield Rejected(stage="drafts", id=item.id, reason="repeated-wording", detail=item.question)
        else:
            seen.add(text)
            yield item


def no_leak(items: Sequence[Item]) -> Iterator[Item | Rejected]:
    """Drop questions that already name an answer (the capital of Singapore), in every form and language alike.

    The subject's plain name is looked at too: in सिंगापूरची a case ending is joined to it. A name that leaks in one
    language leaks in all, perhaps with another vowel in the city's name than in the country's, and the languages stay
    parallel.
    """
    leaking: dict[tuple[str, str], str] = {}
    for item in items:
        for answer in item.expected if item.target == "entities" else ():
            if holds_words(item.question, answer) or holds_words(item.subject, answer):
                leaking[item.topic, item.subject_id] = answer
    for item in items:
        shown = leaking.get((item.topic, item.subject_id))
        if shown is not None and item.target == "entities":
            yield Rejected(stage="drafts", id=item.id, reason="answer-in-question", detail=shown)
        else:
            yield item


FILTERS: dict[str, Filter] = {"unique-answer": unique_answer, "no-leak": no_leak}


def find_filter(name: str) -> Filter:
    """The filter of that name. Raises UsageError with the nearest known name."""
    if name not in FILTERS:
        raise UsageError(f'unknown filter "{name}"', where="filters.use", fix=nearest(name, FILTERS))
    return FILTERS[name]
