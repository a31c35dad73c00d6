"""A service that is busy is asked again, an answer that is cut off is never used; merged entities; case ids as shared."""

import datetime

import pytest

from polyfact import topics
from polyfact.builders._facts import extract
from polyfact.builders.sources import Embedded, SparqlEndpoint, Term, follow, labels_of, open_source, redirects_of
from polyfact.errors import DataError, PolyfactError
from polyfact.schemas import Fact
from tests.cases.knowledge import Store, serve

QUERY = "SELECT ?s WHERE { ?s ?p ?o }"
GOOD = {"body": '{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri","value":"http://x"}}]}}'}
CUT = {
    "body": '{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri","value":"http://x"}},\njava.util.Timeout'
}


def busy(status=429, **headers):
    return {"status": status, "headers": headers, "body": "<html>Too Many Requests"}


def ask(answers, **how):
    """The rows or the error, the waits, and how often was asked."""
    waits = []
    with serve(answers) as (address, asked):
        source = open_source(address, wait=waits.append) if not how else SparqlEndpoint(address, user_agent="x", **how)
        try:
            found = source.select(QUERY)
        except PolyfactError as error:
            found = error
    return found, waits, len(asked)


def test_q14_a_wait_as_long_as_the_service_wants_and_no_half_answer():
    found, waits, asked = ask([busy(**{"Retry-After": "9"}), CUT, GOOD])
    assert found == [{"s": Term("http://x", "iri")}]
    assert (waits, asked) == ([9.0], 3)


def test_a_page_in_the_place_of_an_answer_is_not_used_and_asked_again():
    found, waits, asked = ask([{"body": "<html>Bad gateway</html>"}, {"body": ""}, GOOD])
    assert found == [{"s": Term("http://x", "iri")}]
    assert (waits, asked) == ([], 3)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_without_a_word_from_the_service_the_waits_grow(status):
    found, waits, asked = ask([busy(status)] * 3 + [GOOD])
    assert len(found) == 1
    assert (waits, asked) == ([2.0, 4.0, 8.0], 4)


def test_it_gives_up_in_the_end():
    found, waits, asked = ask([busy()] * 9)
    assert isinstance(found, PolyfactError)
    assert "429" in str(found)
    assert (waits, asked) == ([2.0, 4.0, 8.0], 4)
    found, waits, asked = ask([CUT] * 9)
    assert isinstance(found, DataError)
    assert (waits, asked) == ([], 4)


@pytest.mark.parametrize("answer", [busy(403), busy(404), busy(400), {"body": "[]"}, busy(**{"Retry-After": "86400"})])
def test_what_will_not_pass_is_not_asked_again(answer):
    found, waits, asked = ask([answer, GOOD])
    assert isinstance(found, PolyfactError)
    assert (waits, asked) == ([], 1)


def test_a_date_to_wait_for_is_not_understood_and_waits_like_none():
    assert ask([busy(**{"Retry-After": "Fri, 07 Nov 2031 23:59:59 GMT"}), GOOD])[1] == [2.0]


def test_one_attempt_is_one_attempt():
    assert ask([busy(), GOOD], attempts=1)[2] == 1


@pytest.fixture
def store():
    store = Store()
    store.redirect("Q200", "Q100")
    store.redirect("Q300", "Q200")
    store.label("Q100", "hi", "Q100")
    store.label("Q100", "it", "Cento")
    return store


def entity(identity):
    return Term(f"http://www.wikidata.org/entity/{identity}", "iri")


def statement(number, subject, value):
    return {"subject": entity(subject), "object": entity(value), "statement": Term(f"urn:s{number}", "iri")}


def test_q10_a_merged_entity_counts_once_and_its_statement_can_be_traced(store):
    redirects = redirects_of(store, ["Q1", "Q100", "Q200", "Q300", "local:x"])
    assert redirects == {"Q200": "Q100", "Q300": "Q200"}
    rows = [statement(1, "Q1", "Q300"), statement(2, "Q1", "Q100"), statement(3, "Q200", "Q5")]
    followed, replaced = follow(rows, redirects)
    assert replaced == ["Q200->Q100", "Q300->Q100"]
    results = list(extract(topics.load("official-languages"), followed, store, datetime.date(2026, 11, 30)))
    facts = [(r.subject, r.object.id, r.source.statement_id) for r in results if isinstance(r, Fact)]
    assert facts == [("Q1", "Q100", "urn:s1"), ("Q100", "Q5", "urn:s3")]
    assert [r.reason for r in results if not isinstance(r, Fact)] == ["repeated"]


def test_rows_without_merged_entities_are_left_alone(store):
    literal = [{"subject": entity("Q1"), "object": Term("Q200", "literal"), "statement": entity("Q200")}]
    assert follow(literal, {"Q200": "Q100"}) == (literal, [])
    assert redirects_of(Embedded(), ["Q38", "Q652"]) == {}


def test_a_circle_and_two_targets_are_refused(store):
    with pytest.raises(DataError, match="lead nowhere"):
        follow([statement(1, "Q1", "Q2")], {"Q2": "Q3", "Q3": "Q2"})
    store.redirect("Q200", "Q7")
    with pytest.raises(DataError, match="merged into Q100 and Q7"):
        redirects_of(store, ["Q200"])


def test_q05_an_id_is_no_label(store):
    assert set(labels_of(store, ["Q100"], ["hi", "it"])["Q100"]) == {"it"}
    assert labels_of(store, ["Q100"], ["hi"]) == {}
