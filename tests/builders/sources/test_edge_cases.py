"""What a source hands on of the statements that are not plain facts, from a real server; and what a live one refuses."""

import datetime
import http.server
import threading
from pathlib import Path

import pytest

from polyfact import topics
from polyfact.builders._facts import extract
from polyfact.builders.sources import Embedded, SparqlEndpoint, Term, labels_of, open_source
from polyfact.errors import DataError, PolyfactError, UsageError
from polyfact.schemas import Fact, Rejected
from tests.support.oxigraph import serve

EDGES = Path(__file__).with_name("edge_cases.nt")
TOWNS = ["local:new-town", "local:old-town", "local:never-town"]


@pytest.fixture(scope="module")
def edges(tmp_path_factory):
    with serve(tmp_path_factory.mktemp("edges"), EDGES.read_bytes()) as url:
        yield open_source(url)


def test_only_the_best_statement_that_still_holds_is_a_fact(edges):
    topic = topics.load("capitals")
    results = list(extract(topic, edges.select(topic.query), edges, datetime.date(2026, 11, 30)))
    assert [(r.subject, r.object.id, r.rank) for r in results if isinstance(r, Fact)] == [
        ("local:b", "local:new-town", "preferred")
    ]
    assert sorted(r.reason for r in results if isinstance(r, Rejected)) == [
        "ended",
        "not-best-rank",
        "unknown-value",
    ]
    then = extract(topic, edges.select(topic.query), edges, datetime.date(1990, 1, 1))
    assert {r.object.id for r in then if isinstance(r, Fact)} == {"local:new-town", "local:old-town"}


def test_blank_nodes_dates_and_languages_arrive_as_what_they_are(edges):
    rows = edges.select("SELECT ?o WHERE { <urn:st:unknown> <http://www.wikidata.org/prop/statement/P36> ?o }")
    assert [row["o"].kind for row in rows] == ["bnode"]
    rows = edges.select("SELECT ?o WHERE { <urn:st:ended> <http://www.wikidata.org/prop/qualifier/P582> ?o }")
    date = "http://www.w3.org/2001/XMLSchema#dateTime"
    assert rows == [{"o": Term("1997-12-10T00:00:00Z", "literal", None, date)}]
    rows = edges.select('SELECT ?l ?x WHERE { ?s ?p ?l FILTER(LANG(?l) = "en") OPTIONAL { ?l ?x ?l } }')
    assert rows == [{"l": Term('Cafe\u0301 "x"\nline', "literal", "en", None)}]


def test_the_default_label_is_taken_only_where_it_is_asked_for(edges):
    plain = labels_of(edges, TOWNS, ["en", "it", "hi"])
    assert {code: label.text for code, label in plain["local:old-town"].items()} == {
        "it": "Città Vecchia",
        "en": 'Café "x"\nline',
    }
    assert "local:new-town" not in plain
    latin = labels_of(edges, TOWNS, ["en", "it", "hi"], mul_for=["en", "it"])
    assert {code: (label.text, label.source) for code, label in latin["local:new-town"].items()} == {
        "en": ("New Town", "mul"),
        "it": ("New Town", "mul"),
    }
    assert latin["local:old-town"]["it"].source == "native"
    assert "local:never-town" not in latin


def test_many_entities_are_asked_for_in_batches(edges):
    found = labels_of(edges, [f"local:nobody-{n}" for n in range(1200)] + TOWNS, ["it"])
    assert set(found) == {"local:old-town"}


def test_a_query_that_the_server_does_not_understand(edges):
    with pytest.raises(DataError, match="does not understand the query"):
        edges.select("SELECT ?x WHERE { ?x wdt:P31 wd:Q5 }")


@pytest.mark.parametrize("query", ["ASK { ?s ?p ?o }", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"])
def test_what_is_no_select_is_refused_in_process(query):
    with pytest.raises(DataError, match="not a SELECT"):
        Embedded().select(query)


def test_a_service_that_is_somewhere_else_is_refused_in_process():
    with pytest.raises(DataError, match="cannot be answered"):
        Embedded().select("SELECT ?s WHERE { SERVICE <http://127.0.0.1:9/x> { ?s ?p ?o } }")


@pytest.mark.parametrize(
    "url", ["https://example.org/sparql", "http://192.0.2.1/sparql", "http://localhost.example.org/"]
)
def test_a_service_elsewhere_wants_a_contact(url):
    with pytest.raises(UsageError, match="wants to know who asks"):
        open_source(url)
    assert open_source(url, contact="me@example.org").endpoint == url


@pytest.mark.parametrize("url", ["http://127.0.0.1:7878/query", "http://localhost:1/", "http://[::1]:1/"])
def test_a_service_on_this_machine_wants_none(url):
    assert open_source(url).endpoint == url


def test_a_contact_cannot_smuggle_a_header_and_an_address_must_be_one():
    with pytest.raises(UsageError, match="one line"):
        open_source("wikidata", contact="me@example.org\r\nX-Evil: 1")
    with pytest.raises(UsageError, match="not an address"):
        open_source("http://[::1/")


class _Once(http.server.BaseHTTPRequestHandler):
    status, headers_out, body, length = 200, {}, b"", None

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(self.status)
        for name, value in self.headers_out.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(self.length or len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def answering():
    """A server that gives one answer, set as attributes of a handler of its own."""
    handler = type("Handler", (_Once,), {})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield (
        handler,
        SparqlEndpoint(f"http://127.0.0.1:{server.server_port}/", user_agent="polyfact tests", timeout=5),
    )
    server.shutdown()
    server.server_close()
    thread.join()


JSON = {"Content-Type": "application/sparql-results+json"}


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"status": 429, "headers_out": {"Retry-After": "17"}}, PolyfactError, "try again after 17 seconds"),
        ({"status": 403, "body": b"You have been banned"}, PolyfactError, "refuses you"),
        ({"status": 404}, PolyfactError, "EndPointNotFound"),
        ({"headers_out": JSON, "body": b'{"head":', "length": 500}, DataError, "cut off"),
        ({"headers_out": JSON, "body": b'{"head":{},"boolean":true}'}, DataError, "not a query result"),
        (
            {"headers_out": JSON, "body": b'{"results":{"bindings":[{"s":{"type":"triple"}}]}}'},
            DataError,
            "not a query result",
        ),
        ({"headers_out": JSON, "body": b"[]"}, DataError, "not a query result"),
        (
            {"headers_out": {"Content-Type": "text/html"}, "body": b"<html>"},
            DataError,
            "address of a SPARQL endpoint",
        ),
    ],
)
def test_each_fault_says_what_to_do(answering, given, error, message):
    handler, source = answering
    for name, value in given.items():
        setattr(handler, name, value)
    with pytest.raises(error, match=message) as raised:
        source.select("SELECT * WHERE { ?s ?p ?o }")
    assert raised.value.where == source.endpoint
    assert raised.value.fix
    assert source.retrieved_at() is None


def test_a_server_that_never_answers_is_given_up(edges):
    import socket

    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        source = SparqlEndpoint(f"http://127.0.0.1:{silent.getsockname()[1]}/", user_agent="polyfact tests", timeout=1)
        with pytest.raises(PolyfactError, match="no answer: .*timed out"):
            source.select("SELECT * WHERE { ?s ?p ?o }")
