"""polyfact release build: what the recipe says, handed to the release stage."""

from __future__ import annotations

from pathlib import Path

from polyfact import languages, release, topics
from polyfact.workspace import Workspace

__all__ = ["build_release"]


def build_release(folder: Path, *, version: str | None = None, unaudited: bool = False) -> release.ReleaseReport:
    """Release the workspace at ``folder`` under the recipe's version, or another one.

    The language and topic files that the items were made with travel along.
    """
    space = Workspace(folder)
    recipe = space.recipe
    return release.build(
        space.root,
        version=version or recipe.version,
        name=recipe.name,
        licence=recipe.licence,
        contact=recipe.contact,
        unaudited=unaudited,
        languages_used={code: Path(languages.load(code, space.language_dirs).source) for code in recipe.languages},
        topics_used={use.use: topics.load(use.use, space.topic_dirs).path for use in recipe.topics},
    )
