"""Which answers belong to the region of a prompt language: Q of the Factual Inference Bias (METRICS §1).

The paper prints one such list and ships none, so the lists are derived from the knowledge base and kept in the
workspace, where a person may edit them (method = "human" is never overwritten).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from polyfact.builders._facts import entity_id
from polyfact.builders.sources import Source
from polyfact.languages import Language
from polyfact.schemas import Association, Fact
from polyfact.topics import Topic

__all__ = ["HUMAN", "associate", "countries_of", "own_answers"]

HUMAN = "human"

_COUNTRIES = """PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX p: <http://www.wikidata.org/prop/>
PREFIX ps: <http://www.wikidata.org/prop/statement/>
PREFIX pq: <http://www.wikidata.org/prop/qualifier/>
PREFIX wikibase: <http://wikiba.se/ontology#>
SELECT DISTINCT ?country WHERE {{
  ?country p:{relation} ?statement .
  ?statement ps:{relation} wd:{language} ; wikibase:rank ?rank .
  FILTER(?rank != wikibase:DeprecatedRank)
  FILTER NOT EXISTS {{ ?statement pq:P582 ?end }}
}} ORDER BY ?country"""


def countries_of(language: Language, source: Source) -> list[str]:
    """The countries that have ``language`` as an official one, by entity id.

    For a language that is official in no whole country those where it is used (Marathi: India).
    """
    if not language.entity or not language.entity.startswith("Q"):
        return []
    for relation in ("P37", "P2936"):
        rows = source.select(_COUNTRIES.format(language=language.entity, relation=relation))
        found = [identity for row in rows if (identity := entity_id(row["country"])) is not None]
        if found:
            return found
    return []


def associate(
    topic: Topic,
    facts: Sequence[Fact],
    languages: Sequence[Language],
    countries: Mapping[str, Sequence[str]],
    labels: Mapping[str, Mapping[str, str]],
    edited: Iterable[Association],
) -> Iterator[Association]:
    """The associated answers of one topic in every language; lists edited by a person are passed on as they are.

    countries: entity ids of the countries of each language code. labels: name by entity id and language code.
    """
    kept = {row.language: row for row in edited if row.topic == topic.name and row.method == HUMAN}
    for language in languages:
        if language.code in kept:
            yield kept[language.code]
        elif topic.aligned_by == "language":
            yield _row(topic, language, facts, countries, labels, f"the language itself ({language.entity})")
        elif topic.aligned_by != "none":
            homes = ", ".join(sorted(countries.get(language.code, ())))
            which = "the" if topic.aligned_by == "country-itself" else f"{topic.relation} of the"
            method = f"{which} countries of {language.entity}: {homes}"
            yield _row(topic, language, facts, countries, labels, method)


def own_answers(
    topic: Topic, language: Language, facts: Sequence[Fact], countries: Mapping[str, Sequence[str]]
) -> list[str]:
    """The answers of a topic that belong to the region of a language, as the topic's ``aligned_by`` says."""
    if topic.aligned_by == "language":
        return sorted({fact.object.id for fact in facts} & {language.entity or ""})
    homes = set(countries.get(language.code, ()))
    if topic.aligned_by == "country-itself":
        return sorted({fact.object.id for fact in facts} & homes)
    if topic.aligned_by == "country":
        return sorted({fact.object.id for fact in facts if fact.subject in homes})
    return []


def _row(
    topic: Topic,
    language: Language,
    facts: Sequence[Fact],
    countries: Mapping[str, Sequence[str]],
    labels: Mapping[str, Mapping[str, str]],
    method: str,
) -> Association:
    ids = own_answers(topic, language, facts, countries)
    names = [labels.get(identity, {}).get(language.code, "") for identity in ids]
    return Association(topic=topic.name, language=language.code, ids=ids, labels=names, method=method)
