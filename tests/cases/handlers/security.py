"""What comes from outside: secrets, names, markup, YAML, and text that gives orders."""

from __future__ import annotations

import html.parser
import re
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from polyfact import report
from polyfact._terminal import fail_line
from polyfact.builders._article import article_prompt, grounded, suspicious
from polyfact.errors import DataError, PolyfactError
from polyfact.release._yaml import MAX_BYTES, parse_yaml
from polyfact.schemas import redact, slug
from tests.cases.compare import Checks, error_of
from tests.support.metrics_fixture import run, store

# --- secrets --------------------------------------------------------------------------------------------------------

# Variables that hold a secret; HOME and LANG do not.
_NAMED = re.compile("KEY|TOKEN|SECRET|PASS|PWD|CREDENTIAL|AUTH|COOKIE|WEBHOOK", re.IGNORECASE)


def redaction(case: dict[str, Any]) -> list[str]:
    """Texts, and the environment in which they arise."""
    given, checks = case["input"], Checks(case)
    environ = {name: value for name, value in given.get("env", {}).items() if value is not None}
    shown = [redact(text, environ=environ) for text in given["texts"]]
    secrets = [value for name, value in environ.items() if value and _NAMED.search(name)]
    checks.value("contains_secret", [any(secret in text for secret in secrets) for text in shown])
    checks.value("unchanged", [n for n, (old, new) in enumerate(zip(given["texts"], shown, strict=True)) if old == new])
    # What is written like a secret is taken out of the command line's errors even where no variable holds it.
    for text, hidden in zip(given["texts"], shown, strict=True):
        if text != hidden and any(secret in fail_line(PolyfactError(hidden)) for secret in secrets):
            checks.lines.append(f"an error shows the secret of: {hidden}")
    return checks.done()


# --- file names -----------------------------------------------------------------------------------------------------


def safe_path(case: dict[str, Any]) -> list[str]:
    """Names that become parts of paths."""
    given, checks = case["input"], Checks(case)
    outputs: dict[str, str] = {}
    refused: dict[str, str] = {}
    for name in given["names"]:
        try:
            outputs[name] = slug(name)
        except (TypeError, ValueError, PolyfactError) as error:
            refused[name] = str(error)
    with tempfile.TemporaryDirectory() as root:
        checks.value("inside_root", all(_inside(Path(root), part) for part in outputs.values()))
    checks.value("distinct_outputs", len(set(outputs.values())) == len(outputs))
    checks.check("no_error_for", lambda names: all(name in outputs for name in names))
    checks.check(
        "rejected_or_encoded", lambda names: all(name in refused or outputs.get(name, name) != name for name in names)
    )
    return checks.done()


def _inside(root: Path, part: str) -> bool:
    """Whether it is one component, on either system, and a file of that name can be made in the folder."""
    if any(len(kind(part).parts) != 1 for kind in (PurePosixPath, PureWindowsPath)) or part.strip(". ") != part:
        return False
    path = root / part
    path.write_text("")
    return path.resolve().parent == root.resolve() and [path] == [p for p in root.iterdir() if p.name == part]


# --- the report -----------------------------------------------------------------------------------------------------


class _Page(html.parser.HTMLParser):
    """What a browser makes of a page: elements, attributes, text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.handlers: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action", "formaction")]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def render_report(case: dict[str, Any]) -> list[str]:
    """Hostile strings in every field of a run that holds text, against the same run with plain ones."""
    given, checks = case["input"], Checks(case)
    hostile = list(dict.fromkeys(text for text in _strings(given) if text.strip()))  # an empty text shows nothing
    plain, spoilt = _page([f"plain {n}" for n in range(len(hostile))]), _page(hostile)
    extra = spoilt.tags - plain.tags
    extra.pop("a", None)  # an address is shown as a link; where it leads to is looked at below
    links = [link for link in spoilt.links if not re.match(r"(https?://|#|data:,)", link)]
    visible = " ".join(spoilt.texts)
    checks.value("raw_tags_in_output", sum(extra.values()) + len(spoilt.handlers))
    checks.value("text_visible", all(text in visible for text in hostile))
    checks.value("href_dropped", not links)
    return checks.done()


def _page(texts: list[str]) -> _Page:
    """The page of one run: each of the texts stands in every field."""
    with tempfile.TemporaryDirectory() as name:
        folder, record, metrics = Path(name), *run()
        runs = []
        for number, text in enumerate(texts):
            subject = metrics.biased_subjects[0]
            ranking = [each.model_copy(update={"surface": text, "ids": [text]}) for each in subject.ranking]
            fields = {"topic": text, "language": text, "form": text, "question": text, "subject": text}
            subjects = [subject.model_copy(update={**fields, "expected": [text], "ranking": ranking})]
            rows = [
                row.model_copy(update={"topic": text, "language": text, "form": text, "flags": [text], "interval": text})
                for row in metrics.rows[:40]
            ]
            undefined = rows[0].model_copy(update={"value": None, "low": None, "high": None, "reason": text})
            hash_ = f"{number:064x}"
            runs.append(
                store(
                    folder,
                    record.model_copy(
                        update={
                            "run": hash_,
                            "model": text,
                            "model_info": {**record.model_info, "name": text, "revision": text, text: text},
                            "data": {**record.data, "card": text, "path": text},
                        }
                    ),
                    metrics.model_copy(
                        update={
                            "run": hash_[:12],
                            "model": text,
                            "rows": [*metrics.rows, *rows, undefined],
                            "biased_subjects": subjects,
                        }
                    ),
                )
            )
        page = report.write(runs, folder / "page.html", title=texts[0] if texts else None)
        return _Page(page.read_text(encoding="utf-8"))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (Mapping, list)):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(item)


# --- YAML -----------------------------------------------------------------------------------------------------------

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def load_config(case: dict[str, Any]) -> list[str]:
    """Texts that are read as a card's YAML."""
    given, checks = case["input"], Checks(case)
    values: list[Any] = []
    states: list[str] = []
    for text in given["texts"]:
        try:
            values.append(parse_yaml(text, where="card"))
            states.append("ok")
        except DataError:
            values.append(None)
            states.append("error")
    wanted = checks.expected.get("results", [])
    checks.check("results", lambda _: len(wanted) == len(states) and all(map(_state_fits, wanted, states, values)))
    for place, ordinal in enumerate(_ORDINALS):
        checks.check(f"{ordinal}_value_is_text", lambda text, place=place: text in _leaves(values[place]))
    large = "a: " + "x" * MAX_BYTES
    checks.value("max_bytes_enforced", error_of(lambda: parse_yaml(large, where="card")) is not None)
    return checks.done()


def _state_fits(wanted: str, state: str, value: Any) -> bool:
    """error_or_bounded: refused, or no larger than a card may be once every alias is followed."""
    if wanted == "error_or_bounded":
        return state == "error" or sum(1 for _ in _leaves(value)) <= 1000
    return wanted == state


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (Mapping, list)):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _leaves(item)
    else:
        yield value


# --- articles -------------------------------------------------------------------------------------------------------


def build_prompt(case: dict[str, Any]) -> list[str]:
    """An article that gives orders, as a model gets it; and answers that were generated from it."""
    given, checks = case["input"], Checks(case, known=["post_check"])
    article, task = given["article"], "Write one question about the article, with its answer."
    messages = article_prompt(article, task=task)
    user = "\n".join(message["content"] for message in messages if message["role"] == "user")
    system = "\n".join(message["content"] for message in messages if message["role"] == "system")
    whole = f"{system}\n{user}"
    checks.value("n_open", len(re.findall(r"<\s*article\b[^<>]*>", whole, re.IGNORECASE)))
    checks.value("n_close", len(re.findall(r"<\s*/\s*article\b[^<>]*>", whole, re.IGNORECASE)))
    checks.value("article_text_preserved_semantically", _in_order(_words(article), _words(user)))
    checks.value("instruction_in_system_role", task in system and task not in user and "not instructions" in system)
    if "post_check" in checks.expected:
        injected = suspicious(article)
        told = set(_words(" ".join(injected).casefold()))
        rest = article
        for sentence in sorted(injected, key=len, reverse=True):
            rest = rest.replace(sentence, " ")
        # A forged fence may be written with wide signs, and with signs inside its name that nobody sees.
        rest = re.sub("[\u00ad\u200b-\u200f\u2060\ufeff]", "", rest).translate(str.maketrans("＜＞／", "<>/"))
        plain = set(_words(re.sub(r"<[^<>]*article[^<>]*>", " ", rest, flags=re.IGNORECASE).casefold()))
        checks.lines += [
            f"{word} stands in the article, but is not grounded" for word in sorted(plain) if not grounded(word, article)
        ]
        checks.lines += [
            f"{word} was only ordered, but is grounded" for word in sorted(told - plain) if grounded(word, article)
        ]
        checks.lines += [f"{word} is not in the article" for word in ("Zanzibar",) if grounded(word, article)]
    for key, holds in (("grounded", True), ("not_grounded", False)):
        checks.check(key, lambda answers, holds=holds: all(grounded(answer, article) is holds for answer in answers))
    return checks.done()


def _words(text: str) -> list[str]:
    """Runs of letters, digits and the marks that belong to them."""
    inside = (c if unicodedata.category(c)[0] in "LMN" else " " for c in unicodedata.normalize("NFC", text))
    return "".join(inside).split()


def _in_order(words: list[str], text: list[str]) -> bool:
    places = iter(text)
    return all(word in places for word in words)


HANDLERS = {
    "log/card/exception text": redaction,
    "safe_path": safe_path,
    "render_report": render_report,
    "load_config": load_config,
    "build_prompt": build_prompt,
}
