"""Topics: what to ask a knowledge base, and the wording of it in each language. One file each."""

from __future__ import annotations

from polyfact.topics._topic import Noun, Topic, Wording, WordingFile, available, check_query, load

__all__ = ["Noun", "Topic", "Wording", "WordingFile", "available", "check_query", "load"]
