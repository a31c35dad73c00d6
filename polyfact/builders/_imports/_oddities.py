"""What is odd about the published files. It is counted, never repaired: that is the audit's business."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from polyfact.builders._imports._align import Keyed, answers_of
from polyfact.builders._imports._fiber_files import FiberFile, FiberRow
from polyfact.builders._imports._report import Defects
from polyfact.schemas import CandidateSet, Item, UsedWording

__all__ = ["of_answers", "of_file", "of_subjects", "of_templates", "surfaces_and_entities"]


def of_file(file: FiberFile, defects: Defects) -> None:
    """How the file and its columns are written."""
    if file.byte_order_mark:
        defects.add("file-with-byte-order-mark", file.path)
    for key in file.english_keys:
        defects.add(f"file-with-key-{key}", file.path)
    kinds = {
        type(row.stated_count).__name__ for row in file.rows if isinstance(row, FiberRow) and row.stated_count is not None
    }
    for kind in sorted(kinds):
        defects.add(f"file-with-count-as-{'number' if kind == 'int' else 'text'}", file.path)
    for number, row in enumerate(file.rows, 1):
        if isinstance(row, FiberRow):
            texts = [row.question, row.subject, row.answer, *(row.entities or [])]
            if any(unicodedata.normalize("NFC", text) != text for text in texts):
                defects.add("row-not-in-nfc", f"{file.path}#{number}")
            for what, text in (("question", row.question), ("subject", row.subject)):
                if text != text.strip():
                    defects.add(f"white-space-around-{what}", f"{file.path}#{number}: {text!r}")


def of_answers(file: FiberFile, rows: Sequence[Keyed], defects: Defects) -> None:
    """Answers whose white space, number or list is not what the rest of the row says."""
    for each in rows:
        row, where = each.row, f"{file.path}#{each.number}"
        own = answers_of(row, file.target)
        for answer in own:
            if "\n" in answer:
                defects.add("newline-in-answer", f"{where}: {answer!r}")
            elif answer != " " + answer.strip():
                defects.add("answer-not-after-one-blank", f"{where}: {answer!r}")
        repeated = [answer for answer, n in Counter(answer.strip() for answer in own).items() if n > 1]
        defects.add_all("answer-twice-in-a-list", (f"{where}: {answer}" for answer in repeated))
        if (
            row.entities is not None
            and row.stated_count is not None
            and str(row.stated_count).strip() != str(len(row.entities))
        ):
            defects.add(
                "count-is-not-the-length-of-the-list", f"{where}: {row.stated_count}, {len(row.entities)} in the list"
            )
        if (
            file.target == "count"
            and row.stated_count is not None
            and str(row.stated_count).strip() != row.answer.strip()
        ):
            defects.add("answer-is-not-the-count", f"{where}: {row.answer.strip()}, count {row.stated_count}")
        if file.target == "entities" and row.entities is not None:
            _joined(row, where, defects)


def _joined(row: FiberRow, where: str, defects: Defects) -> None:
    """The one text of all answers, against the list of them."""
    joined, listed = _bare(row.answer), _bare("".join(row.entities or []))
    if joined == listed:
        return
    suffixed = joined.startswith(listed)
    kind = "suffix-in-the-joined-answer-alone" if suffixed else "joined-answer-is-not-the-list"
    defects.add(kind, f"{where}: {row.answer.strip()[-60:]!r}, list {(row.entities or [''])[-1].strip()!r}")


def _bare(text: str) -> str:
    return "".join(character for character in text if not character.isspace() and character not in ",;")


def of_subjects(file: FiberFile, rows: Sequence[Keyed], found: Sequence[str | None], defects: Defects) -> None:
    """Subjects that stand twice in a file, and questions that do not hold their subject."""
    gold: dict[str, list[tuple[str, frozenset[str]]]] = defaultdict(list)
    for each, template in zip(rows, found, strict=True):
        where = f"{file.path}#{each.number}: {each.row.subject}"
        if each.row.subject.strip() not in each.row.question:
            defects.add("subject-not-in-the-question", where)
        elif template is None:
            defects.add("no-template", where)
        gold[each.subject].append((where, frozenset(each.answers)))
    for same in gold.values():
        kind = "subject-twice-with-another-answer" if len({answers for _, answers in same}) > 1 else "row-twice"
        if len(same) > 1:
            defects.add(kind, same[1][0], len(same) - 1)


def of_templates(wordings: Iterable[UsedWording], items: Iterable[Item], defects: Defects) -> None:
    """Wordings that two topics share: one of them asks for the other's answers."""
    rows = Counter(item.provenance.wording_hash for item in items)
    same: dict[tuple[str, str, str, str], list[UsedWording]] = defaultdict(list)
    for wording in wordings:
        same[wording.language, wording.form, wording.target, wording.template].append(wording)
    for group in same.values():
        if len({wording.topic for wording in group}) > 1:
            for wording in group:
                defects.add(
                    "question-worded-as-in-another-topic",
                    f"{wording.topic} {wording.language} {wording.form} {wording.target}: {wording.template}",
                    rows[wording.id],
                )


def surfaces_and_entities(sets: Iterable[CandidateSet], defects: Defects) -> None:
    """Surfaces that stand for several entities, and entities that have several surfaces in one set."""
    for each in sets:
        key = each.id.partition("@")[0]
        names: dict[str, list[str]] = defaultdict(list)
        for candidate in each.candidates:
            if len(candidate.ids) > 1:
                defects.add("surface-of-several-entities", f"{key}: {candidate.surface} = {', '.join(candidate.ids)}")
            for identity in candidate.ids:
                names[identity].append(candidate.surface)
        several = (f"{key}: {identity} = {', '.join(found)}" for identity, found in names.items() if len(found) > 1)
        defects.add_all("entity-of-several-surfaces", several)
