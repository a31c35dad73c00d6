"""Which entities of the embedded knowledge base an imported topic is about, found by their exact names."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from polyfact import topics
from polyfact.builders._associations import associate, countries_of
from polyfact.builders._facts import entity_id, extract
from polyfact.builders.sources import Source
from polyfact.languages import Language
from polyfact.schemas import Association, Fact
from polyfact.topics import Topic

__all__ = ["AS_OF", "LITERAL", "TOPICS", "Linker", "TopicKind", "associations"]

AS_OF = datetime.date(2025, 10, 23)
"""The day on which, says the paper, most of its sources were read."""

LITERAL = "literal"
"""The kind of answers that are their own ids, such as .it and 26."""


class TopicKind(NamedTuple):
    """What subjects and answers of a topic are: a kind of the knowledge base, LITERAL, or None for neither.

    topic: the topic of polyfact's own whose facts say which answers belong to a country. language: whether an answer
    belongs to a prompt language by being that language.
    """

    subject: str | None = None
    answer: str | None = None
    topic: str | None = None
    language: bool = False


TOPICS: Mapping[str, TopicKind] = {
    "atomic-numbers": TopicKind("element", LITERAL),
    "capital-cities": TopicKind("country", "city", "capitals"),
    "car-brands": TopicKind("country"),
    "cctld": TopicKind("country", LITERAL, "cctld"),
    "chemical-symbols": TopicKind("element", LITERAL),
    "countries-heritages": TopicKind("country"),
    "countries-neighbors": TopicKind("country", "country", "neighbours"),
    "countries-official-languages": TopicKind("country", "language", "official-languages"),
    "countries-timezones": TopicKind("country", "time zone", "time-zones"),
    "mobile-network-operators": TopicKind("country"),
    "original-langs-of-books": TopicKind(None, "language", language=True),
    "polyglot-celebs": TopicKind(None, "language", language=True),
    "top-500-universities": TopicKind("country"),
}

_CLASSES: Mapping[str, Sequence[str]] = {
    "country": ("wd:Q3624078", "wd:Q56061"),
    "city": ("wd:Q515",),
    "element": ("wd:Q11344",),
    "language": ("wd:Q34770",),
    "time zone": ("<urn:polyfact:local:class-time-zone>",),
}

_NAMES = """PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT DISTINCT ?entity ?label WHERE {{
  VALUES ?class {{ {classes} }}
  ?entity wdt:P31 ?class ; rdfs:label ?label .
  FILTER(LANG(?label) IN ("{language}", "mul"))
}} ORDER BY ?entity ?label"""


class Linker:
    """Finds entities of ``source`` by name."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._names: dict[tuple[str, str], dict[str, set[str]]] = {}

    def find(self, kind: str | None, name: str, language: Language) -> str | None:
        """The one entity of a kind that has exactly this name in this language; None for none or several.

        Names are equal as answers are: up to case, and to a suffix after an apostrophe.
        """
        if kind is None or kind not in _CLASSES:
            return None
        key = (kind, language.code)
        if key not in self._names:
            self._names[key] = self._read(kind, language)
        found = self._names[key].get(language.normalise(name), set())
        return next(iter(found)) if len(found) == 1 else None

    def agreed(
        self, kind: str | None, names: Mapping[str, Collection[str]], languages: Mapping[str, Language]
    ) -> str | None:
        """The entity that has these names, by language code; None where that is not certain.

        The English name decides. Where the knowledge base does not have it, two other languages must agree and none
        dissent: published rows are known to hold another subject than their English name says.
        """
        found = {code: {self.find(kind, name, languages[code]) for name in each} - {None} for code, each in names.items()}
        english = found.pop("en", None)
        if english:
            return english.pop() if len(english) == 1 else None
        others = [identity for each in found.values() for identity in each]
        enough = len(others) > 1 or english is None
        return others[0] if others and enough and len(set(others)) == 1 else None

    def _read(self, kind: str, language: Language) -> dict[str, set[str]]:
        names: dict[str, set[str]] = defaultdict(set)
        query = _NAMES.format(classes=" ".join(_CLASSES[kind]), language=language.code)
        for row in self.source.select(query):
            identity = entity_id(row["entity"])
            if identity is not None:
                names[language.normalise(row["label"].value)].add(identity)
        return names


def associations(
    topic: str, surfaces: Mapping[str, Mapping[str, str]], languages: Sequence[Language], source: Source
) -> list[Association]:
    """The answers of an imported topic that belong to each language; no row for a language without any.

    surfaces: by language code, the name of each answer that the knowledge base knows under that name.
    """
    kind = TOPICS.get(topic, TopicKind())
    if kind.language:
        belong = [_itself(topic, language) for language in languages]
    elif kind.topic is not None:
        belong = _of_countries(topics.load(kind.topic), languages, source)
    else:
        return []
    rows = []
    for row in belong:
        names = surfaces.get(row.language, {})
        known = [identity for identity in row.ids if identity in names]
        if known:
            method = f"{row.method}; {source.name} {source.revision()}"
            labels = [names[identity] for identity in known]
            rows.append(Association(topic=topic, language=row.language, ids=known, labels=labels, method=method))
    return rows


def _itself(topic: str, language: Language) -> Association:
    ids = [language.entity] if language.entity else []
    method = f"the language itself ({language.entity})"
    return Association(topic=topic, language=language.code, ids=ids, labels=[""] * len(ids), method=method)


def _of_countries(topic: Topic, languages: Sequence[Language], source: Source) -> list[Association]:
    countries = {language.code: countries_of(language, source) for language in languages}
    found = extract(topic, source.select(topic.query), source, AS_OF)
    facts = [row for row in found if isinstance(row, Fact)]
    return list(associate(topic, facts, languages, countries, {}, []))
