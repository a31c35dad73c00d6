"""Names of entities."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from polyfact.builders.sources._protocol import Source
from polyfact.schemas import Label

__all__ = ["labels_of"]

_BATCH = 500
_WIKIDATA = "http://www.wikidata.org/entity/"
_LOCAL = "urn:polyfact:local:"

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

    What has no label is absent: no language stands in for another. mul_for: the languages (in Latin script, never
    another) that take Wikidata's default label for all languages where they have none; its source is then "mul".
    """
    found: dict[str, dict[str, Label]] = {}
    codes = [*languages, "mul"] if mul_for else languages
    wanted = ", ".join(f'"{code}"' for code in codes)
    for first in range(0, len(entities), _BATCH):
        batch = {_iri(identity): identity for identity in entities[first : first + _BATCH]}
        query = _QUERY.format(entities=" ".join(f"<{iri}>" for iri in batch), languages=wanted)
        for row in source.select(query):
            identity, label = batch[row["entity"].value], row["label"]
            known = found.setdefault(identity, {})
            code = label.language or ""
            known.setdefault(code, Label(entity=identity, language=code, text=label.value))
    for identity, known in found.items():
        default = known.pop("mul", None)
        for code in languages:
            if default is not None and code in mul_for and code not in known:
                known[code] = Label(entity=identity, language=code, text=default.text, source="mul")
    return {identity: known for identity, known in found.items() if known}


def _iri(identity: str) -> str:
    local = identity.startswith("local:")
    return _LOCAL + identity.removeprefix("local:") if local else _WIKIDATA + identity
