"""From a knowledge base's statements to facts, labels, dates and answers."""

from __future__ import annotations

import datetime
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from polyfact import languages, topics
from polyfact.builders._drafts import draft
from polyfact.builders._facts import extract
from polyfact.builders.sources import Row, Source, Term, follow, labels_of, open_source, redirects_of
from polyfact.errors import PolyfactError, UsageError
from polyfact.schemas import Fact, Item, Label, Rejected
from polyfact.workspace import TopicUse
from tests.cases.compare import Checks, differences
from tests.cases.knowledge import ENTITY, Store, serve

RANK = "http://wikiba.se/ontology#{}Rank"
TODAY = datetime.date(2026, 11, 30)
REASONS = {"unknown-value": "somevalue", "no-value": "novalue"}


# --- facts ----------------------------------------------------------------------------------------------------------


def _entity(identity: str) -> Term:
    return Term(ENTITY + identity, "iri")


def _object(value: Any) -> Term:
    text = str(value)
    return _entity(text) if text[:1] == "Q" and text[1:].isdigit() else Term(text, "literal")


def _statement_rows(statements: Sequence[Mapping[str, Any]]) -> list[Row]:
    rows: list[Row] = []
    for number, statement in enumerate(statements):
        row = {"subject": _entity("Q1"), "statement": Term(f"{ENTITY}statement/Q1-{number}", "iri")}
        value = statement.get("value")
        kind = statement.get("snaktype") or statement.get("type") or value
        if kind == "somevalue":
            row["object"] = Term(f"unknown{number}", "bnode")
        elif kind != "novalue" and value is not None:
            row["object"] = _object(value["id"] if isinstance(value, Mapping) else value)
        rank = re.split("[#:]", statement.get("rank", "normal"))[-1].removesuffix("Rank")
        row["rank"] = Term(RANK.format(rank.capitalize()), "iri")
        qualifiers = {**statement, **statement.get("qualifiers", {})}
        for name, other in (("start", "P580"), ("end", "P582")):
            moment = qualifiers.get(name, qualifiers.get(other))
            if moment is not None:
                row[name] = Term(str(moment), "literal")
        rows.append(row)
    return rows


def _binding_rows(bindings: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Bindings as an endpoint sends them, read by polyfact's own client; what they leave out is filled in."""
    body = json.dumps({"head": {"vars": []}, "results": {"bindings": bindings}})
    with serve([{"body": body}]) as (address, _):
        rows = open_source(address).select("SELECT ?o WHERE { ?s ?p ?o }")
    names = {"o": "object", "s": "subject", "st": "statement", "value": "object"}
    filled: list[Row] = []
    for number, row in enumerate(rows):
        named = {names.get(name, name): term for name, term in row.items()}
        blank = {"subject": _entity("Q1"), "statement": Term(f"{ENTITY}statement/Q1-{number}", "iri")}
        filled.append({**blank, **named})
    return filled


def facts_from_statements(case: dict[str, Any]) -> list[str]:
    """Statements with values and ranks, or bindings of a query's result."""
    given, checks = case["input"], Checks(case)
    rows = _statement_rows(given["statements"]) if "statements" in given else _binding_rows(given["bindings"])
    day = datetime.date.fromisoformat(given["at"]) if "at" in given else TODAY
    topic = topics.load("official-languages")
    if any(row["object"].kind == "literal" for row in rows if "object" in row):
        topic = topic.model_copy(update={"object": topic.object.model_copy(update={"type": "string"})})
    results = list(extract(topic, rows, Store(), day))
    facts = [result for result in results if isinstance(result, Fact)]
    dropped = Counter(result.reason for result in results if isinstance(result, Rejected))
    checks.among("values", [fact.object.id for fact in facts])
    found = {REASONS.get(reason, reason.replace("-", "_")): n for reason, n in dropped.items()}
    # Of unknown and missing values all must be named; a case about them may leave out what fell for other reasons.
    named = {"somevalue", "novalue", *checks.expected.get("dropped", {})}
    checks.value("dropped", {reason: n for reason, n in found.items() if reason in named})
    checks.among("flags", ["only_deprecated"] if not facts and set(dropped) == {"deprecated"} else [])
    if len(facts) + sum(dropped.values()) != len(rows):
        checks.lines.append("a statement is neither a fact nor dropped")
    return checks.done()


def resolve_ids(case: dict[str, Any]) -> list[str]:
    """Facts of subjects and objects, and which entities were merged into which."""
    given, checks = case["input"], Checks(case)
    store = Store()
    for old, new in given["redirects"].items():
        store.redirect(old, new)
    rows: list[Row] = [
        {"subject": _entity(fact["s"]), "object": _entity(fact["o"]), "statement": Term(f"{ENTITY}statement/{n}", "iri")}
        for n, fact in enumerate(given["facts"])
    ]
    ids = [fact[name] for fact in given["facts"] for name in ("s", "o")]
    # What was merged may have been merged again: ask until no new id comes up.
    redirects: dict[str, str] = {}
    while ids:
        found = redirects_of(store, ids)
        redirects |= found
        ids = [identity for identity in found.values() if identity not in redirects]
    try:
        followed, replaced = follow(rows, redirects)
    except PolyfactError as error:
        checks.check("error", lambda _: True)
        return checks.done() if "error" in checks.expected else [str(error)]
    results = list(extract(topics.load("official-languages"), followed, store, TODAY))
    facts = [result for result in results if isinstance(result, Fact)]
    order = [(row["s"], row["o"]) for row in checks.expected.get("facts", [])]
    pairs = [(fact.subject, fact.object.id) for fact in facts]
    # Facts have no order: those that are expected stand first, in the order of the case.
    pairs.sort(key=lambda pair: order.index(pair) if pair in order else len(order))
    checks.value("facts", [{"s": subject, "o": value} for subject, value in pairs])
    checks.value("count_answer", len({fact.object.id for fact in facts}))
    checks.value("provenance_keeps", replaced)
    return checks.done()


def classify(case: dict[str, Any]) -> list[str]:
    """Subjects and all their values: drafted by a topic of one answer and by one of many."""
    given, checks = case["input"], Checks(case)
    (values,) = given.values()
    values = {name: each or [] for name, each in values.items()}
    subjects = {f"Q{100 + n}": name for n, name in enumerate(values)}
    answers = {f"Q{5000 + n}": text for n, text in enumerate(sorted({v for each in values.values() for v in each}))}
    ids = {text: identity for identity, text in answers.items()}
    rows: list[Row] = [
        {"subject": _entity(s), "object": _entity(ids[v]), "statement": Term(f"{ENTITY}statement/{s}-{v}", "iri")}
        for s, name in subjects.items()
        for v in values[name]
    ]
    # Names that a language can write: what they are is not what is asked.
    labels = {
        identity: {"en": Label(entity=identity, language="en", text=f"Place {chr(65 + n % 26)}{n}")}
        for n, identity in enumerate([*subjects, *answers])
    }
    many = topics.load("official-languages")
    store = Store()
    facts = [fact for fact in extract(many, rows, store, TODAY) if isinstance(fact, Fact)]
    use, english = TopicUse(use=many.name, forms=["completion"]), [languages.load("en")]
    single = many.model_copy(update={"answers": "one"})
    drafts = [list(draft(topic, use, facts, labels, english, TODAY)) for topic in (single, many)]
    one = {row.subject_id: row.expected_ids for row in drafts[0] if isinstance(row, Item)}
    all_ = {row.subject_id: row.expected_ids for row in drafts[1] if isinstance(row, Item)}
    rejected = [row for row in drafts[0] if isinstance(row, Rejected) and row.reason == "several-answers"]
    several = {row.id.split("/")[1] for row in rejected}
    checks.value("single", [name for subject, name in subjects.items() if subject in one])
    checks.value("multi", [name for subject, name in subjects.items() if subject in several and subject in all_])
    checks.value("dropped", [name for subject, name in subjects.items() if subject not in all_])
    for subject, found in all_.items():
        wanted = sorted({ids[value] for value in values[subjects[subject]]})
        checks.lines += differences(wanted, sorted(found), 0.0, subjects[subject])
    if several != all_.keys() - one.keys():
        checks.lines.append("a topic of one answer took one of several")
    return checks.done()


# --- labels ---------------------------------------------------------------------------------------------------------

# Languages that polyfact has no file for and that are not written in Latin letters.
_OTHER_SCRIPT = re.compile("ar|as|b[gn]|el|fa|gu|h[ei]|ja|k[ano]|mai|m[lry]|ne|or|pa|ru|s[air]|t[aeh]|u[kr]|zh")


def _is_latin(code: str) -> bool:
    try:
        return languages.load(code).script == "Latn"
    except UsageError:
        return not _OTHER_SCRIPT.fullmatch(code.split("-")[0])


def label(case: dict[str, Any]) -> list[str]:
    """The labels of an entity, and the language in which one is wanted."""
    given, checks = case["input"], Checks(case)
    found: list[dict[str, str] | None] = []
    for each in given["cases"]:
        code, entity = each["lang"], each.get("service_returned") or each.get("entity") or "Q1"
        store = Store()
        for language, text in each["labels"].items():
            if text is None:
                continue
            store.label(entity, language, text)
        if "service_returned" in each:
            store.label(entity, code, each["service_returned"])
        made = labels_of(store, [entity], [code], mul_for=[code] if _is_latin(code) else []).get(entity, {}).get(code)
        found.append(made and {"text": made.text, "lang": "mul" if made.source == "mul" else made.language})
    checks.value("labels", found)
    return checks.done()


# --- an endpoint that fails -----------------------------------------------------------------------------------------


def fetch(case: dict[str, Any]) -> list[str]:
    """The answers of an endpoint, one after the other."""
    given, checks = case["input"], Checks(case, known=["never"])
    waits: list[float] = []
    contact = "someone@example.org"
    with serve(given["responses"]) as (address, asked):
        source: Source = open_source(address, contact=contact, wait=waits.append)
        error, rows = None, None
        try:
            rows = source.select("SELECT ?o WHERE { ?s ?p ?o }")
        except PolyfactError as failure:
            error = str(failure)
    checks.value("waits_s", [int(each) for each in waits])
    checks.value("rows", None if rows is None else len(rows))
    checks.value("attempts", len(asked))
    checks.value("user_agent_has_contact", all(contact in agent for agent in asked))
    checks.check("error", lambda _: error is not None)
    if error is not None and "error" not in checks.expected and checks.expected.get("rows", 0) is not None:
        checks.lines.append(error)
    return checks.done()


HANDLERS = {
    "facts_from_statements": facts_from_statements,
    "resolve ids": resolve_ids,
    "classify": classify,
    "label": label,
    "fetch": fetch,
}
