"""Languages: one file each (en.toml …), read and interpreted here; no language needs Python of its own.

A form turns a label into the shape a sentence needs. It is looked up in this order: ``exceptions`` by entity
id or surface; ``base``, another form to start from; ``table``, a prefix by entity id or surface; ``rules``:
the first whose pattern is found and whose kinds contain the noun's kind replaces once. ``[letters]`` names
sets of letters that patterns use as <name>. ``examples`` run as tests.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from polyfact.errors import UsageError
from polyfact.languages._file import KINDS, LanguageFile
from polyfact.languages._interpreter import Failure, Form, Language, Noun, Rendered, check_examples
from polyfact.languages._scripts import scripts_of
from polyfact.schemas._catalogue import find, listed
from polyfact.schemas._toml import read_toml

__all__ = [
    "KINDS",
    "Failure",
    "Form",
    "Language",
    "Noun",
    "Rendered",
    "available",
    "check_examples",
    "load",
    "load_file",
    "scripts_of",
]

_PACKAGED = Path(__file__).parent


def load(code: str, extra_dirs: Sequence[Path] = ()) -> Language:
    """The language with this code, from the package or from one of ``extra_dirs``.

    Raises UsageError for an unknown code (naming the nearest known one), a code defined twice, a faulty file.
    """
    return load_file(find("language", code, [_PACKAGED, *extra_dirs]))


def load_file(path: Path) -> Language:
    """The language in one file, which is named after its code. Raises UsageError for a faulty file."""
    file = read_toml(path, LanguageFile)
    if file.code != path.stem:
        fix = f"name the file {file.code}.toml"
        raise UsageError(f'code "{file.code}" does not fit the file name', where=str(path), fix=fix)
    return Language(file, sha256=hashlib.sha256(path.read_bytes()).hexdigest(), source=str(path))


def available(extra_dirs: Sequence[Path] = ()) -> list[str]:
    """The codes that `load` knows, sorted. Raises UsageError for a code defined twice."""
    return sorted(listed([_PACKAGED, *extra_dirs]))
