"""The dataset card's text: what the benchmark is, how it was made, and what is not known about it yet."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from polyfact.release._card import SPLIT, Identity, config_name
from polyfact.release._contents import Contents
from polyfact.schemas import Item, iter_jsonl

__all__ = ["prose"]

_WORDINGS = {
    "natural": "natural: a question is worded in the singular or plural by the number of its answers",
    "neutral": "neutral: the wording does not tell how many answers there are",
}
_SOURCES = {
    "embedded": "the knowledge base that comes with polyfact (Wikidata ids; see `NOTICE`)",
    "wikidata": "Wikidata, by SPARQL from query.wikidata.org (CC0-1.0)",
    "qlever": "Wikidata, by SPARQL from QLever (CC0-1.0)",
}
_COLUMNS = (
    (
        "id",
        "topic/subject/form/target/language; `question_id` lacks the language and is equal in all of them",
    ),
    ("cluster_id", "subject and property: the unit of every interval and test"),
    ("question", "the prompt, in the item's `language`"),
    (
        "form",
        "completion (the model goes on with the sentence) or question, or a language's own variant of one",
    ),
    ("paraphrase", "which wording of the form, from 1; the id of a second one says `completion-2`"),
    ("target", "entities (the answers) or count (how many there are)"),
    (
        "expected",
        "the gold answers; in the same order `expected_ids` (entities), `aliases` (other accepted texts)",
    ),
    ("candidates", "the id of the candidate set that answers are ranked in (configuration `candidates`)"),
    ("valid_at", "the day on which the facts hold"),
    ("provenance", "source, wording, hashes of the wording and the language file, origin of the labels"),
    ("review", "what native speakers said: status, reviewers, agreement"),
    ("content_hash", "of the published text, gold and options; changes whenever they do"),
)

_CANARY = """\
This data is for evaluation and should not stand in training corpora. If you find the following line in one,
the benchmark has leaked into it:

    canary GUID {canary}"""

_FILES = """\
`data/TOPIC/LANGUAGE.parquet` is what loaders read; the `.jsonl` beside it holds the same rows, one a
line, for people and for diffs. `languages/` and `topics/` are the files that the questions were worded
with. `manifest.json` has the SHA-256 of every file (`polyfact release verify FOLDER` compares them),
`CHANGELOG.md` what changed since the version before."""

_LOADING = """\
```python
from datasets import load_dataset

everything = load_dataset("PATH_OR_REPO", split="{split}")  # configuration "all"
one_cell = load_dataset("PATH_OR_REPO", "{cell}", split="{split}")
```

There is a configuration for each topic, each language, and each topic in a language (`TOPIC-LANGUAGE`);
`all` is the default. Everything is in one split, `{split}`. Every column has one type in all of them:
dates and numbers among the answers stay the texts that they are. Name the version when you publish a
number: {name} {version}."""

_UNAUDITED = """\
**This release is unaudited.** No audit has shown that a perfect model scores 1 and a random one scores chance
on it. Read numbers from it with that in mind."""


def prose(identity: Identity, contents: Contents, folder: Path) -> str:
    """The Markdown under the front matter; ``folder`` is the release as written so far."""
    names = _names(folder / "languages", "english_name")
    titles = _names(folder / "topics", "title")
    group = contents.groups[0]
    cell = config_name(group.topic, group.language)
    columns = [f"| `{name}` | {meaning} |" for name, meaning in _COLUMNS]
    parts = [
        f"# {identity.title} {identity.version}",
        _opening(contents, names, titles),
        _warnings(identity, contents, names),
        "## Load",
        _LOADING.format(split=SPLIT, cell=cell, name=identity.name, version=identity.version),
        "## What is in it",
        _table(contents, names, titles),
        _counts(contents),
        _examples(contents, folder),
        "## Columns",
        "\n".join(["| column | meaning |", "|---|---|", *columns]),
        "## How it was made",
        _making(contents),
        "## Licence and contact",
        _licence(identity, folder),
        "## Canary",
        _CANARY.format(canary=identity.canary),
        "## Files",
        _FILES,
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _opening(contents: Contents, names: Mapping[str, str], titles: Mapping[str, str]) -> str:
    topics = _series([titles.get(topic, topic).lower() for topic in contents.topics])
    languages = _series([names.get(code, code) for code in contents.languages])
    days = sorted(contents.valid_at)
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    asked = Counter(identity.rpartition("/")[0] for identity in contents.hashes)
    everywhere = sum(n == len(contents.languages) for n in asked.values())
    verb = "is" if everywhere == 1 else "are"
    return (
        f"A benchmark of factual knowledge in {languages}: {_number(contents.items, 'item')} about {topics}, "
        f"as of {when}. An item is one question in one language; of {_number(len(asked), 'question')}, "
        f"{everywhere:,} {verb} asked in every language."
    )


def _warnings(identity: Identity, contents: Contents, names: Mapping[str, str]) -> str:
    """What a reader must know before trusting a number, as a quotation block."""
    notes = [_UNAUDITED] if identity.unaudited else []
    forms = {code: n for code, n in sorted(contents.forms_to_review.items()) if n}
    if forms:
        by = ", ".join(f"{names.get(code, code)} {n:,}" for code, n in forms.items())
        share = f"{_number(sum(forms.values()), 'item')} of {contents.items:,}"
        notes.append(f"**{share} carry word forms that no native speaker has reviewed yet** ({by}).")
    doubts = {code: n for code, n in sorted(contents.forms_in_doubt.items()) if n}
    if doubts:
        by = ", ".join(f"{names.get(code, code)} {n:,}" for code, n in doubts.items())
        share, verb = _number(sum(doubts.values()), "item"), "holds" if sum(doubts.values()) == 1 else "hold"
        notes.append(f"{share} {verb} a form that even its author was not sure of ({by}): native speakers first here.")
    unreviewed = contents.reviews["unreviewed"]
    if unreviewed:
        share, verb = (
            f"{_number(unreviewed, 'item')} of {contents.items:,}",
            "has" if unreviewed == 1 else "have",
        )
        notes.append(f"{share} {verb} not been reviewed by native speakers as a whole.")
    return "\n>\n".join("\n".join(f"> {line}" for line in note.splitlines()) for note in notes)


def _table(contents: Contents, names: Mapping[str, str], titles: Mapping[str, str]) -> str:
    count = {(group.topic, group.language): group.items for group in contents.groups}
    languages = contents.languages
    head = [f"{names[code]} ({code})" if code in names else code for code in languages]
    rows = [["items", *head, "all"], ["---", *["---:"] * (len(languages) + 1)]]
    for topic in contents.topics:
        cells = [count.get((topic, code), 0) for code in languages]
        rows.append([titles.get(topic, topic), *(f"{cell:,}" for cell in cells), f"{sum(cells):,}"])
    sums = [sum(count.get((topic, code), 0) for topic in contents.topics) for code in languages]
    rows.append(["all", *(f"{cell:,}" for cell in sums), f"{contents.items:,}"])
    return "\n".join("| " + " | ".join(map(_cell, row)) + " |" for row in rows)


def _counts(contents: Contents) -> str:
    sets, lists = _number(contents.candidate_sets, "candidate set"), _number(contents.associations, "list")
    cells = f"By form: {_listed(contents.forms)}. By target: {_listed(contents.targets)}."
    by_wording = ", ".join(f"{n:,} in wording {number}" for number, n in sorted(contents.paraphrases.items()))
    said = f" {by_wording[:1].upper()}{by_wording[1:]}." if len(contents.paraphrases) > 1 else ""
    return f"{cells}{said} {sets}, {lists} of answers that belong to the region of a language."


def _examples(contents: Contents, folder: Path) -> str:
    """One question in every language that has it; without its answers, which belong into the data alone."""
    languages = Counter(identity.rpartition("/")[0] for identity in contents.hashes)
    chosen = min(languages, key=lambda question_id: (-languages[question_id], question_id))
    lines = []
    for group in contents.groups:
        if f"{chosen}/{group.language}" in contents.hashes and chosen.startswith(f"{group.topic}/"):
            rows = iter_jsonl(folder / f"{group.path}.jsonl", Item)
            question = next(item.question for item in rows if item.question_id == chosen)
            lines.append(f"| {_cell(group.language)} | {_cell(question)} |")
    return "\n".join([f"`{chosen}` reads:", "", "| language | question |", "|---|---|", *lines])


def _making(contents: Contents) -> str:
    lines = ["Facts were read by the SPARQL query of each topic file from:", ""]
    for (source, revision), n in sorted(contents.sources.items()):
        at = f", revision {_cell(revision)}" if revision else ""
        lines.append(f"- {_SOURCES.get(source, _cell(source))}{at}: {_number(n, 'item')}")
    wordings = [f"{_WORDINGS.get(kind, _cell(kind))} ({n:,})" for kind, n in sorted(contents.wordings.items())]
    lines += [
        "",
        "Deprecated statements and statements that had ended are left out. Questions come from the templates",
        "in `topics/` and `languages/`, inflected by the rules in `languages/`; `wordings.jsonl` lists those used.",
        "",
        f"Wording: {'; '.join(wordings)}. Names of entities by origin: {_listed(contents.label_sources)}.",
        "",
        f"Reviews: {_listed(contents.reviews)}.",
    ]
    if contents.rejected:
        lines += ["", f"Left out, with the number of each reason: {_listed(contents.rejected)}."]
    return "\n".join(lines)


def _licence(identity: Identity, folder: Path) -> str:
    lines = [f"Licence of the dataset: {_cell(identity.licence)}."]
    if (folder / "NOTICE").is_file():
        terms = "Facts and names stay under the terms of their sources, which `NOTICE` lists"
        lines.append(f"{terms}; give the credit that these ask for.")
    if identity.homepage:
        lines.append(f"Homepage: {_cell(identity.homepage)}")
    if identity.contact:
        lines.append(f"Contact: {_cell(identity.contact)}")
    return "\n\n".join(lines)


def _series(words: list[str]) -> str:
    """Words as one enumeration: "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _names(folder: Path, key: str) -> dict[str, str]:
    """A title for each settings file by its code or name, where the file has one."""
    titles: dict[str, str] = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except ValueError:
            continue
        name, title = table.get("code") or table.get("name"), table.get(key)
        if isinstance(name, str) and isinstance(title, str):
            titles[name] = title
    return titles


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{_cell(name)} {n:,}" for name, n in sorted(counts.items()) if n)


def _number(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _cell(text: str) -> str:
    """Text that cannot leave its table cell or become markup."""
    flat = re.sub(r"\s+", " ", text).strip()
    if re.fullmatch(r":?-{3,}:?", flat):
        return flat
    return re.sub(r"([\\`*\[\]|])", r"\\\1", flat).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
