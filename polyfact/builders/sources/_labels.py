"""Names of entities."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from polyfact.builders.sources._protocol import Source
from polyfact.schemas import Label

__all__ = ["labels_of"]

_BATCH = 500
_WIKIDATA = "http://www.wikidata.org/entity/"
_LOCAL = "urn:polyfact:local:"

_DOUBTFUL = """SELECT ?entity ?language WHERE {{
  VALUES ?entity {{ {entities} }}
  ?entity <urn:polyfact:doubtful-name> ?language .
}} ORDER BY ?entity ?language"""

_QUERY = """PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT ?entity ?label WHERE {{
  VALUES ?entity {{ {entities} }}
  ?entity rdfs:label ?label .
  FILTER(LANG(?label) IN ({languages}))
}} ORDER BY ?entity ?label"""


def labels_of(
    source: Source, entities: Sequence[str], languages: Sequence[str], *, mul_for: Collection[str] = ()
) -> dict[str, dict[str, Label]]:
    """The label of each entity in each of the languages, by entity id and language code.

    What has no label is absent: no language stands in for another, and an entity's own id, which label services give
    where there is none, is not a label. mul_for: the languages (in Latin script, never
    another) that take Wikidata's default label for all languages where they have none; its source is then "mul".
    """
    found: dict[str, dict[str, Label]] = {}
    codes = [*languages, "mul"] if mul_for else languages
    wanted = ", ".join(f'"{code}"' for code in codes)
    for first in range(0, len(entities), _BATCH):
        batch = {_iri(identity): identity for identity in entities[first : first + _BATCH]}
        listed = " ".join(f"<{iri}>" for iri in batch)
        doubtful = _doubtful(source, listed)
        for row in source.select(_QUERY.format(entities=listed, languages=wanted)):
            iri, label = row["entity"].value, row["label"]
            identity, code = batch[iri], label.language or ""
            if label.value.strip() in ("", identity):
                continue
            known = found.setdefault(identity, {})
            unsure = (iri, code) in doubtful
            known.setdefault(code, Label(entity=identity, language=code, text=label.value, doubtful=unsure))
    for identity, known in found.items():
        default = known.pop("mul", None)
        for code in languages:
            if default is not None and code in mul_for and code not in known:
                known[code] = Label(entity=identity, language=code, text=default.text, source="mul")
    return {identity: known for identity, known in found.items() if known}


def _doubtful(source: Source, listed: str) -> set[tuple[str, str]]:
    """IRI and language of the names that the embedded knowledge base marks; no other source marks any."""
    if source.name != "embedded":
        return set()
    rows = source.select(_DOUBTFUL.format(entities=listed))
    return {(row["entity"].value, row["language"].value) for row in rows}


def _iri(identity: str) -> str:
    local = identity.startswith("local:")
    return _LOCAL + identity.removeprefix("local:") if local else _WIKIDATA + identity
