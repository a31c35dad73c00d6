"""What the knowledge base says, and what it must not say."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from polyfact import kb
from polyfact.builders.sources import Embedded

PREFIXES = """PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
PREFIX p: <http://www.wikidata.org/prop/>
PREFIX ps: <http://www.wikidata.org/prop/statement/>
PREFIX wikibase: <http://wikiba.se/ontology#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
"""


def values(query: str, *names: str) -> list[tuple[str, ...]]:
    return [tuple(row[name].value for name in names) for row in Embedded().select(PREFIXES + query)]


def objects(country: str, relation: str, language: str = "en") -> set[str]:
    query = f'SELECT ?l WHERE {{ wd:{country} wdt:{relation} ?o . ?o rdfs:label ?l FILTER(LANG(?l) = "{language}") }}'
    return {label for (label,) in values(query, "l")}


@pytest.mark.parametrize(
    ("language", "name"), [("en", "Rome"), ("it", "Roma"), ("tr", "Roma"), ("hi", "रोम"), ("el", "Ρώμη")]
)
def test_capital_of_italy_in_every_language(language, name):
    assert objects("Q38", "P36", language) == {name}


@pytest.mark.parametrize(
    ("code", "languages"),
    [
        ("CA", {"English", "French"}),
        ("BE", {"Dutch", "French", "German"}),
        ("FI", {"Finnish", "Swedish"}),
        ("NO", {"Norwegian"}),  # the two written standards are not counted again
        ("IL", {"Hebrew"}),  # what is no longer official is left out …
        ("ZA", set()),  # … and a list that is incomplete is no list
        ("US", set()),  # English was official only in fact
    ],
)
def test_official_languages(code, languages):
    query = f'SELECT ?c WHERE {{ ?c wdt:P297 "{code}" }}'
    ((country,),) = values(query, "c")
    assert objects(country.rsplit("/", 1)[-1], "P37") == languages


def test_realms_are_not_taken_for_countries():
    assert values('SELECT ?c WHERE { ?c wdt:P297 "DK" }', "c") == [("http://www.wikidata.org/entity/Q35",)]
    assert values('SELECT ?c WHERE { ?c wdt:P297 "NL" }', "c") == [("http://www.wikidata.org/entity/Q55",)]
    assert not values("SELECT ?p WHERE { VALUES ?s { wd:Q756617 wd:Q29999 } ?s ?p ?o }", "p")


def test_capitals_that_the_source_has_wrong():
    names = {name for (name,) in values('SELECT ?l WHERE { ?c wdt:P36/rdfs:label ?l FILTER(LANG(?l) = "en") }', "l")}
    assert not names & {"Tongatapu", "Nur-Sultan", "Colombo"}
    assert names >= {"Nuku'alofa", "Astana"}
    assert all(name == name.strip() for name in names)


def test_every_country_is_named_in_the_languages_that_polyfact_speaks():
    for language in ("en", "it", "tr", "hi"):
        query = f'SELECT ?c WHERE {{ ?c wdt:P31 wd:Q3624078 ; rdfs:label ?l FILTER(LANG(?l) = "{language}") }}'
        assert len(set(values(query, "c"))) == 193


def test_no_english_stands_in_for_hindi():
    query = 'SELECT ?s ?h WHERE { ?s rdfs:label ?h , ?e FILTER(LANG(?h) = "hi" && LANG(?e) = "en" && STR(?h) = STR(?e)) }'
    assert values(query, "s", "h") == []


def test_an_entity_has_one_label_in_a_language():
    query = """SELECT ?s ?g WHERE { ?s rdfs:label ?l BIND(LANG(?l) AS ?g) }
    GROUP BY ?s ?g HAVING (COUNT(?l) > 1)"""
    assert values(query, "s", "g") == []


def test_neighbours_are_mutual_but_for_countries_whose_list_is_left_out():
    pairs = set(values("SELECT ?a ?b WHERE { ?a wdt:P47 ?b }", "a", "b"))
    assert ("http://www.wikidata.org/entity/Q38", "http://www.wikidata.org/entity/Q39") in pairs
    curation = tomllib.loads((Path(__file__).parents[2] / "scripts/kb_curation.toml").read_text(encoding="utf-8"))
    codes = dict(values("SELECT ?c ?code WHERE { ?c wdt:P297 ?code }", "c", "code"))
    assert {codes[b] for a, b in pairs if (b, a) not in pairs} <= set(curation["neighbours_left_out"])
    assert not {a for a, _ in pairs if codes[a] in curation["neighbours_left_out"]}


def test_a_leased_base_is_no_border():
    assert objects("Q30", "P47") == {"Canada", "Mexico"}
    assert objects("Q241", "P47") == set()


def test_time_zones_and_currencies():
    query = "SELECT ?z WHERE { wd:Q668 wdt:P421/rdfs:label ?z }"
    assert values(query, "z") == [("UTC+05:30",)]
    query = "SELECT ?z WHERE { wd:Q38 wdt:P421/rdfs:label ?z }"
    assert values(query, "z") == [("UTC+01:00",)]
    assert len(values("SELECT ?z WHERE { wd:Q159 wdt:P421/rdfs:label ?z }", "z")) == 11  # Russia
    assert values("SELECT ?m WHERE { wd:Q38 wdt:P38/wdt:P498 ?m }", "m") == [("EUR",)]
    assert objects("Q43", "P38", "tr") == {"Türk lirası"}


def test_elements_have_their_symbols_and_numbers():
    query = "SELECT ?s ?n WHERE { ?e wdt:P31 wd:Q11344 ; wdt:P246 ?s ; wdt:P1086 ?n } ORDER BY ?n"
    rows = values(query, "s", "n")
    assert [int(n) for _, n in rows] == list(range(1, 119))
    symbols = {int(n): s for s, n in rows}
    assert (symbols[1], symbols[26], symbols[80], symbols[118]) == ("H", "Fe", "Hg", "Og")
    names = values('SELECT ?l WHERE { ?e wdt:P31 wd:Q11344 ; rdfs:label ?l FILTER(LANG(?l) IN ("en", "it", "tr")) }', "l")
    assert {name for (name,) in names if name[0].isupper()} == set()


def test_every_statement_has_a_rank_and_is_the_best_of_its_kind():
    query = "SELECT ?st ?r WHERE { ?s p:P37 ?st . ?st wikibase:rank ?r ; a wikibase:BestRank }"
    rows = values(query, "st", "r")
    assert (
        len({statement for statement, _ in rows}) == len(rows) == len(values("SELECT ?st WHERE { ?s p:P37 ?st }", "st"))
    )
    assert {rank for _, rank in rows} == {"http://wikiba.se/ontology#NormalRank"}


def test_loading_is_quick_and_cached_and_importing_loads_nothing_heavy():
    code = (
        "import sys, time; from polyfact import kb; from polyfact.builders import sources; "
        "heavy = {'pyoxigraph', 'SPARQLWrapper', 'babel'} & set(sys.modules); assert not heavy, heavy; "
        "start = time.process_time(); store = kb.load(); print(time.process_time() - start); assert kb.load() is store"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1.5


def test_a_missing_package_is_one_clear_line(monkeypatch):
    from polyfact.errors import MissingExtra

    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    kb.load.cache_clear()
    with pytest.raises(MissingExtra, match=r"pyoxigraph is not installed .*polyfact\[build\]"):
        kb.load()
    monkeypatch.undo()
    assert len(kb.load()) == kb.info().counts["triples"]
