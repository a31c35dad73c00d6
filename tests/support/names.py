"""What the knowledge base calls things, for tests of languages and topics."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from polyfact import kb, languages, topics
from polyfact.topics import Topic, Wording

CODES = tuple(languages.available())
_LABELS = "SELECT ?s ?l WHERE { ?s <http://www.w3.org/2000/01/rdf-schema#label> ?l }"


def short(term: Any) -> str:
    """The entity id of an IRI; a literal's own text."""
    text: str = term.value
    return text.replace("http://www.wikidata.org/entity/", "").replace("urn:polyfact:", "")


@cache
def labels(code: str) -> dict[str, str]:
    """Every name in a language by entity id; "mul" for what is written alike everywhere."""
    rows = kb.load().query(_LABELS)
    return {short(row["s"]): row["l"].value for row in rows if row["l"].language == code}


@cache
def answers(topic: str) -> dict[str, list[str]]:
    """The answers of each subject of a topic, by entity id."""
    found: dict[str, list[str]] = {}
    for row in kb.load().query(topics.load(topic).query):
        found.setdefault(short(row["subject"]), []).append(short(row["object"]))
    return found


@cache
def worded(topic: str) -> Topic:
    """A topic with the wording of every language."""
    return topics.with_languages(topics.load(topic), [languages.load(code) for code in CODES])


def sentences(topic: str, code: str) -> Iterator[tuple[str, Wording]]:
    """Each form of a topic in a language with each of its wordings."""
    for form, paraphrases in worded(topic).wording[code].forms.items():
        for wording in paraphrases:
            yield form, wording


def templates(wording: Wording) -> list[str]:
    """All templates of a wording."""
    return [text for text in (wording.one, wording.many, wording.neutral, wording.fallback) if text]
