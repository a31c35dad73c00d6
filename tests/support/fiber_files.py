"""A small benchmark in the shape of FIBER's files, with one of each oddity; every text is made up for these tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

NEIGHBOURS = {
    "en": [("Italy", ["France", "Austria"]), ("Spain", ["France", "Portugal"]), ("Uqbar", ["Tlön"])],
    "it": [("Italia", ["Francia", "Austria"]), ("Spagna", ["Francia", "Portogallo"]), ("Uqbar", ["Tlön"])],
    "tr": [("İtalya", ["Fransa", "Avusturya"]), ("İspanya", ["Fransa", "Portekiz"]), ("Uqbar", ["Tlön"])],
}
PROMPTS = {
    "en": ("{} borders on", "Where does {} end?", "{} has neighbours, namely", "How many lands touch {}?"),
    "it": ("{} confina con", "Dove finisce {}?", "I vicini di {} sono", "Quanti confini ha {}?"),
    "tr": ("{}'nın sınırındaki", "{}'nın sınırında ne var?", "{}'nın sınır sayısı:", "{}'nın kaç sınırı var?"),
}


def multi(language: str, index: int, *, count_as: type = int, key: str | None = None) -> list[dict[str, Any]]:
    """Rows of the topic with lists. index: 0 completion, 1 question, 2 and 3 the same for the count."""
    rows = []
    for place, (subject, answers) in enumerate(NEIGHBOURS[language]):
        listed = [f" {answer}" for answer in answers]
        answer = f" {len(answers)}" if index > 1 else ",".join(listed)
        row = {"query": PROMPTS[language][index].format(subject), "answer": answer, "sub": subject}
        row |= {"count": count_as(len(answers)), "list": listed}
        if key:
            row[key] = NEIGHBOURS["en"][place][0]
        rows.append(row)
    return rows


def single(pairs: list[tuple[str, str]], prompt: str, **keys: list[str]) -> list[dict[str, Any]]:
    """Rows of a topic with one answer each. keys: further columns."""
    return [
        {"query": prompt.format(subject), "answer": f" {answer}", "sub": subject}
        | {name: values[place] for name, values in keys.items()}
        for place, (subject, answer) in enumerate(pairs)
    ]


def write(folder: Path, name: str, rows: object, *, bom: bool = False) -> Path:
    """One file of the benchmark."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8-sig" if bom else "utf-8")
    return path


def write_small(folder: Path) -> Path:
    """Two topics in three languages, 18 files, 54 rows."""
    for language in ("en", "it", "tr"):
        for index in range(4):
            number = "0_1" if (language, index) == ("tr", 0) else str(index)
            rows = multi(language, index, count_as=str if index == 1 else int, key="en_sub" if language == "it" else None)
            write(folder, f"multi/countries_neighbors_{language}_{number}.json", rows, bom=index == 2)
    write(folder, "multi/countries_neighbors_tr_0_0.json", multi("tr", 0))
    english = [("Kalpa", "red"), ("Mlejnas", "blue"), ("Kalpa", "green")]
    turkish = [("Kalpa", "kırmızı"), ("Mleynas", "mavi"), ("Kalpa", "yeşil")]
    colours = "single/colours_of_stones"
    write(folder, f"{colours}_en_0.json", single(english, "The stone of {} is"))
    write(folder, f"{colours}_en_1.json", single(english, "What stone has {}?"))
    keys = [name for name, _ in english]
    write(
        folder,
        f"{colours}_it_0.json",
        single([("Kalpa", "rosso"), ("Mlejnas", "blu"), ("Kalpa", "verde")], "La pietra di {} è", sub_en=keys),
    )
    copula = [(subject, f"{answer}'dir") for subject, answer in turkish]
    write(folder, f"{colours}_tr_0_0.json", single(copula, "{}'nın taşı"))
    write(folder, f"{colours}_tr_0_1.json", single(turkish, "{}'nın taşı şudur:"))
    return folder
