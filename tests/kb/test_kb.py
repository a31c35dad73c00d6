import gzip
import hashlib
import unicodedata

import pytest

from polyfact import kb
from polyfact.builders.sources import Embedded

PREFIXES = """PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
PREFIX p: <http://www.wikidata.org/prop/>
PREFIX ps: <http://www.wikidata.org/prop/statement/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
"""


def values(query, *names):
    rows = Embedded().select(PREFIXES + query)
    return [tuple(row[name].value for name in names) for row in rows]


def test_file_is_the_one_that_its_description_speaks_of():
    assert hashlib.sha256(gzip.decompress(kb.path().read_bytes())).hexdigest() == kb.info().sha256
    assert kb.info().sha256.startswith(kb.info().version)
    assert (kb.path().parent / "NOTICE").is_file()


def test_counts():
    assert kb.info().counts["elements"] == 118
    assert kb.info().counts["territories"] == 250
    assert len(values("SELECT ?s WHERE { ?s wdt:P31 wd:Q3624078 }", "s")) == kb.info().counts["sovereign states"] == 193


@pytest.mark.parametrize(
    ("country", "relation", "expected"),
    [
        ("Q38", "P36", {"Rome"}),
        ("Q16", "P37", {"English", "French"}),
        ("Q35", "P36", {"Copenhagen"}),
        ("Q55", "P37", {"Dutch"}),
        ("Q668", "P37", {"Hindi", "English"}),
    ],
)
def test_facts(country, relation, expected):
    query = f'SELECT ?l WHERE {{ wd:{country} wdt:{relation} ?o . ?o rdfs:label ?l FILTER(LANG(?l) = "en") }}'
    assert {label for (label,) in values(query, "l")} == expected


def test_statements_agree_with_direct_claims():
    for relation in ("P36", "P37", "P246"):
        direct = values(f"SELECT ?s ?o WHERE {{ ?s wdt:{relation} ?o }} ORDER BY ?s ?o", "s", "o")
        query = f"SELECT ?s ?o WHERE {{ ?s p:{relation} ?st . ?st ps:{relation} ?o }} ORDER BY ?s ?o"
        assert values(query, "s", "o") == direct
        assert direct


@pytest.mark.parametrize(
    ("language", "script"), [("hi", "DEVANAGARI"), ("el", "GREEK"), ("or", "ORIYA"), ("ru", "CYRILLIC")]
)
def test_labels_are_in_the_script_of_their_language(language, script):
    labels = values(f'SELECT ?l WHERE {{ ?s rdfs:label ?l FILTER(LANG(?l) = "{language}") }}', "l")
    assert len(labels) > 300
    wrong = {label for (label,) in labels for c in label if c.isalpha() and not unicodedata.name(c).startswith(script)}
    assert not wrong


def test_element_names_are_distinct_in_every_language():
    for language in ("en", "it", "tr", "hi"):
        query = f'SELECT ?l WHERE {{ ?s wdt:P246 ?symbol ; rdfs:label ?l FILTER(LANG(?l) = "{language}") }}'
        assert len(set(values(query, "l"))) == 118


def test_no_wikidata_id_that_no_source_gave():
    ids = {s for (s,) in values("SELECT ?s WHERE { ?c wdt:P36 ?s }", "s")} | {
        s for (s,) in values("SELECT ?s WHERE { ?s wdt:P246 ?x }", "s")
    }
    assert all(identity.startswith("urn:polyfact:local:") for identity in ids)
