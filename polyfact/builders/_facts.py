"""From a knowledge base's statements to facts: the one place that knows what a statement means.

Best rank (preferred if any, else normal; never deprecated), then only what is true on the recipe's day; an unknown or
missing value is never a fact.
"""

from __future__ import annotations

import datetime
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from polyfact.builders.sources import Row, Source, Term
from polyfact.schemas import Fact, Rejected, SourceRef, Value
from polyfact.topics import Topic

__all__ = ["entity_id", "extract", "select_subjects"]

WIKIDATA = "http://www.wikidata.org/entity/"
LOCAL = "urn:polyfact:local:"
_UNKNOWN = ("/.well-known/genid/", "_:")


def entity_id(term: Term) -> str | None:
    """The entity id of an IRI: a Wikidata id, ``local:…`` for our own, None for unknown values and other IRIs."""
    if term.kind != "iri" or any(mark in term.value for mark in _UNKNOWN):
        return None
    if term.value.startswith(WIKIDATA):
        return term.value.removeprefix(WIKIDATA)
    return "local:" + term.value.removeprefix(LOCAL) if term.value.startswith(LOCAL) else None


def extract(topic: Topic, rows: Iterable[Row], source: Source, as_of: datetime.date) -> Iterator[Fact | Rejected]:
    """The facts of a topic that hold on ``as_of``, in order of subject and object; every other row with its reason.

    rows: what the topic's query gave, from ``source``.

    Reasons: unknown-value, no-value (it is known that there is none), wrong-type, deprecated, not-best-rank, not-yet,
    ended, repeated.
    """
    retrieved_at = source.retrieved_at()
    statements: dict[str, list[tuple[Row, Value]]] = defaultdict(list)
    for row in rows:
        subject = entity_id(row["subject"])
        where = row["statement"].value.rsplit("/", 1)[-1] if "statement" in row else row["subject"].value
        value = _value(row["object"], topic.object.type) if "object" in row else None
        if subject is None or value is None:
            yield Rejected(stage="facts", id=f"{topic.name}/{where}", reason=_no_fact(row))
        else:
            statements[subject].append((row, value))
    for subject in sorted(statements):
        yield from _of_subject(topic, subject, statements[subject], as_of, source, retrieved_at)


def _of_subject(
    topic: Topic,
    subject: str,
    statements: Sequence[tuple[Row, Value]],
    as_of: datetime.date,
    source: Source,
    retrieved_at: str | None,
) -> Iterator[Fact | Rejected]:
    preferred = any(_rank(row) == "preferred" for row, _ in statements)
    seen: set[str] = set()
    for row, value in sorted(statements, key=lambda pair: (pair[1].id, _text(pair[0], "statement") or "")):
        fact_id = f"{topic.name}/{subject}/{topic.relation}/{value.id}"
        start, end = _text(row, "start"), _text(row, "end")
        rank = _rank(row)
        reason = None
        if rank == "deprecated":
            reason = "deprecated"
        elif preferred and rank != "preferred":
            reason = "not-best-rank"
        elif start is not None and _day(start) > as_of.isoformat():
            reason = "not-yet"
        elif "end" in row and (end is None or _day(end) <= as_of.isoformat()):
            reason = "ended"
        elif value.id in seen:
            reason = "repeated"
        if reason is not None:
            yield Rejected(stage="facts", id=fact_id, reason=reason, detail=_text(row, "statement") or "")
            continue
        seen.add(value.id)
        yield Fact(
            fact_id=fact_id,
            topic=topic.name,
            subject=subject,
            property=topic.relation,
            object=value,
            rank="preferred" if rank == "preferred" else "normal",
            start=start,
            end=end,
            source=SourceRef(
                kind=source.name,
                endpoint=source.endpoint,
                statement_id=_text(row, "statement"),
                revision=source.revision() or None,
                retrieved_at=retrieved_at,
            ),
        )


def _value(term: Term, kind: str) -> Value | None:
    if kind == "entity":
        identity = entity_id(term)
        return None if identity is None else Value(kind="entity", id=identity)
    if term.kind != "literal" or not term.value:
        return None
    if kind == "quantity":
        number = term.value.removeprefix("+")
        return Value(kind="quantity", id=number, text=number)
    return Value(kind="string", id=term.value, text=term.value)


def _no_fact(row: Row) -> str:
    """Why a row without subject or value is none."""
    if "object" not in row:
        return "no-value"
    return "unknown-value" if row["object"].kind == "bnode" or _is_unknown(row["object"]) else "wrong-type"


def _is_unknown(term: Term) -> bool:
    return any(mark in term.value for mark in _UNKNOWN)


def _rank(row: Row) -> str:
    rank = row["rank"].value.rsplit("#", 1)[-1].removesuffix("Rank").lower() if "rank" in row else "normal"
    return rank if rank in ("preferred", "deprecated") else "normal"


def _text(row: Row, name: str) -> str | None:
    """The value of a cell; None where there is none or it is unknown (a blank node, or the IRI that stands for one)."""
    known = name in row and row[name].kind != "bnode" and not _is_unknown(row[name])
    return row[name].value if known else None


def _day(moment: str) -> str:
    """The day of a point in time such as +1997-12-10T00:00:00Z; comparable as text for four-digit years."""
    return "" if moment.startswith("-") else moment.removeprefix("+")[:10]


def select_subjects(
    facts: Iterable[Fact],
    labels: Mapping[str, Mapping[str, object]],
    languages: Sequence[str],
    most: int | None,
    wanted: Sequence[str] = (),
) -> Iterator[Fact | Rejected]:
    """At most ``most`` subjects of one topic, the same for every run: first those that are named in every language.

    Among equals the order is that of the SHA-256 of the subject's id, which favours no country or letter. Before them
    comes one subject for each of the ``wanted`` answers (those of the prompt languages' own regions, without which no
    inference bias can be measured), as long as they leave half of the places to the others.
    facts must come subject by subject.
    """
    groups = {subject: list(group) for subject, group in groupby(facts, key=lambda fact: fact.subject)}

    def complete(subject: str) -> bool:
        group = groups[subject]
        ids = [subject, *(fact.object.id for fact in group if fact.object.kind == "entity")]
        return all(language in labels.get(identity, {}) for identity in ids for language in languages)

    ordered = sorted(groups, key=lambda subject: (not complete(subject), hashlib.sha256(subject.encode()).hexdigest()))
    places = most or len(ordered)
    chosen: list[str] = []
    for answer in wanted:
        holder = next((s for s in ordered if complete(s) and answer in {f.object.id for f in groups[s]}), None)
        if holder is not None and holder not in chosen and len(chosen) < places // 2:
            chosen.append(holder)
    chosen += [subject for subject in ordered if subject not in chosen][: places - len(chosen)]
    for subject, group in groups.items():
        for fact in group:
            if subject in chosen:
                yield fact
            else:
                yield Rejected(stage="facts", id=fact.fact_id, reason="over-max-subjects")
