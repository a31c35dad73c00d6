"""Numbers, names and reasons as a reader meets them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from markupsafe import Markup, escape

from polyfact import languages, topics
from polyfact.errors import PolyfactError
from polyfact.schemas import MetricRow

__all__ = ["FILTERS", "Name", "axis_of", "language_name", "link", "notes", "number", "reason", "signed"]

NONE = "—"
AXES = (0.1, 0.2, 0.3, 0.5, 1.0)

REASONS = {
    "aligned-share-too-large": "too many candidates belong to the language",
    "all-aligned-are-true": "all such answers are right",
    "language-left-out": "the task leaves this language out",
    "n>=surface_size": "n reaches all candidates",
    "no-aligned-candidates": "no candidate belongs to the language's region",
    "no-associations": "no list of answers that belong to the language",
    "chance-is-1": "chance is 1",
    "no-candidates": "no candidates",
    "no-common-aligned": "the languages share no such candidate",
    "no-common-subjects": "its wordings ask about no common subject",
    "no-defined-cell": "no cell has a value",
    "no-gold": "no right answer is known",
    "no-items": "no such questions",
    "no-other-language": "asked in no other language",
    "no-prior": "not asked without its subject",
    "no-tokens": "no tokens are counted",
    "other-language-undefined": "undefined in the other languages",
    "scoring-failed": "scoring failed",
}
FLAGS = {
    "boundary-merge": "tokens merge where a prompt ends",
    "parallel-subset": "over the questions that all languages have",
    "unequal-coverage": "the languages do not have the same questions",
    "interval:all-equal": "all values are equal: the interval is an exact bound",
    "interval:few-clusters": "few clusters: the interval is an exact bound",
    "interval:one-cluster": "one cluster: the interval is an exact bound",
}


PARTS = {
    "native": "the language's own",
    "alias": "an alias",
    "mul": "one for all languages",
    "human": "translated by hand",
    "mt": "translated by machine",
}


class Name(NamedTuple):
    """A language: its code, its name in English and in itself, its direction (auto where no file tells)."""

    code: str
    english: str
    own: str
    direction: str


@lru_cache(maxsize=512)
def language_name(code: str) -> Name:
    """The names of a language; a code that no language file of the package has stands for itself."""
    try:
        found = languages.load(code)
    except (PolyfactError, OSError, ValueError):
        return Name(code, code, "", "auto")
    return Name(code, found.english_name, found.name, found.direction)


@lru_cache(maxsize=512)
def topic_name(name: str) -> str:
    """The title of a topic of the package; of another one its name, readable."""
    try:
        return topics.load(name).title
    except (PolyfactError, OSError, ValueError):
        return pretty(name)


def pretty(name: str) -> str:
    """A machine's name as words.

    >>> pretty("completion_suffixed")
    'completion suffixed'
    """
    return name.replace("-", " ").replace("_", " ")


def part_name(name: str) -> str:
    """A part of the items as a column's head: the origin of names, a form, a number of right answers.

    >>> part_name("mt"), part_name("completion_suffixed"), part_name("6+")
    ('translated by machine', 'completion suffixed', '6+')
    """
    return PARTS.get(name) or pretty(name)


def number(value: float | None) -> str:
    """Three decimals, without a zero before the point; a dash for what is undefined.

    >>> number(0.40631), number(-0.0186), number(1.0), number(-0.0001), number(None)
    ('.406', '−.019', '1.000', '.000', '—')
    """
    if value is None:
        return NONE
    digits = f"{abs(value):.3f}".removeprefix("0")
    return f"−{digits}" if value < 0 and digits != ".000" else digits


def signed(value: float | None) -> str:
    """As `number`, with a plus before what is above 0."""
    text = number(value)
    return f"+{text}" if value is not None and value > 0 and text != ".000" else text


def tenths(value: float | None) -> str:
    """One decimal; a dash for what is undefined."""
    return NONE if value is None else f"{value:.1f}"


def thousands(value: int) -> str:
    """A count, in groups of three.

    >>> thousands(1284)
    '1,284'
    """
    return f"{value:,}"


def percent(value: float) -> str:
    """A place on an axis from 0 to 1 as a length; what lies outside is put at its end."""
    return f"{100 * min(max(value, 0.0), 1.0):.2f}%"


def axis_of(rows: Iterable[MetricRow]) -> float:
    """A round end for an axis on which the rows are drawn; 1 at most."""
    ends = [abs(end) for row in rows for end in (row.value, row.low, row.high, row.chance) if end is not None]
    return next((axis for axis in AXES if axis >= max(ends, default=0.0)), 1.0)


def reason(row: MetricRow | None) -> str:
    """Why a row has no value, in words. Several reasons are joined."""
    if row is None:
        return REASONS["no-items"]
    return "; ".join(REASONS.get(part, pretty(part)) for part in (row.reason or "undefined").split("+"))


def notes(row: MetricRow) -> list[str]:
    """What must be known to read a mean: what was left out of it, and where its interval comes from."""
    said = []
    for flag in row.flags:
        kind, _, rest = flag.partition(":")
        why, _, count = rest.rpartition(":")
        if flag in FLAGS:
            said.append(FLAGS[flag])
        elif kind == "errors":
            said.append(f"{rest} not scored")
        elif kind == "undefined" and count.isdigit():
            said.append(f"{count} left out: {REASONS.get(why, pretty(why))}")
    return said


def link(value: object) -> Markup:
    """Text, and a link where it is an http or https address; any other scheme stays text."""
    text = str(value)
    try:
        parts = urlsplit(text)
    except ValueError:
        return escape(text)
    safe = parts.scheme in ("http", "https") and parts.netloc and not any(c.isspace() or ord(c) < 32 for c in text)
    return Markup('<a href="{0}" rel="noopener noreferrer">{0}</a>').format(text) if safe else escape(text)


FILTERS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (link, notes, number, part_name, percent, pretty, reason, signed, tenths, thousands)
} | {"language_name": language_name, "topic_name": topic_name}
