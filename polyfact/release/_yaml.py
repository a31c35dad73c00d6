"""A bounded, safe reader of dataset cards: YAML 1.2 scalars, no tags, no alias bombs; and its writer.

YAML 1.1 reads the language code ``no`` as false and 2026-11-30 as a date; here both stay text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from polyfact.errors import DataError, MissingExtra

__all__ = ["Card", "dump_yaml", "parse_yaml", "read_card"]

MAX_BYTES = 4_000_000
MAX_NODES = 500_000
MAX_DEPTH = 40
MAX_DIGITS = 400

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)

_INT = r"[-+]?[0-9]+"
_HEX = r"0o[0-7]+|0x[0-9a-fA-F]+"
_FLOAT = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_SPECIAL = r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
_CORE = (
    ("null", re.compile(r"(?:~|null|Null|NULL|)\Z"), ["~", "n", "N", ""]),
    ("bool", re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), list("tTfF")),
    ("int", re.compile(rf"(?:{_INT}|{_HEX})\Z"), list("-+0123456789")),
    ("float", re.compile(rf"(?:{_FLOAT}|{_SPECIAL})\Z"), list("-+.0123456789")),
)


@dataclass(frozen=True)
class Card:
    """A dataset card: its front matter and the text under it."""

    front: Mapping[str, Any]
    text: str
    languages: list[str] = field(default_factory=list)
    configs: list[str] = field(default_factory=list)


def read_card(path: Path) -> Card:
    """The card at ``path`` (README.md of a dataset).

    Raises DataError for a file that is too large, has no front matter, holds tags, cycles or an alias bomb,
    or whose ``language`` or ``configs`` are not what a card may hold; MissingExtra without PyYAML.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise DataError(f"cannot read: {error.strerror}", where=str(path)) from error
    if len(raw) > MAX_BYTES:
        raise DataError(f"larger than {MAX_BYTES} bytes", where=str(path))
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise DataError("not UTF-8 text", where=str(path)) from error
    found = _FRONT.match(text)
    if not found:
        raise DataError("no front matter between two lines of ---", where=str(path))
    front = parse_yaml(found[1], where=str(path))
    if not isinstance(front, dict):
        raise DataError("the front matter is not a table of keys", where=str(path))
    languages = front.get("language", [])
    if isinstance(languages, str):
        languages = [languages]
    if not isinstance(languages, list) or not all(isinstance(code, str) and code for code in languages):
        raise DataError("language must be text or a list of texts, without nulls", where=str(path))
    configs = front.get("configs", [])
    if not isinstance(configs, list) or not all(
        isinstance(config, dict) and isinstance(config.get("config_name"), str) for config in configs
    ):
        raise DataError("configs must be a list of tables with a config_name", where=str(path))
    return Card(front, text[found.end() :], languages, [config["config_name"] for config in configs])


def parse_yaml(text: str, *, where: str) -> Any:
    """``text`` as plain values: dict, list, str, int, float, bool, None.

    At most 4,000,000 bytes, 500,000 nodes after every alias is followed, 40 levels. Raises DataError
    otherwise, and for explicit tags, a key given twice and broken syntax.
    """
    yaml, loader = _tools()
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise DataError(f"larger than {MAX_BYTES} bytes", where=where)
    try:
        depth = 0
        for event in yaml.parse(text, Loader=loader):
            if getattr(event, "tag", None) is not None:
                raise DataError(f"a tag ({event.tag}) in line {event.start_mark.line + 1}", where=where)
            starts, ends = (yaml.CollectionStartEvent, yaml.CollectionEndEvent)
            depth += isinstance(event, starts) - isinstance(event, ends)
            if depth > MAX_DEPTH:
                raise DataError(f"nested deeper than {MAX_DEPTH} levels", where=where)
        root = yaml.compose(text, Loader=loader)
        if root is None:
            return None
        _size(root, {}, where)
        return _value(root, where)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f"line {mark.line + 1}: " if mark else ""
        raise DataError(f"{line}not valid YAML: {getattr(error, 'problem', None) or error}", where=where) from error


def _size(node: Any, known: dict[int, int], where: str) -> int:
    """How many nodes a document has once every alias is followed."""
    if id(node) in known:
        if known[id(node)] == 0:
            raise DataError("an alias that holds itself", where=where)
        return known[id(node)]
    known[id(node)] = 0
    total = 1
    if isinstance(node.value, list):
        for child in node.value:
            for part in child if isinstance(child, tuple) else (child,):
                total += _size(part, known, where)
    if total > MAX_NODES:
        raise DataError(f"more than {MAX_NODES} values once aliases are followed", where=where)
    known[id(node)] = total
    return total


def _value(node: Any, where: str) -> Any:
    if isinstance(node.value, str):
        return _scalar(node.tag.rpartition(":")[2], node.value, where)
    if node.tag.endswith(":seq"):
        return [_value(child, where) for child in node.value]
    table: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node.value, str):
            raise DataError(f"a key that is no scalar in line {line}", where=where)
        key = _value(key_node, where)
        if key in table:
            raise DataError(f"key {key} stands twice (line {line})", where=where)
        table[key] = _value(value_node, where)
    return table


def _scalar(kind: str, text: str, where: str) -> Any:
    if kind in ("int", "float") and len(text) > MAX_DIGITS:
        raise DataError(f"a number of {len(text)} digits", where=where)
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() == "true"
    if kind == "int":
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    if kind == "float":
        return float(text.replace(".", "", 1) if text.lower().endswith(("inf", "nan")) else text)
    return text


@cache
def _tools() -> tuple[Any, Any]:
    """PyYAML and a loader that only composes, with the scalars of the YAML 1.2 core schema."""
    yaml = _pyyaml()

    class CoreLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

    for name, pattern, first in _CORE:
        CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{name}", pattern, first)
    return yaml, CoreLoader


def dump_yaml(value: Mapping[str, Any], *, quoted: Sequence[str] = ()) -> str:
    """``value`` as YAML in declared order, innermost lists and tables on one line, no aliases.

    quoted: texts that get double quotes wherever they stand as a value (language codes: ``no`` is not false).
    """
    yaml = _pyyaml()
    words = frozenset(quoted)

    class Dumper(yaml.SafeDumper):  # type: ignore[misc, name-defined]
        def ignore_aliases(self, _data: Any) -> bool:
            return True

    def text(dumper: Any, data: str) -> Any:
        mistaken = data in words or any(pattern.match(data) for _, pattern, _ in _CORE)
        return dumper.represent_scalar("tag:yaml.org,2002:str", data, style='"' if mistaken else None)

    Dumper.add_representer(str, text)
    written: str = yaml.dump(
        dict(value), Dumper=Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=10**6
    )
    return written


def _pyyaml() -> Any:
    try:
        import yaml
    except ImportError as error:
        raise MissingExtra("release", "PyYAML") from error
    return yaml
