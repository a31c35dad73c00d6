"""The recipe that `polyfact init` writes."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

__all__ = ["recipe"]


def recipe(
    name: str,
    *,
    languages: Sequence[str] = ("en", "it", "tr", "hi"),
    max_subjects: int = 50,
    paraphrases: int = 3,
    as_of: datetime.date,
) -> str:
    """benchmark.toml, commented."""
    listed = ", ".join(f'"{code}"' for code in languages)
    return f"""\
name = "{name}"                  # lower-case letters, digits, hyphens
version = "0.1.0"                # raise it with every release
licence = "CC0-1.0"              # of the data you publish
contact = ""                     # e-mail or URL; needed before a live service is asked
languages = [{listed}]
as_of = {as_of.isoformat()}               # facts that are true on this day

[source]
wikidata = "embedded"            # the knowledge base that comes with polyfact; or wikidata, qlever, an endpoint's URL

[[topics]]
use = "capitals"
forms = ["completion", "question"]
targets = ["entities"]           # entities, count
wording = "natural"              # natural: singular or plural by the number of answers; neutral: does not give it away
paraphrases = {paraphrases}                  # wordings of each form, to see how far a result depends on them
max_subjects = {max_subjects}

[[topics]]
use = "official-languages"
forms = ["completion", "question"]
targets = ["entities", "count"]
wording = "natural"
paraphrases = {paraphrases}
max_subjects = {max_subjects}

[[topics]]
use = "chemical-symbols"
forms = ["completion", "question"]
targets = ["entities"]
wording = "natural"
paraphrases = {paraphrases}
max_subjects = {max_subjects}

[[filters]]
use = "unique-answer"            # no question with two different right answers

[[filters]]
use = "no-leak"                  # no answer that stands in its own question (the capital of Singapore)
"""
