"""Names from CLDR as the locale data state them: no other language stands in for a missing name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from babel import localedata
from babel.core import get_global

__all__ = ["CldrNames", "plain"]


class _Locale(NamedTuple):
    """The entries of one language. latin: whether its names are written in Latin letters."""

    data: Mapping[str, Mapping[str, Any]]
    latin: bool


class CldrNames:
    """CLDR's names in every language that has a locale of its own (en, hi, …; not en-GB, zh-Hant).

    A name with Latin letters in a language of another script is English left over, not a name.
    """

    def __init__(self) -> None:
        """Read the locale data that come with Babel."""
        self._root = localedata.load("root", merge_inherited=False)
        self._locales: dict[str, _Locale] = {}
        for code in sorted(localedata.locale_identifiers()):
            if code.isalpha() and code != "root":
                data = _own(code)
                self._locales[code] = _Locale(data, _is_latin(data))

    def names(self, table: str, key: str) -> dict[str, str]:
        """The name of ``key`` (table: territories or languages) by language code."""
        return dict(self._usable((code, locale.data.get(table, {}).get(key)) for code, locale in self._locales.items()))

    def currency(self, key: str) -> dict[str, str]:
        """The name of a currency as it stands in a sentence (US dollar, not US Dollar), by language code."""

        def name(data: Mapping[str, Mapping[str, Any]]) -> str | None:
            counted: str | None = data.get("currency_names_plural", {}).get(key, {}).get("one")
            return counted or data.get("currency_names", {}).get(key)

        return dict(self._usable((code, name(locale.data)) for code, locale in self._locales.items()))

    def cities(self, zone: str) -> tuple[dict[str, str], int]:
        """CLDR's exemplar city of a time zone by language code, and how many of the names are implied.

        A language written in Latin letters leaves out what equals the root's name, which by UTS #35 is the
        last part of the zone's id unless the root states one. Names are implied only where the locale is
        otherwise complete.
        """
        found = dict(self._usable((code, _city(locale.data, zone)) for code, locale in self._locales.items()))
        implied = _city(self._root, zone) or zone.rsplit("/", 1)[-1].replace("_", " ")
        missing = [
            code
            for code, locale in self._locales.items()
            if code not in found and locale.latin and len(locale.data.get("territories", {})) > 240
        ]
        return found | dict.fromkeys(missing, implied), len(missing)

    def zone_of(self, territory: str, city: str, left_out: Mapping[str, str]) -> str | None:
        """The time zone of ``territory`` whose English exemplar city is ``city``, if there is one."""
        for zone, home in sorted(get_global("zone_territories").items()):
            if home == territory and zone not in left_out:
                english = self.cities(zone)[0].get("en", "")
                if plain(english) == plain(city):
                    return zone
        return None

    def _usable(self, names: Iterator[tuple[str, str | None]]) -> Iterator[tuple[str, str]]:
        for code, name in names:
            if name and (self._locales[code].latin or not _has_latin(name)):
                yield code, name


def _own(code: str) -> dict[str, Mapping[str, Any]]:
    """The locale's own entries, and those of the language that it extends (Bokmål extends Norwegian)."""
    own: dict[str, Mapping[str, Any]] = localedata.load(code, merge_inherited=False)
    parent = get_global("parent_exceptions").get(code)
    if parent is None or parent == "root":
        return own
    base = _own(parent)
    return {table: {**base.get(table, {}), **own.get(table, {})} for table in _TABLES}


_TABLES = ("territories", "languages", "currency_names", "currency_names_plural", "time_zones")


def _city(data: Mapping[str, Any], zone: str) -> str | None:
    city: str | None = data.get("time_zones", {}).get(zone, {}).get("city")
    return city


def _is_latin(data: Mapping[str, Mapping[str, Any]]) -> bool:
    names = [*data.get("territories", {}).values(), *data.get("languages", {}).values()]
    letters = [c for name in names if len(name) > 3 for c in name if c.isalpha()]
    return 2 * sum(_latin(c) for c in letters) >= len(letters)


def _has_latin(name: str) -> bool:
    return any(_latin(c) for c in name)


def _latin(letter: str) -> bool:
    return "LATIN" in unicodedata.name(letter, "")


def plain(text: str) -> str:
    """Letters and digits alone, without case and accents: for comparing names between sources."""
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if c.isalnum())
