"""Releases, and the files they are made of."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from polyfact import release
from polyfact.errors import DataError, PolyfactError
from polyfact.release._card import config_name, language_list
from polyfact.release._yaml import dump_yaml, parse_yaml
from polyfact.schemas import (
    Item,
    iter_jsonl,
    texts,
    write_jsonl,
)
from tests.cases.compare import Checks, differences, error_of
from tests.support import items_fixture

ROOT = Path(__file__).resolve().parents[3]
IDS = ("id", "question_id")
TEXTS = ("domain", "category", "subject")  # columns of one text; no value is the empty text
COLUMNS = (*IDS, *TEXTS, "expected", "options", "question", "language")


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="polyfact-case-") as name:
        yield Path(name)


# --- a release of a case's rows, loaded again -----------------------------------------------------------------------


def _item(topic: str, row: Mapping[str, Any], number: int) -> Item:
    """A row of a case as an item; its values are ours, the rest is filled in."""
    unknown = [name for name in row if name not in COLUMNS]
    if unknown:
        raise ValueError(f"no column for {', '.join(unknown)}")
    language = str(row.get("language") or "en")
    made = items_fixture.item(
        topic, f"local:row-{number:06d}", language, str(row.get("question", "?")), texts(row.get("expected"))
    )
    # The columns hold one type in every row: no domain is the empty text, no options are an empty list.
    update: dict[str, Any] = {"domain": "", **{name: row[name] or "" for name in TEXTS if name in row}}
    update |= {"options": texts(row.get("options")), "content_hash": "", "source_hash": ""}
    return made.model_copy(update=update).sealed()


def _build(folder: Path, rows: Mapping[str, Sequence[Item]]) -> Path:
    """A release of the items of each topic; with settings for all their topics and languages."""
    items = [item for group in rows.values() for item in group]
    settings: dict[str, dict[str, Path]] = {}
    for kind, names in (("languages", {item.language for item in items}), ("topics", set(rows))):
        settings[kind] = {}
        for name in names:
            path = folder / "settings" / kind / f"{name}.toml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f'code = "{name}"\nname = "{name}"\nenglish_name = "{name}"\n', encoding="utf-8")
            settings[kind][name] = path
    write_jsonl(folder / "items.jsonl", items)
    made = release.build(
        folder,
        version="1.0.0",
        name="case",
        licence="CC0-1.0",
        unaudited=True,
        languages_used=settings["languages"],
        topics_used=settings["topics"],
    )
    return made.folder


def _load(folder: Path, cache: Path) -> dict[str, dict[str, Any]]:
    """What `datasets` gives back of a release, by item id."""
    import datasets

    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    before = datasets.config.HF_HUB_OFFLINE
    datasets.config.HF_HUB_OFFLINE = True
    datasets.disable_progress_bars()
    datasets.logging.set_verbosity_error()
    try:
        loaded = datasets.load_dataset(str(folder), "all", split="test", cache_dir=str(cache))
    finally:
        datasets.config.HF_HUB_OFFLINE = before
    return {row["id"]: dict(row) for row in loaded}


def write_release(case: dict[str, Any]) -> list[str]:
    """Rows, or rows by file: released, loaded with `datasets`, and compared with what went in."""
    given = case["input"]
    checks = Checks(case, known=[key for key in case["expected"] if key.startswith(("observed_", "datasets_"))])
    files: dict[str, list[dict[str, Any]]] = given.get("files") or {"rows": given["rows"]}
    topics = {f"part-{number}": rows for number, rows in enumerate(files.values())}
    error = None
    with _folder() as folder:
        try:
            items = {topic: [_item(topic, row, n) for n, row in enumerate(rows)] for topic, rows in topics.items()}
            made = _build(folder, items)
            loaded = _load(made, folder / "cache")
        except (PolyfactError, ValueError) as failure:
            error = str(failure)
        if error is not None:
            checks.check("error", lambda _: True)
            return checks.done() if "error" in checks.expected else [error]
        stored = {item.id: item for path in made.glob("data/*/*.jsonl") for item in iter_jsonl(path, Item)}
        problems = release.verify(made)
    flat = [item for group in items.values() for item in group]
    rows = [row for group in files.values() for row in group]
    back = [loaded[item.id] for item in flat]
    checks.lines += problems
    checks.lines += differences([item.model_dump() for item in flat], back, 0.0, "loaded")
    checks.lines += differences([item.model_dump() for item in flat], [stored[i.id].model_dump() for i in flat])
    checks.check("column_type", lambda _: all(_is_texts(row["expected"]) for row in back))
    checks.value("values", [row["expected"] for row in back])
    plain = [row for row, source in zip(back, rows, strict=True) if isinstance(source.get("expected"), str)]
    checks.value("must_load_as_text", [text for row in plain for text in row["expected"]])
    checks.value("loads", len(back) == len(rows))
    for name in TEXTS:
        checks.value(name, [row[name] or None for row in back])
    checks.value("options", [row["options"] or None for row in back])
    checks.wrong_ones([row["expected"] for row in back])
    return checks.done()


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


# --- the same release twice -----------------------------------------------------------------------------------------

_MAKE = """
import sys
from pathlib import Path
from polyfact import release
from tests.support.items_fixture import write_workspace

folder, shuffle = Path(sys.argv[1]), sys.argv[2]
languages, topics = write_workspace(folder, shuffle=int(shuffle) if shuffle else None)
release.build(folder, version="1.0.0", name="twice", licence="CC0-1.0", unaudited=True,
              languages_used=languages, topics_used=topics)
"""


def write_release_twice(case: dict[str, Any]) -> list[str]:
    """One release from shuffled items, in processes with other hash seeds: every file's bytes."""
    given, checks = case["input"], Checks(case)
    shuffles = ["", "1", "2"] if given.get("items_shuffled") else [""]
    seeds = [str(seed) for seed in given.get("PYTHONHASHSEED", [0])]
    runs = [(shuffles[n % len(shuffles)], seeds[n % len(seeds)]) for n in range(max(len(shuffles), len(seeds), 2))]
    found: list[dict[str, str]] = []
    sorted_rows = True
    with _folder() as folder:
        for number, (shuffle, seed) in enumerate(runs):
            place = folder / str(number)
            environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
            command = [sys.executable, "-c", _MAKE, str(place), shuffle]
            done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
            if done.returncode:
                return [done.stderr.strip().splitlines()[-1]]
            made = place / "releases" / "1.0.0"
            paths = sorted(path for path in made.rglob("*") if path.is_file())
            found.append({str(p.relative_to(made)): hashlib.sha256(p.read_bytes()).hexdigest() for p in paths})
            for path in made.glob("data/*/*.jsonl"):
                keys = [(item.question_id, item.language) for item in iter_jsonl(path, Item)]
                sorted_rows = sorted_rows and keys == sorted(keys)
    checks.value("sha256_equal", all(each == found[0] for each in found) and len(found[0]) > 5)
    checks.check("sorted_by", lambda keys: keys == "question_id, language" and sorted_rows)
    return checks.done()


# --- versions and cards ---------------------------------------------------------------------------------------------


def _content(row: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()


def diff_release(case: dict[str, Any]) -> list[str]:
    """Two versions: rows by item id, with their content hashes."""
    given, checks = case["input"], Checks(case)
    old, new = ({key: _content(row) for key, row in given[version].items()} for version in ("v1", "v2"))
    found = release.compare(old, new)
    for key in ("added", "removed", "changed"):
        checks.among(key, getattr(found, key))
    checks.value("minor_version_allowed", found.step in ("minor", "patch"))
    checks.value("patch_version_allowed", found.step == "patch")
    checks.value("major_version_needed", found.step == "major")
    checks.value("step", found.step)
    return checks.done()


def write_card(case: dict[str, Any]) -> list[str]:
    """Languages and names of configurations as a card holds them; and the card of a release in these languages."""
    given, checks = case["input"], Checks(case)
    codes = list(dict.fromkeys(code for code in given["languages"] if code))
    written = dump_yaml({"language": language_list(codes)}, quoted=codes)
    checks.among("yaml_roundtrip_languages", parse_yaml(written, where="card")["language"])
    # Where no language is null, a case can mean that there is no error, or that there would be one.
    fails = [error_of(lambda: language_list(given["languages"])), error_of(lambda: language_list([*codes, None]))]
    checks.check("error_for_null_language", lambda wanted: wanted in [each is not None for each in fails])
    if None in given["languages"] and error_of(lambda: language_list(given["languages"])) is None:
        checks.lines.append("a null language was taken")
    rejected = [name for name in given["configs"] if _rejected(name)]
    checks.value("rejected_config_names", rejected)
    if not codes:  # a release has items, and every item a language
        return checks.done()
    with _folder() as folder:
        topics = [name.replace("_", "-").lower() for name in given["configs"] if name not in rejected]
        items = {
            topic: [items_fixture.item(topic, "local:a", code, "?", ["x"]) for code in codes]
            for topic in topics or ["case"]
        }
        made = _build(folder, items)
        card = release.read_card(made / "README.md")
        listed = [[file for entry in c["data_files"] for file in _list(entry["path"])] for c in card.front["configs"]]
        there = all(files and all((made / file).is_file() for file in files) for files in listed)
    checks.value("each_config_lists_data_files", there and len(listed) > len(codes))
    checks.lines += differences(sorted(codes), card.languages, 0.0, "card's languages")
    return checks.done()


def _rejected(name: str) -> bool:
    try:
        config_name(name)
    except (DataError, TypeError):
        return True
    return False


def _list(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


HANDLERS = {
    "write_release": write_release,
    "write_release twice": write_release_twice,
    "diff_release": diff_release,
    "write_card": write_card,
}
