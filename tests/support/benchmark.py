"""A small benchmark for evaluators: capitals (one answer), official languages (several, and their count)."""

from __future__ import annotations

from pathlib import Path

from polyfact.schemas import Association, CandidateSet, Item, Provenance, write_jsonl

CAPITALS = {
    "Q38": {"en": ("Italy", "Rome"), "it": ("Italia", "Roma"), "tr": ("İtalya", "Roma")},
    "Q142": {"en": ("France", "Paris"), "it": ("Francia", "Parigi"), "tr": ("Fransa", "Paris")},
    "Q43": {"en": ("Turkey", "Ankara"), "it": ("Turchia", "Ankara"), "tr": ("Türkiye", "Ankara")},
    "Q183": {"en": ("Germany", "Berlin"), "it": ("Germania", "Berlino"), "tr": ("Almanya", "Berlin")},
    "Q29": {"en": ("Spain", "Madrid"), "it": ("Spagna", "Madrid"), "tr": ("İspanya", "Madrid")},
    "Q36": {"en": ("Poland", "Warsaw"), "it": ("Polonia", "Varsavia"), "tr": ("Polonya", "Varşova")},
    "Q28": {"en": ("Hungary", "Budapest"), "tr": ("Macaristan", "Budapeşte")},
}
LANGUAGES = {
    "local:french": {"en": "French", "it": "francese", "tr": "Fransızca"},
    "local:german": {"en": "German", "it": "tedesco", "tr": "Almanca"},
    "local:italian": {"en": "Italian", "it": "italiano", "tr": "İtalyanca"},
    "local:turkish": {"en": "Turkish", "it": "turco", "tr": "Türkçe"},
    "local:dutch": {"en": "Dutch", "it": "olandese", "tr": "Felemenkçe"},
    "local:greek": {"en": "Greek", "it": "greco", "tr": "Yunanca"},
}
OFFICIAL = {
    "local:alps": (
        {"en": "Alpland", "it": "Alpia", "tr": "Alpler"},
        ("local:french", "local:german", "local:italian"),
    ),
    "local:isle": ({"en": "Isleland", "it": "Isola", "tr": "Ada"}, ("local:greek", "local:turkish")),
    "local:dyke": ({"en": "Dykeland", "it": "Diga", "tr": "Set"}, ("local:dutch",)),
    "local:lake": (
        {"en": "Lakeland", "it": "Lago", "tr": "Göl"},
        ("local:dutch", "local:french", "local:german"),
    ),
}
QUESTIONS = {
    ("capitals", "completion", "entities"): {
        "en": "The capital of {} is",
        "it": "La capitale di {} è",
        "tr": "{} ülkesinin başkenti:",
    },
    ("capitals", "completion_suffixed", "entities"): {"tr": "{} ülkesinin başkenti"},
    ("official-languages", "completion", "entities"): {
        "en": "The official languages of {} are",
        "it": "Le lingue ufficiali di {} sono",
        "tr": "{} ülkesinin resmî dilleri:",
    },
    ("official-languages", "completion", "count"): {
        "en": "The number of official languages of {} is",
        "it": "Il numero di lingue ufficiali di {} è",
        "tr": "{} ülkesinin resmî dil sayısı:",
    },
}
ASSOCIATED = {
    ("capitals", "en"): ["Q142/capital"],
    ("capitals", "it"): ["Q38/capital"],
    ("capitals", "tr"): ["Q43/capital"],
    ("official-languages", "it"): ["local:italian"],
    ("official-languages", "tr"): ["local:turkish"],
}


def items_and_sets() -> tuple[list[Item], list[CandidateSet]]:
    """All items, each naming its candidate set, and the sets."""
    drafts: list[tuple[str, str, str, str, str, str, list[tuple[str, str]]]] = []
    for (topic, form, target), by_language in QUESTIONS.items():
        for language, wording in by_language.items():
            for subject, name, answers in _facts(topic, target, language):
                if form == "completion_suffixed":
                    answers = [(identity, f"{text}'dır") for identity, text in answers]
                drafts.append((topic, form, target, language, subject, wording.format(name), answers))
    surfaces: dict[tuple[str, str, str, str], dict[str, set[str]]] = {}
    for topic, form, target, language, _, _, answers in drafts:
        for identity, text in answers:
            surfaces.setdefault((topic, form, target, language), {}).setdefault(text, set()).add(identity)
    sets = {
        key: CandidateSet.of(key[0], key[3], key[1], key[2], " ", by_surface)  # type: ignore[arg-type]
        for key, by_surface in surfaces.items()
    }
    items = [_item(*draft, sets[draft[:4]].id) for draft in drafts]
    return items, list(sets.values())


def _facts(topic: str, target: str, language: str) -> list[tuple[str, str, list[tuple[str, str]]]]:
    if topic == "capitals":
        named = [(subject, texts[language]) for subject, texts in CAPITALS.items() if language in texts]
        return [(subject, name, [(f"{subject}/capital", capital)]) for subject, (name, capital) in named]
    if target == "count":
        return [
            (subject, names[language], [(str(len(ids)), str(len(ids)))]) for subject, (names, ids) in OFFICIAL.items()
        ]
    return [
        (subject, names[language], [(identity, LANGUAGES[identity][language]) for identity in ids])
        for subject, (names, ids) in OFFICIAL.items()
    ]


def _item(
    topic: str,
    form: str,
    target: str,
    language: str,
    subject: str,
    question: str,
    answers: list[tuple[str, str]],
    candidates: str,
) -> Item:
    question_id = f"{topic}/{subject}/{form}/{target}"
    provenance = Provenance(source="fixture", source_revision="1", wording="natural", wording_hash="", language_hash="")
    return Item(
        id=f"{question_id}/{language}",
        question_id=question_id,
        cluster_id=f"{subject}/P1",
        fact_ids=[f"{subject}/P1/0"],
        language=language,
        category="ranking",
        topic=topic,
        domain="geography",
        form=form,
        target=target,  # type: ignore[arg-type]
        subject_id=subject,
        subject=subject,
        question=question,
        expected=[text for _, text in answers],
        expected_ids=[identity for identity, _ in answers],
        aliases=[[] for _ in answers],
        answer_type="number" if target == "count" else "entity",
        candidates=candidates,
        valid_at="2026-11-30",
        provenance=provenance,
    ).sealed()


def write_benchmark(folder: Path) -> Path:
    """The benchmark as a workspace's files in ``folder``."""
    items, sets = items_and_sets()
    write_jsonl(folder / "items.jsonl", items)
    write_jsonl(folder / "candidates.jsonl", sets)
    write_jsonl(
        folder / "associations.jsonl",
        [
            Association(topic=topic, language=language, ids=ids, labels=ids, method="fixture")
            for (topic, language), ids in ASSOCIATED.items()
        ],
    )
    return folder
