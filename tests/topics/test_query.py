"""The topics' queries: linted, and run on a small graph and on the knowledge base."""

import pyoxigraph
import pytest

from polyfact import kb, topics

ALL = topics.available()
WD = "http://www.wikidata.org/entity/"
STATEMENT = """
wd:{s} p:P36 _:{id} . _:{id} ps:P36 wd:{o} ; wikibase:rank wikibase:{rank}Rank {more} .
"""
HEAD = """
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix p: <http://www.wikidata.org/prop/> .
@prefix ps: <http://www.wikidata.org/prop/statement/> .
@prefix pq: <http://www.wikidata.org/prop/qualifier/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
wd:Q901 wdt:P31 wd:Q3624078 . wd:Q902 wdt:P31 wd:Q999 .
wd:Q999 wdt:P279 wd:Q998 . wd:Q998 wdt:P279 wd:Q3624078 .
wd:Q903 wdt:P31 wd:Q3624078 ; wdt:P576 "1991-12-26T00:00:00Z"^^xsd:dateTime . wd:Q904 wdt:P31 wd:Q515 .
"""
ENDED = '; pq:P580 "1900-01-01T00:00:00Z"^^xsd:dateTime ; pq:P582 "1950-01-01T00:00:00Z"^^xsd:dateTime'
GOOD = """
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
SELECT ?subject ?object ?statement ?rank ?start ?end WHERE { ?subject ^wdt:P1/wdt:P2* ?object } # rdfs:label
ORDER BY ?subject ?object ?statement
"""


def rows(solutions):
    return [tuple(None if term is None else term.value for term in solution) for solution in solutions]


def graph(*statements):
    store = pyoxigraph.Store()
    text = HEAD
    for number, (subject, value, rank, more) in enumerate(statements):
        text += STATEMENT.format(s=subject, o=value, rank=rank, more=more, id=f"s{number}")
    store.load(text.encode(), format=pyoxigraph.RdfFormat.TURTLE)
    return store


def test_a_query_selects_statements_of_living_states_whatever_the_depth_of_their_class():
    store = graph(
        ("Q901", "Q1", "Preferred", ""),
        ("Q901", "Q2", "Normal", ENDED),
        ("Q901", "Q3", "Deprecated", ""),
        ("Q902", "Q4", "Normal", ""),
        ("Q903", "Q5", "Normal", ""),
        ("Q904", "Q6", "Normal", ""),
    )
    found = [(row[0], row[1], row[3], row[4], row[5]) for row in rows(store.query(topics.load("capitals").query))]
    rank = "http://wikiba.se/ontology#"
    assert found == [
        (f"{WD}Q901", f"{WD}Q1", f"{rank}PreferredRank", None, None),
        (f"{WD}Q901", f"{WD}Q2", f"{rank}NormalRank", "1900-01-01T00:00:00Z", "1950-01-01T00:00:00Z"),
        (f"{WD}Q902", f"{WD}Q4", f"{rank}NormalRank", None, None),
    ]


@pytest.mark.parametrize(
    ("name", "subjects", "most"),
    [
        ("capitals", 188, 1),
        ("official-languages", 165, 12),
        ("chemical-symbols", 118, 1),
        ("neighbours", 135, 14),
        ("time-zones", 190, 11),
        ("cctld", 190, 1),
        ("currencies", 190, 3),
        ("atomic-numbers", 118, 1),
    ],
)
def test_the_knowledge_base_answers_in_order(name, subjects, most):
    found = rows(kb.load().query(topics.load(name).query))
    assert found == sorted(found, key=lambda row: row[:3])
    counts = {}
    for row in found:
        counts[row[0]] = counts.get(row[0], 0) + 1
    assert len(counts) >= subjects
    assert 1 <= max(counts.values()) <= most
    assert len({row[2] for row in found}) == len(found)


def test_a_portable_query_has_no_problems():
    assert topics.check_query(GOOD) == []
    assert topics.check_query(GOOD.replace("SELECT", "select distinct").replace("WHERE ", "")) == []
    assert topics.check_query(GOOD.replace("?object }", '?object FILTER(?x != "a:b" && ?y < 3 && 4 > ?z) }')) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("/wdt:P2*", "/ps:P2*"), "prefix ps: is not declared"),
        (("?object }", '?object FILTER(?n > "1"^^xsd:integer) }'), "prefix xsd: is not declared"),
        (("?object }", "?object . ?object :P3 ?x }"), "prefix : is not declared"),
        (("?object }", "?object SERVICE <http://x/> { ?a ?b ?c } }"), "SERVICE works on one engine only"),
        (("?object }", "?object . hint:Query hint:optimizer 'None' }"), "hint: works on one engine only"),
        (
            ("?object }", "?object . INCLUDE %sub }"),
            "a named subquery (WITH, INCLUDE) works on one engine only",
        ),
        (("?object }", "?object BIND(NOW() AS ?x) }"), "NOW may give other rows every time"),
        (("SELECT ", "SELECT REDUCED "), "REDUCED may give other rows every time"),
        (("?rank ?start", "?ranking ?start"), "?rank is not selected"),
        (("?subject ?object ?statement ?rank ?start ?end W", "* W"), "?end is not selected"),
        (("ORDER BY ?subject ?object ?statement", ""), "no ORDER BY ?subject ?object ?statement at the end"),
        (("ORDER BY ?subject ?object ?statement", "# ORDER BY ?subject ?object ?statement"), "no ORDER BY"),
        (("ORDER BY ?subject ?object", "ORDER BY ?subject"), "no ORDER BY ?object at the end"),
        (("SELECT ?subject ?object ?statement ?rank ?start ?end WHERE", "ASK"), "it is not one SELECT query"),
        (("SELECT", "DELETE WHERE { ?a ?b ?c } ; SELECT"), "it is not one SELECT query"),
    ],
)
def test_what_is_not_portable_is_named(change, problem):
    assert change[0] in GOOD
    found = topics.check_query(GOOD.replace(*change))
    assert any(line.startswith(problem) for line in found), found


@pytest.mark.parametrize("name", ALL)
def test_every_packaged_query_is_portable_and_parses(name):
    topic = topics.load(name)
    assert topics.check_query(topic.query) == []
    assert rows(pyoxigraph.Store().query(topic.query)) == []
