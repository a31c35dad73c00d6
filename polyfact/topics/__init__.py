"""Topics: what to ask a knowledge base, and how each language words it. One file each (capitals.toml …).

A reader who knows Wikidata and no Python can add one: a query, the class of its subjects, and sentences with
slots, "The capital of {subject|the} is", whose forms the language files define.
"""

from __future__ import annotations

from polyfact.topics._load import Worded, add_wording, available, load, load_file, with_languages
from polyfact.topics._query import check_query
from polyfact.topics._topic import Answer, Subject, Topic, Wording, WordingFile

__all__ = [
    "Answer",
    "Subject",
    "Topic",
    "Worded",
    "Wording",
    "WordingFile",
    "add_wording",
    "available",
    "check_query",
    "load",
    "load_file",
    "with_languages",
]
