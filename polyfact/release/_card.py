"""The dataset card's front matter: licence, languages, and the configurations by which loaders find files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from polyfact.errors import DataError
from polyfact.release._arrow import card_features
from polyfact.release._contents import Contents, Group
from polyfact.release._yaml import dump_yaml
from polyfact.schemas import Association, CandidateSet, Item, Record, UsedWording

__all__ = ["Config", "Identity", "config_name", "configs_of", "front_matter", "language_list"]

SPLIT = "test"
ALL, CANDIDATES, ASSOCIATIONS, WORDINGS = "all", "candidates", "associations", "wordings"

_CONFIG = re.compile(r"[a-z0-9_-]+")
_SIZES = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
    (10**7, "1M<n<10M"),
    (10**8, "10M<n<100M"),
)
_HUB_LICENCES = frozenset(
    f"{name}-{version}"
    for name, versions in {
        "apache": ("2.0",),
        "cc0": ("1.0",),
        "cc-by": ("2.0", "2.5", "3.0", "4.0"),
        "cc-by-sa": ("3.0", "4.0"),
        "cc-by-nc": ("2.0", "3.0", "4.0"),
        "cc-by-nc-sa": ("2.0", "3.0", "4.0"),
        "cc-by-nc-nd": ("3.0", "4.0"),
        "cc-by-nd": ("4.0",),
        "cdla-permissive": ("1.0", "2.0"),
        "cdla-sharing": ("1.0",),
    }.items()
    for version in versions
)
_HUB_NAMES = {
    "mit": "mit",
    "unlicense": "unlicense",
    "odbl-1.0": "odbl",
    "odc-by-1.0": "odc-by",
    "pddl-1.0": "pddl",
}


@dataclass(frozen=True)
class Identity:
    """What the release is called, by whom and under which licence (an SPDX name)."""

    name: str
    version: str
    licence: str
    unaudited: bool
    canary: str
    homepage: str = ""
    contact: str = ""

    @property
    def title(self) -> str:
        """The name as a heading: "capitals-and-languages" gives "Capitals and languages"."""
        text = self.name.replace("-", " ")
        return text[:1].upper() + text[1:]


@dataclass(frozen=True)
class Config:
    """One configuration of the dataset: a name, its Parquet files, its number of rows, their record."""

    name: str
    files: Sequence[str]
    rows: int
    record: type[Record]


def config_name(*parts: str) -> str:
    """The name of a configuration: its parts in lower case with hyphens.

    Raises DataError unless the name is made of a-z, 0-9, hyphens and underscores: it becomes a part of paths.

    >>> config_name("official-languages", "pt-BR")
    'official-languages-pt-br'
    """
    name = "-".join(parts).lower()
    if not _CONFIG.fullmatch(name):
        raise DataError(f'"{name}" cannot name a configuration', fix="use a-z, 0-9, hyphens and underscores")
    return name


def language_list(codes: Iterable[str | None]) -> list[str]:
    """Language codes for a card, sorted, each once. Raises DataError for one that is null or empty."""
    kept: set[str] = set()
    for code in codes:
        if not code:
            raise DataError("a language of the card is null", fix="give every item its language code")
        kept.add(code)
    return sorted(kept)


def configs_of(contents: Contents) -> list[Config]:
    """`all`, one for each language, topic, topic and language; then candidate sets, associations and templates.

    Raises DataError where two would have the same name.
    """

    def items(name: str, groups: Sequence[Group]) -> Config:
        return Config(name, [f"{group.path}.parquet" for group in groups], sum(group.items for group in groups), Item)

    groups = contents.groups
    configs = [items(ALL, groups)]
    configs += [items(config_name(code), [g for g in groups if g.language == code]) for code in contents.languages]
    configs += [items(config_name(topic), [g for g in groups if g.topic == topic]) for topic in contents.topics]
    configs += [items(config_name(group.topic, group.language), [group]) for group in groups]
    if contents.candidate_sets:
        configs.append(Config(CANDIDATES, ["candidates.parquet"], contents.candidate_sets, CandidateSet))
    if contents.associations:
        configs.append(Config(ASSOCIATIONS, ["associations.parquet"], contents.associations, Association))
    if contents.templates:
        configs.append(Config(WORDINGS, ["wordings.parquet"], contents.templates, UsedWording))
    names = [config.name for config in configs]
    for name in names:
        if names.count(name) > 1:
            raise DataError(f'two configurations would be called "{name}"', fix="rename the topic or the language")
    return configs


def front_matter(identity: Identity, contents: Contents) -> str:
    """The YAML between the two lines of ---."""
    configs = configs_of(contents)
    languages = language_list(contents.languages)
    reviewed = contents.items - contents.reviews["unreviewed"]
    front: dict[str, Any] = {
        **_licence(identity.licence),
        "language": languages,
        "pretty_name": f"{identity.title} {identity.version}",
        "annotations_creators": ["machine-generated", *(["expert-generated"] if reviewed else [])],
        "language_creators": ["machine-generated"],
        "multilinguality": ["multilingual" if len(languages) > 1 else "monolingual"],
        "size_categories": [_size(contents.items)],
        "task_categories": ["question-answering", "text-generation"],
        "tags": [
            "factuality",
            "multilingual",
            "knowledge-probing",
            "polyfact",
            *(["unaudited"] if identity.unaudited else []),
        ],
        "configs": [
            {
                "config_name": config.name,
                **({"default": True} if config.name == ALL else {}),
                "data_files": [
                    {
                        "split": SPLIT,
                        "path": config.files[0] if len(config.files) == 1 else list(config.files),
                    }
                ],
            }
            for config in configs
        ],
        "dataset_info": [
            {
                "config_name": config.name,
                "features": card_features(config.record),
                "splits": [
                    {
                        "name": SPLIT,
                        "num_bytes": sum(contents.sizes.get(file, 0) for file in config.files),
                        "num_examples": config.rows,
                    }
                ],
            }
            for config in configs
        ],
    }
    return dump_yaml(front, quoted=languages)


def _licence(spdx: str) -> dict[str, str]:
    name = _HUB_NAMES.get(spdx.lower(), spdx.lower())
    if name in _HUB_LICENCES or name in _HUB_NAMES.values():
        return {"license": name}
    return {"license": "other", "license_name": re.sub(r"[^a-z0-9.-]+", "-", spdx.lower())}


def _size(items: int) -> str:
    return next((size for limit, size in _SIZES if items < limit), "n>100M")
