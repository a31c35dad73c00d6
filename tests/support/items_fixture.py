"""A small finished benchmark: two topics, four languages, and every text that loaders like to change."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from pathlib import Path

from polyfact.schemas import Association, CandidateSet, Item, Provenance, Rejected, Review, UsedWording, write_jsonl

LANGUAGES = ("en", "it", "tr", "hi")
TEMPLATE = "The capital of {subject|the} is"
NAMES = {"en": "English", "it": "Italian", "tr": "Turkish", "hi": "Hindi"}

QUESTIONS = {
    "en": "The capital of {} is",
    "it": "La capitale di {} è",
    "tr": "{} ülkesinin başkenti",
    "hi": "{} की राजधानी है",
}

CAPITALS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "local:atlantis": (
        ("Atlantis", "Atlantide", "Atlantis", "अटलांटिस"),
        ("Poseidonia", "Poseidonia", "Poseidonia", "पोसीडोनिया"),
    ),
    "local:utopia": (
        ("Utopia", "Utopia", "Ütopya", "यूटोपिया"),
        ("Amaurot", "Amauroto", "Amaurot", "अमौरोट"),
    ),
    "local:ihlamur": (("A | B", "`x` & <b>", "İğdır\u200c", "हिन्दी\u200d"), ("No", "no", "Null", "हाँ")),
}

TRICKY = (
    "1997-12-10",
    "1997-12-10T00:00:00Z",
    "007",
    "true",
    "False",
    "null",
    "NaN",
    "-inf",
    "1e5",
    "3,14",
    '"Heroes"',
    "[]",
    "{}",
    "12345678901234567890123",
    "12:30",
    "no",
    "a\nb",
    "a\u2028b",
    " x ",
    "=1+1",
    "🧪",
    "\x00",
)


def item(
    topic: str,
    subject: str,
    language: str,
    question: str,
    expected: Sequence[str],
    *,
    name: str = "",
    ids: Sequence[str] | None = None,
    aliases: list[list[str]] | None = None,
    agreement: float | None = None,
    options: Sequence[str] = (),
    candidates: str = "",
    language_hash: str = "",
) -> Item:
    """One sealed item."""
    question_id = f"{topic}/{subject}/completion/entities"
    return Item(
        id=f"{question_id}/{language}",
        question_id=question_id,
        cluster_id=f"{subject}/P36",
        fact_ids=[f"{subject}/P36/0"],
        language=language,
        category="ranking",
        topic=topic,
        domain="geography",
        form="completion",
        target="entities",
        subject_id=subject,
        subject=name or subject,
        question=question,
        options=list(options),
        expected=list(expected),
        expected_ids=list(ids if ids is not None else expected),
        aliases=aliases if aliases is not None else [[] for _ in expected],
        answer_type="entity",
        candidates=candidates,
        valid_at="2026-11-30",
        provenance=Provenance(
            source="embedded",
            source_revision="test",
            wording="natural",
            wording_hash="0" * 16,
            language_hash=language_hash,
            forms_to_review=language in ("tr", "hi"),
        ),
        review=Review(status="unreviewed" if agreement is None else "accepted", reviewers=2, agreement=agreement),
    ).sealed()


def write_settings(folder: Path) -> tuple[dict[str, Path], dict[str, Path]]:
    """Language and topic files that say no more than their names, and one sentence; their paths by code and name."""
    languages = {code: folder / "languages" / f"{code}.toml" for code in LANGUAGES}
    topics = {name: folder / "topics" / f"{name.replace('-', '_')}.toml" for name in ("capitals", "odd-answers")}
    for code, path in languages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'code = "{code}"\nenglish_name = "{NAMES[code]}"\n', encoding="utf-8")
    for name, path in topics.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'name = "{name}"\ntitle = "{name.replace("-", " ").capitalize()}"\n', encoding="utf-8")
    with topics["capitals"].open("a", encoding="utf-8") as out:
        out.write(f'[wording.en]\ncompletion = {{ one = "{TEMPLATE}" }}\n')
    return languages, topics


def write_workspace(folder: Path, *, shuffle: int | None = None) -> tuple[dict[str, Path], dict[str, Path]]:
    """All rows of the benchmark, in an order drawn from ``shuffle`` if given; the paths of its settings."""
    languages, topics = write_settings(folder)
    hashes = {code: hashlib.sha256(path.read_bytes()).hexdigest() for code, path in languages.items()}
    sets: list[CandidateSet] = []
    items: list[Item] = []
    for column, code in enumerate(LANGUAGES):
        surfaces: dict[str, set[str]] = {}
        for subject, (_, answers) in CAPITALS.items():
            surfaces.setdefault(answers[column], set()).add(f"{subject}-capital")
        sets.append(CandidateSet.of("capitals", code, "completion", "entities", " ", surfaces))
        for subject, (names, answers) in CAPITALS.items():
            items.append(
                item(
                    "capitals",
                    subject,
                    code,
                    QUESTIONS[code].format(names[column]),
                    [answers[column]],
                    name=names[column],
                    ids=[f"{subject}-capital"],
                    agreement=0.5 if code == "it" else None,
                    candidates=sets[-1].id,
                    language_hash=hashes[code],
                )
            )
        items.append(
            item(
                "odd-answers",
                f"local:all-{code}" if code == "hi" else "local:all",
                code,
                "1997-12-10",
                TRICKY if code != "hi" else [],
                ids=[str(number) for number in range(len(TRICKY))] if code != "hi" else [],
                aliases=[[], ["x"], ["1997-12-10", "2001-01-02"], *([[]] * (len(TRICKY) - 3))] if code != "hi" else [],
                options=("true", "false") if code == "tr" else (),
            )
        )
        items.append(item("odd-answers", "local:date", code, "2026-11-30", ["1997-12-10"]))
    associations = [
        Association(topic="capitals", language=code, ids=[], labels=[], method="human")
        for code in LANGUAGES
        if code != "en"
    ]
    wordings = [
        UsedWording(
            id="0" * 16,
            topic="capitals",
            language="en",
            form="completion",
            paraphrase=1,
            target="entities",
            template=TEMPLATE,
            answer=None,
            empty="The capital of is",
        )
    ]
    rejected = [Rejected(stage="drafts", id=f"capitals/x/{n}", reason="no-form") for n in range(3)]
    if shuffle is not None:
        generator = random.Random(shuffle)
        for rows in (items, sets, associations, rejected):
            generator.shuffle(rows)  # type: ignore[arg-type]
    write_jsonl(folder / "items.jsonl", items)
    write_jsonl(folder / "candidates.jsonl", sets)
    write_jsonl(folder / "associations.jsonl", associations)
    write_jsonl(folder / "wordings.jsonl", wordings)
    write_jsonl(folder / "rejected.jsonl", rejected)
    return languages, topics
