"""The same query text gives the same rows in process and over HTTP; a failing endpoint is one clear error."""

import http.server
import threading

import pytest

from polyfact import kb, topics
from polyfact.builders._facts import extract
from polyfact.builders.sources import Embedded, SparqlEndpoint, Term, labels_of, open_source
from polyfact.errors import DataError, PolyfactError, UsageError
from polyfact.schemas import Fact
from tests.support.oxigraph import free_port, serve


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory):
    with serve(tmp_path_factory.mktemp("oxigraph"), kb.text()) as url:
        yield SparqlEndpoint(url, user_agent="polyfact tests", timeout=60)


@pytest.mark.parametrize("name", topics.available())
def test_topic_gives_the_same_rows_in_process_and_over_http(endpoint, name):
    query = topics.load(name).query
    rows = Embedded().select(query)
    assert len(rows) > 100
    assert endpoint.select(query) == rows


def test_labels_are_the_same_in_process_and_over_http(endpoint):
    ids = ["Q38", "Q652", "local:element-1", "local:capital-it"]
    found = labels_of(Embedded(), ids, ["en", "it", "tr", "hi"])
    assert {code: label.text for code, label in found["Q38"].items()} == {
        "en": "Italy",
        "it": "Italia",
        "tr": "İtalya",
        "hi": "इटली",
    }
    assert found["local:capital-it"]["hi"].text == "रोम"
    assert labels_of(endpoint, ids, ["en", "it", "tr", "hi"]) == found


def test_a_language_without_label_is_absent_not_english():
    assert set(labels_of(Embedded(), ["local:element-1"], ["en", "sw"])["local:element-1"]) == {"en"}


EDGES = b"""
<http://www.wikidata.org/entity/Q1> <http://www.wikidata.org/prop/direct/P31> <http://www.wikidata.org/entity/Q3624078> .
<http://www.wikidata.org/entity/Q1> <http://www.wikidata.org/prop/P36> <urn:s1> .
<urn:s1> <http://www.wikidata.org/prop/statement/P36> <urn:polyfact:local:old> .
<urn:s1> <http://wikiba.se/ontology#rank> <http://wikiba.se/ontology#NormalRank> .
<urn:s1> <http://www.wikidata.org/prop/qualifier/P582> "1997-12-10T00:00:00Z" .
<http://www.wikidata.org/entity/Q1> <http://www.wikidata.org/prop/P36> <urn:s2> .
<urn:s2> <http://www.wikidata.org/prop/statement/P36> <urn:polyfact:local:wrong> .
<urn:s2> <http://wikiba.se/ontology#rank> <http://wikiba.se/ontology#DeprecatedRank> .
<http://www.wikidata.org/entity/Q1> <http://www.wikidata.org/prop/P36> <urn:s3> .
<urn:s3> <http://www.wikidata.org/prop/statement/P36> <urn:polyfact:local:new> .
<urn:s3> <http://wikiba.se/ontology#rank> <http://wikiba.se/ontology#NormalRank> .
<http://www.wikidata.org/entity/Q1> <http://www.wikidata.org/prop/P36> <urn:s4> .
<urn:s4> <http://www.wikidata.org/prop/statement/P36> _:unknown .
<urn:s4> <http://wikiba.se/ontology#rank> <http://wikiba.se/ontology#NormalRank> .
"""


def test_ended_deprecated_and_unknown_statements_over_http(tmp_path):
    import datetime

    topic = topics.load("capitals")
    with serve(tmp_path, EDGES) as url:
        source = SparqlEndpoint(url, user_agent="polyfact tests")
        rows = source.select(topic.query)
        results = list(extract(topic, rows, source, datetime.date(2026, 11, 30)))
    assert [r.object.id for r in results if isinstance(r, Fact)] == ["local:new"]
    assert sorted(r.reason for r in results if not isinstance(r, Fact)) == ["ended", "unknown-value"]
    assert source.retrieved_at() is not None


class _Faulty(http.server.BaseHTTPRequestHandler):
    status, body, kind = 200, b"", "application/sparql-results+json"
    agents: list[str] = []

    def do_POST(self):
        self.agents.append(self.headers["User-Agent"])
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(self.status)
        self.send_header("Content-Type", self.kind)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def faulty():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Faulty)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield SparqlEndpoint(f"http://127.0.0.1:{server.server_port}/", user_agent="polyfact (me@example.org)", timeout=5)
    server.shutdown()
    server.server_close()
    thread.join()


CUT = b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri","value":"http://x"}}, java.util.TimeoutException'


@pytest.mark.parametrize(
    ("status", "kind", "body", "error", "message"),
    [
        (429, "text/html", b"<html>slow down</html>", PolyfactError, "status 429"),
        (403, "text/plain", b"You have been banned", PolyfactError, "status 403"),
        (500, "text/plain", b"java.lang", PolyfactError, "the endpoint failed"),
        (502, "text/html", b"bad gateway", PolyfactError, "status 502"),
        (200, "text/html", b"<html></html>", DataError, "the answer is not a query result"),
        (200, "application/sparql-results+json", CUT, DataError, "cut off or not JSON"),
    ],
)
def test_faults_are_clear_errors(faulty, monkeypatch, status, kind, body, error, message):
    for name, value in (("status", status), ("kind", kind), ("body", body)):
        monkeypatch.setattr(_Faulty, name, value)
    with pytest.raises(error, match=message):
        faulty.select("SELECT * WHERE { ?s ?p ?o }")
    assert _Faulty.agents[-1] == "polyfact (me@example.org)"


def test_nobody_there():
    source = SparqlEndpoint(f"http://127.0.0.1:{free_port()}/", user_agent="polyfact tests", timeout=2)
    with pytest.raises(PolyfactError, match="no answer"):
        source.select("SELECT * WHERE { ?s ?p ?o }")


def test_terms_keep_language_and_kind():
    query = (
        "PREFIX wd: <http://www.wikidata.org/entity/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
        'SELECT ?l WHERE { wd:Q38 rdfs:label ?l FILTER(LANG(?l) = "hi") }'
    )
    assert Embedded().select(query) == [{"l": Term("इटली", "literal", "hi", None)}]


def test_broken_query_is_a_clear_error():
    with pytest.raises(DataError, match=r"not SPARQL 1\.1"):
        Embedded().select("SELECT WHERE")


def test_public_services_want_a_contact_and_names_are_checked():
    with pytest.raises(UsageError, match="wants to know who asks"):
        open_source("wikidata")
    with pytest.raises(UsageError, match='did you mean "embedded"'):
        open_source("embeded")
    assert open_source("wikidata", contact="me@example.org").endpoint.startswith("https://")
